// SPDX-License-Identifier: BSD-3-Clause
#include "nn/MatchDecoder.h"

#include "support/DecoderInputs.h"
#include "support/ExpectError.h"
#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::DecoderInputs;
    using test::expectError;
    using test::largestDifference;
    using test::makeDecoderInputs;
    using test::smallManifest;
    using test::tensorNear;

    constexpr std::int64_t SPECTRA = 3;
    constexpr std::int64_t CANDIDATES = 4;

    MatchDecoder makeDecoder(const ModelManifest& manifest)
    {
      MatchDecoder decoder(manifest);
      decoder->to(torch::kFloat64);
      decoder->eval();
      return decoder;
    }

    class MatchDecoderTest : public ::testing::TestWithParam<NormOrder>
    {
    protected:
      MatchDecoderTest()
      {
        torch::manual_seed(41);
        manifest.architecture.norm_order = GetParam();
        decoder = makeDecoder(manifest);
        inputs = makeDecoderInputs(SPECTRA, CANDIDATES, 6, 7);
      }

      ModelManifest manifest = smallManifest();
      MatchDecoder decoder{nullptr};
      DecoderInputs inputs;
    };

    INSTANTIATE_TEST_SUITE_P(Norm, MatchDecoderTest, ::testing::Values(NormOrder::PRE, NormOrder::POST),
                             [](const auto& test) { return test.param == NormOrder::PRE ? "pre" : "post"; });

    TEST_P(MatchDecoderTest, GivesOneVectorACandidate)
    {
      const at::Tensor cls = inputs.decode(decoder);
      EXPECT_EQ(cls.sizes(), at::IntArrayRef({SPECTRA * CANDIDATES, 8}));
      EXPECT_TRUE(test::allFinite(cls));
      decoder->to(torch::kFloat32);
      inputs.residue_NLD = inputs.residue_NLD.to(torch::kFloat32);
      inputs.memory_BPD = inputs.memory_BPD.to(torch::kFloat32);
      const at::Tensor narrow = inputs.decode(decoder);
      EXPECT_EQ(narrow.scalar_type(), torch::kFloat32);
      EXPECT_TRUE(tensorNear(narrow, cls, 1e-4));
    }

    TEST_P(MatchDecoderTest, PaddedSitesChangeNothing)
    {
      const at::Tensor expected = inputs.decode(decoder);
      const std::int64_t n_matches = SPECTRA * CANDIDATES;
      inputs.residue_NLD = at::cat({inputs.residue_NLD, 30.0 * torch::randn({n_matches, 3, 8}, torch::kFloat64)}, 1);
      inputs.evidence_NSE = at::cat({inputs.evidence_NSE, 30.0 * torch::rand({n_matches, 3, 8}, torch::kFloat64)}, 1);
      inputs.site_padding_NS = at::constant_pad_nd(inputs.site_padding_NS, {0, 3}, true);
      EXPECT_TRUE(tensorNear(inputs.decode(decoder), expected, 1e-12));
    }

    TEST_P(MatchDecoderTest, PaddedPeaksChangeNothing)
    {
      const at::Tensor expected = inputs.decode(decoder);
      inputs.memory_BPD = at::cat({inputs.memory_BPD, 30.0 * torch::randn({SPECTRA, 5, 8}, torch::kFloat64)}, 1);
      inputs.memory_padding_BP = at::constant_pad_nd(inputs.memory_padding_BP, {0, 5}, true);
      EXPECT_TRUE(tensorNear(inputs.decode(decoder), expected, 1e-12));
    }

    TEST_P(MatchDecoderTest, PaddedSlotsChangeNothing)
    {
      const at::Tensor expected = inputs.decode(decoder).view({SPECTRA, CANDIDATES, 8});
      const auto with_slot = [&](const at::Tensor& x_N)
      {
        std::vector<std::int64_t> shape = x_N.sizes().vec();
        shape[0] = CANDIDATES;
        shape.insert(shape.begin(), SPECTRA);
        const at::Tensor slots = x_N.view(shape);
        return at::cat({slots, slots.narrow(1, 0, 1)}, 1).flatten(0, 1);
      };
      inputs.residue_NLD = with_slot(inputs.residue_NLD);
      inputs.evidence_NSE = with_slot(inputs.evidence_NSE) * 1.0;
      inputs.site_padding_NS = with_slot(inputs.site_padding_NS);
      inputs.site_padding_NS.view({SPECTRA, CANDIDATES + 1, -1}).select(1, CANDIDATES).fill_(true);
      inputs.summary_NG = with_slot(inputs.summary_NG);
      const at::Tensor cls = inputs.decode(decoder).view({SPECTRA, CANDIDATES + 1, 8});
      EXPECT_TRUE(test::allFinite(cls));
      EXPECT_TRUE(tensorNear(cls.narrow(1, 0, CANDIDATES), expected, 1e-12));
    }

    TEST_P(MatchDecoderTest, ASpectrumAloneGetsTheSameVectors)
    {
      const at::Tensor together = inputs.decode(decoder);
      for (std::int64_t b = 0; b < SPECTRA; ++b)
      {
        const auto slots = [&](const at::Tensor& x)
        {
          return x.narrow(0, b * CANDIDATES, CANDIDATES);
        };
        const auto row = [&](const at::Tensor& x)
        {
          return x.narrow(0, b, 1);
        };
        const DecoderInputs alone{
            slots(inputs.residue_NLD),   slots(inputs.evidence_NSE), slots(inputs.site_padding_NS),
            slots(inputs.summary_NG),    row(inputs.charge_B),       row(inputs.activation_B),
            row(inputs.log_tolerance_B), row(inputs.memory_BPD),     row(inputs.memory_padding_BP)};
        EXPECT_TRUE(tensorNear(alone.decode(decoder), slots(together), 1e-12)) << b;
      }
    }

    TEST_P(MatchDecoderTest, EachSlotReadsItsOwnSpectrum)
    {
      const at::Tensor before = inputs.decode(decoder);
      inputs.memory_BPD = inputs.memory_BPD.clone();
      inputs.memory_BPD[1] += torch::randn({8, 8}, torch::kFloat64);
      const at::Tensor moved = (inputs.decode(decoder) - before).abs().amax(1);
      for (std::int64_t slot = 0; slot < SPECTRA * CANDIDATES; ++slot)
      {
        EXPECT_EQ(moved[slot].item<double>() > 1e-9, slot / CANDIDATES == 1) << slot;
      }
    }

    TEST_P(MatchDecoderTest, EveryInputCounts)
    {
      const at::Tensor before = inputs.decode(decoder);
      const auto difference = [&](const auto& change)
      {
        DecoderInputs changed = inputs;
        change(changed);
        return largestDifference(changed.decode(decoder), before);
      };
      EXPECT_GT(difference([](DecoderInputs& x) { x.residue_NLD = x.residue_NLD + 0.1; }), 1e-6);
      EXPECT_GT(difference([](DecoderInputs& x) { x.evidence_NSE = x.evidence_NSE + 0.1; }), 1e-6);
      EXPECT_GT(difference([](DecoderInputs& x) { x.summary_NG = x.summary_NG + 0.1; }), 1e-6);
      EXPECT_GT(difference([](DecoderInputs& x) { x.charge_B = x.charge_B + 1; }), 1e-6);
      EXPECT_GT(difference([](DecoderInputs& x) { x.activation_B = 4 - x.activation_B; }), 1e-6);
      EXPECT_GT(difference([](DecoderInputs& x) { x.log_tolerance_B = x.log_tolerance_B + 0.1; }), 1e-6);
      EXPECT_GT(difference([](DecoderInputs& x) { x.memory_BPD = x.memory_BPD.flip(0); }), 1e-6);
    }

    TEST_P(MatchDecoderTest, ResiduesInAnotherOrderGiveAnotherVector)
    {
      const at::Tensor before = inputs.decode(decoder);
      const at::Tensor order = torch::tensor({0, 2, 1, 3, 4, 5}, torch::kInt64);
      inputs.residue_NLD = inputs.residue_NLD.index_select(1, order);
      EXPECT_GT((inputs.decode(decoder) - before).abs().amax(1).min().item<double>(), 1e-6);
    }

    TEST_P(MatchDecoderTest, SitesInAnotherOrderGiveAnotherVector)
    {
      inputs.residue_NLD = torch::ones_like(inputs.residue_NLD); // so that the place of a site is all that differs
      const at::Tensor before = inputs.decode(decoder);
      const at::Tensor order = torch::tensor({0, 2, 1, 3, 4}, torch::kInt64);
      inputs.evidence_NSE = inputs.evidence_NSE.index_select(1, order);
      EXPECT_GT((inputs.decode(decoder) - before).abs().amax(1).min().item<double>(), 1e-6);
    }

    TEST_P(MatchDecoderTest, AnEmptySpectrumAndASingleResidueAreDecoded)
    {
      const DecoderInputs empty = makeDecoderInputs(SPECTRA, CANDIDATES, 6, 0);
      ASSERT_EQ(empty.memory_BPD.size(1), 1);
      EXPECT_TRUE(test::allFinite(empty.decode(decoder)));

      DecoderInputs single = makeDecoderInputs(SPECTRA, CANDIDATES, 2, 3);
      single.residue_NLD = single.residue_NLD.narrow(1, 0, 1);
      single.site_padding_NS.fill_(true);
      EXPECT_TRUE(test::allFinite(single.decode(decoder)));
    }

    TEST_P(MatchDecoderTest, TheLastLayerComputesTheSameClsAlone)
    {
      DecoderLayer layer(manifest.architecture);
      layer->to(torch::kFloat64);
      layer->eval();
      const at::Tensor x = torch::randn({SPECTRA * CANDIDATES, 6, 8}, torch::kFloat64);
      const at::Tensor padding = at::constant_pad_nd(inputs.site_padding_NS, {1, 0}, false);
      const at::Tensor all = layer->forward(x, padding, inputs.memory_BPD, inputs.memory_padding_BP);
      EXPECT_EQ(all.sizes(), x.sizes());
      const at::Tensor cls = layer->forward(x, padding, inputs.memory_BPD, inputs.memory_padding_BP, true);
      EXPECT_TRUE(tensorNear(cls, all.narrow(1, 0, 1), 1e-12));
    }

    TEST_P(MatchDecoderTest, EveryParameterGetsAGradient)
    {
      for (const std::int64_t n_layers : {0, 1, 2})
      {
        manifest.architecture.decoder_layers = n_layers;
        decoder = makeDecoder(manifest);
        const at::Tensor cls = inputs.decode(decoder);
        (cls * torch::randn_like(cls)).sum().backward();
        EXPECT_TRUE(test::everyParameterHasGradient(*decoder)) << n_layers << " layers";
      }
    }

    TEST_P(MatchDecoderTest, WithoutCrossAttentionTheSpectrumIsNotRead)
    {
      manifest.architecture.use_cross_attention = false;
      decoder = makeDecoder(manifest);
      for (const auto& parameter : decoder->named_parameters())
      {
        EXPECT_EQ(parameter.key().find("cross"), std::string::npos) << parameter.key();
      }
      const at::Tensor before = inputs.decode(decoder);
      inputs.memory_BPD = torch::randn_like(inputs.memory_BPD);
      EXPECT_TRUE(tensorNear(inputs.decode(decoder), before, 0.0));
      const at::Tensor cls = inputs.decode(decoder);
      (cls * torch::randn_like(cls)).sum().backward();
      EXPECT_TRUE(test::everyParameterHasGradient(*decoder));
    }

    TEST_P(MatchDecoderTest, WithoutLayersTheMeanStillSeesTheEvidence)
    {
      manifest.architecture.decoder_layers = 0;
      decoder = makeDecoder(manifest);
      const at::Tensor before = inputs.decode(decoder);
      inputs.evidence_NSE = inputs.evidence_NSE.clone();
      inputs.evidence_NSE.select(1, 0) += 1.0;
      EXPECT_GT(largestDifference(inputs.decode(decoder), before), 1e-6);
    }

    TEST(MatchDecoder, RefusesCandidatesThatDoNotBelongToASpectrum)
    {
      MatchDecoder decoder = makeDecoder(smallManifest());
      DecoderInputs inputs = makeDecoderInputs(2, 3, 5, 4);
      inputs.residue_NLD = inputs.residue_NLD.narrow(0, 0, 5);
      expectError(ErrorKind::INTERNAL, "5 candidates", [&] { inputs.decode(decoder); });
    }
  }
}
