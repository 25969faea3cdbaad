// SPDX-License-Identifier: BSD-3-Clause
// What may be learnt: nothing from the fold that is scored, nor from the order of the input.
#include <support/SimulatedRescoring.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace psmformer
{
  namespace
  {
    using ::testing::SizeIs;

    /// The same table with hits and spectra in another order; `hits` says where each hit was.
    RescoringTable permuted(const RescoringTable& table, std::uint64_t seed, std::vector<std::size_t>& hits)
    {
      Random random(seed);
      std::vector<std::size_t> spectra(table.spectra.size());
      std::iota(spectra.begin(), spectra.end(), std::size_t(0));
      random.shuffle(spectra);
      hits.resize(table.hits.size());
      std::iota(hits.begin(), hits.end(), std::size_t(0));
      random.shuffle(hits);
      RescoringTable result;
      result.feature_names = table.feature_names;
      result.spectra.resize(spectra.size());
      for (std::size_t s = 0; s < spectra.size(); ++s)
      {
        result.spectra[spectra[s]] = table.spectra[s];
      }
      for (const std::size_t h : hits)
      {
        RescoringHit hit = table.hits[h];
        hit.spectrum = spectra[hit.spectrum];
        result.peptides.push_back(table.peptides[hit.peptide]);
        result.peptidoforms.push_back(table.peptidoforms[hit.peptide]);
        hit.peptide = result.peptides.size() - 1;
        result.hits.push_back(hit);
        for (std::size_t f = 0; f < table.feature_names.size(); ++f)
        {
          result.features.push_back(table.feature(h, f));
        }
      }
      return result;
    }
  }

  TEST(SemiSupervisedFolds, TheOrderOfTheInputDoesNotMatter)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    // Two identifications of one spectrum, and two hits of one peptidoform that only a feature tells apart.
    simulated.table.spectra[1].native_id = simulated.table.spectra[0].native_id;
    simulated.table.peptidoforms[2] = simulated.table.peptidoforms[0];
    simulated.table.peptidoforms[5] = simulated.table.peptidoforms[4];
    const std::vector<double> expected = test::rescore(simulated.table).scores;
    ASSERT_THAT(expected, SizeIs(simulated.table.hits.size()));
    for (const std::uint64_t seed : {1U, 2U, 3U})
    {
      std::vector<std::size_t> hits;
      const std::vector<double> scores = test::rescore(permuted(simulated.table, seed, hits)).scores;
      for (std::size_t h = 0; h < hits.size(); ++h)
      {
        ASSERT_EQ(scores[h], expected[hits[h]]) << "to the last bit";
      }
    }
  }

  TEST(SemiSupervisedFolds, AnotherSeedDividesOtherwise)
  {
    const test::SimulatedTable simulated = test::simulateTable({});
    SemiSupervisedParameters parameters;
    parameters.seed = 2;
    EXPECT_NE(rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), parameters).scores,
              test::rescore(simulated.table).scores);
  }

  TEST(SemiSupervisedFolds, ALeakInTheFoldItselfChangesNothing)
  {
    // The label of each hit, but only where the hit is in the fold that is looked at: whoever trains on the fold that
    // it scores would put every target of it above every decoy.
    const test::SimulatedTable simulated = test::simulateTable({});
    const std::vector<std::size_t> folds = test::foldsOf(simulated.table);
    for (std::size_t f = 0; f < 3; ++f)
    {
      test::SimulatedTable leaking = simulated;
      test::addFeature(leaking.table, "leak",
                       [&](std::size_t h)
                       {
                         const RescoringHit& hit = simulated.table.hits[h];
                         return folds[hit.spectrum] != f ? 0.0 : hit.is_decoy ? -5.0 : 5.0;
                       });
      const std::vector<double> expected = test::rescore(simulated.table).scores;
      const std::vector<double> scores = test::rescore(leaking.table).scores;
      std::size_t n_other = 0;
      for (std::size_t h = 0; h < scores.size(); ++h)
      {
        if (folds[simulated.table.hits[h].spectrum] == f)
        {
          ASSERT_EQ(scores[h], expected[h]);
        }
        n_other += scores[h] != expected[h] ? 1 : 0;
      }
      EXPECT_GT(n_other, 1000U) << "the other folds do learn from it: the test can fail";
    }
  }

  TEST(SemiSupervisedFolds, LabelsOfTheFoldItselfDoNotMatter)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    const std::vector<std::size_t> folds = test::foldsOf(simulated.table);
    const std::vector<double> expected = test::rescore(simulated.table).scores;
    for (RescoringHit& hit : simulated.table.hits)
    {
      hit.is_decoy = folds[hit.spectrum] == 0 ? !hit.is_decoy : hit.is_decoy;
    }
    // Fold 0 is in the training part of the others: enough of its targets have to be left.
    SemiSupervisedParameters parameters;
    parameters.min_targets = 1;
    const SemiSupervisedResult result =
        rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), parameters);
    ASSERT_TRUE(result.is_trained) << result.reason;
    ASSERT_EQ(result.folds[0].source, ScoreSource::LINEAR);
    for (std::size_t h = 0; h < expected.size(); ++h)
    {
      if (folds[simulated.table.hits[h].spectrum] == 0)
      {
        ASSERT_EQ(result.scores[h], expected[h]);
      }
    }
  }

  TEST(SemiSupervisedFolds, TargetsAndTheirReversedDecoysShareAFold)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    RescoringTable& table = simulated.table;
    // The best hit of the second spectrum becomes the reversal of the first spectrum's.
    const std::vector<std::size_t> best = test::bestHits(table, test::logits(table));
    const std::string& residues = table.peptides[table.hits[best[0]].peptide].residues;
    table.peptides[table.hits[best[1]].peptide] = makePeptide({residues.rbegin(), residues.rend()});
    const std::vector<std::size_t> folds = test::foldsOf(table);
    EXPECT_EQ(folds[0], folds[1]);
    // The rule is the one that is used: what changes the labels of a fold leaves its scores alone (above), and here one
    // leak in the two spectra leaves both alone.
    test::SimulatedTable leaking = simulated;
    test::addFeature(leaking.table, "leak", [&](std::size_t h) { return table.hits[h].spectrum < 2 ? 50.0 : 0.0; });
    const std::vector<double> expected = test::rescore(table).scores;
    const std::vector<double> scores = test::rescore(leaking.table).scores;
    for (const std::size_t h : {best[0], best[1]})
    {
      EXPECT_EQ(scores[h], expected[h]);
    }
  }

  TEST(SemiSupervisedFolds, FoldsShareOneScale)
  {
    test::TableOptions options;
    options.n_spectra = 3000;
    const test::SimulatedTable simulated = test::simulateTable(options);
    const SemiSupervisedResult result = test::rescore(simulated.table);
    const std::vector<std::size_t> folds = test::foldsOf(simulated.table);
    for (std::size_t f = 0; f < 3; ++f)
    {
      std::vector<double> decoys;
      for (const std::size_t h : test::bestHits(simulated.table, result.scores))
      {
        if (folds[simulated.table.hits[h].spectrum] == f && simulated.table.hits[h].is_decoy)
        {
          decoys.push_back(result.scores[h]);
        }
      }
      std::sort(decoys.begin(), decoys.end());
      EXPECT_NEAR(decoys[decoys.size() / 2], -1.0, 0.1) << "the median decoy is at -1";
    }
    const test::Accepted accepted = test::accept(simulated, result.scores, 0.01, 0);
    std::vector<double> best;
    for (const std::size_t h : test::bestHits(simulated.table, result.scores))
    {
      best.push_back(result.scores[h]);
    }
    std::sort(best.rbegin(), best.rend());
    EXPECT_NEAR(best[accepted.n], 0.0, 0.15) << "the threshold of 1 % FDR is at 0";
  }
}
