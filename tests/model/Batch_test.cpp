// SPDX-License-Identifier: BSD-3-Clause
#include "Batch.h"

#include "support/Builders.h"
#include "support/ExpectError.h"
#include "support/TensorNear.h"

#include <PSMFormer/core/Vocabulary.h>

#include <cmath>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::makeMatchTable;
    using test::makeSpectrum;
    using test::tensorNear;

    std::vector<PreparedRow> prepareAll(const MatchTable& table, const ModelInputs& inputs, int threads = 1)
    {
      MatchBatch batch;
      for (std::size_t s = 0; s < table.spectra.size(); ++s)
      {
        BatchRow row;
        row.spectrum = s;
        row.charge = table.spectra[s].precursor_charge;
        for (std::size_t m = 0; m < table.matches.size(); ++m)
        {
          if (table.matches[m].spectrum == s)
          {
            row.matches.push_back(m);
          }
        }
        batch.rows.push_back(row);
      }
      return prepareRows(table, batch, inputs, threads);
    }

    /// Two spectra with 3 and 1 peaks, of 2 and 1 candidates.
    MatchTable smallTable()
    {
      MatchTable table;
      table.spectra = {makeSpectrum({{300.0, 4.0F}, {200.0, 1.0F}, {400.0, 16.0F}}, 600.0, 2),
                       makeSpectrum({{250.0, 9.0F}}, 500.0, 3)};
      table.spectra[1].activation = Activation::ETD;
      table.spectra[1].fragment_tolerance = {0.5, ToleranceUnit::DA};
      table.peptides = {makePeptide("PEPTIDE"), makePeptide("ACK")};
      table.matches = {{0, 0, 2, {}}, {0, 1, 2, {}}, {1, 1, 3, {}}};
      return table;
    }

    TEST(Batch, PadsSpectraToTheMostPeaks)
    {
      const ModelInputs inputs;
      const SpectrumBatch spectra = collate(prepareAll(smallTable(), inputs), inputs).spectra;
      EXPECT_TRUE(
          tensorNear(spectra.mz_BP, torch::tensor({{200.0, 300.0, 400.0}, {250.0, 0.0, 0.0}}, torch::kFloat64), 0.0));
      EXPECT_TRUE(tensorNear(spectra.intensity_BP, torch::tensor({{0.25, 0.5, 1.0}, {1.0, 0.0, 0.0}}), 1e-7));
      EXPECT_TRUE(torch::equal(spectra.peak_padding_BP, torch::tensor({{false, false, false}, {false, true, true}})));
      EXPECT_EQ(spectra.mz_BP.scalar_type(), torch::kFloat64);
      EXPECT_EQ(spectra.intensity_BP.scalar_type(), torch::kFloat32);
    }

    TEST(Batch, DescribesThePrecursorAtTheChargeOfTheMatch)
    {
      const ModelInputs inputs;
      const SpectrumBatch spectra = collate(prepareAll(smallTable(), inputs), inputs).spectra;
      constexpr double PROTON = 1.0072764667710;
      EXPECT_TRUE(tensorNear(spectra.precursor_mass_B,
                             torch::tensor({2 * (600.0 - PROTON), 3 * (500.0 - PROTON)}, torch::kFloat64), 1e-9));
      EXPECT_TRUE(torch::equal(spectra.charge_B, torch::tensor({2, 3}, torch::kInt64)));
      EXPECT_TRUE(torch::equal(spectra.activation_B, torch::tensor({2, 3}, torch::kInt64)));
      // 20 ppm of 500 Th are 0.01 Th.
      EXPECT_TRUE(tensorNear(spectra.log_tolerance_B, torch::tensor({-2.0, std::log10(0.5)}), 1e-6));
    }

    TEST(Batch, PadsPeptidesAndAddsTerminalModificationsToTheEndResidues)
    {
      const ModelInputs inputs;
      MatchTable table = smallTable();
      table.peptides[1].modification_mass[1] = 57.0;
      table.peptides[1].n_term_modification = 42.0;
      table.peptides[1].c_term_modification = -1.0;
      const PeptideBatch peptides = collate(prepareAll(table, inputs), inputs).peptides;
      ASSERT_EQ(peptides.token_QL.size(0), 2);
      ASSERT_EQ(peptides.token_QL.size(1), 7);
      const std::vector<std::int64_t> tokens = Vocabulary(inputs.vocabulary).encode("ACK");
      const std::vector<double>& mass = table.peptides[1].residue_mass;
      for (std::int64_t i = 0; i < 7; ++i)
      {
        const auto k = static_cast<std::size_t>(i);
        EXPECT_EQ(peptides.padding_QL[1][i].item<bool>(), i >= 3);
        EXPECT_EQ(peptides.token_QL[1][i].item<std::int64_t>(), i < 3 ? tokens[k] : Vocabulary::PADDING);
        const double modification = i == 0 ? 42.0 : i == 1 ? 57.0 : -1.0;
        EXPECT_DOUBLE_EQ(peptides.mass_QL[1][i].item<double>(), i < 3 ? mass[k] + modification : 0.0);
      }
    }

    TEST(Batch, ASingleResidueTakesBothTerminalModifications)
    {
      const ModelInputs inputs;
      MatchTable table = makeMatchTable({makeSpectrum({{200.0, 1.0F}}, 300.0, 1)}, {makePeptide("K")});
      table.peptides[0].n_term_modification = 42.0;
      table.peptides[0].c_term_modification = 16.0;
      const MatchTensors batch = collate(prepareAll(table, inputs), inputs);
      EXPECT_DOUBLE_EQ(batch.peptides.mass_QL.item<double>(), table.peptides[0].residue_mass[0] + 58.0);
      ASSERT_EQ(batch.candidates.site_padding_NS.size(1), 1);
      EXPECT_TRUE(batch.candidates.site_padding_NS.item<bool>());
    }

    TEST(Batch, FillsOneSlotForEachCandidateAndMarksTheOthers)
    {
      const ModelInputs inputs;
      const MatchTable table = smallTable();
      const auto rows = prepareAll(table, inputs);
      const CandidateBatch candidates = collate(rows, inputs).candidates;
      EXPECT_EQ(candidates.match, (std::vector<std::size_t>{0, 1, 2, CandidateBatch::NO_MATCH}));
      EXPECT_TRUE(torch::equal(candidates.slot_padding_N, torch::tensor({false, false, false, true})));
      EXPECT_TRUE(torch::equal(candidates.peptide_N, torch::tensor({0, 1, 1, 0}, torch::kInt64)));
      EXPECT_TRUE(torch::equal(candidates.site_padding_NS.logical_not().sum(1), torch::tensor({6, 2, 2, 0})));
      EXPECT_EQ(candidates.evidence_NSE.sizes(), at::IntArrayRef({4, 6, 32}));
      EXPECT_EQ(candidates.summary_NG.sizes(), at::IntArrayRef({4, 6}));
    }

    TEST(Batch, PutsEvidenceWhereItsSiteAndChannelAre)
    {
      const ModelInputs inputs;
      const Peptide peptide = makePeptide("PEPTIDE");
      const double b3 = fragmentMz(peptide, 2, parseIonChannel("b1"));
      const MatchTable table = makeMatchTable({makeSpectrum({{b3, 4.0F}}, 700.0, 2)}, {peptide});
      const auto rows = prepareAll(table, inputs);
      const at::Tensor evidence_SK4 = collate(rows, inputs).candidates.evidence_NSE[0].unflatten(1, {8, 4});
      EXPECT_FLOAT_EQ(evidence_SK4[2][0][0].item<float>(), 1.0F) << "matched";
      EXPECT_FLOAT_EQ(evidence_SK4[2][0][1].item<float>(), 1.0F) << "intensity";
      EXPECT_FLOAT_EQ(evidence_SK4.select(2, 0).sum().item<float>(), 1.0F) << "nothing else is matched";
    }

    TEST(Batch, KeepsEqualPeptidesOnce)
    {
      const ModelInputs inputs;
      MatchTable table = smallTable();
      table.peptides = {makePeptide("PEPTIDE"), makePeptide("PEPTIDE"), makePeptide("PEPTIDE")};
      table.peptides[2].modification_mass[3] = 79.966331;
      table.matches[2].peptide = 2;
      const MatchTensors batch = collate(prepareAll(table, inputs), inputs);
      EXPECT_EQ(batch.peptides.token_QL.size(0), 2);
      EXPECT_TRUE(torch::equal(batch.candidates.peptide_N, torch::tensor({0, 0, 1, 0}, torch::kInt64)));
    }

    TEST(Batch, ASpectrumWithoutPeaksIsAllPadding)
    {
      const ModelInputs inputs;
      const MatchTable table = makeMatchTable({makeSpectrum({}, 400.0, 2)}, {makePeptide("PEPTIDE")});
      const auto rows = prepareAll(table, inputs);
      const SpectrumBatch spectra = collate(rows, inputs).spectra;
      EXPECT_TRUE(torch::equal(spectra.peak_padding_BP, torch::tensor({{true}})));
    }

    TEST(Batch, RefusesPeptidesTheModelCannotRead)
    {
      ModelInputs inputs;
      inputs.max_residues = 6;
      MatchTable table = smallTable();
      expectError(ErrorKind::INVALID_INPUT, "'PEPTIDE' has 7 residues", [&] { prepareAll(table, inputs, 2); });
      table.peptides[0] = Peptide{};
      expectError(ErrorKind::INVALID_INPUT, "has 0 residues", [&] { prepareAll(table, inputs); });
      table = smallTable();
      inputs = ModelInputs{};
      inputs.vocabulary = "ACDEFGHIKL";
      expectError(ErrorKind::INVALID_INPUT, "", [&] { collate(prepareAll(table, inputs), inputs); });
      table.peptides[0].residue_mass.pop_back();
      expectError(ErrorKind::INVALID_INPUT, "one mass a residue", [&] { prepareAll(table, inputs); });
    }

    TEST(Batch, ThreadsPrepareTheSameRows)
    {
      const ModelInputs inputs;
      Random random(3);
      std::vector<Spectrum> spectra;
      for (int i = 0; i < 20; ++i)
      {
        spectra.push_back(test::randomSpectrum(100, random));
      }
      const MatchTable table =
          makeMatchTable(spectra, {test::randomModifiedPeptide(9, random), test::randomModifiedPeptide(15, random)});
      const MatchTensors one = collate(prepareAll(table, inputs, 1), inputs);
      const MatchTensors three = collate(prepareAll(table, inputs, 3), inputs);
      EXPECT_TRUE(torch::equal(one.candidates.evidence_NSE, three.candidates.evidence_NSE));
      EXPECT_TRUE(torch::equal(one.spectra.mz_BP, three.spectra.mz_BP));
      EXPECT_EQ(one.candidates.match, three.candidates.match);
    }
  }
}
