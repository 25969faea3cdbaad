// SPDX-License-Identifier: BSD-3-Clause
// Group L of cases.tsv, L09 to L14: native IDs of other makers and programs, and references that are no native IDs.
#include "SpectrumReferences.h"

#include <OpenMS/FORMAT/IdXMLFile.h>
#include <OpenMS/METADATA/SourceFile.h>

#include <regex>
#include <sstream>

namespace psmformer::test
{
  namespace
  {
    /// Native IDs of this form match themselves; the numbers in them lead nowhere.
    struct IdForm
    {
      std::string name;
      std::function<std::string(std::size_t)> native_id;
      std::vector<std::string> partial_references; ///< of the first identification, which is in scan 2
    };
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
}
