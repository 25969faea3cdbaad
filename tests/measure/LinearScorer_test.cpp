// SPDX-License-Identifier: BSD-3-Clause
#include "measure/LinearScorer.h"
#include "support/Builders.h"
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <PSMFormer/core/Files.h>

#include <gmock/gmock.h>

namespace psmformer
{
  namespace
  {
    using test::expectError;

    class LinearScorerTest : public testing::Test
    {
    protected:
      LinearScorer scorerOf(const std::string& weights) const
      {
        writeFileAtomically(folder_ / "weights.tsv", weights);
        return LinearScorer((folder_ / "weights.tsv").string());
      }

      double logit(const std::string& weights) const { return scorerOf(weights).score(table_).logit.at(0); }

    private:
      test::TempDir folder_;
      /// All b and y ions of PEPTIDEK, so that there are 7 of each and the whole intensity is explained.
      MatchTable table_ =
          test::makeMatchTable({test::noiselessSpectrum(makePeptide("PEPTIDEK"), 2)}, {makePeptide("PEPTIDEK")});
    };

    TEST_F(LinearScorerTest, TheLogitIsTheWeightedSum)
    {
      EXPECT_NEAR(logit("intercept\t-1.5\nlength\t0.25\n"), -1.5 + 0.25 * 8, 1e-12);
      EXPECT_NEAR(logit("matched_y1\t2\nmatched_b1\t1\n"), 3.0 * logit("matched_b1\t1\n"), 1e-12);
    }

    TEST_F(LinearScorerTest, HyperscoreIsTheLogarithmOfFactorialsAndIntensity)
    {
      const double n_b = logit("matched_b1\t1\n");
      const double n_y = logit("matched_y1\t1\n");
      const double explained = logit("explained_intensity\t1\n");
      ASSERT_GT(n_b, 2.0);
      EXPECT_NEAR(logit("hyperscore\t1\n"), std::log(std::tgamma(n_b + 1) * std::tgamma(n_y + 1) * explained), 1e-9);
    }

    TEST_F(LinearScorerTest, NothingMatchedHasAFiniteHyperscore)
    {
      const MatchTable table = test::makeMatchTable({test::makeSpectrum({})}, {makePeptide("PEPTIDEK")});
      EXPECT_NEAR(scorerOf("hyperscore\t1\n").score(table).logit.at(0), std::log(1e-6), 1e-9);
    }

    TEST_F(LinearScorerTest, WhatIsNoTableOfWeightsIsRefused)
    {
      expectError(ErrorKind::INVALID_INPUT, "no feature 'beauty'", [&] { scorerOf("beauty\t1\n"); });
      expectError(ErrorKind::DAMAGED_INPUT, "'length'", [&] { scorerOf("length\tlong\n"); });
      expectError(ErrorKind::DAMAGED_INPUT, "'length'", [&] { scorerOf("intercept\t1\nlength\n"); });
      expectError(ErrorKind::INVALID_INPUT, "no weights", [&] { scorerOf(""); });
    }
  }
}
