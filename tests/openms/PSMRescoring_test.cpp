// SPDX-License-Identifier: BSD-3-Clause
#include "PSMRescoringFixture.h"

#include <PSMFormer/core/TargetDecoy.h>

#include <support/ChangeHits.h>
#include <support/ExpectError.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace psmformer
{
  namespace
  {
    using ::testing::Contains;
    using ::testing::ElementsAre;
    using ::testing::HasSubstr;
    using ::testing::IsEmpty;
    using ::testing::Not;
    using ::testing::SizeIs;

    /// Gives every match the same score.
    class ConstantScorer : public test::ExplainedIntensityScorer
    {
    public:
      MatchScores score(const MatchTable& table, const ProgressCallback& progress = {}) const override
      {
        MatchScores scores = ExplainedIntensityScorer::score(table, progress);
        std::fill(scores.logit.begin(), scores.logit.end(), 0.25);
        return scores;
      }
    };

    bool isDecoy(const OpenMS::PeptideHit& hit)
    {
      return hit.getMetaValue("target_decoy") == "decoy";
    }

    /// The q-values that the best hits should have, by definition.
    std::vector<double> expectedQValues(const PeptideIds& identifications, std::size_t begin, std::size_t end)
    {
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      for (std::size_t i = begin; i < end; ++i)
      {
        const auto& best = identifications[i].getHits().front();
        scores.push_back(static_cast<double>(best.getMetaValue("PSMFormer:score")));
        is_decoy.push_back(isDecoy(best));
      }
      return computeQValues(scores, is_decoy, 1);
    }
  }

  TEST_F(PSMRescoringTest, HitsInAreHitsOutAndTheTruePeptidesComeFirst)
  {
    const RescoringReport report = rescore();
    EXPECT_EQ(report.join.n_hits, 80u);
    EXPECT_EQ(report.join.scored(), 80u);
    ASSERT_EQ(identifications_.size(), run_.identifications.size());
    for (std::size_t i = 0; i < identifications_.size(); ++i)
    {
      EXPECT_EQ(spectrumReference(identifications_[i]), spectrumReference(run_.identifications[i]));
      EXPECT_EQ(identifications_[i].getScoreType(), "PSMFormer:score");
      EXPECT_TRUE(identifications_[i].isHigherScoreBetter());
      std::multiset<double> before;
      std::multiset<double> after;
      for (std::size_t h = 0; h < 2; ++h)
      {
        before.insert(run_.identifications[i].getHits()[h].getScore());
        after.insert(static_cast<double>(hit(i, h).getMetaValue("expect")));
        EXPECT_EQ(hit(i, h).getMetaValue("PSMFormer:status"), "scored");
        EXPECT_DOUBLE_EQ(hit(i, h).getScore(), number(hit(i, h), "calibrated_logit"));
      }
      EXPECT_EQ(before, after) << "the score of the engine stays";
      EXPECT_GE(hit(i, 0).getScore(), hit(i, 1).getScore());
      if (i < 32)
      {
        EXPECT_EQ(hit(i, 0).getSequence(), run_.identifications[i].getHits()[0].getSequence());
      }
    }
  }

  TEST_F(PSMRescoringTest, TheModelSaysHowItsLogitIsCalibrated)
  {
    std::map<double, double> subtracted; // by weight
    for (const double weight : {0.0, 0.5, 1.0})
    {
      test::ExplainedIntensityScorer scorer;
      scorer.changeableManifest().calibration.null_weight = weight;
      rescore(scorer);
      EXPECT_EQ(recorded("PSMFormer:null_weight"), weight == 0.5 ? "0.5" : weight == 0.0 ? "0.0" : "1.0");
      subtracted[weight] = number(hit(0, 0), "logit") - number(hit(0, 0), "calibrated_logit");
    }
    EXPECT_NEAR(subtracted[0.0], 0.0, 1e-4);
    EXPECT_GT(std::abs(subtracted[1.0]), 0.01);
    EXPECT_NEAR(subtracted[0.5], subtracted[1.0] / 2.0, 1e-4);
  }

  TEST_F(PSMRescoringTest, BadPreviousOrderIsCorrected)
  {
    for (auto& identification : run_.identifications)
    {
      auto hits = identification.getHits();
      std::reverse(hits.begin(), hits.end());
      identification.setHits(hits);
    }
    rescore();
    for (std::size_t i = 0; i < 32; ++i)
    {
      EXPECT_EQ(hit(i, 0).getSequence(), run_.identifications[i].getHits()[1].getSequence());
    }
  }

  TEST_F(PSMRescoringTest, QValuesAreThoseOfTheBestHits)
  {
    const RescoringReport report = rescore();
    const std::vector<double> expected = expectedQValues(identifications_, 0, 40);
    for (std::size_t i = 0; i < 40; ++i)
    {
      EXPECT_DOUBLE_EQ(number(hit(i, 0), "q-value"), expected[i]);
      EXPECT_GE(number(hit(i, 1), "q-value"), number(hit(i, 0), "q-value"));
    }
    EXPECT_GT(*std::min_element(expected.begin(), expected.end()), 1.0 / 41.0) << "(0 + 1) / T";
    EXPECT_TRUE(report.has_decoys);
    EXPECT_EQ(report.n_targets + report.n_decoys, 40u);
    ASSERT_THAT(report.counts, SizeIs(2));
    EXPECT_EQ(report.counts[0].score, "expect");
    EXPECT_EQ(report.counts[1].score, "PSMFormer:score");
    EXPECT_GE(report.counts[1].decoys_over_targets[0], 32u);
    EXPECT_EQ(report.counts[1].plus_one_over_targets[0], 0u) << "1 % needs 100 targets";
    EXPECT_GE(report.counts[1].plus_one_over_targets[1], 32u);
  }

  TEST_F(PSMRescoringTest, RunsCompeteTogetherUnlessToldOtherwise)
  {
    test::TestRunOptions options;
    options.name = "second";
    options.n_unidentifiable = 30;
    options.seed = 2;
    const std::vector<test::TestRun> spectra = {run_, test::makeTestRun(options)};
    run_ = test::mergeRuns(spectra);
    rescore(test::ExplainedIntensityScorer(), spectra);
    const auto together = expectedQValues(identifications_, 0, 80);
    for (std::size_t i = 0; i < 80; ++i)
    {
      EXPECT_DOUBLE_EQ(number(hit(i, 0), "q-value"), together[i]);
    }
    set("per_run", "true");
    rescore(test::ExplainedIntensityScorer(), spectra);
    auto apart = expectedQValues(identifications_, 0, 40);
    const auto of_second = expectedQValues(identifications_, 40, 80);
    apart.insert(apart.end(), of_second.begin(), of_second.end());
    for (std::size_t i = 0; i < 80; ++i)
    {
      EXPECT_DOUBLE_EQ(number(hit(i, 0), "q-value"), apart[i]);
    }
    EXPECT_NE(apart, together);
  }

  TEST_F(PSMRescoringTest, TiesDoNotFavourWhatIsListedFirst)
  {
    const auto winners = [&]
    {
      std::vector<std::string> sequences;
      rescore(ConstantScorer());
      for (const auto& identification : identifications_)
      {
        sequences.emplace_back(identification.getHits()[0].getSequence().toString());
      }
      return sequences;
    };
    const auto first = winners();
    const auto n_first_listed =
        std::count_if(run_.identifications.begin(), run_.identifications.end(),
                      [&, i = std::size_t(0)](const auto& identification) mutable
                      { return std::string(identification.getHits()[0].getSequence().toString()) == first[i++]; });
    EXPECT_GT(n_first_listed, 8);
    EXPECT_LT(n_first_listed, 32);
    for (auto& identification : run_.identifications)
    {
      auto hits = identification.getHits();
      std::reverse(hits.begin(), hits.end());
      identification.setHits(hits);
    }
    EXPECT_EQ(winners(), first);
    OpenMS::Param parameters = rescoring_.getParameters();
    parameters.setValue("seed", 2);
    rescoring_.setParameters(parameters);
    EXPECT_NE(winners(), first);
  }

  TEST_F(PSMRescoringTest, QValueAsMainScore)
  {
    set("score_type", "q-value");
    rescore();
    EXPECT_EQ(identifications_[0].getScoreType(), "q-value");
    EXPECT_FALSE(identifications_[0].isHigherScoreBetter());
    EXPECT_DOUBLE_EQ(hit(0, 0).getScore(), number(hit(0, 0), "q-value"));
    EXPECT_TRUE(hit(0, 0).metaValueExists("PSMFormer:score"));
  }

  TEST_F(PSMRescoringTest, WithoutDecoysThereAreScoresButNoQValues)
  {
    test::changeHits(run_, [](auto& hit) { hit.removeMetaValue("target_decoy"); });
    const RescoringReport report = rescore();
    EXPECT_FALSE(report.has_decoys);
    EXPECT_THAT(report.counts, IsEmpty());
    EXPECT_THAT(report.warnings, ElementsAre(HasSubstr("80 of 80 hits have no target_decoy")));
    EXPECT_FALSE(hit(0, 0).metaValueExists("PSMFormer:q-value"));
    EXPECT_GT(hit(0, 0).getScore(), hit(0, 1).getScore());
    set("score_type", "q-value");
    test::expectError(ErrorKind::INVALID_INPUT, "needs targets and decoys", [&] { rescore(); });
  }
}
