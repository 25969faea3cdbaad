// SPDX-License-Identifier: BSD-3-Clause
// Group L of cases.tsv: how identifications find their spectra.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <OpenMS/ANALYSIS/ID/IDMapper.h>
#include <OpenMS/FORMAT/IdXMLFile.h>
#include <OpenMS/METADATA/SourceFile.h>

#include <functional>
#include <limits>
#include <regex>
#include <sstream>

namespace psmformer::test
{
  namespace
  {
    constexpr std::size_t N_HITS = 80; ///< of the simulated run: 40 identifications with two hits each
    const std::string THERMO = "controllerType=0 controllerNumber=1 scan=";

    OpenMS::MSSpectrum& spectrumOf(TestRun& run, std::size_t identification)
    {
      return run.spectra[run.spectrum_of_identification[identification]];
    }

    /// Scan numbers are counted from 1, positions from 0.
    std::size_t scanOf(const TestRun& run, std::size_t identification)
    {
      return run.spectrum_of_identification[identification] + 1;
    }

    void setReferences(TestRun& run, const std::function<std::string(std::size_t scan)>& reference)
    {
      for (std::size_t i = 0; i < run.identifications.size(); ++i)
      {
        setReference(run.identifications[i], reference(scanOf(run, i)));
      }
    }

    void setNativeIds(TestRun& run, const std::function<std::string(std::size_t scan)>& native_id)
    {
      for (std::size_t s = 0; s < run.spectra.size(); ++s)
      {
        run.spectra[s].setNativeID(native_id(s + 1));
      }
    }

    /// Nothing but the reference can lead to a spectrum.
    void removeTimes(TestRun& run)
    {
      for (auto& identification : run.identifications)
      {
        identification.setRT(std::numeric_limits<double>::quiet_NaN());
      }
    }

    void removeReferences(TestRun& run)
    {
      for (auto& identification : run.identifications)
      {
        identification.removeMetaValue("spectrum_reference");
      }
    }

    /// Native IDs of this form match themselves; the numbers in them lead nowhere.
    struct IdForm
    {
      std::string name;
      std::function<std::string(std::size_t)> native_id;
      std::vector<std::string> partial_references; ///< of the first identification, which is in scan 2
    };
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

  TEST_F(Robustness, L09_NumbersOfMultiPartIdsAreNotUsed)
  {
    removeTimes(run_);
    const auto number = [](std::size_t n)
    {
      return std::to_string(n);
    };
    const std::vector<IdForm> forms = {
        {"WIFF",
         [&](std::size_t scan)
         { return "sample=1 period=1 cycle=" + number(scan / 4) + " experiment=" + number(scan % 4); },
         {"experiment=2", "cycle=0", "scan=2", "2", "sample=1 period=1 cycle=0"}},
        {"Waters",
         [&](std::size_t scan) { return "function=" + number(1 + scan % 3) + " process=0 scan=" + number(scan / 3); },
         {"scan=0", "0", "scan=2", "function=2 process=0", "function=3"}}};
    for (const IdForm& form : forms)
    {
      setNativeIds(run_, form.native_id);
      setReferences(run_, form.native_id);
      write();
      EXPECT_EQ(countStatus(expectRescored(rescore()).identifications, "scored"), N_HITS) << form.name;
      for (const std::string& partial : form.partial_references)
      {
        setReference(run_.identifications[0], partial);
        write();
        const Identifications out = expectRescored(rescore());
        EXPECT_EQ(statusOf(out.identifications[0].getHits()[0]), "no_spectrum") << form.name << ", " << partial;
        EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 2) << form.name << ", " << partial;
      }
    }
  }

  TEST_F(Robustness, L10_FramesAreMatchedExactly)
  {
    removeTimes(run_);
    const auto native_id = [](std::size_t scan)
    {
      return "merged=" + std::to_string(scan - 1) + " frame=" + std::to_string(1 + scan / 5) +
             " scanStart=" + std::to_string(100 * (scan % 5)) + " scanEnd=" + std::to_string(100 * (scan % 5) + 25);
    };
    setNativeIds(run_, native_id);
    setReferences(run_, native_id);
    setReference(run_.identifications[0], "frame=1");
    setReference(run_.identifications[1], "frame=1 scan=200");
    setReference(run_.identifications[2], "scan=3");
    setReference(run_.identifications[3], "5");
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(countStatus(out.identifications, "no_spectrum"), 8U);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 8);
  }

  TEST_F(Robustness, L11_MergeArtefactIsNotANumber)
  {
    removeTimes(run_);
    setReference(run_.identifications[0], "6file=4959");
    setReference(run_.identifications[1], std::to_string(scanOf(run_, 1)) + "file=" + std::to_string(scanOf(run_, 1)));
    setReference(run_.identifications[2], THERMO + std::to_string(scanOf(run_, 2)) + "x");
    setReference(run_.identifications[3], "scan=99999999999999999999999");
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countStatus(out.identifications, "no_spectrum"), 8U);
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS - 8);
    EXPECT_TRUE(result.says("8 hits cannot be scored: no_spectrum 8")) << result.output;
    EXPECT_EQ(spectrumReference(out.identifications[0]), "6file=4959");
  }

  TEST_F(Robustness, L12_NumericReferenceIsReadAsText)
  {
    removeTimes(run_);
    for (std::size_t i = 0; i < run_.identifications.size(); ++i)
    {
      run_.identifications[i].setMetaValue("spectrum_reference", static_cast<int>(scanOf(run_, i)));
    }
    write();
    // As an attribute, where it is text at once, and as a typed value of its own.
    EXPECT_EQ(countStatus(expectRescored(rescore()).identifications, "scored"), N_HITS);
    const std::regex attribute(R"re((<PeptideIdentification [^>]*) spectrum_reference="(\d+)"([^>]*>))re");
    const std::string with_values = std::regex_replace(
        readFile(in_), attribute, R"($1$3<UserParam type="int" name="spectrum_reference" value="$2"/>)");
    // The schema wants hits before values.
    writeFileAtomically(
        in_,
        std::regex_replace(
            with_values,
            std::regex(R"re((<PeptideIdentification [^>]*>)(<UserParam [^>]*>)([^]*?)(</PeptideIdentification>))re"),
            "$1$3$2$4"));
    const Identifications in = readIdentifications(in_);
    ASSERT_EQ(in.identifications[0].getMetaValue("spectrum_reference").valueType(), OpenMS::DataValue::INT_VALUE);
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS);
    EXPECT_EQ(spectrumReference(out.identifications[0]), std::to_string(scanOf(run_, 0)));
  }

  TEST_F(Robustness, L13_AnyTextIsAReference)
  {
    removeTimes(run_);
    const std::vector<std::pair<std::string, std::string>> texts = {
        {"a title with blanks", "a title with blanks"},
        {"Scan 7 \"quoted\" 'twice'", "Scan 7 &quot;quoted&quot; &apos;twice&apos;"},
        {"<a> & <b>", "&lt;a&gt; &amp; &lt;b&gt;"},
        {"scan 12, m/z = 500.25; \xC3\xA4", "scan 12, m/z = 500.25; &#228;"}};
    // OpenMS writes no native ID without a '='.
    const auto marker = [](std::size_t k)
    {
      return "marker=" + std::to_string(k) + "=marker";
    };
    for (std::size_t k = 0; k < texts.size(); ++k)
    {
      spectrumOf(run_, k).setNativeID(marker(k));
      setReference(run_.identifications[k], marker(k));
    }
    write();
    for (std::size_t k = 0; k < texts.size(); ++k)
    {
      replaceInFile(spectra_, marker(k), texts[k].second);
      replaceInFile(in_, marker(k), texts[k].second);
    }
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(countStatus(out.identifications, "scored"), N_HITS);
    for (std::size_t k = 0; k < std::min(texts.size(), out.identifications.size()); ++k)
    {
      EXPECT_EQ(spectrumReference(out.identifications[k]), texts[k].first);
    }
    std::ostringstream faults;
    EXPECT_TRUE(OpenMS::IdXMLFile().isValid(out_, faults)) << faults.str();
  }

  TEST_F(Robustness, L14_DeclaredFormatIsNotReliedOn)
  {
    removeTimes(run_);
    const auto native_id = [](std::size_t scan)
    {
      return "sample=1 period=1 cycle=" + std::to_string(scan) + " experiment=1";
    };
    setNativeIds(run_, native_id);
    setReferences(run_, native_id);
    OpenMS::SourceFile source;
    source.setNameOfFile("run.raw");
    source.setNativeIDType("Thermo nativeID format");
    source.setNativeIDTypeAccession("MS:1000768");
    run_.spectra.setSourceFiles({source});
    write();
    ASSERT_NE(readFile(spectra_).find("MS:1000768"), std::string::npos);
    EXPECT_EQ(countStatus(expectRescored(rescore()).identifications, "scored"), N_HITS);
    // The IDs of the other kind, too, are found by what they say.
    setNativeIds(run_, [](std::size_t scan) { return THERMO + std::to_string(scan); });
    setReferences(run_, [](std::size_t scan) { return "scan=" + std::to_string(scan); });
    source.setNativeIDType("WIFF nativeID format");
    source.setNativeIDTypeAccession("MS:1000770");
    run_.spectra.setSourceFiles({source});
    write();
    ASSERT_NE(readFile(spectra_).find("MS:1000770"), std::string::npos);
    EXPECT_EQ(countStatus(expectRescored(rescore()).identifications, "scored"), N_HITS);
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
