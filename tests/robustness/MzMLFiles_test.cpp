// SPDX-License-Identifier: BSD-3-Clause
// Group M of cases.tsv: how the mzML file is written.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <OpenMS/FORMAT/DATAACCESS/MSDataWritingConsumer.h>
#include <OpenMS/FORMAT/MzMLFile.h>
#include <OpenMS/FORMAT/OPTIONS/PeakFileOptions.h>
#include <OpenMS/KERNEL/MSChromatogram.h>

#include <sys/resource.h>

namespace psmformer::test
{
  namespace
  {
    using Type = OpenMS::SpectrumSettings::SpectrumType;

    void storeNumpress(const std::string& file, const OpenMS::MSExperiment& spectra, const std::string& mz,
                       const std::string& intensity)
    {
      OpenMS::MSNumpressCoder::NumpressConfig mz_config;
      mz_config.setCompression(mz);
      mz_config.estimate_fixed_point = true;
      OpenMS::MSNumpressCoder::NumpressConfig intensity_config;
      intensity_config.setCompression(intensity);
      intensity_config.estimate_fixed_point = true;
      OpenMS::MzMLFile mzml;
      mzml.getOptions().setNumpressConfigurationMassTime(mz_config);
      mzml.getOptions().setNumpressConfigurationIntensity(intensity_config);
      mzml.store(file, spectra);
    }

    /// Gives every peak the shape it has in profile data: 15 points at 0.01 Th.
    void makeProfile(OpenMS::MSSpectrum& spectrum, Type type)
    {
      OpenMS::MSSpectrum profile = spectrum;
      profile.clear(false);
      profile.setType(type);
      for (const auto& peak : spectrum)
      {
        for (int point = -7; point <= 7; ++point)
        {
          OpenMS::Peak1D sample;
          sample.setMZ(peak.getMZ() + 0.01 * point);
          sample.setIntensity(static_cast<float>(peak.getIntensity() * std::exp(-0.08 * point * point)));
          profile.push_back(sample);
        }
      }
      profile.sortByPosition();
      spectrum = profile;
    }
  }

  TEST_F(Robustness, M01_NumpressArraysAreRead)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    for (const auto& [mz, intensity] : {std::pair("linear", "slof"), std::pair("linear", "pic"),
                                        std::pair("linear", "none"), std::pair("none", "slof")})
    {
      storeNumpress(spectra_, run_.spectra, mz, intensity);
      ASSERT_TRUE(readFile(spectra_).find("MS-Numpress") != std::string::npos);
      const ToolResult result = rescore();
      ASSERT_EQ(result.exit_code, 0) << result.output;
      // Intensities lose up to 0.5 of a count (pic) or 0.02 % (slof), m/z below 1 ppm.
      expectSameLogits(expected, output(), 0.05);
    }
  }

  TEST_F(Robustness, M02_CompressedFilesGiveTheSameScores)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    const std::string plain = spectra_;
    for (const auto& [program, extension] : {std::pair("gzip", ".gz"), std::pair("bzip2", ".bz2")})
    {
      const ToolResult packed = runProgram(program, {"-k", "-f", plain});
      ASSERT_EQ(packed.exit_code, 0) << packed.output;
      spectra_ = plain + extension;
      const ToolResult result = rescore();
      ASSERT_EQ(result.exit_code, 0) << result.output;
      expectSameLogits(expected, output(), 0.0);
    }
  }

  TEST_F(Robustness, M03_FileWithChromatogramsAloneIsRefused)
  {
    write();
    OpenMS::MSExperiment chromatograms;
    OpenMS::MSChromatogram chromatogram;
    chromatogram.setNativeID("TIC");
    OpenMS::ChromatogramPeak point;
    point.setRT(1.0);
    point.setIntensity(100.0);
    chromatogram.push_back(point);
    chromatograms.addChromatogram(chromatogram);
    OpenMS::MzMLFile().store(spectra_, chromatograms);
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 11) << result.output;
    EXPECT_TRUE(result.says("has no MS2 spectra")) << result.output;
    EXPECT_FALSE(hasOutput());
  }

  TEST_F(Robustness, M04_FileWithMs2AloneIsFine)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    auto& spectra = run_.spectra.getSpectra();
    spectra.erase(std::remove_if(spectra.begin(), spectra.end(), [](const auto& s) { return s.getMSLevel() == 1; }),
                  spectra.end());
    writeSpectra(run_, folder_.path());
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M05_ProfileFileIsRefusedUnlessForced)
  {
    for (auto& spectrum : run_.spectra)
    {
      makeProfile(spectrum, Type::PROFILE);
    }
    write();
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 11) << result.output;
    EXPECT_TRUE(result.says("are profile data; pick their peaks")) << result.output;
    EXPECT_FALSE(hasOutput());
    EXPECT_EQ(rescore({"-force"}).exit_code, 0);
  }

  TEST_F(Robustness, M05_ProfileSpectraAmongOthersAreCounted)
  {
    makeProfile(run_.spectra[run_.spectrum_of_identification[3]], Type::PROFILE);
    makeProfile(run_.spectra[run_.spectrum_of_identification[5]], Type::UNKNOWN);
    makeProfile(run_.spectra[run_.spectrum_of_identification[7]], Type::CENTROID); // what is declared is trusted
    write();
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_TRUE(result.says("2 of 40 MS2 spectra")) << result.output;
    EXPECT_EQ(countStatus(output().identifications, "scored"), countHits(run_.identifications));
  }

  TEST_F(Robustness, M13_ExtraArraysAreIgnored)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    for (auto& spectrum : run_.spectra)
    {
      spectrum.setDriftTime(1.5);
      OpenMS::DataArrays::FloatDataArray mobility;
      mobility.setName("Ion Mobility");
      OpenMS::DataArrays::FloatDataArray noise;
      noise.setName("signal to noise array");
      for (std::size_t p = 0; p < spectrum.size(); ++p)
      {
        mobility.push_back(static_cast<float>(spectrum.size() - p));
        noise.push_back(2.0F);
      }
      spectrum.setFloatDataArrays({mobility, noise});
    }
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectSameLogits(expected, output());
  }

  TEST_F(Robustness, M18_TruncatedFileIsCorrupt)
  {
    write();
    const std::string text = readFile(spectra_);
    writeFileAtomically(spectra_, text.substr(0, text.size() * 2 / 3));
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_TRUE(result.says(spectra_)) << result.output;
    EXPECT_FALSE(hasOutput());
  }

  // The index is not used to read a file from begin to end, so that a wrong one does no harm.

  TEST_F(Robustness, M18_WrongOffsetsDoNotMatter)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    replaceInFile(spectra_, "scan=2\">", "scan=2\">9");
    ASSERT_EQ(rescore().exit_code, 0);
    expectSameLogits(expected, output(), 0.0);
  }

  TEST_F(Robustness, M19_OnlyNeededSpectraAreHeld)
  {
    const auto peak_memory = [this]
    {
      const ToolResult result = rescore();
      EXPECT_EQ(result.exit_code, 0) << result.output;
      EXPECT_TRUE(result.says("Peak Memory Usage")) << result.output;
      rusage usage{};
      getrusage(RUSAGE_CHILDREN, &usage);
      return 0.001 * static_cast<double>(usage.ru_maxrss); // MB, the largest of all programs so far
    };
    write();
    const double before = peak_memory();
    OpenMS::MSSpectrum unneeded = run_.spectra[run_.spectrum_of_identification[0]];
    unneeded.resize(2000);
    for (std::size_t p = 0; p < unneeded.size(); ++p)
    {
      unneeded[p].setMZ(150.0 + 0.5 * static_cast<double>(p));
      unneeded[p].setIntensity(1000.0F);
    }
    constexpr std::size_t N_UNNEEDED = 6000; // 16 bytes a peak: 190 MB
    {
      // Written one by one: the size of this process counts as that of the programs it starts.
      OpenMS::PlainMSDataWritingConsumer writer(spectra_);
      writer.getOptions().setCompression(true);
      writer.setExpectedSize(run_.spectra.size() + N_UNNEEDED, 0);
      for (auto& spectrum : run_.spectra)
      {
        writer.consumeSpectrum(spectrum);
      }
      for (std::size_t s = 0; s < N_UNNEEDED; ++s)
      {
        unneeded.setRT(5000.0 + static_cast<double>(s));
        unneeded.setNativeID("controllerType=0 controllerNumber=1 scan=" + std::to_string(1000 + s));
        writer.consumeSpectrum(unneeded);
      }
    }
    EXPECT_LT(peak_memory(), before + 80.0);
  }
}
