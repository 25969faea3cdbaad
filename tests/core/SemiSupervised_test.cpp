// SPDX-License-Identifier: BSD-3-Clause
// What semi-supervised rescoring gains, and that its q-values hold.
#include <support/SimulatedRescoring.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace psmformer
{
  namespace
  {
    using ::testing::IsEmpty;
    using ::testing::SizeIs;

    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();
  }

  TEST(SemiSupervised, AHelpfulFeatureAddsTargets)
  {
    const test::SimulatedTable simulated = test::simulateTable({});
    const SemiSupervisedResult result = test::rescore(simulated.table);
    ASSERT_TRUE(result.is_trained) << result.reason;
    EXPECT_THAT(result.reason, IsEmpty());
    ASSERT_THAT(result.scores, SizeIs(simulated.table.hits.size()));
    ASSERT_THAT(result.folds, SizeIs(3));
    for (const FoldChoice& fold : result.folds)
    {
      EXPECT_EQ(fold.source, ScoreSource::LINEAR);
      EXPECT_GT(fold.accepted[1], fold.accepted[0]);
    }
    const test::Accepted by_logit = test::accept(simulated, test::logits(simulated.table), 0.01);
    const test::Accepted by_model = test::accept(simulated, result.scores, 0.01);
    EXPECT_GT(by_model.n, by_logit.n + 50);
    EXPECT_LT(by_model.shareOfFalse(), 0.03);
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
    const SemiSupervisedResult result = test::rescore(simulated.table);
    ASSERT_TRUE(result.is_trained) << result.reason;
    EXPECT_GT(test::accept(simulated, result.scores, 0.01).n, 300U);
  }

  TEST(SemiSupervised, MissingAndAbsurdValuesDropNoHit)
  {
    test::TableOptions options;
    options.n_spectra = 3000;
    test::SimulatedTable simulated = test::simulateTable(options);
    const std::size_t n = simulated.table.feature_names.size();
    for (std::size_t h = 0; h < simulated.table.hits.size(); h += 3)
    {
      simulated.table.features[h * n + 1] = h % 2 == 0 ? NOT_KNOWN : 1e300;
    }
    test::addFeature(simulated.table, "never there", [](std::size_t) { return NOT_KNOWN; });
    const SemiSupervisedResult result = test::rescore(simulated.table);
    ASSERT_TRUE(result.is_trained) << result.reason;
    ASSERT_THAT(result.scores, SizeIs(simulated.table.hits.size()));
    for (const double score : result.scores)
    {
      ASSERT_TRUE(std::isfinite(score));
      ASSERT_LT(std::abs(score), 100.0);
    }
    EXPECT_GT(test::accept(simulated, result.scores, 0.01).n,
              test::accept(simulated, test::logits(simulated.table), 0.01).n);
  }

  TEST(SemiSupervised, ThatAValueIsMissingIsItselfAFeature)
  {
    test::TableOptions options;
    options.n_spectra = 3000;
    options.feature_of_true = 0.0;
    test::SimulatedTable simulated = test::simulateTable(options);
    Random random(9);
    test::addFeature(simulated.table, "seldom there",
                     [&](std::size_t h)
                     { return random.below(20) < (simulated.is_true[h] ? 19U : 1U) ? 1.0 : NOT_KNOWN; });
    const SemiSupervisedResult result = test::rescore(simulated.table);
    ASSERT_TRUE(result.is_trained);
    EXPECT_GT(test::accept(simulated, result.scores, 0.05).n,
              test::accept(simulated, test::logits(simulated.table), 0.05).n);
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
    const SemiSupervisedResult result = test::rescore(simulated.table);
    ASSERT_TRUE(result.is_trained);
    const std::size_t with = test::accept(simulated, result.scores, 0.01).n;
    for (RescoringSpectrum& spectrum : simulated.table.spectra)
    {
      spectrum.retention_time = NOT_KNOWN;
    }
    EXPECT_GT(with, test::accept(simulated, test::rescore(simulated.table).scores, 0.01).n + 20);
    EXPECT_LT(test::accept(simulated, result.scores, 0.01).shareOfFalse(), 0.03);
  }

  TEST(SemiSupervised, EndsOfConfidentPeptidesHelp)
  {
    test::TableOptions options;
    options.feature_of_true = 0.0;
    options.n_spectra = 3000;
    test::SimulatedTable simulated = test::simulateTable(options);
    Random random(8);
    for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
    {
      RescoringHit& hit = simulated.table.hits[h];
      hit.before = "ACDEFGHIKLMNPQRSTVWY"[random.below(20)];
      hit.after = "ACDEFGHIKLMNPQRSTVWY"[random.below(20)];
      if (simulated.is_true[h])
      {
        // A protease that nobody has named cuts after W or F, nine times in ten.
        hit.before = random.below(10) > 0 ? 'W' : 'A';
        simulated.table.peptides[hit.peptide].residues.back() = random.below(10) > 0 ? 'F' : 'A';
      }
    }
    const SemiSupervisedResult result = test::rescore(simulated.table);
    ASSERT_TRUE(result.is_trained);
    SemiSupervisedParameters without;
    without.learns_termini = false;
    const SemiSupervisedResult blind = rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), without);
    const test::Accepted with_ends = test::accept(simulated, result.scores, 0.01);
    EXPECT_GT(with_ends.n, test::accept(simulated, blind.scores, 0.01).n + 50);
    EXPECT_LT(with_ends.shareOfFalse(), 0.03);
  }

  TEST(SemiSupervised, ManySpectraAreThinnedForTraining)
  {
    const test::SimulatedTable simulated = test::simulateTable({});
    SemiSupervisedParameters parameters;
    parameters.max_spectra = 500;
    const SemiSupervisedResult result =
        rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), parameters);
    ASSERT_TRUE(result.is_trained) << result.reason;
    EXPECT_LT(result.folds[0].accepted[0], test::rescore(simulated.table).folds[0].accepted[0]);
    EXPECT_GT(test::accept(simulated, result.scores, 0.01).n,
              test::accept(simulated, test::logits(simulated.table), 0.01).n);
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
      const SemiSupervisedResult result = test::rescore(simulated.table);
      const double wrong =
          test::accept(simulated, result.is_trained ? result.scores : test::logits(simulated.table), 0.05)
              .shareOfFalse();
      share += wrong / N_TABLES;
      squares += wrong * wrong / N_TABLES;
    }
    const double error = std::sqrt((squares - share * share) / N_TABLES);
    EXPECT_LT(share, 0.05 + 3.0 * error);
    EXPECT_GT(share, 0.02) << "or else nothing is accepted";
  }
}
