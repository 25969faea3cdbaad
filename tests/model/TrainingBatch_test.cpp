// SPDX-License-Identifier: BSD-3-Clause
#include "TrainingBatch.h"

#include "BatchQueue.h"
#include "TrainingExamples.h"
#include "TrainingObjective.h"
#include "nn/PSMTransformer.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/Error.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace psmformer
{
  namespace
  {
    using test::syntheticExamples;
    using test::syntheticPool;

    struct RowFixture : ::testing::Test
    {
      ModelManifest manifest = presetManifest("tiny");
      TrainingParameters parameters;
      std::vector<TrainingExample> examples = syntheticExamples(60, DataPart::TRAINING, 3);
      PeptidePool pool = syntheticPool(examples, DataPart::TRAINING);

      TrainingRowMaker maker(std::uint64_t seed = 1, bool augmented = true) const
      {
        return TrainingRowMaker(examples, pool, manifest.inputs, parameters, seed, augmented);
      }
    };

    std::string residues(const TrainingRow& row)
    {
      std::string text;
      for (const Peptide& peptide : row.peptides)
      {
        text += peptide.residues + " ";
      }
      return text;
    }

    TEST_F(RowFixture, EveryExampleIsInOneBatchOfEachEpoch)
    {
      parameters.spectra_per_batch = 16;
      const EpochPlan plan = planEpoch(maker().masses(), parameters, 1, 1);
      std::multiset<std::size_t> seen;
      for (const std::vector<std::size_t>& batch : plan.batches)
      {
        EXPECT_LE(batch.size(), 16U);
        seen.insert(batch.begin(), batch.end());
      }
      EXPECT_EQ(plan.batches.size(), 4U);
      EXPECT_EQ(seen.size(), examples.size());
      EXPECT_EQ(std::set<std::size_t>(seen.begin(), seen.end()).size(), examples.size());
    }

    TEST_F(RowFixture, BatchesHoldMassNeighbours)
    {
      parameters.spectra_per_batch = 10;
      parameters.mass_jitter = 0.0;
      const std::vector<double> masses = maker().masses();
      const EpochPlan plan = planEpoch(masses, parameters, 1, 1);
      for (const std::vector<std::size_t>& batch : plan.batches)
      {
        double lightest = 1e9;
        double heaviest = 0.0;
        for (const std::size_t k : batch)
        {
          lightest = std::min(lightest, masses[k]);
          heaviest = std::max(heaviest, masses[k]);
        }
        const auto between = std::count_if(masses.begin(), masses.end(),
                                           [&](double mass) { return mass >= lightest && mass <= heaviest; });
        EXPECT_EQ(between, 10);
      }
    }

    TEST_F(RowFixture, TheStatedShareOfSpectraIsRelocated)
    {
      parameters.foreign_share = 0.0;
      const EpochPlan plan = planEpoch(maker().masses(), parameters, 1, 1);
      const EpochPlan next = planEpoch(maker().masses(), parameters, 1, 2);
      std::size_t n_relocated = 0;
      for (std::size_t k = 0; k < examples.size(); ++k)
      {
        const TrainingRow row = maker().makeRow(1, k, plan.kinds[k]);
        EXPECT_EQ(row.kind, plan.kinds[k]);
        EXPECT_EQ(row.peptides[0].residues == examples[k].peptide.residues, row.kind == RowKind::REAL);
        n_relocated += row.kind == RowKind::RELOCATED ? 1 : 0;
      }
      EXPECT_EQ(n_relocated, 20U); // 0.34 of 60: one per two real ones
      EXPECT_NE(plan.kinds, next.kinds);
    }

    TEST_F(RowFixture, EveryUnnaturalClassOccursAsAPositive)
    {
      std::size_t reversed = 0;
      std::size_t swapped = 0;
      std::size_t substituted = 0;
      std::size_t shuffled = 0;
      for (std::size_t epoch = 1; epoch <= 5; ++epoch)
      {
        for (std::size_t k = 0; k < examples.size(); ++k)
        {
          const Peptide made = maker().makeRow(epoch, k, RowKind::RELOCATED).peptides[0];
          const Peptide& original = examples[k].peptide;
          std::size_t n_different = 0;
          for (std::size_t i = 0; i < made.length(); ++i)
          {
            n_different += made.residues[i] != original.residues[i] ? 1 : 0;
          }
          const std::optional<Peptide> inner = reverseResidues(original);
          const std::optional<Peptide> longer = reverseResidues(original, FreeResidues::ALL_BUT_C_TERMINAL);
          const bool is_reversed =
              (inner && made.residues == inner->residues) || (longer && made.residues == longer->residues);
          const bool is_permuted = pairingKey(made.residues) == pairingKey(original.residues);
          ++(!is_permuted ? substituted : is_reversed ? reversed : n_different == 2 ? swapped : shuffled);
        }
      }
      EXPECT_GT(reversed, 20U);
      EXPECT_GT(swapped, 20U);
      EXPECT_GT(substituted, 5U);
      EXPECT_GT(shuffled, 60U);
    }

    TEST_F(RowFixture, ARelocatedSpectrumShowsItsPeptideAsWellAsTheOriginalShowedIts)
    {
      const TrainingRow real = maker(1, false).makeRow(1, 0, RowKind::REAL);
      const TrainingRow moved = maker(1, false).makeRow(1, 0, RowKind::RELOCATED);
      EXPECT_EQ(real.kind, RowKind::REAL);
      ASSERT_EQ(moved.kind, RowKind::RELOCATED);
      EXPECT_NEAR(moved.prepared.evidence[0].summary[0], real.prepared.evidence[0].summary[0], 0.05);
      EXPECT_NEAR(moved.prepared.spectrum.precursor_mass, monoisotopicMass(moved.peptides[0]), 1e-6);
    }

    TEST_F(RowFixture, TheStatedShareOfTheOtherSpectraIsForeign)
    {
      parameters.foreign_share = 0.25;
      const EpochPlan plan = planEpoch(maker().masses(), parameters, 1, 1);
      const auto count = [&](RowKind kind)
      {
        return std::count(plan.kinds.begin(), plan.kinds.end(), kind);
      };
      EXPECT_EQ(count(RowKind::RELOCATED), 20);
      EXPECT_EQ(count(RowKind::FOREIGN), 10); // of the 40 others
      EXPECT_EQ(count(RowKind::REAL), 30);
    }

    TEST_F(RowFixture, AForeignSpectrumHasThePrecursorOfItsCandidatesAndNotOfItsPeptide)
    {
      std::size_t n_foreign = 0;
      for (TrainingExample& example : examples)
      {
        example.other_candidates = {*reverseResidues(example.peptide, FreeResidues::INNER)};
      }
      for (std::size_t k = 0; k < examples.size(); ++k)
      {
        const TrainingRow row = maker(1, false).makeRow(1, k, RowKind::FOREIGN);
        if (row.kind != RowKind::FOREIGN)
        {
          continue; // no example of its charge is near enough in mass
        }
        ++n_foreign;
        const double own_mass = monoisotopicMass(examples[k].peptide);
        EXPECT_GT(std::abs(row.prepared.spectrum.precursor_mass - own_mass), 4.9);
        for (const Peptide& candidate : row.peptides)
        {
          EXPECT_NEAR(monoisotopicMass(candidate), row.prepared.spectrum.precursor_mass, 0.1);
          EXPECT_NE(peptideKey(candidate.residues), peptideKey(examples[k].peptide.residues));
        }
      }
      EXPECT_GT(n_foreign, examples.size() / 2);
    }

    TEST_F(RowFixture, TheStatedShareOfForeignSpectraGetsAnotherChargeAtAboutItsMz)
    {
      for (std::size_t k = 0; k < examples.size(); k += 2)
      {
        examples[k].charge = 3;
        examples[k].spectrum.precursor_mz = massToCharge(examples[k].peptide, 3);
      }
      for (const double share : {0.0, 1.0})
      {
        parameters.recharged_share = share;
        std::size_t n_recharged = 0;
        for (std::size_t k = 0; k < examples.size(); ++k)
        {
          const TrainingRow row = maker(1, false).makeRow(1, k, RowKind::FOREIGN);
          const PreprocessedSpectrum& made = row.prepared.spectrum;
          if (row.kind != RowKind::FOREIGN || made.charge == examples[k].charge)
          {
            continue;
          }
          ++n_recharged;
          EXPECT_GE(made.charge, 2);
          EXPECT_LE(std::abs(made.charge - examples[k].charge), 2);
          const double own_mz = massToCharge(examples[k].peptide, examples[k].charge);
          EXPECT_NEAR(massToCharge(row.peptides[0], made.charge), own_mz, 0.3 * own_mz);
          EXPECT_NEAR(monoisotopicMass(row.peptides[0]), made.precursor_mass, 0.1);
        }
        EXPECT_EQ(n_recharged > examples.size() / 4, share == 1.0) << n_recharged;
        EXPECT_EQ(n_recharged == 0, share == 0.0);
      }
    }

    TEST_F(RowFixture, TheStatedShareOfForeignSpectraLosesItsExplainedPeaks)
    {
      for (const double share : {0.0, 1.0})
      {
        parameters.unexplained_share = share;
        for (std::size_t k = 0; k < examples.size(); ++k)
        {
          const TrainingRow row = maker(1, false).makeRow(1, k, RowKind::FOREIGN);
          const IonEvidence own = matchIons(row.prepared.spectrum, examples[k].peptide,
                                            {parseIonChannel("b1"), parseIonChannel("y1")}, 120);
          EXPECT_EQ(own.summary[0] == 0.0, row.kind == RowKind::FOREIGN && share == 1.0) << k;
        }
      }
    }

    TEST_F(RowFixture, NoPartOfTheLossAsksAForeignSpectrumForItsPeptide)
    {
      torch::manual_seed(5);
      nn::PSMTransformer network(manifest);
      network->eval();
      const std::vector<RowKind> kinds(examples.size(), RowKind::FOREIGN);
      const TrainingBatch batch = maker().makeBatch(1, {0, 1, 2, 3}, kinds);
      ASSERT_TRUE(batch.foreign_B.all().item<bool>());
      const LossTerms terms = trainingLoss(network->forward(batch.tensors), batch, parameters, torch::full({}, 0.07));
      EXPECT_EQ(terms.listwise.item<double>(), 0.0);
      EXPECT_EQ(terms.spectral_angle.item<double>(), 0.0);
      EXPECT_EQ(terms.contrastive.item<double>(), 0.0);
      EXPECT_GT(terms.match.item<double>(), 0.0);
    }

    TEST_F(RowFixture, CandidateZeroIsTheTrueOneAndTheOthersDiffer)
    {
      const TrainingRow row = maker().makeRow(1, 4, RowKind::REAL);
      EXPECT_EQ(row.peptides[0].residues, examples[4].peptide.residues);
      EXPECT_GE(row.peptides.size(), 6U);
      EXPECT_EQ(row.prepared.peptides.size(), row.peptides.size());
      EXPECT_EQ(row.prepared.evidence.size(), row.peptides.size());
      for (std::size_t c = 0; c < row.peptides.size(); ++c)
      {
        EXPECT_EQ(row.prepared.peptides[c], &row.peptides[c]);
        EXPECT_TRUE(c == 0 || !indistinguishable(row.peptides[0], row.peptides[c])) << c;
      }
    }

    TEST_F(RowFixture, ARowIsAFunctionOfSeedEpochAndIndex)
    {
      const std::string first = residues(maker(1).makeRow(1, 7, RowKind::REAL));
      EXPECT_EQ(residues(maker(1).makeRow(1, 7, RowKind::REAL)), first);
      EXPECT_NE(residues(maker(2).makeRow(1, 7, RowKind::REAL)), first);
      EXPECT_NE(residues(maker(1).makeRow(2, 7, RowKind::REAL)), first);
    }

    TEST_F(RowFixture, OnlyTrainingRowsAreAugmented)
    {
      const double tolerance = examples[2].spectrum.fragment_tolerance.value;
      std::set<double> tolerances;
      for (std::size_t epoch = 1; epoch <= 50; ++epoch)
      {
        const PreprocessedSpectrum spectrum = maker().makeRow(epoch, 2, RowKind::REAL).prepared.spectrum;
        EXPECT_GE(spectrum.fragment_tolerance.value, 0.7 * tolerance);
        EXPECT_LE(spectrum.fragment_tolerance.value, 1.5 * tolerance);
        tolerances.insert(spectrum.fragment_tolerance.value);
      }
      EXPECT_EQ(tolerances.size(), 50U);
      const PreprocessedSpectrum plain = maker(1, false).makeRow(1, 2, RowKind::REAL).prepared.spectrum;
      EXPECT_EQ(plain.fragment_tolerance.value, tolerance);
      EXPECT_EQ(plain.mz, preprocess(examples[2].spectrum, 2, manifest.inputs.preprocessing).mz);
    }

    TEST_F(RowFixture, InfoNceNegativesHaveTheMassButNotTheKeyOfTheTruePeptide)
    {
      std::vector<TrainingRow> rows;
      std::vector<TrainingRow> copies;
      for (const std::size_t k : {0U, 1U, 2U, 3U})
      {
        rows.push_back(maker().makeRow(1, k, RowKind::REAL));
        copies.push_back(maker().makeRow(1, k, RowKind::REAL));
      }
      const TrainingBatch batch = collateTraining(std::move(copies), manifest.inputs, 20.0);
      const at::Tensor peptide_BC = batch.tensors.candidates.peptide_N.view({4, -1});
      std::size_t n_allowed = 0;
      for (std::size_t b = 0; b < 4; ++b)
      {
        const Peptide& own = rows[b].peptides[0];
        EXPECT_EQ(batch.positive_B[static_cast<std::int64_t>(b)].item<std::int64_t>(),
                  peptide_BC[static_cast<std::int64_t>(b)][0].item<std::int64_t>());
        for (std::size_t other = 0; other < 4; ++other)
        {
          for (std::size_t c = 0; c < rows[other].peptides.size(); ++c)
          {
            const Peptide& peptide = rows[other].peptides[c];
            const double error = monoisotopicMass(peptide) / monoisotopicMass(own) - 1.0;
            const bool expected = std::abs(error) <= 20e-6 && peptideKey(peptide.residues) != peptideKey(own.residues);
            const auto q =
                peptide_BC[static_cast<std::int64_t>(other)][static_cast<std::int64_t>(c)].item<std::int64_t>();
            EXPECT_EQ(batch.allowed_BQ[static_cast<std::int64_t>(b)][q].item<bool>(), expected);
            n_allowed += expected ? 1 : 0;
          }
        }
      }
      EXPECT_GT(n_allowed, 10U);
    }

    TEST_F(RowFixture, EveryParameterGetsAGradientFromTheTotalLoss)
    {
      torch::manual_seed(5);
      nn::PSMTransformer network(manifest);
      network->train();
      const TrainingBatch batch =
          maker().makeBatch(1, {0, 1, 2, 3, 4, 5}, std::vector<RowKind>(examples.size(), RowKind::REAL));
      const at::Tensor log_temperature = torch::full({}, std::log(0.07)).requires_grad_();
      trainingLoss(network->forward(batch.tensors), batch, parameters, log_temperature.exp()).total.backward();
      for (const auto& parameter : network->named_parameters())
      {
        ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
        EXPECT_TRUE(parameter.value().grad().isfinite().all().item<bool>()) << parameter.key();
        EXPECT_GT(parameter.value().grad().abs().sum().item<double>(), 0.0) << parameter.key();
      }
      EXPECT_NE(log_temperature.grad().item<double>(), 0.0);
    }

    TEST_F(RowFixture, TheSpectralAngleOfRelocatedPositivesDoesNotCount)
    {
      torch::manual_seed(5);
      nn::PSMTransformer network(manifest);
      network->eval();
      TrainingBatch batch = maker().makeBatch(1, {0, 1}, std::vector<RowKind>(examples.size(), RowKind::REAL));
      const nn::MatchOutput output = network->forward(batch.tensors);
      const at::Tensor angle_BC = output.spectral_angle_N.view({2, -1});
      const at::Tensor temperature = torch::full({}, 0.07);
      EXPECT_NEAR(trainingLoss(output, batch, parameters, temperature).spectral_angle.item<double>(),
                  1.0 - 0.5 * (angle_BC[0][0].item<double>() + angle_BC[1][0].item<double>()), 1e-6);
      batch.relocated_B[0] = true;
      EXPECT_NEAR(trainingLoss(output, batch, parameters, temperature).spectral_angle.item<double>(),
                  1.0 - angle_BC[1][0].item<double>(), 1e-6);
    }

    TrainingBatch numbered(std::size_t k)
    {
      TrainingBatch batch;
      batch.rows = {k};
      return batch;
    }

    TEST(BatchQueue, HandsOutBatchesInOrder)
    {
      for (const std::size_t ahead : {0U, 1U, 3U})
      {
        BatchQueue queue(numbered, 5, 25, ahead);
        for (std::size_t k = 5; k < 25; ++k)
        {
          EXPECT_EQ(queue.next().rows.front(), k) << ahead;
        }
      }
    }

    TEST(BatchQueue, PassesOnWhatWasThrownAfterTheBatchesBefore)
    {
      const auto make = [](std::size_t k)
      {
        require(k < 2, ErrorKind::INVALID_INPUT, "no third batch");
        return numbered(k);
      };
      for (const std::size_t ahead : {0U, 3U})
      {
        BatchQueue queue(make, 0, 9, ahead);
        EXPECT_EQ(queue.next().rows.front(), 0U);
        EXPECT_EQ(queue.next().rows.front(), 1U);
        test::expectError(ErrorKind::INVALID_INPUT, "no third batch", [&queue] { queue.next(); });
      }
    }

    TEST(BatchQueue, EndsItsThreadWhenBatchesAreLeft)
    {
      BatchQueue queue(numbered, 0, 1000, 2);
      EXPECT_EQ(queue.next().rows.front(), 0U);
    }
  }
}
