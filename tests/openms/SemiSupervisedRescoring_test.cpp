// SPDX-License-Identifier: BSD-3-Clause
// -method: what is chosen, what is written, and what stays label-free.
#include <PSMFormer/core/PSMFeatures.h>
#include <PSMFormer/openms/PSMRescoring.h>

#include <support/ChangeHits.h>
#include <support/ExpectError.h>
#include <support/ExplainedIntensityScorer.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace psmformer
{
  namespace
  {
    using ::testing::Contains;
    using ::testing::HasSubstr;
    using ::testing::SizeIs;

    /// Enough to train on: 300 spectra with their peptide, 300 without.
    const test::TestRun& largeRun()
    {
      static const test::TestRun run = []
      {
        test::TestRunOptions options;
        options.n_spectra = 600;
        options.n_unidentifiable = 300;
        return test::makeTestRun(options);
      }();
      return run;
    }

    struct Outcome
    {
      RescoringReport report;
      std::vector<OpenMS::ProteinIdentification> runs;
      PeptideIds identifications;

      std::string recorded(const std::string& name, std::size_t run = 0) const
      {
        return std::string(runs[run].getSearchParameters().getMetaValue(name).toString());
      }

      /// What was written on each hit, by spectrum and sequence.
      std::map<std::string, std::string> written() const
      {
        std::map<std::string, std::string> texts;
        for (const auto& identification : identifications)
        {
          for (const auto& hit : identification.getHits())
          {
            std::string& text =
                texts[spectrumReference(identification) + ' ' + std::string(hit.getSequence().toString())];
            std::vector<OpenMS::String> keys;
            hit.getKeys(keys);
            std::sort(keys.begin(), keys.end());
            for (const auto& key : keys)
            {
              text += std::string(key) + '=' + std::string(hit.getMetaValue(key).toString()) + ' ';
            }
          }
        }
        return texts;
      }
    };

    class SemiSupervisedRescoring : public ::testing::Test
    {
    protected:
      Outcome rescore(const test::TestRun& run, const std::map<std::string, std::string>& options = {},
                      const std::vector<test::TestRun>& spectra = {})
      {
        PSMRescoring rescoring;
        OpenMS::Param parameters = rescoring.getParameters();
        for (const auto& [name, value] : options)
        {
          parameters.setValue(name, value);
        }
        rescoring.setParameters(parameters);
        std::vector<std::string> files;
        for (const test::TestRun& of : spectra.empty() ? std::vector<test::TestRun>{run} : spectra)
        {
          files.push_back(test::writeSpectra(of, folder_.path()));
        }
        Outcome outcome;
        outcome.runs = {run.run};
        outcome.identifications = run.identifications;
        outcome.report =
            rescoring.rescore(outcome.runs, outcome.identifications, files, test::ExplainedIntensityScorer(), {});
        return outcome;
      }

      test::TempDir folder_;
    };

    double number(const OpenMS::MetaInfoInterface& hit, const std::string& name)
    {
      return static_cast<double>(hit.getMetaValue("PSMFormer:" + name));
    }
  }

  TEST_F(SemiSupervisedRescoring, IsChosenWhereThereIsEnough)
  {
    const Outcome outcome = rescore(largeRun());
    EXPECT_EQ(outcome.recorded("PSMFormer:method"), "semi_supervised");
    EXPECT_EQ(outcome.recorded("PSMFormer:fold_scores"), "logit,logit,logit") << "it tells all apart; others tie";
    EXPECT_THAT(outcome.report.notes, Contains(HasSubstr("Semi-supervised rescoring of all runs; score of each fold")));
    ASSERT_THAT(outcome.report.counts, SizeIs(3));
    EXPECT_EQ(outcome.report.counts[1].score, "PSMFormer:calibrated_logit");
    EXPECT_EQ(outcome.report.counts[2].score, "PSMFormer:score");
    EXPECT_GE(outcome.report.counts[2].decoys_over_targets[0], 290U);
    const Outcome pretrained = rescore(largeRun(), {{"method", "pretrained"}});
    EXPECT_EQ(pretrained.recorded("PSMFormer:method"), "pretrained");
    EXPECT_THAT(pretrained.report.counts, SizeIs(2));
    EXPECT_EQ(pretrained.report.counts[1].decoys_over_targets, outcome.report.counts[1].decoys_over_targets);
  }

  TEST_F(SemiSupervisedRescoring, EveryHitStaysAndHasFiniteValues)
  {
    test::TestRun run = largeRun();
    auto hits = run.identifications[0].getHits();
    hits[0].setCharge(0);
    run.identifications[0].setHits(hits);
    const Outcome outcome = rescore(run);
    EXPECT_EQ(test::countHits(outcome.identifications), 1200U);
    double lowest = 1e9;
    for (const auto& identification : outcome.identifications)
    {
      for (std::size_t h = 0; h < identification.getHits().size(); ++h)
      {
        const auto& hit = identification.getHits()[h];
        EXPECT_EQ(hit.getScore(), number(hit, "score"));
        EXPECT_TRUE(h == 0 || hit.getScore() <= identification.getHits()[h - 1].getScore());
        for (const std::string name : {"q-value", "PEP", "peptide_q-value"})
        {
          ASSERT_GT(number(hit, name), 0.0);
          ASSERT_LE(number(hit, name), 1.0);
        }
        lowest = hit.getMetaValue("PSMFormer:status") == "scored" ? std::min(lowest, hit.getScore()) : lowest;
      }
    }
    const auto& unscored = outcome.identifications[0].getHits().back();
    EXPECT_EQ(unscored.getMetaValue("PSMFormer:status"), "no_charge");
    EXPECT_LT(unscored.getScore(), lowest);
    for (const std::string name : {"q-value", "PEP", "peptide_q-value"})
    {
      EXPECT_EQ(number(unscored, name), 1.0);
    }
  }

  TEST_F(SemiSupervisedRescoring, NothingMadeFromLabelsIsAFeature)
  {
    for (const std::string method : {"auto", "pretrained", "semi_supervised"})
    {
      for (const std::string features : {"basic", "all"})
      {
        const Outcome outcome = rescore(largeRun(), {{"method", method}, {"write_features", features}});
        for (const std::string& name : outcome.report.feature_names)
        {
          for (const std::string made_from_labels : {"PSMFormer:score", "q-value", "PEP", "fold"})
          {
            EXPECT_EQ(name.find(made_from_labels), std::string::npos) << name << " after " << method;
          }
        }
        EXPECT_EQ(outcome.report.feature_names.size(), features == "all" ? psmFeatures().size() + 6U : 4U);
      }
    }
    // Whatever the method: features are the same.
    const Outcome trained = rescore(largeRun(), {{"write_features", "all"}});
    const Outcome pretrained = rescore(largeRun(), {{"write_features", "all"}, {"method", "pretrained"}});
    std::map<std::string, double> expected;
    for (const Outcome* outcome : {&pretrained, &trained})
    {
      for (const auto& identification : outcome->identifications)
      {
        for (const auto& hit : identification.getHits())
        {
          for (const std::string& name : outcome->report.feature_names)
          {
            const std::string key =
                spectrumReference(identification) + std::string(hit.getSequence().toString()) + name;
            const double value = static_cast<double>(hit.getMetaValue(name));
            EXPECT_EQ(expected.emplace(key, value).first->second, value) << key;
          }
        }
      }
    }
  }

  TEST_F(SemiSupervisedRescoring, TheOrderOfTheInputDoesNotMatter)
  {
    const std::map<std::string, std::string> expected = rescore(largeRun()).written();
    test::TestRun run = largeRun();
    std::reverse(run.identifications.begin(), run.identifications.end());
    for (auto& identification : run.identifications)
    {
      auto hits = identification.getHits();
      std::reverse(hits.begin(), hits.end());
      identification.setHits(hits);
    }
    EXPECT_TRUE(rescore(run).written() == expected); // no print-out of all
  }

  TEST_F(SemiSupervisedRescoring, TheSeedDividesPeptidesIntoFolds)
  {
    PSMRescoring rescoring;
    const Outcome expected = rescore(largeRun());
    OpenMS::Param parameters = rescoring.getParameters();
    parameters.setValue("seed", 2);
    rescoring.setParameters(parameters);
    Outcome outcome;
    outcome.runs = {largeRun().run};
    outcome.identifications = largeRun().identifications;
    outcome.report =
        rescoring.rescore(outcome.runs, outcome.identifications, {test::writeSpectra(largeRun(), folder_.path())},
                          test::ExplainedIntensityScorer(), {});
    const auto foldsOf = [](const Outcome& of)
    {
      const auto& notes = of.report.notes;
      return *std::find_if(notes.begin(), notes.end(),
                           [](const std::string& note)
                           { return note.find("; score of each fold") != std::string::npos; });
    };
    EXPECT_NE(foldsOf(outcome), foldsOf(expected)) << "they have other numbers of targets";
  }

  TEST_F(SemiSupervisedRescoring, FewPSMsKeepTheLogitWithOneLine)
  {
    for (const std::size_t n : {1U, 10U, 100U})
    {
      test::TestRunOptions options;
      options.n_spectra = n;
      options.n_unidentifiable = n / 4;
      test::TestRun run = test::makeTestRun(options);
      auto hits = run.identifications[0].getHits();
      hits[1].setMetaValue("target_decoy", "decoy"); // one at least
      run.identifications[0].setHits(hits);
      const Outcome automatic = rescore(run);
      EXPECT_THAT(automatic.report.notes, Contains(HasSubstr("The calibrated logit is the score of all runs")));
      EXPECT_EQ(automatic.recorded("PSMFormer:method"), "pretrained");
      const Outcome asked = rescore(run, {{"method", "semi_supervised"}});
      EXPECT_EQ(std::count_if(asked.report.warnings.begin(), asked.report.warnings.end(),
                              [](const std::string& warning)
                              { return warning.find("The calibrated logit is the score of all runs") == 0; }),
                1);
      const auto expected = rescore(run, {{"method", "pretrained"}}).written();
      EXPECT_EQ(automatic.written(), expected);
      EXPECT_EQ(asked.written(), expected);
    }
  }

  TEST_F(SemiSupervisedRescoring, WithoutDecoysThereIsNothingToLearnFrom)
  {
    test::TestRun run = largeRun();
    test::changeHits(run, [](auto& hit) { hit.setMetaValue("target_decoy", "target"); });
    const Outcome outcome = rescore(run);
    EXPECT_EQ(outcome.recorded("PSMFormer:method"), "pretrained");
    EXPECT_FALSE(outcome.identifications[0].getHits()[0].metaValueExists("PSMFormer:PEP"));
    EXPECT_FALSE(outcome.identifications[0].getHits()[0].metaValueExists("PSMFormer:peptide_q-value"));
    test::expectError(ErrorKind::INVALID_INPUT, "-method semi_supervised needs targets and decoys",
                      [&] {
                        rescore(run, {{"method", "semi_supervised"}});
                      });
    test::expectError(ErrorKind::INVALID_INPUT, "-score_type pep needs targets and decoys",
                      [&] {
                        rescore(run, {{"score_type", "pep"}});
                      });
  }

  TEST_F(SemiSupervisedRescoring, HitsOfWhichNoneCanBeScoredStay)
  {
    test::TestRunOptions options;
    options.n_spectra = 10;
    test::TestRun run = test::makeTestRun(options);
    test::changeHits(run, [](auto& hit) { hit.setCharge(0); });
    const Outcome outcome = rescore(run);
    EXPECT_EQ(test::countHits(outcome.identifications), 20U);
    for (const auto& identification : outcome.identifications)
    {
      EXPECT_TRUE(std::isfinite(identification.getHits()[0].getScore()));
      EXPECT_EQ(number(identification.getHits()[0], "PEP"), 1.0);
    }
  }

  TEST_F(SemiSupervisedRescoring, AllDecoysAreRescoredByTheLogit)
  {
    test::TestRun run = largeRun();
    test::changeHits(run, [](auto& hit) { hit.setMetaValue("target_decoy", "decoy"); });
    const Outcome outcome = rescore(run);
    EXPECT_EQ(outcome.recorded("PSMFormer:method"), "pretrained");
    EXPECT_EQ(number(outcome.identifications[0].getHits()[0], "PEP"), 1.0);
    EXPECT_EQ(number(outcome.identifications[0].getHits()[0], "peptide_q-value"), 1.0);
  }

  TEST_F(SemiSupervisedRescoring, EachRunByItselfOnRequest)
  {
    test::TestRunOptions options;
    options.name = "second";
    options.seed = 2;
    const std::vector<test::TestRun> spectra = {largeRun(), test::makeTestRun(options)};
    const test::TestRun merged = test::mergeRuns(spectra);
    EXPECT_THAT(rescore(merged, {}, spectra).report.notes, Contains(HasSubstr("rescoring of all runs")));
    const Outcome outcome = rescore(merged, {{"per_run", "true"}}, spectra);
    EXPECT_THAT(outcome.report.notes, Contains(HasSubstr("Semi-supervised rescoring of 'run'")));
    EXPECT_THAT(outcome.report.notes, Contains(HasSubstr("The calibrated logit is the score of 'second'")));
    // The large run comes out as if it were alone.
    const auto alone = rescore(largeRun()).written();
    const auto written = outcome.written();
    std::size_t n_equal = 0;
    for (const auto& [hit, text] : alone)
    {
      const auto found = written.find(hit);
      n_equal += found != written.end() && found->second == text ? 1 : 0;
    }
    EXPECT_GE(n_equal, 1200U - 80U) << "native IDs of the second run overlap with those of the first";
  }

  TEST_F(SemiSupervisedRescoring, PEPAsMainScore)
  {
    const Outcome outcome = rescore(largeRun(), {{"score_type", "pep"}});
    for (const auto& identification : outcome.identifications)
    {
      EXPECT_EQ(identification.getScoreType(), "pep");
      EXPECT_FALSE(identification.isHigherScoreBetter());
      EXPECT_EQ(identification.getHits()[0].getScore(), number(identification.getHits()[0], "PEP"));
      EXPECT_LE(identification.getHits()[0].getScore(), identification.getHits()[1].getScore());
    }
  }

  TEST_F(SemiSupervisedRescoring, ScoresOfAnEarlierRescoringAreNotLearntFrom)
  {
    const Outcome first = rescore(largeRun());
    test::TestRun run = largeRun();
    run.run = first.runs[0];
    run.identifications = first.identifications;
    const Outcome second = rescore(run);
    // As if the engine had given no score at all.
    test::TestRun without = largeRun();
    for (auto& identification : without.identifications)
    {
      identification.setScoreType("q-value");
    }
    const Outcome expected = rescore(without);
    for (std::size_t i = 0; i < run.identifications.size(); ++i)
    {
      EXPECT_EQ(second.identifications[i].getHits()[0].getScore(), expected.identifications[i].getHits()[0].getScore());
    }
  }
}
