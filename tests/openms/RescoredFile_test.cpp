// SPDX-License-Identifier: BSD-3-Clause
// What stands in a rescored file: hits that were not scored, features, records, and nothing of an earlier rescoring.
#include "PSMRescoringFixture.h"

#include <support/ChangeHits.h>
#include <support/ExpectError.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    using ::testing::Contains;
    using ::testing::HasSubstr;
    using ::testing::IsEmpty;
    using ::testing::Not;

    using RescoredFile = PSMRescoringTest;
  }

  TEST_F(RescoredFile, UnscoredHitsGetAFloorBelowAllOthers)
  {
    makeUnscorable(0);
    const RescoringReport report = rescore();
    EXPECT_EQ(report.join.n_hits, 80u);
    EXPECT_EQ(report.join.scored(), 79u);
    EXPECT_EQ(report.join.reasons(), "no_charge 1");
    double lowest = 1e9;
    for (std::size_t i = 1; i < 40; ++i)
    {
      lowest = std::min(lowest, hit(i, 1).getScore());
    }
    const auto& floored = hit(0, 1);
    EXPECT_EQ(floored.getMetaValue("PSMFormer:status"), "no_charge");
    EXPECT_LT(floored.getScore(), lowest);
    EXPECT_DOUBLE_EQ(number(floored, "q-value"), 1.0);
    EXPECT_DOUBLE_EQ(number(floored, "cosine"), -1.0);
    EXPECT_EQ(recorded("PSMFormer:unscored_reasons"), "no_charge 1");
    EXPECT_EQ(recorded("PSMFormer:num_unscored"), "1");
  }

  TEST_F(RescoredFile, UnscoredHitsAreRemovedOnRequest)
  {
    makeUnscorable(0);
    set("unscored", "remove");
    EXPECT_EQ(rescore().writing.n_removed_hits, 1u);
    EXPECT_EQ(test::countHits(identifications_), 79u);
    EXPECT_EQ(identifications_.size(), 40u);
  }

  TEST_F(RescoredFile, UnscoredHitsKeepTheirScoreOnlyWhenItIsNotReplaced)
  {
    set("unscored", "keep");
    test::expectError(ErrorKind::OPTION, "use it with -mode annotate", [&] { rescore(); });
    set("mode", "annotate");
    makeUnscorable(0);
    rescore();
    EXPECT_EQ(test::countHits(identifications_), 80u);
    EXPECT_EQ(identifications_[0].getScoreType(), "expect");
    EXPECT_DOUBLE_EQ(hit(0, 1).getScore(), run_.identifications[0].getHits()[0].getScore());
  }

  TEST_F(RescoredFile, StrictStopsAtAnUnscoredHit)
  {
    set("strict", "true");
    EXPECT_EQ(rescore().join.scored(), 80u);
    makeUnscorable(0);
    test::expectError(ErrorKind::INVALID_INPUT, "1 of 80 hits cannot be scored (no_charge 1)", [&] { rescore(); });
  }

  TEST_F(RescoredFile, EveryHitHasEveryFeatureAndNoneIsFittedOnLabels)
  {
    for (const std::string choice : {"basic", "all"})
    {
      set("write_features", choice);
      makeUnscorable(0);
      const RescoringReport report = rescore();
      EXPECT_EQ(report.feature_names, rescoring_.featureNames());
      EXPECT_EQ(report.feature_names.size() > 4, choice == "all");
      for (const auto& identification : identifications_)
      {
        for (const auto& hit : identification.getHits())
        {
          for (const std::string& name : report.feature_names)
          {
            ASSERT_TRUE(hit.metaValueExists(name)) << name;
            EXPECT_TRUE(std::isfinite(static_cast<double>(hit.getMetaValue(name)))) << name;
          }
        }
      }
      for (const std::string fitted : {"score", "q-value", "PEP", "peptide_q-value"})
      {
        EXPECT_THAT(report.feature_names, Not(::testing::Contains("PSMFormer:" + fitted)));
      }
      std::string list;
      for (const std::string& name : report.feature_names)
      {
        list += (list.empty() ? "" : ",") + name;
      }
      EXPECT_EQ(recorded("extra_features"), list);
    }
  }

  TEST_F(RescoredFile, RescoringTwiceListsFeaturesOnce)
  {
    rescore();
    const std::string once = recorded("extra_features");
    run_.run = runs_[0];
    run_.identifications = identifications_;
    rescore();
    EXPECT_EQ(recorded("extra_features"), once);
    EXPECT_TRUE(hit(0, 0).metaValueExists("expect"));
  }

  TEST_F(RescoredFile, RescoringAgainLeavesNothingOfTheFirst)
  {
    rescore();
    const std::string basic = recorded("extra_features");
    set("write_features", "all");
    rescore();
    ASSERT_TRUE(hit(0, 0).metaValueExists("PSMFormer:delta_next"));
    ASSERT_TRUE(hit(0, 0).metaValueExists("PSMFormer:q-value"));
    run_.run = runs_[0];
    run_.identifications = identifications_;
    test::changeHits(run_, [](auto& hit) { hit.removeMetaValue("target_decoy"); });
    set("write_features", "basic");
    rescore();
    EXPECT_EQ(recorded("extra_features"), basic);
    for (const std::string name : {"delta_next", "q-value", "PEP", "peptide_q-value"})
    {
      EXPECT_FALSE(hit(0, 0).metaValueExists("PSMFormer:" + name)) << name;
    }
    EXPECT_TRUE(hit(0, 0).metaValueExists("expect"));
  }

  TEST_F(RescoredFile, MissingCountsBeforeAreExplained)
  {
    for (auto& identification : run_.identifications)
    {
      identification.setScoreType("");
    }
    EXPECT_EQ(rescore().counts.front().score, "previous_score");
    test::changeHits(run_, [](auto& hit) { hit.setScore(std::nan("")); });
    const RescoringReport report = rescore();
    EXPECT_THAT(report.notes, Contains(HasSubstr("No main score of the identifications is finite")));
    EXPECT_THAT(report.notes, Not(Contains(HasSubstr("different types"))));
  }

  TEST_F(RescoredFile, WhatWasDoneIsRecorded)
  {
    rescore();
    EXPECT_EQ(runs_[0].getSearchEngine(), "Comet");
    EXPECT_EQ(recorded("PSMFormer:model"), "m@1.0.0");
    EXPECT_EQ(recorded("PSMFormer:method"), "pretrained");
    EXPECT_EQ(recorded("PSMFormer:seed"), "1");
    EXPECT_EQ(recorded("PSMFormer:num_scored"), "80");
    EXPECT_EQ(recorded("PSMFormer:num_unscored"), "0");
    EXPECT_EQ(recorded("PSMFormer:fragment_tolerance_unit"), "ppm");
    EXPECT_DOUBLE_EQ(number(runs_[0].getSearchParameters(), "fragment_tolerance"), 20.0);
  }

  TEST_F(RescoredFile, FragmentToleranceCanBeOverridden)
  {
    OpenMS::Param parameters = rescoring_.getParameters();
    parameters.setValue("fragment_tolerance", 0.02);
    rescoring_.setParameters(parameters);
    rescore();
    EXPECT_EQ(recorded("PSMFormer:fragment_tolerance_unit"), "Da");
    EXPECT_DOUBLE_EQ(number(runs_[0].getSearchParameters(), "fragment_tolerance"), 0.02);
  }

  TEST_F(RescoredFile, MissingRetentionTimesAreFilled)
  {
    for (auto& identification : run_.identifications)
    {
      identification.setRT(std::nan(""));
    }
    rescore();
    for (std::size_t i = 0; i < 40; ++i)
    {
      EXPECT_DOUBLE_EQ(identifications_[i].getRT(), run_.spectra[run_.spectrum_of_identification[i]].getRT());
    }
  }

  TEST_F(RescoredFile, IdentificationWithoutHitsStays)
  {
    run_.identifications[5].setHits({});
    EXPECT_EQ(rescore().join.n_hits, 78u);
    ASSERT_EQ(identifications_.size(), 40u);
    EXPECT_THAT(identifications_[5].getHits(), IsEmpty());
  }
}
