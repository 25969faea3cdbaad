// SPDX-License-Identifier: BSD-3-Clause
// Group E of cases.tsv: empty, incomplete or few identifications.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <limits>

namespace psmformer::test
{
  namespace
  {
    std::size_t countDecoys(const PeptideIds& identifications)
    {
      std::size_t n = 0;
      for (const auto& identification : identifications)
      {
        for (const auto& hit : identification.getHits())
        {
          n += std::string(hit.getMetaValue("target_decoy").toString()) == "decoy" ? 1 : 0;
        }
      }
      return n;
    }

    /// Cuts from `begin` to the end of `end`, once.
    void cut(const std::string& file, const std::string& begin, const std::string& end)
    {
      std::string text = readFile(file);
      const std::size_t from = text.find(begin);
      ASSERT_NE(from, std::string::npos);
      const std::size_t to = text.find(end, from);
      ASSERT_NE(to, std::string::npos);
      text.erase(from, to + end.size() - from);
      writeFileAtomically(file, text);
    }

    template <typename Change> void changeHits(PeptideIds& identifications, const Change& change)
    {
      for (auto& identification : identifications)
      {
        auto hits = identification.getHits();
        for (auto& hit : hits)
        {
          change(hit);
        }
        identification.setHits(hits);
      }
    }
  }

  TEST_F(Robustness, E01_RunWithoutIdentificationsGivesAnEmptyFile)
  {
    run_.identifications.clear();
    write();
    writeFileAtomically(spectra_, "this is no mzML");
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_TRUE(result.says("Warning: '" + in_ + "' has no identifications")) << result.output;
    const Identifications out = output();
    EXPECT_TRUE(out.identifications.empty());
    ASSERT_EQ(out.runs.size(), 1U);
    EXPECT_EQ(out.runs[0].getSearchEngine(), "Comet");
    EXPECT_EQ(out.runs[0].getSearchParameters().fragment_mass_tolerance, 20.0);
    EXPECT_EQ(out.runs[0].getHits().size(), 2U);
  }

  TEST_F(Robustness, E01_FileWithoutAnyRunGivesAnEmptyFile)
  {
    write();
    writeIdentifications({}, in_);
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_TRUE(result.says("has no identifications")) << result.output;
    EXPECT_TRUE(output().identifications.empty());
  }

  // OpenMS 2.6 makes a run of what it finds, so that nothing is lost when the file is stored; identifications of a run
  // that is not there cannot come from a file (refused by resolveRuns() all the same).
  TEST_F(Robustness, E02_IdentificationsOutsideOfARunAreKept)
  {
    changeHits(run_.identifications, [](auto& hit) { hit.setPeptideEvidences({}); });
    write();
    cut(in_, "<IdentificationRun", "</ProteinIdentification>");
    cut(in_, "</IdentificationRun", ">");
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(output().runs.size(), 1U);
    EXPECT_EQ(countHits(output().identifications), countHits(run_.identifications));
  }

  TEST_F(Robustness, E02_RunWithoutProteinsKeepsItsIdentifications)
  {
    changeHits(run_.identifications, [](auto& hit) { hit.setPeptideEvidences({}); });
    write();
    cut(in_, "<ProteinIdentification", "</ProteinIdentification>");
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countHits(output().identifications), countHits(run_.identifications));
  }

  TEST_F(Robustness, E03_UndefinedProteinIsNamed)
  {
    write();
    replaceInFile(in_, "<ProteinHit id=\"PH_0\"", "<ProteinHit id=\"PH_7\"");
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_TRUE(result.says("PH_0")) << result.output;
    EXPECT_FALSE(hasOutput());
  }

  TEST_F(Robustness, E04_OnlyMissingRetentionTimesAreFilled)
  {
    for (std::size_t i = 0; i < run_.identifications.size(); ++i)
    {
      auto& identification = run_.identifications[i];
      identification.setRT(i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : identification.getRT() + 300.0);
    }
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    ASSERT_EQ(out.identifications.size(), run_.identifications.size());
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      const double measured = run_.spectra[run_.spectrum_of_identification[i]].getRT();
      EXPECT_NEAR(out.identifications[i].getRT(), i % 2 == 0 ? measured : measured + 300.0, 1e-6);
    }
  }

  TEST_F(Robustness, E06_TargetAndDecoyTogetherCountAsTarget)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    replaceInFile(in_, "name=\"target_decoy\" value=\"target\"", "name=\"target_decoy\" value=\"target+decoy\"");
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    ASSERT_EQ(out.identifications.size(), expected.identifications.size());
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      EXPECT_EQ(out.identifications[i].getHits()[0].getMetaValue("PSMFormer:q-value"),
                expected.identifications[i].getHits()[0].getMetaValue("PSMFormer:q-value"));
    }
    EXPECT_EQ(countDecoys(out.identifications), countDecoys(expected.identifications));
  }

  TEST_F(Robustness, E07_ScoresDoNotDependOnDecoysOrTheirNames)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    replaceInFile(in_, "DECOY_protein", "protein|backwards");
    ASSERT_EQ(rescore().exit_code, 0);
    expectSameLogits(expected, output());
    replaceInFile(in_, "name=\"target_decoy\" value=\"decoy\"", "name=\"target_decoy\" value=\"target\"");
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_TRUE(result.says("no hit is a decoy")) << result.output;
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, E10_DecoysAreKept)
  {
    write();
    const ToolResult result = rescore({"-unscored", "remove"});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    ASSERT_GT(countDecoys(run_.identifications), 0U);
    EXPECT_EQ(countDecoys(output().identifications), countDecoys(run_.identifications));
  }

  // An idXML refers to proteins by number: a reference to a protein that was filtered away is either gone (here) or
  // damaged (E03).
  TEST_F(Robustness, E11_HitsWithoutProteinsAreForwarded)
  {
    run_.run.setHits({});
    changeHits(run_.identifications, [](auto& hit) { hit.setPeptideEvidences({}); });
    write();
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    EXPECT_EQ(countHits(out.identifications), countHits(run_.identifications));
    EXPECT_TRUE(out.runs.at(0).getHits().empty());
  }
}
