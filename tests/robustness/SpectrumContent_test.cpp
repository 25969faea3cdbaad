// SPDX-License-Identifier: BSD-3-Clause
// Group M of cases.tsv: what the spectra hold.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <algorithm>
#include <cmath>

namespace psmformer::test
{
  namespace
  {
    using Method = OpenMS::Precursor::ActivationMethod;

    template <typename Change> void changePrecursor(OpenMS::MSSpectrum& spectrum, const Change& change)
    {
      auto precursors = spectrum.getPrecursors();
      change(precursors.at(0));
      spectrum.setPrecursors(precursors);
    }

    void setActivation(OpenMS::MSSpectrum& spectrum, const std::set<Method>& methods)
    {
      changePrecursor(spectrum, [&](auto& precursor) { precursor.setActivationMethods(methods); });
    }

    /// Cuts one element of the mzML out of the spectrum with this native ID.
    void cutFromSpectrum(const std::string& file, const std::string& native_id, const std::string& containing,
                         const std::string& begin, const std::string& end)
    {
      std::string text = readFile(file);
      const std::size_t spectrum = text.find("id=\"" + native_id + "\"");
      ASSERT_NE(spectrum, std::string::npos);
      const std::size_t inner = text.find(containing, spectrum);
      ASSERT_NE(inner, std::string::npos);
      const std::size_t from = text.rfind(begin, inner);
      const std::size_t to = text.find(end, inner) + end.size();
      ASSERT_GT(from, spectrum);
      text.erase(from, to - from);
      writeFileAtomically(file, text);
    }

    std::size_t countOf(const std::string& text, const std::string& part)
    {
      std::size_t n = 0;
      for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
      {
        ++n;
      }
      return n;
    }
  }

  TEST_F(Robustness, M06_ChargeOfTheHitCounts)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    for (const std::size_t position : run_.spectrum_of_identification)
    {
      changePrecursor(run_.spectra[position], [&](auto& p) { p.setCharge(position % 2 == 0 ? 0 : 5); });
    }
    writeSpectra(run_, folder_.path());
    ASSERT_EQ(rescore().exit_code, 0);
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M06_HitWithoutChargeIsNotScored)
  {
    auto hits = run_.identifications[0].getHits();
    hits[0].setCharge(0);
    run_.identifications[0].setHits(hits);
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countStatus(output().identifications, "no_charge"), 1U);
    EXPECT_EQ(countStatus(output().identifications, "scored"), countHits(run_.identifications) - 1);
  }

  TEST_F(Robustness, M07_PrecursorOfTheIdentificationReplacesAMissingOne)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    for (const std::size_t position : run_.spectrum_of_identification)
    {
      changePrecursor(run_.spectra[position], [](auto& precursor) { precursor.setMZ(0.0); });
    }
    writeSpectra(run_, folder_.path());
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M08_ActivationIsReadPerSpectrum)
  {
    useModelTrainedOn({"HCD"});
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    const std::vector<std::set<Method>> methods = {
        {Method::HCID}, {Method::CID}, {Method::ETD}, {Method::ETD, Method::CID}};
    for (std::size_t i = 0; i < run_.identifications.size(); ++i)
    {
      setActivation(run_.spectra[run_.spectrum_of_identification[i]], methods[i % methods.size()]);
    }
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    for (const std::string activation : {"CID", "ETD", "EThcD"})
    {
      EXPECT_EQ(countOf(result.output, "The model was not trained on " + activation + ": 10 spectra"), 1U)
          << result.output;
    }
    EXPECT_EQ(countStatus(output().identifications, "scored"), countHits(run_.identifications));
    const auto before = logitsOf(expected);
    for (const auto& [match, logit] : logitsOf(output()))
    {
      const bool is_hcd = match.rfind(spectrumReference(run_.identifications[0]) + " ", 0) == 0;
      EXPECT_TRUE(!is_hcd || std::abs(logit - before.at(match)) < 1e-5) << match;
    }
  }

  TEST_F(Robustness, M09_UnknownActivationIsCounted)
  {
    for (std::size_t i = 0; i < 10; ++i)
    {
      setActivation(run_.spectra[run_.spectrum_of_identification[i]], {});
    }
    write();
    // A term that no release knows, in place of the beam-type one of the last spectrum.
    std::string text = readFile(spectra_);
    const std::size_t last = text.rfind("accession=\"MS:1000422\"");
    ASSERT_NE(last, std::string::npos);
    text.replace(last, 22, "accession=\"MS:1999999\"");
    writeFileAtomically(spectra_, text);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countOf(result.output, "The activation of 11 of 40 spectra is not known"), 1U) << result.output;
    EXPECT_EQ(countStatus(output().identifications, "scored"), countHits(run_.identifications));
  }

  TEST_F(Robustness, M10_ActivationOfTheIdentificationsIsIgnored)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    auto parameters = run_.run.getSearchParameters();
    parameters.setMetaValue("activation_method", "ETD");
    run_.run.setSearchParameters(parameters);
    for (auto& identification : run_.identifications)
    {
      identification.setMetaValue("activation_method", "ETD");
    }
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M11_UntrainedElectronTransferIsAnnouncedOnce)
  {
    for (const std::size_t position : run_.spectrum_of_identification)
    {
      setActivation(run_.spectra[position], {Method::ETD});
    }
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const auto as_etd = logitsOf(output());
    useModelTrainedOn({"HCD", "CID"});
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countOf(result.output, "The model was not trained on ETD: 40 spectra are scored by their b and y ions"),
              1U)
        << result.output;
    // The same weights: without a list of activations ETD is shown to the network, with its c and z ions.
    const auto as_unknown = logitsOf(output());
    EXPECT_TRUE(std::any_of(as_etd.begin(), as_etd.end(),
                            [&](const auto& entry)
                            { return std::abs(entry.second - as_unknown.at(entry.first)) > 1e-3; }));
  }

  TEST_F(Robustness, M12_OnlyMs2SpectraAreCandidates)
  {
    OpenMS::MSSpectrum ms3 = run_.spectra[run_.spectrum_of_identification[2]];
    ms3.setMSLevel(3);
    ms3.setNativeID("controllerType=0 controllerNumber=1 scan=900");
    run_.spectra.addSpectrum(ms3); // same time and precursor as the MS2 spectrum of identification 2
    setReference(run_.identifications[0], "controllerType=0 controllerNumber=1 scan=900");
    setReference(run_.identifications[1], std::string(run_.spectra[0].getNativeID()));
    run_.identifications[2].removeMetaValue("spectrum_reference"); // found by time and m/z
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    EXPECT_EQ(countStatus(out.identifications, "no_ms2"), 4U) << result.output;
    EXPECT_EQ(statusOf(out.identifications[0].getHits()[0]), "no_ms2");
    EXPECT_EQ(statusOf(out.identifications[1].getHits()[0]), "no_ms2");
    EXPECT_EQ(statusOf(out.identifications[2].getHits()[0]), "scored");
  }

  TEST_F(Robustness, M14_OtherKindsOfSpectraAreSkipped)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    OpenMS::MSSpectrum absorption = run_.spectra[0];
    absorption.setMSLevel(0);
    auto settings = absorption.getInstrumentSettings();
    settings.setScanMode(OpenMS::InstrumentSettings::EMR);
    absorption.setInstrumentSettings(settings);
    absorption.setNativeID("controllerType=4 controllerNumber=1 scan=1");
    run_.spectra.addSpectrum(absorption);
    OpenMS::MSSpectrum without_level = run_.spectra[0];
    without_level.setNativeID("controllerType=0 controllerNumber=1 scan=901");
    run_.spectra.addSpectrum(without_level);
    write();
    cutFromSpectrum(spectra_, "controllerType=0 controllerNumber=1 scan=901", "name=\"ms level\"", "<cvParam", "/>");
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M15_UnsortedPeaksAreSorted)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    for (auto& spectrum : run_.spectra)
    {
      std::reverse(spectrum.begin(), spectrum.end());
      std::rotate(spectrum.begin(), spectrum.begin() + static_cast<std::ptrdiff_t>(spectrum.size() / 3),
                  spectrum.end());
    }
    writeSpectra(run_, folder_.path());
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M16_EmptySpectrumHasAFiniteScore)
  {
    run_.spectra[run_.spectrum_of_identification[0]].clear(false);
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hit = output().identifications[0].getHits()[0];
    EXPECT_EQ(statusOf(hit), "scored");
    EXPECT_TRUE(std::isfinite(hit.getScore()));
  }

  TEST_F(Robustness, M16_MissingArrayDoesNotCrash)
  {
    write();
    const std::string native_id(run_.spectra[run_.spectrum_of_identification[0]].getNativeID());
    cutFromSpectrum(spectra_, native_id, "name=\"m/z array\"", "<binaryDataArray ", "</binaryDataArray>");
    const ToolResult result = rescore();
    // OpenMS reads it as a spectrum without peaks.
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countHits(output().identifications), countHits(run_.identifications));
    EXPECT_TRUE(result.says("Hits: 80 scored + 0 unscored = 80.")) << result.output;
  }

  TEST_F(Robustness, M17_FewPeaksAreScoredAndHighChargesFlagged)
  {
    for (std::size_t i = 0; i < 19; ++i)
    {
      run_.spectra[run_.spectrum_of_identification[i]].resize(i + 1);
    }
    for (std::size_t i = 20; i < run_.identifications.size(); ++i)
    {
      auto hits = run_.identifications[i].getHits();
      std::for_each(hits.begin(), hits.end(), [](auto& hit) { hit.setCharge(12); });
      run_.identifications[i].setHits(hits);
    }
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countStatus(output().identifications, "scored"), 40U);
    EXPECT_EQ(countStatus(output().identifications, "unsupported_charge"), 40U);
    EXPECT_TRUE(result.says("unsupported_charge 40")) << result.output;
  }

  TEST_F(Robustness, M17_AlmostNothingLeftIsNoError)
  {
    for (std::size_t i = 0; i < run_.identifications.size(); ++i)
    {
      auto hits = run_.identifications[i].getHits();
      std::for_each(hits.begin(), hits.end(), [i](auto& hit) { hit.setCharge(i == 0 ? 2 : 12); });
      run_.identifications[i].setHits(hits);
    }
    write();
    EXPECT_EQ(rescore().exit_code, 0);
    EXPECT_EQ(countStatus(output().identifications, "scored"), 2U);
    auto hits = run_.identifications[0].getHits();
    std::for_each(hits.begin(), hits.end(), [](auto& hit) { hit.setCharge(12); });
    run_.identifications[0].setHits(hits);
    write();
    EXPECT_EQ(rescore().exit_code, 0);
    EXPECT_EQ(countStatus(output().identifications, "unsupported_charge"), 80U);
  }

  TEST_F(Robustness, M20_CollisionEnergyIsNotUsed)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    for (const double energy : {0.0, 28.0, 9999.0})
    {
      for (const std::size_t position : run_.spectrum_of_identification)
      {
        changePrecursor(run_.spectra[position],
                        [energy](auto& precursor) { precursor.setMetaValue("collision energy", energy); });
      }
      writeSpectra(run_, folder_.path());
      ASSERT_EQ(rescore().exit_code, 0);
      expectSameLogits(expected, output(), 0.0);
    }
  }
}
