// SPDX-License-Identifier: BSD-3-Clause
// Group R of cases.tsv: several runs and files.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <cstdint>
#include <map>
#include <sstream>

namespace psmformer::test
{
  namespace
  {
    /// A run with a date of its own. Native IDs, which count from 1 in each file, are the same in all.
    TestRun makeRun(const std::string& name, std::uint64_t seed, std::size_t n_hits = 2)
    {
      TestRunOptions options;
      options.name = name;
      options.seed = seed;
      options.n_hits = n_hits;
      TestRun run = makeTestRun(options);
      OpenMS::DateTime date;
      date.set("2026-01-0" + std::to_string(1 + seed % 9) + " 12:00:00");
      run.run.setDateTime(date);
      return run;
    }

    void setFiles(TestRun& run, const std::vector<std::string>& files)
    {
      OpenMS::StringList paths;
      for (const std::string& file : files)
      {
        paths.push_back(file);
      }
      run.run.setPrimaryMSRunPath(paths);
    }

    void setMainScore(TestRun& run, const std::string& type, bool higher_is_better)
    {
      for (auto& identification : run.identifications)
      {
        identification.setScoreType(type);
        identification.setHigherScoreBetter(higher_is_better);
      }
    }

    void addMetaValue(TestRun& run, const std::string& name, std::size_t every)
    {
      for (std::size_t i = 0; i < run.identifications.size(); i += every)
      {
        auto hits = run.identifications[i].getHits();
        hits[0].setMetaValue(name, 1.5);
        run.identifications[i].setHits(hits);
      }
    }

    std::vector<std::size_t> countByRun(const Identifications& all)
    {
      std::vector<std::size_t> counts(all.runs.size(), 0);
      for (std::size_t i = 0; i < all.identifications.size(); ++i)
      {
        ++counts.at(runOf(all, i));
      }
      return counts;
    }

    void expectLogits(const std::map<std::string, double>& expected, const Identifications& out)
    {
      EXPECT_EQ(countStatus(out.identifications, "scored"), countHits(out.identifications));
      const auto actual = logitsOf(out);
      ASSERT_EQ(actual.size(), expected.size());
      for (const auto& [match, logit] : expected)
      {
        ASSERT_EQ(actual.count(match), 1U) << match;
        EXPECT_NEAR(actual.at(match), logit, 1e-5) << match;
      }
    }

    void expectOneScoreType(const PeptideIds& identifications)
    {
      for (const auto& identification : identifications)
      {
        EXPECT_EQ(identification.getScoreType(), "PSMFormer:score");
        EXPECT_TRUE(identification.isHigherScoreBetter());
      }
    }

    /// How many hits have a meta value.
    std::size_t countWith(const PeptideIds& identifications, const std::string& name)
    {
      std::size_t n = 0;
      for (const auto& identification : identifications)
      {
        for (const auto& hit : identification.getHits())
        {
          n += hit.metaValueExists(name) ? 1 : 0;
        }
      }
      return n;
    }
  }

  TEST_F(Robustness, R01_MergedFilesAreToldApart)
  {
    const TestRun a = makeRun("a", 1);
    const TestRun b = makeRun("b", 2);
    const auto expected = logitsOneByOne({a, b});
    ASSERT_EQ(spectrumReference(a.identifications[0]), spectrumReference(b.identifications[0]));
    writeIdentifications({mergeRuns({a, b})}, in_);
    const std::string file_a = (folder_ / "a.mzML").string();
    const std::string file_b = (folder_ / "b.mzML").string();
    for (const auto& files : {std::vector<std::string>{file_a, file_b}, {file_b, file_a}})
    {
      expectLogits(expected, expectRescored(rescoreWith(files)));
    }
  }

  TEST_F(Robustness, R02_MissingMergeIndexIsNamed)
  {
    const TestRun a = makeRun("a", 1);
    const TestRun b = makeRun("b", 2);
    const auto files = write({a, b});
    TestRun merged = mergeRuns({a, b});
    merged.identifications[50].removeMetaValue("id_merge_index");
    writeIdentifications({merged}, in_);
    expectExit(rescoreWith(files), 11, "id_merge_index");
    for (auto& identification : merged.identifications)
    {
      identification.removeMetaValue("id_merge_index");
    }
    writeIdentifications({merged}, in_);
    expectExit(rescoreWith(files), 11, "id_merge_index");
    expectExit(rescoreWith({files[0]}), 11, "id_merge_index");
  }

  TEST_F(Robustness, R03_MergeIndexCountsPerRun)
  {
    const std::vector<TestRun> runs = {makeRun("a", 1), makeRun("b", 2), makeRun("c", 3), makeRun("d", 4)};
    const auto expected = logitsOneByOne(runs);
    const auto files = write(runs);
    writeIdentifications({mergeRuns({runs[0], runs[1]}), mergeRuns({runs[2], runs[3]})}, in_);
    const Identifications out = expectRescored(rescoreWith(files));
    EXPECT_EQ(out.runs.size(), 2U);
    expectLogits(expected, out);
  }

  TEST_F(Robustness, R04_MissingFileIsNamedBeforeAnyIsRead)
  {
    const TestRun a = makeRun("a", 1);
    const TestRun b = makeRun("b", 2);
    const auto files = write({a, b});
    writeIdentifications({mergeRuns({a, b})}, in_);
    writeFileAtomically(files[0], "this is no mzML");
    const ToolResult result = rescoreWith({files[0], spectra_ = writeSpectra(run_, folder_.path())});
    expectExit(result, 11, "b.mzML");
    EXPECT_TRUE(result.says(files[0]) && result.says(spectra_)) << result.output;
    expectExit(rescoreWith({files[0]}), 11, "b.mzML");
    writeIdentifications({a, b}, in_);
    expectExit(rescoreWith({files[0]}), 11, "b.mzML");
  }

  TEST_F(Robustness, R05_FoldersSchemesAndCompressionDoNotMatter)
  {
    TestRun a = makeRun("a", 1);
    TestRun b = makeRun("b", 2);
    const auto expected = logitsOneByOne({a, b});
    for (const auto& [name_a, name_b] :
         {std::pair("file:///data/2026/a.mzML", "file:///data/2026/b.mzML"), std::pair("/data/a.mzML.gz", "b.mzML.bz2"),
          std::pair("C:\\data\\a.raw", "../b.d"), std::pair("a", "b")})
    {
      setFiles(a, {name_a});
      setFiles(b, {name_b});
      const auto files = write({a, b});
      expectLogits(expected, expectRescored(rescoreWith(files)));
    }
  }

  TEST_F(Robustness, R05_CaseMatters)
  {
    TestRun a = makeRun("a", 1);
    const TestRun b = makeRun("b", 2);
    setFiles(a, {"A.mzML"});
    const auto files = write({a, b});
    expectExit(rescoreWith(files), 11, "'A.mzML'");
  }

  TEST_F(Robustness, R06_OnlyFileMayHaveAnotherName)
  {
    for (const std::string name : {"run_uncalibrated.mzML", "run_calibrated.mgf", "something else.raw"})
    {
      setFiles(run_, {name});
      write();
      const ToolResult result = rescore();
      EXPECT_EQ(countStatus(expectRescored(result).identifications, "scored"), 80U) << name;
      EXPECT_TRUE(result.says("the names are ignored")) << result.output;
      EXPECT_EQ(result.output.find("Warning:"), result.output.rfind("Warning:")) << result.output;
    }
  }

  TEST_F(Robustness, R07_OnlyFileMayBeUnnamed)
  {
    run_.run.removeMetaValue("spectra_data");
    write();
    ASSERT_EQ(readFile(in_).find("spectra_data"), std::string::npos);
    const ToolResult result = rescore();
    EXPECT_EQ(countStatus(expectRescored(result).identifications, "scored"), 80U);
    EXPECT_TRUE(result.says("do not name their spectra")) << result.output;
    EXPECT_EQ(result.output.find("Warning:"), result.output.rfind("Warning:")) << result.output;
    // Of two files none can be chosen.
    expectExit(rescoreWith({spectra_, writeSpectra(makeRun("b", 2), folder_.path())}), 11, "spectra_data");
  }

  TEST_F(Robustness, R08_UnmergedRunsStayApart)
  {
    const std::vector<TestRun> runs = {makeRun("a", 1), makeRun("b", 2), makeRun("c", 3)};
    const auto expected = logitsOneByOne(runs);
    const auto files = write(runs);
    const Identifications out = expectRescored(rescoreWith({files[2], files[0], files[1]}));
    expectLogits(expected, out);
    EXPECT_EQ(countByRun(out), std::vector<std::size_t>(3, 40));
    for (std::size_t r = 0; r < 3; ++r)
    {
      EXPECT_EQ(std::string(out.runs.at(r).getDateTime().get()), std::string(runs[r].run.getDateTime().get()));
      OpenMS::StringList paths;
      out.runs[r].getPrimaryMSRunPath(paths);
      EXPECT_EQ(paths, OpenMS::StringList{runs[r].name + ".mzML"});
    }
  }

  TEST_F(Robustness, R09_ScoreTypesAreReadPerIdentification)
  {
    const TestRun a = makeRun("a", 1);
    TestRun b = makeRun("b", 2);
    setMainScore(b, "hyperscore", true);
    const auto expected = logitsOneByOne({a, b});
    const auto files = write({a, b});
    const ToolResult result = rescoreWith(files);
    const Identifications out = expectRescored(result);
    expectLogits(expected, out);
    expectOneScoreType(out.identifications);
    EXPECT_EQ(countWith(out.identifications, "expect"), countHits(a.identifications));
    EXPECT_EQ(countWith(out.identifications, "hyperscore"), countHits(b.identifications));
    EXPECT_TRUE(result.says("main scores of different types")) << result.output;
  }

  TEST_F(Robustness, R10_RaggedMetaValuesStayRagged)
  {
    TestRun a = makeRun("a", 1);
    TestRun b = makeRun("b", 2);
    addMetaValue(a, "COMET:xcorr", 1);
    addMetaValue(a, "COMET:deltaLCn", 3);
    addMetaValue(b, "MSGF:RawScore", 2);
    setMainScore(b, "SpecEValue", false);
    const auto files = write({a, b});
    TestRun merged = mergeRuns({a, b});
    merged.run.setSearchEngine("Percolator"); // as ConsensusID and others write it; unknown to this tool
    writeIdentifications({merged}, in_);
    const Identifications out = expectRescored(rescoreWith(files, {"-write_features", "all"}));
    expectOneScoreType(out.identifications);
    EXPECT_EQ(out.runs.at(0).getSearchEngine(), "Percolator");
    EXPECT_EQ(countWith(out.identifications, "COMET:xcorr"), 40U);
    EXPECT_EQ(countWith(out.identifications, "COMET:deltaLCn"), 14U);
    EXPECT_EQ(countWith(out.identifications, "MSGF:RawScore"), 20U);
    std::istringstream features(
        std::string(out.runs.at(0).getSearchParameters().getMetaValue("extra_features").toString()));
    std::size_t n_features = 0;
    for (std::string name; std::getline(features, name, ',');)
    {
      ++n_features;
      EXPECT_EQ(countWith(out.identifications, name), countHits(out.identifications)) << name;
    }
    EXPECT_GT(n_features, 10U);
  }

  // OpenMS 2.6 does not store ranks: the order of the hits is the rank.
  TEST_F(Robustness, R11_TenCandidatesAreRankedAnew)
  {
    run_ = makeRun("run", 1, 10);
    write();
    const Identifications out = expectRescored(rescore({"-write_features", "all"}));
    EXPECT_EQ(countStatus(out.identifications, "scored"), 400U);
    for (const auto& identification : out.identifications)
    {
      const auto& hits = identification.getHits();
      for (std::size_t h = 0; h < hits.size(); ++h)
      {
        const double next = h + 1 < hits.size() ? hits[h + 1].getScore() : hits[h].getScore();
        EXPECT_GE(hits[h].getScore(), next);
        EXPECT_NEAR(static_cast<double>(hits[h].getMetaValue("PSMFormer:delta_next")), hits[h].getScore() - next, 2e-4);
      }
    }
  }

  // OpenMS 2.6 gives each run that it reads an identifier of its own, so that runs of one engine and date stay apart.
  TEST_F(Robustness, R12_RunsOfOneEngineAndDateStayApart)
  {
    const TestRun a = makeRun("a", 1);
    TestRun b = makeRun("b", 2);
    b.run.setDateTime(a.run.getDateTime());
    const auto expected = logitsOneByOne({a, b});
    const Identifications out = expectRescored(rescoreWith(write({a, b})));
    expectLogits(expected, out);
    EXPECT_EQ(countByRun(out), std::vector<std::size_t>(2, 40));
  }
}
