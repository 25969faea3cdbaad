// SPDX-License-Identifier: BSD-3-Clause
// The Percolator input of PSMFormer, against its grammar and the idXML it belongs to.
#include "Rescoring.h"

#include <PSMFormer/core/Files.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace psmformer::test
{
  namespace
  {
    using ::testing::AnyOf;
    using ::testing::HasSubstr;
    using ::testing::Not;
    using ::testing::StartsWith;

    class PercolatorInput : public Rescoring
    {
    protected:
      template <typename Change> void changeHits(std::size_t i, const Change& change)
      {
        auto hits = run_.identifications[i].getHits();
        std::for_each(hits.begin(), hits.end(), change);
        run_.identifications[i].setHits(hits);
      }

      void addExtraFeatures(const std::string& names)
      {
        auto parameters = run_.run.getSearchParameters();
        parameters.setMetaValue("extra_features", names);
        run_.run.setSearchParameters(parameters);
      }

      ToolResult writePin(const std::vector<std::string>& options = {"-no_progress"})
      {
        std::vector<std::string> all = options;
        all.insert(all.end(), {"-out_pin", path("out.tsv")});
        return rescore(all);
      }

      ToolResult check(const std::string& pin = "out.tsv") const
      {
        return runProgram("python3",
                          {"-B", PSMFORMER_REPOSITORY "/tests/topp/check_pin.py", path(pin), path("out.idXML")});
      }

      /// Cells by row and column; proteins as many as there are.
      std::vector<std::vector<std::string>> cells() const
      {
        std::vector<std::vector<std::string>> rows;
        std::istringstream lines(readFile(path("out.tsv")));
        for (std::string line; std::getline(lines, line);)
        {
          rows.emplace_back();
          std::istringstream columns(line);
          for (std::string cell; std::getline(columns, cell, '\t');)
          {
            rows.back().push_back(cell);
          }
        }
        return rows;
      }
    };
  }

  TEST_F(PercolatorInput, IsAsDocumentedAndHoldsTheNumbersOfTheIdXML)
  {
    // "target+decoy", a protein twice, termini, a modification, an unscored hit and one without protein
    changeHits(0, [](OpenMS::PeptideHit& hit) { hit.setMetaValue("target_decoy", "target+decoy"); });
    changeHits(1,
               [](OpenMS::PeptideHit& hit)
               {
                 auto evidences = hit.getPeptideEvidences();
                 evidences[0].setAABefore(OpenMS::PeptideEvidence::N_TERMINAL_AA);
                 evidences[0].setAAAfter(OpenMS::PeptideEvidence::C_TERMINAL_AA);
                 evidences.push_back(evidences[0]);
                 evidences.push_back(evidences[0]);
                 evidences.back().setProteinAccession(evidences[0].getProteinAccession() == "protein" ? "DECOY_protein"
                                                                                                      : "protein");
                 hit.setPeptideEvidences(evidences);
               });
    changeHits(2, [](OpenMS::PeptideHit& hit) { hit.setPeptideEvidences({}); });
    changeHits(3, [](OpenMS::PeptideHit& hit) { hit.setCharge(0); });
    const auto& spectrum = run_.spectra[run_.spectrum_of_identification[4]];
    changeHits(4,
               [&](OpenMS::PeptideHit& hit)
               {
                 auto sequence = hit.getSequence();
                 const double shift = spectrum.getPrecursors()[0].getMZ() * 2 - 2 * 1.007276 - sequence.getMonoWeight();
                 ASSERT_LT(std::abs(shift), 0.01) << "as made";
                 hit.setSequence(OpenMS::AASequence::fromString(
                     ".[+0.0123]" + std::string(sequence.toUnmodifiedString().substr(0, 2)) + "[-0.0123]" +
                     std::string(sequence.toUnmodifiedString().substr(2))));
               });
    writeIdentifications({run_}, path("in.idXML"));
    ASSERT_EQ(writePin().exit_code, 0);
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
    EXPECT_THAT(faults.output, StartsWith("78 rows"));
    const auto rows = cells();
    EXPECT_EQ(rows[1][1], "1") << "target+decoy";
    EXPECT_EQ(rows[1][0], "run:controllerType=0%20controllerNumber=1%20scan=2:1.1");
    EXPECT_EQ(rows[3].size(), rows[0].size() + 1) << "two proteins";
    EXPECT_EQ(rows[3][rows[0].size() - 2].substr(0, 2), "-.");
    EXPECT_EQ(rows[5][rows[0].size() - 1], "unknown");
    EXPECT_THAT(rows[7][rows[0].size() - 2], HasSubstr("n[+0.01230]"));
  }

  TEST_F(PercolatorInput, TheCheckFindsWhatIsWrong)
  {
    ASSERT_EQ(writePin().exit_code, 0);
    const std::string pin = readFile(path("out.tsv"));
    const auto faultsWith = [&](const std::string& from, const std::string& to)
    {
      std::string changed = pin;
      const std::size_t at = changed.find(from, changed.find('\n') - from.size());
      EXPECT_NE(at, std::string::npos) << from;
      writeFileAtomically(path("changed.tsv"), changed.replace(at, from.size(), to));
      const ToolResult result = check("changed.tsv");
      EXPECT_EQ(result.exit_code, 1) << from << " -> " << to;
      return result.output;
    };
    EXPECT_THAT(faultsWith("\t1\t", "\t0\t"), HasSubstr("label '0'"));
    EXPECT_THAT(faultsWith("\t1\t", "\t-1\t"), HasSubstr("label -1 for"));
    EXPECT_THAT(faultsWith("%20", " "), HasSubstr("ends SpecId at a blank"));
    EXPECT_THAT(faultsWith("Proteins\n", "Protein\n"), HasSubstr("wrong columns"));
    EXPECT_THAT(faultsWith("\tprotein\n", "\t\n"), HasSubstr("proteins"));
    EXPECT_THAT(faultsWith("scan=2:1.1\t1\t2\t", "scan=2:1.1\t1\t3\t"), HasSubstr("do not tell the spectra apart"));
  }

  TEST_F(PercolatorInput, EngineScoresAreInItWhereEveryHitHasThem)
  {
    addExtraFeatures("MS:1002252,incomplete,text,PSMFormer:score,q-value,MS:1001493,is_decoy");
    changeHits(0, [](OpenMS::PeptideHit& hit) { hit.setMetaValue("incomplete", 1.0); });
    for (std::size_t i = 0; i < run_.identifications.size(); ++i)
    {
      changeHits(i,
                 [](OpenMS::PeptideHit& hit)
                 {
                   hit.setMetaValue("text", "good");
                   hit.setMetaValue("q-value", 0.01);
                   hit.setMetaValue("MS:1001493", 0.02);
                   hit.setMetaValue("is_decoy", hit.getMetaValue("target_decoy") == "decoy" ? 1 : 0);
                 });
    }
    writeIdentifications({run_}, path("in.idXML"));
    ASSERT_EQ(writePin().exit_code, 0);
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
    const std::string header = readFile(path("out.tsv")).substr(0, readFile(path("out.tsv")).find('\n'));
    EXPECT_THAT(header, HasSubstr("\tMS:1002252\tCharge2\tPeptide"));
    EXPECT_THAT(header, Not(HasSubstr("incomplete")));
    EXPECT_THAT(header, Not(HasSubstr("text")));
    EXPECT_THAT(header, Not(AnyOf(HasSubstr("q-value"), HasSubstr("MS:1001493"), HasSubstr("is_decoy"))))
        << "made from the labels";
    EXPECT_THAT(header, Not(HasSubstr("PSMFormer:score"))) << "fitted on labels in other methods";
  }

  TEST_F(PercolatorInput, SpectraOfSeveralFilesAndWithoutScanNumberAreCounted)
  {
    TestRunOptions options;
    options.name = "other";
    options.native_id_prefix = "spectrum ";
    const TestRun other = makeTestRun(options);
    writeSpectra(other, folder_.path());
    writeIdentifications({run_, other}, path("in.idXML"));
    ASSERT_EQ(writePin({"-in_spectra", path("run.mzML"), path("other.mzML")}).exit_code, 0);
    const ToolResult faults = check();
    EXPECT_EQ(faults.exit_code, 0) << faults.output;
    EXPECT_THAT(faults.output, StartsWith("160 rows"));
    EXPECT_EQ(cells().back()[2], "80") << "spectra";
    EXPECT_THAT(cells().back()[0], StartsWith("other:spectrum%20"));
  }

  TEST_F(PercolatorInput, MassIsThatOfTheSpectrumWhereTheIdentificationHasNone)
  {
    run_.identifications[0].setMZ(0.0);
    run_.identifications[1].setMZ(std::numeric_limits<double>::infinity());
    writeIdentifications({run_}, path("in.idXML"));
    ASSERT_EQ(writePin().exit_code, 0);
    const auto rows = cells();
    for (std::size_t row = 1; row <= 4; ++row) // two hits each
    {
      EXPECT_NEAR(std::stod(rows.at(row)[3]), std::stod(rows.at(row)[4]), 0.02) << "row " << row;
    }
  }

  TEST_F(PercolatorInput, NeedsTargetsAndDecoys)
  {
    changeHits(7, [](OpenMS::PeptideHit& hit) { hit.removeMetaValue("target_decoy"); });
    writeIdentifications({run_}, path("in.idXML"));
    const ToolResult result = writePin();
    EXPECT_EQ(result.exit_code, 11) << result.output;
    EXPECT_THAT(result.output, HasSubstr("run PeptideIndexer"));
    EXPECT_FALSE(exists("out.tsv"));
    EXPECT_FALSE(exists("out.idXML"));
  }

  TEST_F(PercolatorInput, WithoutIdentificationsItIsAHeader)
  {
    run_.identifications.clear();
    writeIdentifications({run_}, path("in.idXML"));
    ASSERT_EQ(writePin().exit_code, 0);
    const auto rows = cells();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0][0], "SpecId");
    EXPECT_EQ(rows[0].back(), "Proteins");
  }
}
