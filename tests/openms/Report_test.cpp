// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/BorrowedFeatures.h>
#include <PSMFormer/openms/ReportData.h>

#include <support/ChangeHits.h>
#include <support/ExplainedIntensityScorer.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace psmformer
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::Not;
    using ::testing::SizeIs;
    using Json = nlohmann::json;

    class Report : public ::testing::Test
    {
    protected:
      ReportData collect(const std::vector<test::TestRun>& others = {})
      {
        runs_ = {run_.run};
        identifications_ = run_.identifications;
        std::vector<std::string> files = {test::writeSpectra(run_, folder_.path())};
        for (const test::TestRun& other : others)
        {
          runs_.push_back(other.run);
          identifications_.insert(identifications_.end(), other.identifications.begin(), other.identifications.end());
          files.push_back(test::writeSpectra(other, folder_.path()));
        }
        OpenMS::Param parameters = rescoring_.getParameters();
        parameters.setValue("write_features", "all");
        rescoring_.setParameters(parameters);
        const PreviousScores previous = readPreviousScores(identifications_, 1);
        report_ = rescoring_.rescore(runs_, identifications_, files, test::ExplainedIntensityScorer(), {});
        return collectReport(runs_, identifications_, files, previous, report_);
      }

      test::TempDir folder_;
      test::TestRun run_ = test::makeTestRun();
      PSMRescoring rescoring_;
      std::vector<OpenMS::ProteinIdentification> runs_;
      PeptideIds identifications_;
      RescoringReport report_;
    };

    /// Rescored identifications with one hit each, in a run of two hours.
    PeptideIds manyIdentifications(std::size_t n)
    {
      PeptideIds identifications(n);
      const auto sequence = OpenMS::AASequence::fromString("PEPTIDEK");
      for (std::size_t i = 0; i < n; ++i)
      {
        const double noise = std::fmod(static_cast<double>(i) * 0.6180339887, 1.0);
        const bool is_true = i % 3 == 0;
        OpenMS::PeptideHit hit(is_true ? 10.0 * noise : -8.0 * noise, 1, 2, sequence);
        hit.setMetaValue("target_decoy", !is_true && i % 2 == 0 ? "decoy" : "target");
        hit.setMetaValue("PSMFormer:status", "scored");
        hit.setMetaValue("PSMFormer:score", hit.getScore());
        for (const char* name : {"PSMFormer:q-value", "PSMFormer:PEP", "PSMFormer:peptide_q-value"})
        {
          hit.setMetaValue(name, noise / 3.0);
        }
        hit.setMetaValue("PSMFormer:precursor_error_ppm", 20.0 * (noise - 0.5));
        hit.setMetaValue("PSMFormer:fragment_error_median", noise - 0.5);
        identifications[i].setHits({hit});
        identifications[i].setIdentifier("run");
        identifications[i].setRT(7200.0 * static_cast<double>(i) / static_cast<double>(n));
        identifications[i].setScoreType("engine");
        identifications[i].setHigherScoreBetter(true);
      }
      return identifications;
    }
  }

  TEST_F(Report, CountsAreThoseOfTheLog)
  {
    const Json json = Json::parse(collect().json);
    ASSERT_EQ(json["counts"].size(), 2u);
    EXPECT_EQ(json["counts"][0]["label"], "Comet (expect)");
    for (std::size_t row = 0; row < 2; ++row)
    {
      EXPECT_EQ(json["counts"][row]["d_t"], report_.counts[row].decoys_over_targets);
      EXPECT_EQ(json["accepted"]["curves"][row]["d_t"][20], report_.counts[row].decoys_over_targets[0]) << "q = 1 %";
      EXPECT_EQ(json["accepted"]["curves"][row]["plus_one"][100], report_.counts[row].plus_one_over_targets[1]);
      EXPECT_EQ(json["retention"]["series"][row + 1]["n"], report_.counts[row].decoys_over_targets[0]);
    }
    EXPECT_EQ(json["competitors"]["targets"], report_.n_targets);
    EXPECT_EQ(json["calibration"][1]["decoys"].back(), report_.n_decoys);
    EXPECT_EQ(json["fragment"]["unit"], "ppm");
  }

  TEST_F(Report, ErrorsAndPeptidesAreThoseOfTheHits)
  {
    const Json json = Json::parse(collect().json);
    const std::vector<double> score = json["errors"]["score"];
    EXPECT_TRUE(std::is_sorted(score.rbegin(), score.rend()));
    std::set<double> scores;
    std::set<std::string> peptidoforms;
    std::size_t n_accepted = 0;
    double highest = 0.0;
    for (const auto& identification : identifications_)
    {
      const OpenMS::PeptideHit& best = identification.getHits()[0];
      const std::size_t at =
          static_cast<std::size_t>(std::find(score.begin(), score.end(), best.getScore()) - score.begin());
      ASSERT_LT(at, score.size()) << "few hits: all are shown";
      scores.insert(best.getScore());
      const double q_value = best.getMetaValue("PSMFormer:q-value");
      const double posterior_error = best.getMetaValue("PSMFormer:PEP");
      EXPECT_EQ(json["errors"]["q_value"][at], q_value);
      EXPECT_EQ(json["errors"]["posterior_error"][at], posterior_error);
      if (best.getMetaValue("target_decoy") != "decoy")
      {
        highest = q_value <= 0.01 ? std::max(highest, posterior_error) : highest;
        const double of_peptide = best.getMetaValue("PSMFormer:peptide_q-value");
        const bool is_new = peptidoforms.insert(std::string(best.getSequence().toString())).second;
        n_accepted += is_new && of_peptide <= 0.1 ? 1 : 0;
      }
    }
    EXPECT_THAT(score, SizeIs(scores.size())) << "a tie is one point";
    EXPECT_EQ(json["peptides"]["n"], peptidoforms.size());
    EXPECT_EQ(json["peptides"]["plus_one"].back(), n_accepted);
    EXPECT_GT(n_accepted, 0u);
    EXPECT_EQ(highest, 0.0) << "40 hits cannot reach 1 % with + 1";
    EXPECT_TRUE(json["errors"]["at_threshold"].is_null());
  }

  TEST_F(Report, TheHighestErrorThatIsAccepted)
  {
    PeptideIds identifications = manyIdentifications(3);
    const double posterior_error[] = {0.02, 0.3, 0.9};
    const double q_value[] = {0.001, 0.01, 0.02};
    for (std::size_t i = 0; i < 3; ++i)
    {
      auto hits = identifications[i].getHits();
      hits[0].setMetaValue("target_decoy", "target");
      hits[0].setMetaValue("PSMFormer:PEP", posterior_error[i]);
      hits[0].setMetaValue("PSMFormer:q-value", q_value[i]);
      identifications[i].setHits(hits);
    }
    OpenMS::ProteinIdentification run = run_.run;
    run.setIdentifier("run");
    RescoringReport report;
    report.has_decoys = true;
    report.counts.resize(2);
    const ReportData data = collectReport({run}, identifications, {"run.mzML"}, {}, report);
    EXPECT_EQ(Json::parse(data.json)["errors"]["at_threshold"], 0.3);
  }

  TEST_F(Report, RunsWithQValuesOfTheirOwnHaveNoCommonCurve)
  {
    OpenMS::Param parameters = rescoring_.getParameters();
    parameters.setValue("per_run", "true");
    rescoring_.setParameters(parameters);
    test::TestRunOptions options;
    options.name = "other";
    const Json json = Json::parse(collect({test::makeTestRun(options)}).json);
    EXPECT_TRUE(json["errors"].is_null());
    std::set<std::string> peptidoforms;
    for (const auto& identification : identifications_)
    {
      const OpenMS::PeptideHit& best = identification.getHits()[0];
      if (best.getMetaValue("target_decoy") != "decoy")
      {
        peptidoforms.insert(std::string(best.getSequence().toString()));
      }
    }
    EXPECT_EQ(json["peptides"]["n"], 2 * peptidoforms.size()) << "the same in both runs, and both count";
  }

  TEST_F(Report, TheHeadlineSaysWhatHappened)
  {
    const ReportData data = collect();
    const auto before = report_.counts[0].decoys_over_targets[0];
    const auto after = report_.counts[1].decoys_over_targets[0];
    EXPECT_THAT(data.headline, HasSubstr(std::to_string(after) + " PSMs at 1 % FDR, "));
    EXPECT_THAT(data.headline, HasSubstr(after > before   ? std::to_string(after - before) + " more than Comet"
                                         : after < before ? std::to_string(before - after) + " fewer than Comet"
                                                          : "as many as Comet"));
    EXPECT_EQ(data.title, "run");
  }

  TEST_F(Report, WithoutDecoysItSaysWhatIsMissing)
  {
    test::changeHits(run_, [](OpenMS::PeptideHit& hit) { hit.removeMetaValue("target_decoy"); });
    const ReportData data = collect();
    const Json json = Json::parse(data.json);
    EXPECT_EQ(data.headline, "80 hits scored; without decoys there is no FDR");
    EXPECT_EQ(json["missing"], "80 of 80 hits have no target_decoy");
    EXPECT_FALSE(json.contains("counts"));
    EXPECT_FALSE(json.contains("calibration"));
    EXPECT_EQ(json["scores"][1]["series"][0]["n"], 40);
    EXPECT_EQ(json["precursor"]["series"][0]["n"], 40);
  }

  TEST_F(Report, WithMainScoresOfDifferentTypesThereIsNothingBefore)
  {
    run_.identifications[3].setScoreType("hyperscore");
    const Json json = Json::parse(collect().json);
    ASSERT_EQ(json["scores"].size(), 1u);
    EXPECT_EQ(json["scores"][0]["label"], "PSMFormer");
    EXPECT_THAT(std::string(json["headline"]), Not(HasSubstr("Comet")));
  }

  TEST_F(Report, AScoreOfPSMFormerIsNotCalledTheEngines)
  {
    for (auto& identification : run_.identifications)
    {
      identification.setScoreType("PSMFormer:score");
    }
    EXPECT_THAT(collect().headline, HasSubstr("the score before"));
  }

  TEST_F(Report, OfNothing)
  {
    const ReportData data = collectReport({}, {}, {}, {}, {});
    const Json json = Json::parse(data.json);
    EXPECT_EQ(data.headline, "No identifications, nothing to rescore");
    EXPECT_EQ(json["missing"], "there are no identifications");
    EXPECT_FALSE(json.contains("precursor"));
  }

  TEST_F(Report, IsSmallForManyIdentifications)
  {
    OpenMS::ProteinIdentification run = run_.run;
    run.setIdentifier("run");
    const PeptideIds identifications = manyIdentifications(100000);
    RescoringReport report;
    report.has_decoys = true;
    report.counts.resize(2);
    const auto start = std::chrono::steady_clock::now();
    const PreviousScores previous = readPreviousScores(identifications, 1);
    const ReportData data = collectReport({run}, identifications, {"run.mzML"}, previous, report);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    RecordProperty("bytes", static_cast<int>(data.json.size()));
    RecordProperty("milliseconds", static_cast<int>(1000.0 * seconds.count()));
    EXPECT_LT(data.json.size(), 200000u);
    EXPECT_LT(data.json.size(), 60000u) << "as much as charts need";
    EXPECT_EQ(Json::parse(data.json)["scores"][1]["series"][0]["n"], 66667);
  }

  TEST_F(Report, BytesThatAreNoUtf8AreReplaced)
  {
    run_.run.setSearchEngine("Com\xE9t");
    EXPECT_NO_THROW(Json::parse(collect().json));
  }

  TEST_F(Report, BorrowedFeaturesAreGivenBack)
  {
    collect();
    ASSERT_TRUE(identifications_[0].getHits()[0].metaValueExists("PSMFormer:length"));
    const BorrowedFeatures borrowed({"PSMFormer:logit", "PSMFormer:charge"}, rescoring_.featureNames());
    borrowed.giveBack(runs_, identifications_);
    for (const auto& identification : identifications_)
    {
      for (const auto& hit : identification.getHits())
      {
        EXPECT_TRUE(hit.metaValueExists("PSMFormer:logit")) << "asked for";
        EXPECT_TRUE(hit.metaValueExists("PSMFormer:charge")) << "asked for";
        EXPECT_FALSE(hit.metaValueExists("PSMFormer:length"));
        EXPECT_TRUE(hit.metaValueExists("MS:1002252"));
      }
    }
    EXPECT_EQ(runs_[0].getSearchParameters().getMetaValue("extra_features").toString(),
              "PSMFormer:logit,PSMFormer:charge");
  }
}
