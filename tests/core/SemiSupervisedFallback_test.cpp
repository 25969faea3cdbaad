// SPDX-License-Identifier: BSD-3-Clause
// When nothing is learnt: too little, nothing to find, or a score that is better as it is.
#include <support/SimulatedRescoring.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace psmformer
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::IsEmpty;

    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();
  }

  TEST(SemiSupervisedFallback, FewPSMsAreNotTrainedOn)
  {
    for (const std::size_t n : {0U, 1U, 10U, 100U})
    {
      test::TableOptions options;
      options.n_spectra = n;
      const SemiSupervisedResult result = test::rescore(test::simulateTable(options).table);
      EXPECT_FALSE(result.is_trained);
      EXPECT_THAT(result.scores, IsEmpty());
      EXPECT_THAT(result.reason, HasSubstr("targets at 5 % FDR"));
    }
  }

  TEST(SemiSupervisedFallback, OneSidedListsAreNotTrainedOn)
  {
    for (const bool is_decoy : {false, true})
    {
      test::SimulatedTable simulated = test::simulateTable({});
      for (RescoringHit& hit : simulated.table.hits)
      {
        hit.is_decoy = is_decoy;
      }
      EXPECT_FALSE(test::rescore(simulated.table).is_trained);
    }
  }

  TEST(SemiSupervisedFallback, NothingIsFoundWhereNothingIs)
  {
    test::TableOptions options;
    options.share_true = 0.0;
    SemiSupervisedParameters parameters;
    parameters.min_targets = 0;
    std::size_t n_trained = 0;
    for (options.seed = 1; options.seed <= 20; ++options.seed)
    {
      const test::SimulatedTable simulated = test::simulateTable(options);
      EXPECT_FALSE(test::rescore(simulated.table).is_trained);
      // Nor where it is made to learn from what chance has put on top.
      const SemiSupervisedResult result =
          rescoreSemiSupervised(simulated.table, test::MeanDifferenceFitter(), parameters);
      n_trained += result.is_trained ? 1 : 0;
      EXPECT_EQ(test::accept(simulated, result.is_trained ? result.scores : test::logits(simulated.table), 0.01).n, 0U);
    }
    EXPECT_GT(n_trained, 10U);
  }

  TEST(SemiSupervisedFallback, TheLogitIsKeptWhereTheModelDoesNotHelp)
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
    const SemiSupervisedResult result = test::rescore(simulated.table);
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

  TEST(SemiSupervisedFallback, AGainThatChanceExplainsGoesToTheLogit)
  {
    // Engine and logit are equally good, and independent: one of them accepts more in every table, for no reason.
    test::TableOptions options;
    options.feature_of_true = 0.0;
    std::size_t n_more = 0;
    std::size_t n_taken = 0;
    for (options.seed = 1; options.seed <= 20; ++options.seed)
    {
      test::SimulatedTable simulated = test::simulateTable(options);
      for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
      {
        simulated.table.hits[h].engine += simulated.is_true[h] ? 0.3 * options.logit_of_true : 0.0;
      }
      std::fill(simulated.table.features.begin(), simulated.table.features.end(), 1.0);
      for (const FoldChoice& fold : test::rescore(simulated.table).folds)
      {
        n_more += fold.accepted[2] > fold.accepted[0] ? 1 : 0;
        n_taken += fold.source == ScoreSource::ENGINE ? 1 : 0;
      }
    }
    EXPECT_GT(n_more, 15U) << "of 60: the test can fail";
    EXPECT_LE(n_taken, 8U) << "about 3 are expected";
  }

  TEST(SemiSupervisedFallback, TheEngineIsTakenWhereItKnowsMore)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
    {
      simulated.table.hits[h].engine =
          simulated.is_true[h] ? 100.0 + static_cast<double>(h) : simulated.table.hits[h].logit;
    }
    simulated.table.hits[0].engine = NOT_KNOWN;
    std::fill(simulated.table.features.begin(), simulated.table.features.end(), 1.0);
    const SemiSupervisedResult result = test::rescore(simulated.table);
    for (const FoldChoice& fold : result.folds)
    {
      EXPECT_EQ(fold.source, ScoreSource::ENGINE);
    }
    EXPECT_EQ(result.scores[0], *std::min_element(result.scores.begin(), result.scores.end()))
        << "a hit without the score that is ranked by comes last, and stays";
  }

  TEST(SemiSupervisedFallback, ScoresOfAnEngineKeepTheirOrderHoweverSmall)
  {
    test::SimulatedTable simulated = test::simulateTable({});
    for (std::size_t h = 0; h < simulated.table.hits.size(); ++h)
    {
      const double engine = simulated.is_true[h] ? 100.0 + static_cast<double>(h) : simulated.table.hits[h].logit;
      simulated.table.hits[h].engine = 1e-12 * engine;
    }
    std::fill(simulated.table.features.begin(), simulated.table.features.end(), 1.0);
    const SemiSupervisedResult result = test::rescore(simulated.table);
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
}
