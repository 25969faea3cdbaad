// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/RunResolver.h>

#include <support/ExpectError.h>

#include <gmock/gmock.h>

namespace psmformer
{
  namespace
  {
    using ::testing::ElementsAre;
    using ::testing::IsEmpty;
    using ::testing::SizeIs;

    OpenMS::ProteinIdentification run(const std::string& identifier, const std::vector<std::string>& files)
    {
      OpenMS::ProteinIdentification result;
      result.setIdentifier(identifier);
      OpenMS::StringList paths;
      for (const std::string& file : files)
      {
        paths.push_back(file);
      }
      result.setPrimaryMSRunPath(paths);
      return result;
    }

    OpenMS::PeptideIdentification identification(const std::string& identifier, int merge_index = -1)
    {
      OpenMS::PeptideIdentification result;
      result.setIdentifier(identifier);
      if (merge_index >= 0)
      {
        result.setMetaValue("id_merge_index", merge_index);
      }
      return result;
    }

    TEST(RunResolver, StemDropsFolderSchemeCompressionAndFormat)
    {
      EXPECT_EQ(runStem("file:///data/a/Run.1.mzML.gz"), "Run.1");
      EXPECT_EQ(runStem("C:\\data\\run_1.RAW"), "run_1");
      EXPECT_EQ(runStem("run.mzML"), "run");
      EXPECT_EQ(runStem("run.v2"), "run.v2") << "not a format";
      EXPECT_NE(runStem("Run.mzML"), runStem("run.mzML")) << "case matters";
    }

    TEST(RunResolver, NamesMayBePercentEncoded)
    {
      const std::vector<std::string> files = {"b.mzML", "/data/my run \xC3\xBC.mzML"};
      const auto assignment =
          resolveRuns({run("R", {"file:///C:/my%20data/my%20run%20%C3%BC.mzML"})}, {identification("R")}, files);
      EXPECT_THAT(assignment.files, ElementsAre(files[1]));
      EXPECT_THAT(resolveRuns({run("R", {"50%.raw"})}, {identification("R")}, {"50%.mzML"}).warnings, IsEmpty());
      EXPECT_THAT(resolveRuns({run("R", {"a%20b.raw"})}, {identification("R")}, {"a%20b.mzML"}).warnings, IsEmpty());
      EXPECT_THAT(resolveRuns({run("R", {"a%20b.raw"})}, {identification("R")}, {"a b.mzML"}).warnings, IsEmpty());
    }

    TEST(RunResolver, NamesMayHaveCommas)
    {
      const auto runs = {run("R", {"/data/a", "b", "c.mzML"})}; // OpenMS has read "[/data/a, b,c.mzML]"
      for (const auto& files : {std::vector<std::string>{"x/a, b,c.mzML"}, {"d.mzML", "x/a, b,c.mzML"}})
      {
        EXPECT_THAT(resolveRuns(runs, {identification("R")}, files).files, ElementsAre("x/a, b,c.mzML"));
      }
      test::expectError(ErrorKind::INVALID_INPUT, "id_merge_index",
                        [&] { resolveRuns(runs, {identification("R")}, {"c.mzML"}); });
    }

    TEST(RunResolver, OneNameMayBeATextInsteadOfAList)
    {
      OpenMS::ProteinIdentification with_text = run("R", {});
      with_text.setMetaValue("spectra_data", OmsString("/data/a.mzML"));
      EXPECT_THAT(resolveRuns({with_text}, {identification("R")}, {"b.mzML", "a.mzML"}).files, ElementsAre("a.mzML"));
    }

    TEST(RunResolver, MergeIndexNamesTheFile)
    {
      const auto assignment =
          resolveRuns({run("R", {"file:///x/a.mzML", "b.raw"})}, {identification("R", 1), identification("R", 0)},
                      {"/data/a.mzML", "/data/b.mzML.gz"});
      EXPECT_THAT(assignment.files, ElementsAre("/data/b.mzML.gz", "/data/a.mzML"));
      EXPECT_THAT(assignment.file_of_identification, ElementsAre(0, 1));
    }

    TEST(RunResolver, MergeIndexCountsPerRun)
    {
      const auto assignment =
          resolveRuns({run("R", {"a.mzML", "b.mzML"}), run("S", {"c.mzML", "d.mzML"})},
                      {identification("R", 0), identification("S", 0), identification("S", 1), identification("R", 1)},
                      {"a.mzML", "b.mzML", "c.mzML", "d.mzML"});
      EXPECT_THAT(assignment.files, ElementsAre("a.mzML", "c.mzML", "d.mzML", "b.mzML"));
      EXPECT_THAT(assignment.file_of_identification, ElementsAre(0, 1, 2, 3));
      EXPECT_THAT(assignment.run_of_identification, ElementsAre(0, 1, 1, 0));
    }

    TEST(RunResolver, MissingOrWrongMergeIndexIsAnError)
    {
      const std::vector<OpenMS::ProteinIdentification> runs = {run("R", {"a.mzML", "b.mzML"})};
      const std::vector<std::string> files = {"a.mzML", "b.mzML"};
      test::expectError(ErrorKind::INVALID_INPUT, "id_merge_index",
                        [&] { resolveRuns(runs, {identification("R")}, files); });
      test::expectError(ErrorKind::INVALID_INPUT, "id_merge_index 2",
                        [&] { resolveRuns(runs, {identification("R", 2)}, files); });
    }

    TEST(RunResolver, EntryWithoutFileIsAnErrorThatListsBoth)
    {
      const auto resolve = []
      {
        resolveRuns({run("R", {"a.mzML"}), run("S", {"b.mzML"})}, {identification("R"), identification("S")},
                    {"a.mzML", "c.mzML"});
      };
      test::expectError(ErrorKind::INVALID_INPUT, "'b.mzML'", resolve);
      test::expectError(ErrorKind::INVALID_INPUT, "c.mzML", resolve);
    }

    TEST(RunResolver, WithOneRunAndOneFileTheNameDoesNotMatter)
    {
      const auto assignment = resolveRuns({run("R", {"a_uncalibrated.mzML"})}, {identification("R")}, {"b.mzML"});
      EXPECT_THAT(assignment.files, ElementsAre("b.mzML"));
      EXPECT_THAT(assignment.warnings, SizeIs(1));
      EXPECT_THAT(resolveRuns({run("R", {})}, {identification("R")}, {"b.mzML"}).warnings, SizeIs(1));
      EXPECT_THAT(resolveRuns({run("R", {"b.raw"})}, {identification("R")}, {"b.mzML"}).warnings, IsEmpty());
    }

    TEST(RunResolver, TwoEnginesOnOneFileShareIt)
    {
      const auto assignment = resolveRuns({run("R", {"a.mzML"}), run("S", {"a.mzML"})},
                                          {identification("R"), identification("S")}, {"x/a.mzML"});
      EXPECT_THAT(assignment.file_of_identification, ElementsAre(0, 0));
      EXPECT_THAT(assignment.run_of_identification, ElementsAre(0, 1));
    }

    TEST(RunResolver, SeveralFilesNeedSpectraData)
    {
      test::expectError(ErrorKind::INVALID_INPUT, "spectra_data",
                        [] {
                          resolveRuns({run("R", {})}, {identification("R")}, {"a.mzML", "b.mzML"});
                        });
    }

    TEST(RunResolver, IdentificationWithoutRunIsAnError)
    {
      test::expectError(ErrorKind::INVALID_INPUT, "IdentificationRun",
                        [] { resolveRuns({}, {identification("R")}, {"a.mzML"}); });
    }

    TEST(RunResolver, FilesOfOneNameCannotBeToldApart)
    {
      test::expectError(ErrorKind::OPTION, "'a'",
                        [] {
                          resolveRuns({run("R", {"a.mzML"})}, {identification("R")}, {"x/a.mzML", "y/a.mzML.gz"});
                        });
    }

    TEST(RunResolver, FileWithoutIdentificationsIsNotReadButNamed)
    {
      const auto assignment = resolveRuns({run("R", {"a.mzML"})}, {identification("R")}, {"a.mzML", "b.mzML"});
      EXPECT_THAT(assignment.files, ElementsAre("a.mzML"));
      ASSERT_THAT(assignment.warnings, SizeIs(1));
      EXPECT_THAT(assignment.warnings[0], ::testing::HasSubstr("b.mzML"));
    }
  }
}
