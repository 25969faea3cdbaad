// SPDX-License-Identifier: BSD-3-Clause
#include "nn/PSMTransformer.h"

#include "TinyModel.h"
#include "support/Builders.h"
#include "support/TensorNear.h"

#include <algorithm>

namespace psmformer
{
  namespace
  {
    using test::allFinite;
    using test::makeMatchTable;
    using test::randomNetwork;
    using test::tensorNear;
    using test::tinyManifest;

    constexpr double FLOAT32_NOISE = 2e-6;

    MatchTensors tensorsOf(const MatchTable& table, const ModelInputs& inputs)
    {
      MatchBatch batch;
      for (const MatchBatch& planned : planBatches(table, BatchLimits{}))
      {
        batch.rows.insert(batch.rows.end(), planned.rows.begin(), planned.rows.end());
      }
      return collate(prepareRows(table, batch, inputs, 1), inputs);
    }

    MatchTable randomTable()
    {
      Random random(11);
      std::vector<Spectrum> spectra;
      for (const std::size_t n_peaks : {40U, 3U, 120U})
      {
        spectra.push_back(test::randomSpectrum(n_peaks, random));
      }
      std::vector<Peptide> peptides;
      for (const std::size_t length : {12U, 6U, 30U, 1U})
      {
        peptides.push_back(test::randomModifiedPeptide(length, random));
      }
      spectra[0] = test::noiselessSpectrum(peptides[0], 2);
      return makeMatchTable(spectra, peptides);
    }

    /// The output of the network by match.
    nn::MatchOutput scoresByMatch(nn::PSMTransformer network, const MatchTable& table, const ModelInputs& inputs)
    {
      const at::NoGradGuard no_gradient;
      const MatchTensors batch = tensorsOf(table, inputs);
      const nn::MatchOutput output = network(batch);
      std::vector<std::int64_t> slot_of_match(table.matches.size());
      for (std::size_t slot = 0; slot < batch.candidates.match.size(); ++slot)
      {
        if (batch.candidates.match[slot] != CandidateBatch::NO_MATCH)
        {
          slot_of_match[batch.candidates.match[slot]] = static_cast<std::int64_t>(slot);
        }
      }
      const at::Tensor order = torch::tensor(slot_of_match, torch::kInt64);
      nn::MatchOutput by_match = output;
      by_match.logit_N = output.logit_N.index_select(0, order);
      by_match.cosine_N = output.cosine_N.index_select(0, order);
      by_match.spectral_angle_N = output.spectral_angle_N.index_select(0, order);
      return by_match;
    }

    TEST(PSMTransformer, GivesOneNumberOfEachKindForEachSlot)
    {
      const ModelManifest manifest = tinyManifest();
      const MatchTensors batch = tensorsOf(randomTable(), manifest.inputs);
      const nn::MatchOutput output = randomNetwork(manifest, 1)(batch);
      const std::int64_t n_slots = batch.candidates.peptide_N.size(0);
      EXPECT_EQ(output.logit_N.sizes(), at::IntArrayRef({n_slots}));
      EXPECT_EQ(output.cosine_N.sizes(), at::IntArrayRef({n_slots}));
      EXPECT_EQ(output.spectral_angle_N.sizes(), at::IntArrayRef({n_slots}));
      EXPECT_TRUE(tensorNear(output.spectrum_BD.norm(2, 1), torch::ones({3}), 1e-6));
      EXPECT_TRUE(tensorNear(output.peptide_QD.norm(2, 1), torch::ones({4}), 1e-6));
    }

    TEST(PSMTransformer, StaysFiniteAndInRangeForEveryKindOfMatch)
    {
      const ModelManifest manifest = tinyManifest();
      MatchTable table = randomTable();
      Random random(5);
      table.spectra.push_back(test::makeSpectrum({}, 500.0, 2));
      table.spectra.push_back(test::makeSpectrum({{300.0, 1.0F}}, 0.0, 9));
      table.peptides.push_back(test::randomModifiedPeptide(manifest.inputs.max_residues, random));
      table = makeMatchTable(table.spectra, table.peptides);
      const nn::MatchOutput output = scoresByMatch(randomNetwork(manifest, 1), table, manifest.inputs);
      EXPECT_TRUE(allFinite(output.logit_N));
      EXPECT_TRUE(allFinite(output.spectral_angle_N));
      EXPECT_LE(output.cosine_N.abs().max().item<double>(), 1.0);
      EXPECT_GE(output.spectral_angle_N.min().item<double>(), 0.0);
      EXPECT_LE(output.spectral_angle_N.max().item<double>(), 1.0);
    }

    TEST(PSMTransformer, AMatchScoresTheSameAloneAndPaddedInABatch)
    {
      for (const Pooling pooling : {Pooling::MEAN, Pooling::MAX, Pooling::CLS})
      {
        ModelManifest manifest = tinyManifest();
        manifest.architecture.pooling = pooling;
        const nn::PSMTransformer network = randomNetwork(manifest, 2);
        const MatchTable table = randomTable();
        const nn::MatchOutput together = scoresByMatch(network, table, manifest.inputs);
        for (std::size_t m = 0; m < table.matches.size(); ++m)
        {
          MatchTable single = table;
          single.matches = {table.matches[m]};
          const nn::MatchOutput alone = scoresByMatch(network, single, manifest.inputs);
          const auto n = static_cast<std::int64_t>(m);
          EXPECT_TRUE(tensorNear(alone.logit_N, together.logit_N.narrow(0, n, 1), FLOAT32_NOISE)) << m;
          EXPECT_TRUE(tensorNear(alone.cosine_N, together.cosine_N.narrow(0, n, 1), FLOAT32_NOISE)) << m;
          EXPECT_TRUE(tensorNear(alone.spectral_angle_N, together.spectral_angle_N.narrow(0, n, 1), 1e-4)) << m;
        }
      }
    }

    TEST(PSMTransformer, TheOrderOfPeaksDoesNotMatterThatOfResiduesDoes)
    {
      const ModelManifest manifest = tinyManifest();
      const nn::PSMTransformer network = randomNetwork(manifest, 3);
      MatchTable table = randomTable();
      const at::Tensor before_N = scoresByMatch(network, table, manifest.inputs).logit_N;
      for (Spectrum& spectrum : table.spectra)
      {
        std::reverse(spectrum.mz.begin(), spectrum.mz.end());
        std::reverse(spectrum.intensity.begin(), spectrum.intensity.end());
      }
      EXPECT_TRUE(tensorNear(scoresByMatch(network, table, manifest.inputs).logit_N, before_N, 0.0));
      for (Peptide& peptide : table.peptides)
      {
        std::reverse(peptide.residues.begin(), peptide.residues.end());
        std::reverse(peptide.residue_mass.begin(), peptide.residue_mass.end());
        std::reverse(peptide.modification_mass.begin(), peptide.modification_mass.end());
        std::reverse(peptide.neutral_loss.begin(), peptide.neutral_loss.end());
      }
      const at::Tensor reversed_N = scoresByMatch(network, table, manifest.inputs).logit_N;
      EXPECT_GT((reversed_N - before_N).abs().max().item<double>(), 1e-3);
    }

    TEST(PSMTransformer, EveryWeightReceivesAGradient)
    {
      ModelManifest manifest = tinyManifest();
      manifest.architecture.peak_positions = OrdinalEncoding::LEARNED;
      manifest.architecture.residue_positions = OrdinalEncoding::LEARNED;
      nn::PSMTransformer network = randomNetwork(manifest, 4);
      const nn::MatchOutput output = network(tensorsOf(randomTable(), manifest.inputs));
      (output.logit_N.sum() + output.spectral_angle_N.sum() + output.cosine_N.sum()).backward();
      EXPECT_TRUE(test::everyParameterHasGradient(*network));
    }

    TEST(PSMTransformer, CountsItsParameters)
    {
      const nn::PSMTransformer network = randomNetwork(tinyManifest(), 1);
      std::int64_t count = 0;
      for (const auto& item : network->named_parameters())
      {
        count += item.value().numel();
      }
      EXPECT_EQ(network->parameterCount(), count);
      EXPECT_GT(count, 10'000);
    }
  }
}
