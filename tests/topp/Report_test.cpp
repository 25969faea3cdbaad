// SPDX-License-Identifier: BSD-3-Clause
// The report of PSMFormer in a browser: every number on the page against the idXML, its looks, and silence on the
// console.
#include "Rescoring.h"

#include <PSMFormer/core/Files.h>

#include <support/ChangeHits.h>

#include <gmock/gmock.h>

#include <algorithm>

namespace psmformer::test
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::Not;

    class ReportPage : public Rescoring
    {
    protected:
      ToolResult writeReport(const std::vector<std::string>& options = {"-no_progress"})
      {
        std::vector<std::string> all = options;
        all.insert(all.end(), {"-out_report", path("out.html")});
        return rescore(all);
      }

      ToolResult check(const std::vector<std::string>& options = {}, const std::string& page = "out.html") const
      {
        std::vector<std::string> all = {"-B", PSMFORMER_REPOSITORY "/tests/report/check_report.py", path(page),
                                        path("out.idXML")};
        all.insert(all.end(), options.begin(), options.end());
        return runProgram("python3", all);
      }
    };
  }

  TEST_F(ReportPage, ShowsTheNumbersOfTheIdXML)
  {
    ASSERT_EQ(writeReport({"-write_features", "all"}).exit_code, 0);
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
    EXPECT_THAT(faults.output, HasSubstr("11 charts"));
    const std::string page = readFile(path("out.html"));
    EXPECT_THAT(page, Not(HasSubstr("src="))) << "nothing is loaded";

    std::string changed = page;
    const std::size_t counts = changed.find("\"y\":[", changed.find("\"retention\":")) + 5;
    changed.insert(counts, "1");
    writeFileAtomically(path("changed.html"), changed);
    const ToolResult found = check({}, "changed.html");
    EXPECT_EQ(found.exit_code, 1) << "the check can fail";
    EXPECT_THAT(found.output, HasSubstr("retention: table"));
  }

  TEST_F(ReportPage, OfSeveralRunsWithUnscoredHitsAndTies)
  {
    TestRunOptions options;
    options.name = "other </script><script>alert(1)</script>";
    options.name.erase(std::remove(options.name.begin(), options.name.end(), '/'), options.name.end());
    options.seed = 2;
    TestRun other = makeTestRun(options);
    other.run.setSearchEngine("X! <b>Tandem</b>");
    changeHits(run_, [](auto& hit) { hit.setScore(hit.getScore() > 1.0 ? 2.0 : hit.getScore()); });
    auto hits = other.identifications[0].getHits();
    hits[0].setCharge(0);
    other.identifications[0].setHits(hits);
    writeSpectra(other, folder_.path());
    writeIdentifications({run_, other}, path("in.idXML"));
    const ToolResult result =
        writeReport({"-in_spectra", path("run.mzML"), path(options.name + ".mzML"), "-write_features", "all"});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
  }

  TEST_F(ReportPage, OfRunsThatAreRescoredByThemselves)
  {
    TestRunOptions options;
    options.name = "other";
    options.seed = 2;
    const TestRun other = makeTestRun(options);
    writeSpectra(other, folder_.path());
    writeIdentifications({run_, other}, path("in.idXML"));
    const ToolResult result =
        writeReport({"-in_spectra", path("run.mzML"), path("other.mzML"), "-write_features", "all", "-per_run"});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(readFile(path("out.html")), HasSubstr("\"errors\":null"));
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
    EXPECT_THAT(faults.output, HasSubstr("10 charts"));
  }

  TEST_F(ReportPage, WithoutDecoysItOpensAndSaysWhatIsMissing)
  {
    changeHits(run_, [](auto& hit) { hit.removeMetaValue("target_decoy"); });
    writeIdentifications({run_}, path("in.idXML"));
    ASSERT_EQ(writeReport({"-write_features", "all"}).exit_code, 0);
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
    EXPECT_THAT(faults.output, HasSubstr("5 charts"));
  }

  TEST_F(ReportPage, WithoutIdentificationsItOpens)
  {
    run_.identifications.clear();
    writeIdentifications({run_}, path("in.idXML"));
    ASSERT_EQ(writeReport().exit_code, 0);
    const ToolResult faults = check({"--empty"});
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
  }

  TEST_F(ReportPage, ChangesNothingInTheIdXML)
  {
    ASSERT_EQ(rescore({"-test"}).exit_code, 0);
    const std::string without = readFile(path("out.idXML"));
    ASSERT_EQ(writeReport({"-test"}).exit_code, 0);
    EXPECT_EQ(readFile(path("out.idXML")), without);
  }

  TEST_F(ReportPage, NeedsAPlaceAndTheRightExtensionBeforeAnythingIsDone)
  {
    EXPECT_EQ(rescore({"-out_report", path("none/out.html")}).exit_code, 5);
    EXPECT_EQ(rescore({"-out_report", path("out.txt")}).exit_code, 6);
    EXPECT_FALSE(exists("out.idXML"));
  }
}
