// SPDX-License-Identifier: BSD-3-Clause
// Group L of cases.tsv, L01 to L08 and L15: how identifications find their spectra.
#include "SpectrumReferences.h"

#include <OpenMS/ANALYSIS/ID/IDMapper.h>

#include <regex>

namespace psmformer::test
{
  namespace
  {
    void removeReferences(TestRun& run)
    {
      for (auto& identification : run.identifications)
      {
        identification.removeMetaValue("spectrum_reference");
      }
    }
  }

  TEST_F(Robustness, L01_NeighbouringSpectraAreRefused)
  {
    for (const int shift : {-1, 1})
    {
      TestRun run = run_;
      setReferences(run, [&](std::size_t scan) { return THERMO + std::to_string(static_cast<long>(scan) + shift); });
      writeSpectra(run, folder_.path());
      writeIdentifications({run}, in_);
      const ToolResult result = rescore();
      expectExit(result, 11, "differs from that of the spectrum they refer to");
      const std::regex example(R"(scan=\d+ has [\d.]+ Th, its spectrum \S+ \S+ scan=\d+ [\d.]+ Th)");
      EXPECT_EQ(std::distance(std::sregex_iterator(result.output.begin(), result.output.end(), example), {}), 3)
          << result.output;
    }
  }

  TEST_F(Robustness, L01_FewDisagreementsAreAnnouncedOnce)
  {
    setReference(run_.identifications[3], spectrumReference(run_.identifications[4]));
    setReference(run_.identifications[7], spectrumReference(run_.identifications[8]));
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "precursor_mismatch"), 4U);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 4);
    EXPECT_TRUE(result.says("precursor m/z of 2 of 40 identifications differs")) << result.output;
  }

  TEST_F(Robustness, L02_IndexReferencesAreMatchedByText)
  {
    removeTimes(run_);
    // Counted from another number than the positions: only the text leads to the right spectrum.
    setNativeIds(run_, [](std::size_t scan) { return "index=" + std::to_string(scan + 6); });
    setReferences(run_, [](std::size_t scan) { return "index=" + std::to_string(scan + 6); });
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS);
    setReferences(run_, [](std::size_t scan) { return "scan=" + std::to_string(scan + 7); });
    write();
    expectExit(rescore(), 11, "no identification finds its spectrum");
  }

  TEST_F(Robustness, L03_ScanNumberServesShortReferences)
  {
    write();
    const Identifications expected = expectRescored(rescore());
    removeTimes(run_);
    setReferences(run_, [](std::size_t scan) { return "scan=" + std::to_string(scan); });
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS);
    EXPECT_TRUE(result.says("40 identifications found their spectrum by its scan number")) << result.output;
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      EXPECT_EQ(out.identifications[i].getHits()[0].getScore(), expected.identifications[i].getHits()[0].getScore());
    }
  }

  TEST_F(Robustness, L03_ScanNumberThatIsNotUniqueIsNotUsed)
  {
    removeTimes(run_);
    spectrumOf(run_, 5).setNativeID("controllerType=1 controllerNumber=1 scan=" + std::to_string(scanOf(run_, 6)));
    setReferences(run_, [](std::size_t scan) { return "scan=" + std::to_string(scan); });
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(countStatus(out.identifications, "no_spectrum"), 4U) << "scan 7 is not there, scan 8 is twice";
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 4);
  }

  TEST_F(Robustness, L03_TitlesOfPepXMLHaveTheScanNumber)
  {
    removeTimes(run_);
    setReferences(run_,
                  [](std::size_t scan)
                  {
                    const std::string number = "." + std::string(scan < 10 ? "0000" : "000") + std::to_string(scan);
                    return "run" + number + number + ".2";
                  });
    write();
    const ToolResult result = rescore();
    EXPECT_EQ(countStatus(expectRescored(result).identifications, "scored"), N_HITS);
    EXPECT_TRUE(result.says("40 identifications found their spectrum by its scan number")) << result.output;
  }

  TEST_F(Robustness, L04_BareNumbersAreScanNumbers)
  {
    removeTimes(run_);
    setReferences(run_, [](std::size_t scan) { return std::to_string(scan); });
    write();
    const ToolResult result = rescore();
    EXPECT_EQ(countStatus(expectRescored(result).identifications, "scored"), N_HITS);
    EXPECT_TRUE(result.says("40 identifications found their spectrum by its scan number")) << result.output;
    // Counted from 0 they lead to the neighbours, which the precursors show.
    setReferences(run_, [](std::size_t scan) { return std::to_string(scan - 1); });
    write();
    expectExit(rescore(), 11, "differs from that of the spectrum they refer to");
  }

  TEST_F(Robustness, L04_PositionCountsOnlyWithItsPrecursor)
  {
    removeTimes(run_);
    setReferences(run_, [](std::size_t scan) { return "index=" + std::to_string(scan - 1); });
    setReference(run_.identifications[2], "index=" + std::to_string(scanOf(run_, 3)));
    setReference(run_.identifications[4], "index=000" + std::to_string(scanOf(run_, 4) - 1));
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 2);
    EXPECT_EQ(statusOf(out.identifications[2].getHits()[0]), "no_spectrum");
    EXPECT_TRUE(result.says("39 identifications found their spectrum by its position")) << result.output;
  }

  TEST_F(Robustness, L04_SpectraWithoutNativeIds)
  {
    write();
    replaceInFile(spectra_, "<spectrum id=\"" + THERMO, "<spectrum unused=\"");
    expectExit(rescore(), 3, "'id'");
    // Written anew, the spectra have numbers of OpenMS's own.
    setNativeIds(run_, [](std::size_t) { return ""; });
    write();
    ASSERT_NE(readFile(spectra_).find("id=\"spectrum=0\""), std::string::npos);
    const ToolResult result = rescore();
    EXPECT_EQ(countStatus(expectRescored(result).identifications, "scored"), N_HITS);
    EXPECT_TRUE(result.says("40 identifications found their spectrum by retention time")) << result.output;
  }

  TEST_F(Robustness, L05_TimeAndPrecursorReplaceReferences)
  {
    write();
    const Identifications expected = expectRescored(rescore());
    removeReferences(run_);
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS);
    EXPECT_TRUE(result.says("40 identifications found their spectrum by retention time")) << result.output;
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      EXPECT_EQ(out.identifications[i].getHits()[0].getScore(), expected.identifications[i].getHits()[0].getScore());
    }
  }

  TEST_F(Robustness, L05_SeveralCandidatesAreAmbiguous)
  {
    removeReferences(run_);
    run_.identifications[9].setRT(std::numeric_limits<double>::quiet_NaN());
    OpenMS::MSSpectrum twin = spectrumOf(run_, 4);
    twin.setNativeID(THERMO + "900");
    run_.spectra.addSpectrum(twin);
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(statusOf(out.identifications[4].getHits()[0]), "ambiguous_spectrum");
    EXPECT_EQ(statusOf(out.identifications[9].getHits()[0]), "no_spectrum");
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 4);
  }

  TEST_F(Robustness, L06_UnknownReferencesFallBackToTime)
  {
    setReferences(run_, [](std::size_t scan) { return "run." + std::to_string(scan) + ".2 File:\"run.raw\""; });
    run_.identifications[9].setRT(5000.0);
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 2);
    EXPECT_EQ(statusOf(out.identifications[9].getHits()[0]), "no_spectrum");
    EXPECT_TRUE(result.says("39 identifications found their spectrum by retention time")) << result.output;
  }

  TEST_F(Robustness, L07_WrongFileIsRefused)
  {
    removeTimes(run_);
    setReferences(run_, [](std::size_t scan) { return THERMO + std::to_string(scan + 5000); });
    write();
    const ToolResult result = rescore();
    expectExit(result, 11, "no identification finds its spectrum");
    for (const std::string scan : {"5002", "5003", "5004", "1", "2", "3"})
    {
      EXPECT_TRUE(result.says("'" + THERMO + scan + "'")) << scan << ": " << result.output;
    }
  }

  TEST_F(Robustness, L08_AbsentSpectraLeaveTheirHitsUnscored)
  {
    run_.spectra.getSpectra().resize(run_.spectrum_of_identification[30]);
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "no_spectrum"), 20U);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 20);
    EXPECT_TRUE(result.says("20 hits cannot be scored: no_spectrum 20")) << result.output;
    double worst_scored = std::numeric_limits<double>::max();
    double best_unscored = std::numeric_limits<double>::lowest();
    for (const auto& identification : out.identifications)
    {
      for (const auto& hit : identification.getHits())
      {
        const bool is_scored = statusOf(hit) == "scored";
        worst_scored = is_scored ? std::min(worst_scored, hit.getScore()) : worst_scored;
        best_unscored = is_scored ? best_unscored : std::max(best_unscored, hit.getScore());
      }
    }
    EXPECT_LT(best_unscored, worst_scored);
    expectExit(rescore({"-strict"}), 11, "no_spectrum 20");
  }

  TEST_F(Robustness, L15_TimeAndPrecursorAreKept)
  {
    write();
    const Identifications before = readIdentifications(in_);
    const Identifications out = expectRescored(rescore());
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      EXPECT_EQ(out.identifications[i].getRT(), before.identifications[i].getRT());
      EXPECT_EQ(out.identifications[i].getMZ(), before.identifications[i].getMZ());
    }
    OpenMS::IDMapper().annotate(run_.spectra, out.identifications, out.runs);
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      EXPECT_EQ(spectrumOf(run_, i).getPeptideIdentifications().size(), 1U) << i;
    }
  }
}
