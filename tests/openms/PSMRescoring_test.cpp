// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/PSMRescoring.h>

#include <PSMFormer/core/TargetDecoy.h>

#include <support/ChangeHits.h>
#include <support/ExpectError.h>
#include <support/ExplainedIntensityScorer.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
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

    class PSMRescoringTest : public ::testing::Test
    {
    protected:
      void set(const std::string& name, const std::string& value)
      {
        OpenMS::Param parameters = rescoring_.getParameters();
        parameters.setValue(name, value);
        rescoring_.setParameters(parameters);
      }

      RescoringReport rescore(const MatchScorer& scorer, const std::vector<test::TestRun>& spectra = {})
      {
        std::vector<std::string> files;
        for (const test::TestRun& run : spectra.empty() ? std::vector<test::TestRun>{run_} : spectra)
        {
          files.push_back(test::writeSpectra(run, folder_.path()));
        }
        runs_ = {run_.run};
        identifications_ = run_.identifications;
        return rescoring_.rescore(runs_, identifications_, files, scorer, {{"model", std::string("m@1.0.0")}});
      }

      RescoringReport rescore() { return rescore(test::ExplainedIntensityScorer()); }

      const OpenMS::PeptideHit& hit(std::size_t i, std::size_t h) const { return identifications_[i].getHits().at(h); }

      static double number(const OpenMS::MetaInfoInterface& hit, const std::string& name)
      {
        return static_cast<double>(hit.getMetaValue("PSMFormer:" + name));
      }

      std::string recorded(const std::string& name) const
      {
        return std::string(runs_[0].getSearchParameters().getMetaValue(name).toString());
      }

      void makeUnscorable(std::size_t i)
      {
        auto hits = run_.identifications[i].getHits();
        hits[0].setCharge(0);
        run_.identifications[i].setHits(hits);
      }

      test::TempDir folder_;
      test::TestRun run_ = test::makeTestRun();
      PSMRescoring rescoring_;
      std::vector<OpenMS::ProteinIdentification> runs_;
      PeptideIds identifications_;
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

  TEST_F(PSMRescoringTest, UnscoredHitsGetAFloorBelowAllOthers)
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

  TEST_F(PSMRescoringTest, UnscoredHitsAreRemovedOnRequest)
  {
    makeUnscorable(0);
    set("unscored", "remove");
    EXPECT_EQ(rescore().writing.n_removed_hits, 1u);
    EXPECT_EQ(test::countHits(identifications_), 79u);
    EXPECT_EQ(identifications_.size(), 40u);
  }

  TEST_F(PSMRescoringTest, UnscoredHitsKeepTheirScoreOnlyWhenItIsNotReplaced)
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

  TEST_F(PSMRescoringTest, StrictStopsAtAnUnscoredHit)
  {
    set("strict", "true");
    EXPECT_EQ(rescore().join.scored(), 80u);
    makeUnscorable(0);
    test::expectError(ErrorKind::INVALID_INPUT, "1 of 80 hits cannot be scored (no_charge 1)", [&] { rescore(); });
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

  TEST_F(PSMRescoringTest, EveryHitHasEveryFeatureAndNoneIsFittedOnLabels)
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

  TEST_F(PSMRescoringTest, RescoringTwiceListsFeaturesOnce)
  {
    rescore();
    const std::string once = recorded("extra_features");
    run_.run = runs_[0];
    run_.identifications = identifications_;
    rescore();
    EXPECT_EQ(recorded("extra_features"), once);
    EXPECT_TRUE(hit(0, 0).metaValueExists("expect"));
  }

  TEST_F(PSMRescoringTest, RescoringAgainLeavesNothingOfTheFirst)
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

  TEST_F(PSMRescoringTest, MissingCountsBeforeAreExplained)
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

  TEST_F(PSMRescoringTest, WhatWasDoneIsRecorded)
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

  TEST_F(PSMRescoringTest, FragmentToleranceCanBeOverridden)
  {
    OpenMS::Param parameters = rescoring_.getParameters();
    parameters.setValue("fragment_tolerance", 0.02);
    rescoring_.setParameters(parameters);
    rescore();
    EXPECT_EQ(recorded("PSMFormer:fragment_tolerance_unit"), "Da");
    EXPECT_DOUBLE_EQ(number(runs_[0].getSearchParameters(), "fragment_tolerance"), 0.02);
  }

  TEST_F(PSMRescoringTest, MissingRetentionTimesAreFilled)
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

  TEST_F(PSMRescoringTest, IdentificationWithoutHitsStays)
  {
    run_.identifications[5].setHits({});
    EXPECT_EQ(rescore().join.n_hits, 78u);
    ASSERT_EQ(identifications_.size(), 40u);
    EXPECT_THAT(identifications_[5].getHits(), IsEmpty());
  }
}
