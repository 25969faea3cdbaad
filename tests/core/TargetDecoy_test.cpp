// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"

#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <limits>

namespace psmformer
{
  using test::expectError;
  using ::testing::ElementsAre;

  namespace
  {
    constexpr bool T = false;
    constexpr bool D = true;
  }

  TEST(TargetDecoy, HandComputedFractions)
  {
    //                                 score   10    9     8     7     6     5
    const std::vector<double> scores = {10, 9, 8, 7, 6, 5};
    const std::vector<bool> decoy = {T, T, D, T, T, D};
    // D / T:      0/1, 0/2, 1/2, 1/3, 1/4, 2/4 ; smallest from below: 0, 0, 1/4, 1/4, 1/4, 1/2
    EXPECT_THAT(computeQValues(scores, decoy, 0), ElementsAre(0.0, 0.0, 0.25, 0.25, 0.25, 0.5));
    // (D+1) / T:  1/1, 1/2, 2/2, 2/3, 2/4, 3/4 ; smallest from below: 1/2, 1/2, 1/2, 1/2, 1/2, 3/4
    EXPECT_THAT(computeQValues(scores, decoy, 1), ElementsAre(0.5, 0.5, 0.5, 0.5, 0.5, 0.75));
    EXPECT_EQ(computeQValues(scores, decoy), computeQValues(scores, decoy, 1));
  }

  TEST(TargetDecoy, ResultIsInTheOrderOfTheInput)
  {
    const std::vector<double> ascending = {5, 6, 7, 8, 9, 10};
    const std::vector<bool> decoy = {D, T, T, D, T, T};
    EXPECT_THAT(computeQValues(ascending, decoy, 0), ElementsAre(0.5, 0.25, 0.25, 0.25, 0.0, 0.0));
    EXPECT_THAT(computeQValues({7, 10, 5, 9, 6, 8}, {T, T, D, T, T, D}, 0),
                ElementsAre(0.25, 0.0, 0.5, 0.0, 0.25, 0.25));
  }

  TEST(TargetDecoy, TiesShareOneValueAndCountAgainstTargets)
  {
    // 2 targets at 3; a target and a decoy at 2; a target at 1
    EXPECT_THAT(computeQValues({3, 3, 2, 2, 1}, {T, T, T, D, T}, 0), ElementsAre(0.0, 0.0, 0.25, 0.25, 0.25));
    EXPECT_THAT(computeQValues({2, 2}, {T, D}, 0), ElementsAre(1.0, 1.0));
    EXPECT_EQ(computeQValues({2, 2, 2}, {T, D, T}, 0), computeQValues({2, 2, 2}, {D, T, T}, 0));
  }

  TEST(TargetDecoy, AllDecoysGetOne)
  {
    EXPECT_THAT(computeQValues({3, 2, 1}, {D, D, D}, 0), ElementsAre(1.0, 1.0, 1.0));
    EXPECT_THAT(computeQValues({3, 2, 1}, {D, D, D}, 1), ElementsAre(1.0, 1.0, 1.0));
  }

  TEST(TargetDecoy, NoDecoys)
  {
    EXPECT_THAT(computeQValues({3, 2, 1, 0}, {T, T, T, T}, 0), ElementsAre(0.0, 0.0, 0.0, 0.0));
    EXPECT_THAT(computeQValues({3, 2, 1, 0}, {T, T, T, T}, 1), ElementsAre(0.25, 0.25, 0.25, 0.25));
  }

  TEST(TargetDecoy, OnePSMAndNone)
  {
    EXPECT_THAT(computeQValues({3}, {T}, 0), ElementsAre(0.0));
    EXPECT_THAT(computeQValues({3}, {T}, 1), ElementsAre(1.0));
    EXPECT_THAT(computeQValues({3}, {D}, 0), ElementsAre(1.0));
    EXPECT_TRUE(computeQValues({}, {}, 1).empty());
  }

  TEST(TargetDecoy, BadInputIsRejected)
  {
    expectError(ErrorKind::INVALID_INPUT, "2 scores but 1 decoy flags", [] { computeQValues({1, 2}, {T}); });
    expectError(ErrorKind::INVALID_INPUT, "pseudo-count 2", [] { computeQValues({1}, {T}, 2); });
    expectError(ErrorKind::INVALID_INPUT, "not finite",
                [] {
                  computeQValues({1, std::numeric_limits<double>::quiet_NaN()}, {T, D});
                });
    expectError(ErrorKind::INVALID_INPUT, "not finite",
                [] { interpolateQValues({std::numeric_limits<double>::infinity()}, {1}, {0}); });
    expectError(ErrorKind::INVALID_INPUT, "1 competed scores", [] { interpolateQValues({1}, {1}, {}); });
    expectError(ErrorKind::INVALID_INPUT, "2 q-values", [] { countAccepted({0.1, 0.2}, {T}, 0.5); });
  }

  TEST(TargetDecoy, InterpolationTakesTheBestCompetitorAtOrBelow)
  {
    const std::vector<double> competed = {1, 10, 5};
    const std::vector<double> q_values = {0.5, 0.01, 0.2};
    EXPECT_THAT(interpolateQValues({11, 10, 9.9, 5, 4, 1, 0}, competed, q_values),
                ElementsAre(0.01, 0.01, 0.2, 0.2, 0.5, 0.5, 1.0));
    EXPECT_THAT(interpolateQValues({3}, {}, {}), ElementsAre(1.0));
    EXPECT_EQ(interpolateQValues(competed, competed, q_values), q_values);
  }

  TEST(TargetDecoy, CountsTargetsOnlyUpToAndWithTheThreshold)
  {
    EXPECT_EQ(countAccepted({0.0, 0.01, 0.01, 0.02}, {T, D, T, T}, 0.01), 2u);
    EXPECT_EQ(countAccepted({}, {}, 0.01), 0u);
  }

  TEST(TargetDecoy, QValuesAreMonotone)
  {
    Random random(5);
    std::vector<double> scores;
    std::vector<bool> decoy;
    for (int k = 0; k < 500; ++k)
    {
      decoy.push_back(random.below(3) == 0);
      scores.push_back(static_cast<double>(random.below(100)));
    }
    for (const int pseudo_count : {0, 1})
    {
      const std::vector<double> q_values = computeQValues(scores, decoy, pseudo_count);
      for (std::size_t a = 0; a < scores.size(); ++a)
      {
        for (std::size_t b = 0; b < scores.size(); ++b)
        {
          ASSERT_TRUE(scores[a] < scores[b] || q_values[a] <= q_values[b]);
        }
      }
    }
  }

  /// When all targets are false, a target is as likely above a decoy as below. With the +1 a list passes q <= alpha in
  /// at most a share alpha of all runs (then every accepted target is false); without it far more often.
  TEST(TargetDecoy, UnderTheNullThePlusOneRuleIsHonest)
  {
    constexpr int RUNS = 4000;
    constexpr double ALPHA = 0.05;
    Random random(11);
    int accepted_with_plus_one = 0;
    int accepted_without = 0;
    for (int run = 0; run < RUNS; ++run)
    {
      std::vector<double> scores;
      std::vector<bool> decoy;
      for (int k = 0; k < 200; ++k)
      {
        scores.push_back(random.uniform());
        decoy.push_back(random.below(2) == 0);
      }
      accepted_with_plus_one += countAccepted(computeQValues(scores, decoy, 1), decoy, ALPHA) > 0 ? 1 : 0;
      accepted_without += countAccepted(computeQValues(scores, decoy, 0), decoy, ALPHA) > 0 ? 1 : 0;
    }
    const double standard_error = 0.0034; // sqrt(0.05 * 0.95 / 4000)
    EXPECT_LE(accepted_with_plus_one, RUNS * (ALPHA + 3 * standard_error));
    EXPECT_GT(accepted_without, RUNS * 0.4); // the best hit alone is a target in half of the runs
  }
}
