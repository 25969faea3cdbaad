// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/BorrowedFeatures.h>
#include <PSMFormer/openms/ReportData.h>
#include <PSMFormer/openms/ReportWriter.h>

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>

#include <support/ChangeHits.h>
#include <support/ExpectError.h>
#include <support/ExplainedIntensityScorer.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>

namespace psmformer
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::Not;
    using Json = nlohmann::json;

    class Report : public ::testing::Test
    {
    protected:
      ReportData collect()
      {
        runs_ = {run_.run};
        identifications_ = run_.identifications;
        const std::vector<std::string> files = {test::writeSpectra(run_, folder_.path())};
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

  TEST_F(Report, TextOfTheDataCannotEndItsElement)
  {
    run_.run.setSearchEngine("</script><script>alert(1)</script>");
    const ReportData data = collect();
    writeFileAtomically(folder_ / "report.html",
                        "<h1>{{headline}}</h1>{{file:own.js}}<script>{{data}}</script>{{title}}");
    writeFileAtomically(folder_ / "own.js", "{{data}} stays");
    const std::string html = reportHtml(data, folder_.path());
    EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
    EXPECT_THAT(html, HasSubstr("</h1>{{data}} stays<script>{"));
    EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
    const std::size_t begin = html.find("<script>{") + 8;
    const Json json = Json::parse(html.substr(begin, html.find("</script>") - begin));
    EXPECT_EQ(json["runs"][0]["engine"], "</script><script>alert(1)</script>");
  }

  TEST_F(Report, BytesThatAreNoUtf8AreReplaced)
  {
    run_.run.setSearchEngine("Com\xE9t");
    EXPECT_NO_THROW(Json::parse(collect().json));
  }

  TEST_F(Report, DamagedTemplates)
  {
    test::expectError(ErrorKind::NOT_FOUND, "report.html", [&] { reportHtml({}, folder_ / "none"); });
    writeFileAtomically(folder_ / "report.html", "{{secret}}");
    test::expectError(ErrorKind::DAMAGED_INPUT, "'secret'", [&] { reportHtml({}, folder_.path()); });
    writeFileAtomically(folder_ / "report.html", "{{file:../x}}");
    test::expectError(ErrorKind::DAMAGED_INPUT, "'file:../x'", [&] { reportHtml({}, folder_.path()); });
    writeFileAtomically(folder_ / "report.html", "{{title");
    test::expectError(ErrorKind::DAMAGED_INPUT, "without end", [&] { reportHtml({}, folder_.path()); });
    writeFileAtomically(folder_ / "report.html", "{{file:no.css}}");
    test::expectError(ErrorKind::NOT_FOUND, "no.css", [&] { reportHtml({}, folder_.path()); });
  }

  TEST_F(Report, TheTemplateLiesBesideTheModels)
  {
    std::filesystem::create_directories(folder_ / "report");
    std::filesystem::create_directories(folder_ / "models");
    writeFileAtomically(folder_ / "report/report.html", "");
    EXPECT_EQ(locateReportTemplate({folder_ / "other", folder_ / "models"}), folder_ / "report");
    EXPECT_EQ(locateReportTemplate({folder_.path()}), folder_ / "report") << "or in a folder of PSMFORMER_DATA_PATH";
    test::expectError(ErrorKind::NOT_FOUND, "a/report", [&] { locateReportTemplate({folder_ / "a" / "b"}); });
  }

  TEST_F(Report, BorrowedFeaturesAreGivenBack)
  {
    collect();
    ASSERT_TRUE(identifications_[0].getHits()[0].metaValueExists("PSMFormer:length"));
    auto listed = run_.run.getSearchParameters();
    listed.setMetaValue("extra_features", "engine,PSMFormer:charge");
    run_.run.setSearchParameters(listed);
    const BorrowedFeatures borrowed({run_.run}, {"PSMFormer:logit"}, rescoring_.featureNames());
    borrowed.giveBack(runs_, identifications_);
    for (const auto& identification : identifications_)
    {
      for (const auto& hit : identification.getHits())
      {
        EXPECT_TRUE(hit.metaValueExists("PSMFormer:logit")) << "asked for";
        EXPECT_TRUE(hit.metaValueExists("PSMFormer:charge")) << "was there before";
        EXPECT_FALSE(hit.metaValueExists("PSMFormer:length"));
        EXPECT_TRUE(hit.metaValueExists("MS:1002252"));
      }
    }
    EXPECT_EQ(runs_[0].getSearchParameters().getMetaValue("extra_features").toString(),
              "PSMFormer:logit,PSMFormer:charge");
  }
}
