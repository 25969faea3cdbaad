// SPDX-License-Identifier: BSD-3-Clause
// What other programs read of PSMFormer: its INI and CTD, and its output against OpenMS's schemas.
#include "Rescoring.h"

#include <PSMFormer/core/Files.h>

#include <OpenMS/SYSTEM/File.h>

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace psmformer::test
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::Not;

    ToolResult validate(const std::string& file, const std::string& schema)
    {
      const std::string path = std::string(OpenMS::File::getOpenMSDataPath()) + "/SCHEMAS/" + schema;
      return runProgram("xmllint", {"--nonet", "--noout", "--schema", path, file});
    }

    std::size_t countDeclarations()
    {
      std::size_t n = 0;
      for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
      {
        n += std::filesystem::exists(entry.path() / "PSMFormer.ttd") ? 1 : 0;
      }
      return n;
    }

    class Description : public ::testing::Test
    {
    protected:
      TempDir folder_;
    };

    using DescribedOutput = Rescoring;
  }

  TEST_F(Description, IniIsWrittenWithoutModelAndValid)
  {
    const std::string ini = (folder_ / "psmformer.ini").string();
    const ToolResult result = runProgram(PSMFORMER_TOOL, {"-write_ini", ini});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const ToolResult valid = validate(ini, "Param_1_7_0.xsd");
    EXPECT_EQ(valid.exit_code, 0) << valid.output;
    const std::string text = readFile(ini);
    EXPECT_THAT(text, HasSubstr("name=\"fragment_tolerance\""));
    EXPECT_THAT(text, Not(HasSubstr("accept_profile"))) << "that is -force";
  }

  TEST_F(Description, CtdIsValidAndComplete)
  {
    const std::size_t n_declarations = countDeclarations();
    const ToolResult result = runProgram(PSMFORMER_TOOL, {"-write_ctd", folder_.path().string()});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const std::string ctd = (folder_ / "PSMFormer.ctd").string();
    const ToolResult valid = validate(ctd, "CTD_0_3.xsd");
    EXPECT_EQ(valid.exit_code, 0) << valid.output;
    const std::string text = readFile(ctd);
    EXPECT_THAT(text, HasSubstr("docurl=\"share/doc/PSMFormer.md\""));
    EXPECT_THAT(text, HasSubstr("category=\"ID"));
    EXPECT_THAT(text, Not(HasSubstr("description=\"\""))) << "every option says what it is";
    EXPECT_TRUE(std::filesystem::exists(std::string(PSMFORMER_REPOSITORY) + "/share/doc/PSMFormer.md"));
    EXPECT_EQ(countDeclarations(), n_declarations) << "the temporary declaration is removed";
  }

  TEST_F(DescribedOutput, OptionsComeFromAnIni)
  {
    const std::string ini = path("psmformer.ini");
    ASSERT_EQ(runProgram(PSMFORMER_TOOL, {"-write_ini", ini}).exit_code, 0);
    std::string text = readFile(ini);
    const std::string before = "name=\"precision\" value=\"auto\"";
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos);
    writeFileAtomically(ini, text.replace(at, before.size(), "name=\"precision\" value=\"bfloat16\""));
    const ToolResult result = rescore({"-ini", ini});
    EXPECT_EQ(result.exit_code, 6) << result.output;
    EXPECT_THAT(result.output, HasSubstr("-precision bfloat16"));
  }

  TEST_F(DescribedOutput, IsValidForSchemaAndFileInfo)
  {
    const ToolResult rescored = rescore({"-write_features", "all"});
    ASSERT_EQ(rescored.exit_code, 0) << rescored.output;
    const ToolResult valid = validate(path("out.idXML"), "IdXML_1_5.xsd");
    EXPECT_EQ(valid.exit_code, 0) << valid.output;
    const ToolResult info = runProgram("FileInfo", {"-v", "-in", path("out.idXML"), "-test"});
    EXPECT_EQ(info.exit_code, 0) << info.output;
    EXPECT_THAT(info.output, HasSubstr("the file is valid"));
  }

  TEST_F(DescribedOutput, IsReadByTheToolsThatFollow)
  {
    const ToolResult rescored = rescore();
    ASSERT_EQ(rescored.exit_code, 0) << rescored.output;
    const ToolResult fdr = runProgram(
        "FalseDiscoveryRate", {"-in", path("out.idXML"), "-out", path("fdr.idXML"), "-protein", "false", "-test"});
    ASSERT_EQ(fdr.exit_code, 0) << fdr.output;
    const Identifications filtered = readIdentifications(path("fdr.idXML"));
    ASSERT_FALSE(filtered.identifications.empty());
    EXPECT_EQ(filtered.identifications[0].getScoreType(), "q-value");
    EXPECT_TRUE(filtered.identifications[0].getHits()[0].metaValueExists("PSMFormer:score_score"));
    const ToolResult switched = runProgram(
        "IDScoreSwitcher", {"-in", path("out.idXML"), "-out", path("switched.idXML"), "-new_score", "PSMFormer:cosine",
                            "-new_score_orientation", "higher_better", "-new_score_type", "cosine", "-test"});
    EXPECT_EQ(switched.exit_code, 0) << switched.output;
    const ToolResult back =
        runProgram("IDScoreSwitcher", {"-in", path("out.idXML"), "-out", path("engine.idXML"), "-new_score", "expect",
                                       "-new_score_orientation", "lower_better", "-test"});
    EXPECT_EQ(back.exit_code, 0) << back.output << "the engine's score is on every hit";
  }
}
