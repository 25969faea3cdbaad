// SPDX-License-Identifier: BSD-3-Clause
#include <EarlierRescoring.h>

#include <PSMFormer/openms/MatchWriter.h>

#include <support/ExpectError.h>
#include <support/TestRun.h>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    /// Two hits of the first identification of a test run: the second is scored better, or not scored.
    struct Fixture
    {
      PeptideIds identifications = {test::makeTestRun().identifications[0]};
      Annotation annotation;

      explicit Fixture(MatchStatus second = MatchStatus::SCORED)
      {
        annotation.feature_names = {"PSMFormer:logit"};
        annotation.has_q_values = true;
        annotation.hits = {{{MatchStatus::SCORED, 1.0, 0.5, {1.0}}, {second, 2.0, 0.25, {2.0}}}};
        annotation.order = {second == MatchStatus::SCORED ? std::vector<std::size_t>{1, 0}
                                                          : std::vector<std::size_t>{0, 1}};
        annotation.retention_time = {77.0};
      }
    };

    double number(const OpenMS::PeptideHit& hit, const std::string& name)
    {
      double value = std::numeric_limits<double>::quiet_NaN();
      metaNumber(hit, name, value);
      return value;
    }

    TEST(MatchWriter, ReplacesTheMainScoreAndKeepsThePreviousOne)
    {
      Fixture fixture;
      const auto before = fixture.identifications[0].getHits();
      annotateIdentifications(fixture.identifications, fixture.annotation, {});
      const auto& after = fixture.identifications[0];
      EXPECT_EQ(after.getScoreType(), "PSMFormer:score");
      EXPECT_TRUE(after.isHigherScoreBetter());
      ASSERT_EQ(after.getHits().size(), 2U);
      EXPECT_EQ(after.getHits()[0].getSequence(), before[1].getSequence()) << "the better one comes first";
      EXPECT_EQ(after.getHits()[0].getScore(), 2.0);
      EXPECT_EQ(number(after.getHits()[0], "expect"), before[1].getScore());
      EXPECT_EQ(number(after.getHits()[0], "PSMFormer:logit"), 2.0);
      EXPECT_EQ(number(after.getHits()[0], "PSMFormer:q-value"), 0.25);
      EXPECT_EQ(after.getHits()[0].getMetaValue("PSMFormer:status").toString(), "scored");
      EXPECT_EQ(after.getHits()[0].getPeptideEvidences(), before[1].getPeptideEvidences());
      EXPECT_EQ(number(after.getHits()[0], "MS:1002252"), number(before[1], "MS:1002252"));
    }

    TEST(MatchWriter, AnnotatingLeavesTheMainScoreAlone)
    {
      Fixture fixture;
      const auto before = fixture.identifications[0].getHits();
      fixture.annotation.order = {{0, 1}};
      WritingRules rules;
      rules.replace_main_score = false;
      annotateIdentifications(fixture.identifications, fixture.annotation, rules);
      EXPECT_EQ(fixture.identifications[0].getScoreType(), "expect");
      EXPECT_FALSE(fixture.identifications[0].isHigherScoreBetter());
      EXPECT_EQ(fixture.identifications[0].getHits()[0].getScore(), before[0].getScore());
      EXPECT_EQ(number(fixture.identifications[0].getHits()[0], "PSMFormer:score"), 1.0);
      EXPECT_FALSE(fixture.identifications[0].getHits()[0].metaValueExists("expect"));
    }

    TEST(MatchWriter, QValueAsMainScoreIsLowerBetter)
    {
      Fixture fixture;
      WritingRules rules;
      rules.main_score = MainScore::Q_VALUE;
      annotateIdentifications(fixture.identifications, fixture.annotation, rules);
      EXPECT_EQ(fixture.identifications[0].getScoreType(), "q-value");
      EXPECT_FALSE(fixture.identifications[0].isHigherScoreBetter());
      EXPECT_EQ(fixture.identifications[0].getHits()[0].getScore(), 0.25);
    }

    TEST(MatchWriter, UnscoredHitsCanBeRemoved)
    {
      Fixture fixture(MatchStatus::MASS_MISMATCH);
      WritingRules rules;
      rules.unscored = UnscoredHits::REMOVE;
      const WritingReport report = annotateIdentifications(fixture.identifications, fixture.annotation, rules);
      EXPECT_EQ(report.n_removed_hits, 1U);
      EXPECT_EQ(fixture.identifications[0].getHits().size(), 1U);
    }

    TEST(MatchWriter, PreviousScoresThatAreNotFiniteStayAsText)
    {
      Fixture fixture;
      auto hits = fixture.identifications[0].getHits();
      hits[0].setScore(std::numeric_limits<double>::infinity());
      hits[1].setScore(std::numeric_limits<double>::quiet_NaN());
      fixture.identifications[0].setHits(hits);
      const WritingReport report = annotateIdentifications(fixture.identifications, fixture.annotation, {});
      EXPECT_EQ(report.n_nonfinite_scores, 2U);
      EXPECT_EQ(fixture.identifications[0].getHits()[0].getMetaValue("expect").toString(), "nan");
      EXPECT_EQ(fixture.identifications[0].getHits()[1].getMetaValue("expect").toString(), "inf");
    }

    TEST(MatchWriter, WhatIsNotFiniteIsNeverWritten)
    {
      Fixture fixture;
      fixture.annotation.hits[0][0].features[0] = std::numeric_limits<double>::quiet_NaN();
      test::expectError(ErrorKind::INTERNAL, "PSMFormer:logit",
                        [&] { annotateIdentifications(fixture.identifications, fixture.annotation, {}); });
    }

    TEST(MatchWriter, RetentionTimeIsFilledButNeverOverwritten)
    {
      Fixture with;
      const double rt = with.identifications[0].getRT();
      annotateIdentifications(with.identifications, with.annotation, {});
      EXPECT_EQ(with.identifications[0].getRT(), rt);
      Fixture without;
      without.identifications[0].setRT(std::numeric_limits<double>::quiet_NaN());
      annotateIdentifications(without.identifications, without.annotation, {});
      EXPECT_EQ(without.identifications[0].getRT(), 77.0);
    }

    TEST(MatchWriter, RescoringTwiceKeepsTheEnginesScore)
    {
      Fixture fixture;
      const double expect = fixture.identifications[0].getHits()[1].getScore();
      annotateIdentifications(fixture.identifications, fixture.annotation, {});
      fixture.annotation.order = {{0, 1}};
      fixture.annotation.hits[0][0].score = 9.0;
      annotateIdentifications(fixture.identifications, fixture.annotation, {});
      EXPECT_EQ(number(fixture.identifications[0].getHits()[0], "expect"), expect);
      EXPECT_EQ(number(fixture.identifications[0].getHits()[0], "PSMFormer:score"), 9.0);
    }

    TEST(MatchWriter, NothingOfAnEarlierRescoringStays)
    {
      Fixture fixture;
      auto& identification = fixture.identifications[0];
      annotateIdentifications(fixture.identifications, fixture.annotation, {});
      auto hits = identification.getHits();
      hits[0].setMetaValue("PSMFormer:delta_next", 77.0);
      hits[0].setMetaValue("PSMFormer:PEP", 0.77);
      hits[0].setScore(0.77);
      identification.setHits(hits);
      identification.setScoreType("PSMFormer:PEP"); // as IDScoreSwitcher leaves it
      identification.setHigherScoreBetter(false);
      fixture.annotation.order = {{0, 1}};
      fixture.annotation.hits[0][0].posterior_error = 0.25;
      annotateIdentifications(fixture.identifications, fixture.annotation, {});
      EXPECT_EQ(number(identification.getHits()[0], "PSMFormer:PEP"), 0.25);
      EXPECT_FALSE(identification.getHits()[0].metaValueExists("PSMFormer:delta_next"));
      EXPECT_TRUE(identification.getHits()[0].metaValueExists("expect"));
      fixture.annotation.has_q_values = false;
      annotateIdentifications(fixture.identifications, fixture.annotation, {});
      EXPECT_FALSE(identification.getHits()[0].metaValueExists("PSMFormer:PEP"));
      EXPECT_FALSE(identification.getHits()[0].metaValueExists("PSMFormer:q-value"));
    }

    TEST(MatchWriter, RecordsOfAnEarlierRescoringAreRemoved)
    {
      OpenMS::ProteinIdentification run;
      auto parameters = run.getSearchParameters();
      parameters.setMetaValue("extra_features", "engine,PSMFormer:logit,PSMFormer:delta_next");
      parameters.setMetaValue("PSMFormer:fold_scores", "linear");
      parameters.setMetaValue("CometAdapter:1:in", "run.mzML");
      run.setSearchParameters(parameters);
      removeRecords(run);
      EXPECT_EQ(run.getSearchParameters().getMetaValue("extra_features").toString(), "engine");
      EXPECT_FALSE(run.getSearchParameters().metaValueExists("PSMFormer:fold_scores"));
      EXPECT_TRUE(run.getSearchParameters().metaValueExists("CometAdapter:1:in"));
    }

    std::string extraFeatures(const std::string& present, const std::vector<std::string>& names)
    {
      OpenMS::ProteinIdentification run;
      auto parameters = run.getSearchParameters();
      if (!present.empty())
      {
        parameters.setMetaValue("extra_features", present);
      }
      run.setSearchParameters(parameters);
      appendExtraFeatures(run, names);
      return std::string(run.getSearchParameters().getMetaValue("extra_features").toString());
    }

    TEST(MatchWriter, ExtraFeaturesAreAppendedOnceWithoutStrayCommas)
    {
      EXPECT_EQ(extraFeatures("", {"a", "b"}), "a,b");
      EXPECT_EQ(extraFeatures("x,y", {"a"}), "x,y,a");
      EXPECT_EQ(extraFeatures(",x,a,", {"a", "b"}), "x,a,b");
    }

    TEST(MatchWriter, WhatLabelsHaveMadeIsNoFeature)
    {
      EXPECT_EQ(
          extraFeatures("COMET:xcorr,q-value,MS:1001493,Posterior Error Probability,target_decoy", {"PSMFormer:logit"}),
          "COMET:xcorr,target_decoy,PSMFormer:logit");
    }
  }
}
