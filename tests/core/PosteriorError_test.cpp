// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/PosteriorError.h>
#include <PSMFormer/core/Random.h>

#include <support/ExpectError.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    /// Two normal distributions: false PSMs (a target or a decoy with the same chance) around 0, true ones around 3.
    struct Mixture
    {
      static constexpr double MEAN_OF_TRUE = 3.0;
      static constexpr double SHARE_TRUE = 0.4;

      std::vector<double> scores;
      std::vector<bool> is_decoy;
      std::vector<bool> is_true;

      Mixture(std::size_t n, std::uint64_t seed)
      {
        Random random(seed);
        for (std::size_t i = 0; i < n; ++i)
        {
          is_true.push_back(random.uniform() < SHARE_TRUE);
          is_decoy.push_back(!is_true.back() && random.below(2) == 0);
          scores.push_back(random.normal() + (is_true.back() ? MEAN_OF_TRUE : 0.0));
        }
      }

      /// The PEP of a target by Bayes' rule.
      static double expected(double score)
      {
        const double of_false = 0.5 * (1.0 - SHARE_TRUE) * std::exp(-score * score / 2.0);
        const double of_true = SHARE_TRUE * std::exp(-(score - MEAN_OF_TRUE) * (score - MEAN_OF_TRUE) / 2.0);
        return of_false / (of_false + of_true);
      }
    };

    void expectProbability(const PosteriorError& error)
    {
      double previous = 1.0;
      for (double score = -20.0; score <= 20.0; score += 0.01)
      {
        const double pep = error.at(score);
        ASSERT_GT(pep, 0.0) << score;
        ASSERT_LE(pep, previous) << "rises at " << score; // false for NaN as well
        previous = pep;
      }
    }
  }

  TEST(PosteriorError, SmallAndOneSidedListsGiveProbabilities)
  {
    for (const std::size_t n : {0U, 1U, 2U, 10U, 100U})
    {
      std::vector<double> scores;
      for (std::size_t i = 0; i < n; ++i)
      {
        scores.push_back(static_cast<double>(i % 7) - 3.0);
      }
      const PosteriorError targets(scores, std::vector<bool>(n, false));
      const PosteriorError decoys(scores, std::vector<bool>(n, true));
      expectProbability(targets);
      expectProbability(decoys);
      EXPECT_DOUBLE_EQ(decoys.at(0.0), 1.0);
      // Without decoys the pseudo-decoy alone is shared by all targets.
      EXPECT_DOUBLE_EQ(targets.at(0.0), n == 0 ? 1.0 : 1.0 / static_cast<double>(n));
    }
  }

  TEST(PosteriorError, PoolsAdjacentViolators)
  {
    // Pools: pseudo-decoy and four targets, share 1/5; a decoy and a target, 1/2; three decoys, 1.
    const std::vector<double> scores = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    const std::vector<bool> is_decoy = {false, false, false, false, true, false, true, true, true};
    const PosteriorError error(scores, is_decoy);
    EXPECT_DOUBLE_EQ(error.at(100.0), 1.0 / 4.0);
    EXPECT_DOUBLE_EQ(error.at((9.0 + 9.0 + 8.0 + 7.0 + 6.0) / 5.0), 1.0 / 4.0);
    EXPECT_DOUBLE_EQ(error.at(4.5), 1.0) << "as many decoys as targets";
    EXPECT_DOUBLE_EQ(error.at((4.5 + 7.8) / 2.0), 0.5) << "halfway between two pools, sqrt(1 * 1/4)";
    EXPECT_DOUBLE_EQ(error.at(0.0), 1.0);
  }

  TEST(PosteriorError, DoesNotDependOnTheOrderNorOnTies)
  {
    Mixture mixture(400, 5);
    for (double& score : mixture.scores)
    {
      score = std::round(score * 2.0) / 2.0;
    }
    const PosteriorError error(mixture.scores, mixture.is_decoy);
    expectProbability(error);
    const PosteriorError reversed({mixture.scores.rbegin(), mixture.scores.rend()},
                                  {mixture.is_decoy.rbegin(), mixture.is_decoy.rend()});
    for (double score = -4.0; score < 8.0; score += 0.25)
    {
      EXPECT_DOUBLE_EQ(error.at(score), reversed.at(score));
    }
  }

  TEST(PosteriorError, FollowsBayesRuleOnAKnownMixture)
  {
    constexpr std::size_t N_LISTS = 20;
    std::vector<PosteriorError> errors;
    for (std::size_t l = 0; l < N_LISTS; ++l)
    {
      const Mixture mixture(4000, 11 + l);
      errors.emplace_back(mixture.scores, mixture.is_decoy);
    }
    for (double score = 0.0; score < 4.0; score += 0.25)
    {
      double mean = 0.0;
      for (const PosteriorError& error : errors)
      {
        EXPECT_NEAR(error.at(score), Mixture::expected(score), 0.2) << score << ", a single list";
        mean += error.at(score) / N_LISTS;
      }
      EXPECT_NEAR(mean, Mixture::expected(score), 0.05) << score << ", all lists";
    }
  }

  TEST(PosteriorError, SumOverTargetsIsTheNumberOfFalseOnes)
  {
    // Small lists, many times: the mean must be right although each curve is rough.
    constexpr std::size_t N_LISTS = 200;
    double sum = 0.0;
    double n_false = 0.0;
    for (std::size_t l = 0; l < N_LISTS; ++l)
    {
      const Mixture mixture(500, 100 + l);
      const PosteriorError error(mixture.scores, mixture.is_decoy);
      for (std::size_t i = 0; i < mixture.scores.size(); ++i)
      {
        if (!mixture.is_decoy[i] && mixture.scores[i] > 1.5)
        {
          sum += error.at(mixture.scores[i]);
          n_false += mixture.is_true[i] ? 0.0 : 1.0;
        }
      }
    }
    // One PSM a list more, from the pseudo-decoy, is on the safe side.
    EXPECT_GT(sum, 0.95 * n_false);
    EXPECT_LT(sum, 1.1 * n_false + static_cast<double>(N_LISTS));
  }

  TEST(PosteriorError, RefusesWhatCannotBeRanked)
  {
    test::expectError(ErrorKind::INVALID_INPUT, "not finite",
                      [] { PosteriorError({std::numeric_limits<double>::quiet_NaN()}, {false}); });
    test::expectError(ErrorKind::INVALID_INPUT, "1 decoy flags", [] { PosteriorError({1.0, 2.0}, {false}); });
  }
}
