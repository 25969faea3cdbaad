// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <support/SimulatedTable.h>

#include <gmock/gmock.h>

#include <numeric>

namespace psmformer
{
  namespace
  {
    using ::testing::Each;
    using ::testing::HasSubstr;
    using ::testing::IsEmpty;
    using ::testing::SizeIs;

    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();

    SemiSupervisedResult rescore(const RescoringTable& table)
    {
      return rescoreSemiSupervised(table, test::MeanDifferenceFitter());
    }

    std::vector<double> logits(const RescoringTable& table)
    {
      std::vector<double> scores;
      for (const RescoringHit& hit : table.hits)
      {
        scores.push_back(hit.logit);
      }
      return scores;
    }

    /// Targets that a score accepts, and how many of them are false.
    struct Accepted
    {
      std::size_t n = 0;
      std::size_t n_false = 0;

      double shareOfFalse() const { return n == 0 ? 0.0 : static_cast<double>(n_false) / static_cast<double>(n); }
    };

    Accepted accept(const test::SimulatedTable& simulated, const std::vector<double>& score, double limit,
                    int pseudo_count = 1)
    {
      const std::vector<std::size_t> best = test::bestHits(simulated.table, score);
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      for (const std::size_t h : best)
      {
        scores.push_back(score[h]);
        is_decoy.push_back(simulated.table.hits[h].is_decoy);
      }
      const std::vector<double> q_values = computeQValues(scores, is_decoy, pseudo_count);
      Accepted accepted;
      for (std::size_t k = 0; k < best.size(); ++k)
      {
        const bool is_accepted = !is_decoy[k] && q_values[k] <= limit;
        accepted.n += is_accepted ? 1 : 0;
        accepted.n_false += is_accepted && !simulated.is_true[best[k]] ? 1 : 0;
      }
      return accepted;
    }

    /// The fold of each spectrum, by the rule.
    std::vector<std::size_t> foldsOf(const RescoringTable& table)
    {
      const SemiSupervisedParameters parameters;
      std::vector<std::size_t> folds;
      for (const std::size_t h : test::bestHits(table, logits(table)))
      {
        folds.push_back(
            FoldRule{parameters.n_folds, parameters.seed}.foldOf(table.peptides[table.hits[h].peptide].residues));
      }
      return folds;
    }

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

  TEST(SemiSupervised, AHelpfulFeatureAddsTargets)
  {
    const test::SimulatedTable simulated = test::simulateTable({});
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_TRUE(result.is_trained) << result.reason;
    EXPECT_THAT(result.reason, IsEmpty());
    ASSERT_THAT(result.scores, SizeIs(simulated.table.hits.size()));
    ASSERT_THAT(result.folds, SizeIs(3));
    for (const FoldChoice& fold : result.folds)
    {
      EXPECT_EQ(fold.source, ScoreSource::LINEAR);
      EXPECT_GT(fold.accepted[1], fold.accepted[0]);
    }
    const Accepted by_logit = accept(simulated, logits(simulated.table), 0.01);
    const Accepted by_model = accept(simulated, result.scores, 0.01);
    EXPECT_GT(by_model.n, by_logit.n + 50);
    EXPECT_LT(by_model.shareOfFalse(), 0.03);
  }

  TEST(SemiSupervised, FoldsShareOneScale)
  {
    test::TableOptions options;
    options.n_spectra = 3000;
    const test::SimulatedTable simulated = test::simulateTable(options);
    const SemiSupervisedResult result = rescore(simulated.table);
    const std::vector<std::size_t> folds = foldsOf(simulated.table);
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
    const Accepted accepted = accept(simulated, result.scores, 0.01, 0);
    std::vector<double> best;
    for (const std::size_t h : test::bestHits(simulated.table, result.scores))
    {
      best.push_back(result.scores[h]);
    }
    std::sort(best.rbegin(), best.rend());
    EXPECT_NEAR(best[accepted.n], 0.0, 0.15) << "the threshold of 1 % FDR is at 0";
  }

  TEST(SemiSupervised, TheOrderOfTheInputDoesNotMatter)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    // Two identifications of one spectrum, and two hits of one peptidoform that only a feature tells apart.
    simulated.table.spectra[1].native_id = simulated.table.spectra[0].native_id;
    simulated.table.peptidoforms[2] = simulated.table.peptidoforms[0];
    simulated.table.peptidoforms[5] = simulated.table.peptidoforms[4];
    const std::vector<double> expected = rescore(simulated.table).scores;
    ASSERT_THAT(expected, SizeIs(simulated.table.hits.size()));
    for (const std::uint64_t seed : {1U, 2U, 3U})
    {
      std::vector<std::size_t> hits;
      const std::vector<double> scores = rescore(permuted(simulated.table, seed, hits)).scores;
      for (std::size_t h = 0; h < hits.size(); ++h)
      {
        ASSERT_EQ(scores[h], expected[hits[h]]) << "to the last bit";
      }
    }
  }

  TEST(SemiSupervised, AnotherSeedDividesOtherwise)
  {
    const test::SimulatedTable simulated = test::simulateTable({});
    SemiSupervisedParameters parameters;
    parameters.seed = 2;
    EXPECT_NE(rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), parameters).scores,
              rescore(simulated.table).scores);
  }

  TEST(SemiSupervised, ALeakInTheFoldItselfChangesNothing)
  {
    // The label of each hit, but only where the hit is in the fold that is looked at: whoever trains on the fold that
    // it scores would put every target of it above every decoy.
    const test::SimulatedTable simulated = test::simulateTable({});
    const std::vector<std::size_t> folds = foldsOf(simulated.table);
    for (std::size_t f = 0; f < 3; ++f)
    {
      test::SimulatedTable leaking = simulated;
      test::addFeature(leaking.table, "leak",
                       [&](std::size_t h)
                       {
                         const RescoringHit& hit = simulated.table.hits[h];
                         return folds[hit.spectrum] != f ? 0.0 : hit.is_decoy ? -5.0 : 5.0;
                       });
      const std::vector<double> expected = rescore(simulated.table).scores;
      const std::vector<double> scores = rescore(leaking.table).scores;
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

  TEST(SemiSupervised, LabelsOfTheFoldItselfDoNotMatter)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    const std::vector<std::size_t> folds = foldsOf(simulated.table);
    const std::vector<double> expected = rescore(simulated.table).scores;
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

  TEST(SemiSupervised, TargetsAndTheirReversedDecoysShareAFold)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    RescoringTable& table = simulated.table;
    // The best hit of the second spectrum becomes the reversal of the first spectrum's.
    const std::vector<std::size_t> best = test::bestHits(table, logits(table));
    const std::string& residues = table.peptides[table.hits[best[0]].peptide].residues;
    table.peptides[table.hits[best[1]].peptide] = makePeptide({residues.rbegin(), residues.rend()});
    const std::vector<std::size_t> folds = foldsOf(table);
    EXPECT_EQ(folds[0], folds[1]);
    // The rule is the one that is used: what changes the labels of a fold leaves its scores alone (above), and here one
    // leak in the two spectra leaves both alone.
    test::SimulatedTable leaking = simulated;
    test::addFeature(leaking.table, "leak", [&](std::size_t h) { return table.hits[h].spectrum < 2 ? 50.0 : 0.0; });
    const std::vector<double> expected = rescore(table).scores;
    const std::vector<double> scores = rescore(leaking.table).scores;
    for (const std::size_t h : {best[0], best[1]})
    {
      EXPECT_EQ(scores[h], expected[h]);
    }
  }

  TEST(SemiSupervised, FewPSMsAreNotTrainedOn)
  {
    for (const std::size_t n : {0U, 1U, 10U, 100U})
    {
      test::TableOptions options;
      options.n_spectra = n;
      const SemiSupervisedResult result = rescore(test::simulateTable(options).table);
      EXPECT_FALSE(result.is_trained);
      EXPECT_THAT(result.scores, IsEmpty());
      EXPECT_THAT(result.reason, HasSubstr("targets at 5 % FDR"));
    }
  }

  TEST(SemiSupervised, OneSidedListsAreNotTrainedOn)
  {
    for (const bool is_decoy : {false, true})
    {
      test::SimulatedTable simulated = test::simulateTable({});
      for (RescoringHit& hit : simulated.table.hits)
      {
        hit.is_decoy = is_decoy;
      }
      EXPECT_FALSE(rescore(simulated.table).is_trained);
    }
  }

  TEST(SemiSupervised, NothingIsFoundWhereNothingIs)
  {
    test::TableOptions options;
    options.share_true = 0.0;
    EXPECT_FALSE(rescore(test::simulateTable(options).table).is_trained);
  }

  TEST(SemiSupervised, TheLogitIsKeptWhereTheModelDoesNotHelp)
  {
    test::TableOptions options;
    options.feature_of_true = 0.0;
    options.n_noise = 0;
    options.logit_of_true = 4.0;
    test::SimulatedTable simulated = test::simulateTable(options);
    for (RescoringHit& hit : simulated.table.hits)
    {
      hit.engine = hit.logit; // a tie goes to the logit
    }
    // Features that tell nothing at all: the model has nothing but the logit, at best.
    std::fill(simulated.table.features.begin(), simulated.table.features.end(), 1.0);
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_TRUE(result.is_trained);
    for (const FoldChoice& fold : result.folds)
    {
      EXPECT_EQ(fold.source, ScoreSource::LOGIT);
    }
    for (std::size_t h = 0; h < result.scores.size(); ++h)
    {
      EXPECT_NEAR(result.scores[h], simulated.table.hits[h].logit, 1e-6) << "one score needs no scale";
    }
  }

  TEST(SemiSupervised, TheEngineIsTakenWhereItKnowsMore)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
    {
      simulated.table.hits[h].engine =
          simulated.is_true[h] ? 100.0 + static_cast<double>(h) : simulated.table.hits[h].logit;
    }
    simulated.table.hits[0].engine = NOT_KNOWN;
    std::fill(simulated.table.features.begin(), simulated.table.features.end(), 1.0);
    const SemiSupervisedResult result = rescore(simulated.table);
    for (const FoldChoice& fold : result.folds)
    {
      EXPECT_EQ(fold.source, ScoreSource::ENGINE);
    }
    EXPECT_EQ(result.scores[0], *std::min_element(result.scores.begin(), result.scores.end()))
        << "a hit without the score that is ranked by comes last, and stays";
  }

  TEST(SemiSupervised, ScoresOfAnEngineKeepTheirOrderHoweverSmall)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
    {
      const double engine = simulated.is_true[h] ? 100.0 + static_cast<double>(h) : simulated.table.hits[h].logit;
      simulated.table.hits[h].engine = 1e-12 * engine;
    }
    std::fill(simulated.table.features.begin(), simulated.table.features.end(), 1.0);
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_EQ(result.folds[0].source, ScoreSource::ENGINE);
    double previous = 0.0;
    for (std::size_t h = 0; h < result.scores.size(); ++h)
    {
      if (simulated.is_true[h])
      {
        ASSERT_GT(result.scores[h], previous);
        previous = result.scores[h];
      }
    }
  }

  TEST(SemiSupervised, AStrongEngineStartsWhatTheLogitCannot)
  {
    test::TableOptions options;
    options.logit_of_true = 0.5;
    options.feature_of_true = 1.0;
    test::SimulatedTable simulated = test::simulateTable(options);
    for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
    {
      simulated.table.hits[h].engine += simulated.is_true[h] ? 4.0 : 0.0;
    }
    test::addFeature(simulated.table, "engine", [&](std::size_t h) { return simulated.table.hits[h].engine; });
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_TRUE(result.is_trained) << result.reason;
    EXPECT_GT(accept(simulated, result.scores, 0.01).n, 300U);
  }

  TEST(SemiSupervised, MissingAndAbsurdValuesDropNoHit)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    const std::size_t n = simulated.table.feature_names.size();
    for (std::size_t h = 0; h < simulated.table.hits.size(); h += 3)
    {
      simulated.table.features[h * n + 1] = h % 2 == 0 ? NOT_KNOWN : 1e300;
    }
    test::addFeature(simulated.table, "never there", [](std::size_t) { return NOT_KNOWN; });
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_TRUE(result.is_trained) << result.reason;
    ASSERT_THAT(result.scores, SizeIs(simulated.table.hits.size()));
    for (const double score : result.scores)
    {
      ASSERT_TRUE(std::isfinite(score));
      ASSERT_LT(std::abs(score), 100.0);
    }
    EXPECT_GT(accept(simulated, result.scores, 0.01).n, accept(simulated, logits(simulated.table), 0.01).n);
  }

  TEST(SemiSupervised, ThatAValueIsMissingIsItselfAFeature)
  {
    test::TableOptions options;
    options.feature_of_true = 0.0;
    test::SimulatedTable simulated = test::simulateTable(options);
    Random random(9);
    test::addFeature(simulated.table, "seldom there",
                     [&](std::size_t h)
                     { return random.below(10) < (simulated.is_true[h] ? 9U : 1U) ? 1.0 : NOT_KNOWN; });
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_TRUE(result.is_trained);
    EXPECT_GT(accept(simulated, result.scores, 0.05).n, accept(simulated, logits(simulated.table), 0.05).n);
  }

  TEST(SemiSupervised, RetentionTimesHelp)
  {
    test::TableOptions options;
    options.feature_of_true = 0.0;
    test::SimulatedTable simulated = test::simulateTable(options);
    Random random(4);
    for (std::size_t s = 0; s < simulated.table.spectra.size(); ++s)
    {
      // Two hits a spectrum; the first is the true one, if any is.
      const RescoringHit& first = simulated.table.hits[2 * s];
      double time = 4000.0 * random.uniform();
      if (simulated.is_true[2 * s])
      {
        time = 300.0 + 30.0 * random.normal();
        for (const char residue : simulated.table.peptides[first.peptide].residues)
        {
          time += std::string("FILWVM").find(residue) != std::string::npos ? 400.0 : 0.0;
        }
      }
      simulated.table.spectra[s].retention_time = time;
    }
    const SemiSupervisedResult result = rescore(simulated.table);
    ASSERT_TRUE(result.is_trained);
    const std::size_t with = accept(simulated, result.scores, 0.01).n;
    for (RescoringSpectrum& spectrum : simulated.table.spectra)
    {
      spectrum.retention_time = NOT_KNOWN;
    }
    EXPECT_GT(with, accept(simulated, rescore(simulated.table).scores, 0.01).n + 20);
    EXPECT_LT(accept(simulated, result.scores, 0.01).shareOfFalse(), 0.03);
  }

  TEST(SemiSupervised, ManySpectraAreThinnedForTraining)
  {
    const test::SimulatedTable simulated = test::simulateTable({});
    SemiSupervisedParameters parameters;
    parameters.max_spectra = 500;
    const SemiSupervisedResult result =
        rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), parameters);
    ASSERT_TRUE(result.is_trained) << result.reason;
    EXPECT_LT(result.folds[0].accepted[0], rescore(simulated.table).folds[0].accepted[0]);
    EXPECT_GT(accept(simulated, result.scores, 0.01).n, accept(simulated, logits(simulated.table), 0.01).n);
    for (const double score : result.scores)
    {
      ASSERT_TRUE(std::isfinite(score));
    }
  }

  TEST(SemiSupervised, FalseTargetsAreAsRareAsTheQValuesSay)
  {
    // Many small tables, with as many features that tell nothing as such a table can mislead by.
    constexpr std::size_t N_TABLES = 150;
    double share = 0.0;
    double squares = 0.0;
    for (std::size_t t = 0; t < N_TABLES; ++t)
    {
      test::TableOptions options;
      options.n_spectra = 600;
      options.n_noise = 30;
      options.feature_of_true = 1.0;
      options.seed = 1000 + t;
      const test::SimulatedTable simulated = test::simulateTable(options);
      const SemiSupervisedResult result = rescore(simulated.table);
      const double wrong =
          accept(simulated, result.is_trained ? result.scores : logits(simulated.table), 0.05).shareOfFalse();
      share += wrong / N_TABLES;
      squares += wrong * wrong / N_TABLES;
    }
    const double error = std::sqrt((squares - share * share) / N_TABLES);
    EXPECT_LT(share, 0.05 + 3.0 * error);
    EXPECT_GT(share, 0.02) << "or else nothing is accepted";
  }
}
