// SPDX-License-Identifier: BSD-3-Clause
// The page of the report: its template, and data that must not become markup.
#include <PSMFormer/openms/ReportWriter.h>

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>

#include <support/ExpectError.h>
#include <support/TempDir.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace psmformer
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::Not;
    using Json = nlohmann::json;

    class ReportTemplate : public ::testing::Test
    {
    protected:
      test::TempDir folder_;
    };
  }

  TEST_F(ReportTemplate, TextOfTheDataCannotEndItsElement)
  {
    ReportData data;
    data.title = "run </script><script>alert(1)</script>";
    data.headline = "1 PSM & \"more\"";
    data.json = Json{{"engine", "</script><script>alert(1)</script>"}}.dump();
    writeFileAtomically(folder_ / "report.html",
                        "<h1>{{headline}}</h1>{{file:own.js}}<script>{{data}}</script>{{title}}");
    writeFileAtomically(folder_ / "own.js", "{{data}} stays");
    const std::string html = reportHtml(data, folder_.path());
    EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;script&gt;alert(1)"));
    EXPECT_THAT(html, HasSubstr("</h1>{{data}} stays<script>{"));
    EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
    const std::size_t begin = html.find("<script>{") + 8;
    const Json json = Json::parse(html.substr(begin, html.find("</script>") - begin));
    EXPECT_EQ(json["engine"], "</script><script>alert(1)</script>");
  }

  TEST_F(ReportTemplate, DamagedTemplates)
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

  TEST_F(ReportTemplate, TheTemplateLiesBesideTheModels)
  {
    std::filesystem::create_directories(folder_ / "report");
    std::filesystem::create_directories(folder_ / "models");
    writeFileAtomically(folder_ / "report/report.html", "");
    EXPECT_EQ(locateReportTemplate({folder_ / "other", folder_ / "models"}), folder_ / "report");
    EXPECT_EQ(locateReportTemplate({folder_.path()}), folder_ / "report") << "or in a folder of PSMFORMER_DATA_PATH";
    test::expectError(ErrorKind::NOT_FOUND, "a/report", [&] { locateReportTemplate({folder_ / "a" / "b"}); });
  }
}
