// SPDX-License-Identifier: BSD-3-Clause
#include "nn/PeakEmbedding.h"

#include "support/ExpectError.h"
#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::expectError;
    using test::largestDifference;
    using test::tensorNear;

    ModelManifest tinyManifest()
    {
      ModelManifest manifest = presetManifest("tiny");
      manifest.architecture.d_model = 8;
      manifest.architecture.n_heads = 2;
      return manifest;
    }

    at::Tensor encodeMz(const at::Tensor& mz)
    {
      return encodeSinusoidal(mz, 8, 0.001, 10000.0);
    }

    const at::Tensor& weight(const torch::OrderedDict<std::string, at::Tensor>& weights, const std::string& name)
    {
      return weights[name];
    }

    TEST(PeakEmbedding, IsTheSumOfMzIntensityAndRank)
    {
      torch::manual_seed(31);
      PeakEmbedding embedding(tinyManifest());
      embedding->to(torch::kFloat64);
      const at::Tensor mz = torch::tensor({{101.07, 500.25, 1234.56789}, {147.11, 0.0, 0.0}}, torch::kFloat64);
      const at::Tensor intensity = torch::tensor({{0.2, 1.0, 0.5}, {1.0, 0.0, 0.0}}, torch::kFloat32);
      const auto weights = embedding->named_parameters();
      const at::Tensor expected =
          encodeMz(mz) + encodeVaswani(3, 8) +
          intensity.to(torch::kFloat64).unsqueeze(-1) * weight(weights, "intensity.weight").squeeze(1) +
          weight(weights, "intensity.bias");
      EXPECT_TRUE(tensorNear(embedding->forward(mz, intensity), expected, 1e-12));
    }

    TEST(PeakEmbedding, ComputesPhasesInFloat64AlsoForFloat32Weights)
    {
      torch::manual_seed(31);
      PeakEmbedding embedding(tinyManifest());
      const at::Tensor mz = torch::tensor({{1234.56789, 1234.56795}}, torch::kFloat64);
      const at::Tensor intensity = torch::ones({1, 2});
      const at::Tensor embedded = embedding->forward(mz, intensity);
      EXPECT_EQ(embedded.scalar_type(), torch::kFloat32);
      const at::Tensor expected = encodeMz(mz) + encodeVaswani(2, 8);
      const at::Tensor without_mz = embedded - encodeMz(mz) - encodeVaswani(2, 8);
      EXPECT_TRUE(tensorNear(without_mz.select(1, 0), without_mz.select(1, 1), 1e-5));
      EXPECT_GT(largestDifference(expected.select(1, 0), expected.select(1, 1)), 0.1);
    }

    TEST(PeakEmbedding, WithoutMzEncodingOnlyTheOrderCounts)
    {
      ModelManifest manifest = tinyManifest();
      manifest.architecture.use_mz_encoding = false;
      PeakEmbedding embedding(manifest);
      const at::Tensor intensity = torch::rand({1, 3});
      const at::Tensor mz = torch::tensor({{100.0, 200.0, 300.0}}, torch::kFloat64);
      EXPECT_TRUE(tensorNear(embedding->forward(mz, intensity), embedding->forward(3.0 * mz, intensity), 0.0));
      EXPECT_GT(largestDifference(embedding->forward(mz, intensity), embedding->forward(mz, intensity.flip(1))), 1e-4);
    }

    TEST(PeakEmbedding, NoPeaksAreNoVectors)
    {
      PeakEmbedding embedding(tinyManifest());
      EXPECT_EQ(embedding->forward(torch::zeros({2, 0}, torch::kFloat64), torch::zeros({2, 0})).sizes(),
                at::IntArrayRef({2, 0, 8}));
    }

    TEST(PeakEmbedding, HasASwitchForTheOrdinalEncoding)
    {
      for (const OrdinalEncoding mode :
           {OrdinalEncoding::NONE, OrdinalEncoding::VASWANI, OrdinalEncoding::WAVELENGTHS, OrdinalEncoding::LEARNED})
      {
        ModelManifest manifest = tinyManifest();
        manifest.architecture.peak_positions = mode;
        PeakEmbedding embedding(manifest);
        const at::Tensor embedded =
            embedding->forward(torch::full({1, 4}, 500.25, torch::kFloat64), torch::full({1, 4}, 0.5));
        const double spread = largestDifference(embedded.select(1, 0), embedded.select(1, 3));
        EXPECT_EQ(spread > 1e-6, mode != OrdinalEncoding::NONE);
      }
    }

    TEST(PrecursorEmbedding, IsTheSumOfItsParts)
    {
      torch::manual_seed(32);
      PrecursorEmbedding embedding(tinyManifest());
      embedding->to(torch::kFloat64);
      const at::Tensor mass = torch::tensor({1500.7, 2345.6}, torch::kFloat64);
      const at::Tensor charge = torch::tensor({2, 3}, torch::kInt64);
      const at::Tensor activation = torch::tensor({2, 4}, torch::kInt64);
      const at::Tensor tolerance = torch::tensor({-2.0, -0.3});
      const auto weights = embedding->named_parameters();
      const at::Tensor expected =
          encodeMz(mass) + weight(weights, "charge.weight").index_select(0, charge) +
          weight(weights, "activation.weight").index_select(0, activation) +
          tolerance.to(torch::kFloat64).unsqueeze(-1) * weight(weights, "tolerance.weight").squeeze(1) +
          weight(weights, "tolerance.bias");
      EXPECT_TRUE(tensorNear(embedding->forward(mass, charge, activation, tolerance), expected, 1e-12));
    }

    TEST(PrecursorEmbedding, ClipsTheChargeAndCanLeaveOutTheMass)
    {
      ModelManifest manifest = tinyManifest();
      manifest.architecture.use_mz_encoding = false;
      PrecursorEmbedding embedding(manifest);
      const auto embed = [&](double mass, std::int64_t charge)
      {
        return embedding->forward(torch::tensor({mass}, torch::kFloat64), torch::tensor({charge}, torch::kInt64),
                                  torch::zeros({1}, torch::kInt64), torch::zeros({1}));
      };
      EXPECT_TRUE(tensorNear(embed(1000.0, 30), embed(1000.0, manifest.inputs.max_charge), 0.0));
      EXPECT_TRUE(tensorNear(embed(1000.0, 2), embed(1234.5, 2), 0.0));
      EXPECT_GT(largestDifference(embed(1000.0, 2), embed(1000.0, 3)), 1e-3);
    }

    TEST(ResidueEmbedding, IsTheSumOfResidueMassAndBothPositions)
    {
      torch::manual_seed(33);
      ResidueEmbedding embedding(tinyManifest());
      embedding->to(torch::kFloat64);
      const at::Tensor token = torch::tensor({{5, 1, 9, 2}, {3, 3, 0, 0}}, torch::kInt64);
      const at::Tensor mass =
          torch::tensor({{57.02146, 71.03711, 147.0354, 128.09496}, {113.08406, 99.06841, 0.0, 0.0}}, torch::kFloat64);
      const at::Tensor padding = token == 0;
      const at::Tensor table = encodeVaswani(4, 8);
      const at::Tensor from_end = torch::tensor({{3, 2, 1, 0}, {1, 0, 0, 0}}, torch::kInt64);
      const at::Tensor expected = weight(embedding->named_parameters(), "residue.weight").index({token}) +
                                  encodeMz(mass) + table + table.flip(1).index({from_end});
      EXPECT_TRUE(tensorNear(embedding->forward(token, mass, padding), expected, 1e-12));
    }

    TEST(ResidueEmbedding, NoPositionLooksLikeItsMirrorImage)
    {
      for (const OrdinalEncoding mode :
           {OrdinalEncoding::VASWANI, OrdinalEncoding::WAVELENGTHS, OrdinalEncoding::LEARNED})
      {
        ModelManifest manifest = tinyManifest();
        manifest.architecture.residue_positions = mode;
        ResidueEmbedding embedding(manifest);
        const at::Tensor token = torch::ones({1, 7}, torch::kInt64);
        const at::Tensor embedded = embedding->forward(token, torch::ones({1, 7}, torch::kFloat64), token == 0);
        const at::Tensor mirrored = (embedded - embedded.flip(1)).abs().amax(2).squeeze(0);
        for (const std::int64_t i : {0, 1, 2, 4, 5, 6}) // 3 is the middle
        {
          EXPECT_GT(mirrored[i].item<double>(), 1e-3) << i;
        }
      }
    }

    TEST(ResidueEmbedding, PaddingDoesNotMoveTheCTerminus)
    {
      ResidueEmbedding embedding(tinyManifest());
      const at::Tensor token = torch::tensor({{5, 1, 9}}, torch::kInt64);
      const at::Tensor mass = torch::tensor({{57.02146, 71.03711, 147.0354}}, torch::kFloat64);
      const at::Tensor alone = embedding->forward(token, mass, token == 0);
      const at::Tensor padded_token = at::constant_pad_nd(token, {0, 4});
      const at::Tensor padded = embedding->forward(padded_token, at::constant_pad_nd(mass, {0, 4}), padded_token == 0);
      EXPECT_TRUE(tensorNear(padded.narrow(1, 0, 3), alone, 1e-7));
    }

    TEST(ResidueEmbedding, AModificationEntersByItsMass)
    {
      ResidueEmbedding embedding(tinyManifest());
      const at::Tensor token = torch::tensor({{5, 1}}, torch::kInt64);
      const at::Tensor mass = torch::tensor({{131.04049, 71.03711}}, torch::kFloat64);
      const at::Tensor oxidised = torch::tensor({{147.0354, 71.03711}}, torch::kFloat64);
      const at::Tensor plain = embedding->forward(token, mass, token == 0);
      const at::Tensor modified = embedding->forward(token, oxidised, token == 0);
      EXPECT_GT(largestDifference(plain.select(1, 0), modified.select(1, 0)), 1e-2);
      EXPECT_TRUE(tensorNear(plain.select(1, 1), modified.select(1, 1), 0.0));
    }

    TEST(ResidueEmbedding, ALearnedTableRefusesLongerPeptides)
    {
      ModelManifest manifest = tinyManifest();
      manifest.architecture.residue_positions = OrdinalEncoding::LEARNED;
      manifest.inputs.max_residues = 5;
      ResidueEmbedding embedding(manifest);
      const at::Tensor token = torch::ones({1, 6}, torch::kInt64);
      expectError(ErrorKind::INVALID_INPUT, "learned 5 positions",
                  [&] {
                    embedding->forward(token, torch::ones({1, 6}, torch::kFloat64), token == 0);
                  });
    }

    TEST(PositionsFromEnd, CountFromTheLastUnpaddedToken)
    {
      const at::Tensor padding = torch::tensor({{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}}, torch::kBool);
      const at::Tensor expected =
          torch::tensor({{3, 2, 1, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, torch::kInt64);
      EXPECT_TRUE(tensorNear(positionsFromEnd(padding), expected, 0.0));
      EXPECT_EQ(positionsFromEnd(padding).scalar_type(), torch::kInt64);
    }
  }
}
