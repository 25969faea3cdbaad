// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/SpectrumIndex.h>

#include <support/ExpectError.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <OpenMS/KERNEL/MSChromatogram.h>

#include <gmock/gmock.h>

#include <limits>

namespace psmformer
{
  namespace
  {
    const std::string THERMO = "controllerType=0 controllerNumber=1 scan=";

    SpectrumIndex thermoIndex()
    {
      return SpectrumIndex({{THERMO + "1", 1.0, 0.0, 1},
                            {THERMO + "2", 2.0, 500.25, 2},
                            {THERMO + "3", 3.0, 600.3, 2},
                            {THERMO + "4", 3.4, 600.3, 2},
                            {THERMO + "7", 9.0, 700.0, 3}});
    }

    TEST(SpectrumIndex, ExactNativeIdComesFirst)
    {
      const SpectrumIndex index({{"index=1", 1.0, 500.0, 2}, {"index=0", 2.0, 500.0, 2}});
      const SpectrumLookup lookup = index.find({"index=1", 1.0, 500.0});
      EXPECT_EQ(lookup.status, MatchStatus::SCORED);
      EXPECT_EQ(lookup.position, 0U);
      EXPECT_EQ(lookup.method, LookupMethod::NATIVE_ID);
    }

    TEST(SpectrumIndex, ScanNumberServesBareNumbersAndShortForms)
    {
      for (const char* reference : {"scan=3", "3", "controllerType=0 controllerNumber=2 scan=3", "my.run.00003.00003.2",
                                    "run.3.3. File:\"run.raw\", NativeID:\"x=3\""})
      {
        const SpectrumLookup lookup = thermoIndex().find({reference, 0.0, 0.0});
        EXPECT_EQ(lookup.status, MatchStatus::SCORED) << reference;
        EXPECT_EQ(lookup.position, 2U) << reference;
        EXPECT_EQ(lookup.method, LookupMethod::SCAN_NUMBER) << reference;
      }
    }

    TEST(SpectrumIndex, ScanNumberIsNotTakenFromIdsWithOtherParts)
    {
      EXPECT_EQ(scanNumber("function=2 process=0 scan=5"), 0);
      EXPECT_EQ(scanNumber("merged=1 frame=4 scanStart=5 scanEnd=9"), 0);
      EXPECT_EQ(scanNumber("sample=1 period=1 cycle=7 experiment=2"), 0);
      EXPECT_EQ(scanNumber("6file=4959"), 0);
      EXPECT_EQ(scanNumber("scan=12x"), 0);
      EXPECT_EQ(scanNumber("scan=12"), 12);
      EXPECT_EQ(scanNumber("run.12.2"), 0);
      EXPECT_EQ(scanNumber("run.12.13.2"), 0) << "merged scans";
      EXPECT_EQ(scanNumber(".12.12.2"), 0);
      EXPECT_EQ(scanNumber("run.12.12.x"), 0);
    }

    TEST(SpectrumIndex, ScanNumberThatIsNotUniqueIsNotUsed)
    {
      const SpectrumIndex index(
          {{"scan=5", 1.0, 500.0, 2}, {"controllerType=0 controllerNumber=1 scan=5", 2.0, 510.0, 2}});
      EXPECT_EQ(index.find({"5", std::numeric_limits<double>::quiet_NaN(), 0.0}).status, MatchStatus::NO_SPECTRUM);
    }

    TEST(SpectrumIndex, PositionNeedsAnAgreeingPrecursor)
    {
      const double unknown_time = std::numeric_limits<double>::quiet_NaN();
      const SpectrumLookup lookup = thermoIndex().find({"index=1", unknown_time, 500.2505});
      EXPECT_EQ(lookup.status, MatchStatus::SCORED);
      EXPECT_EQ(lookup.position, 1U);
      EXPECT_EQ(lookup.method, LookupMethod::POSITION);
      EXPECT_EQ(thermoIndex().find({"index=1", unknown_time, 501.0}).status, MatchStatus::NO_SPECTRUM);
      EXPECT_EQ(thermoIndex().find({"index=1", unknown_time, 0.0}).status, MatchStatus::NO_SPECTRUM);
    }

    TEST(SpectrumIndex, TimeAndPrecursorAreTheLastResort)
    {
      const SpectrumLookup lookup = thermoIndex().find({"title of other software", 2.3, 500.26});
      EXPECT_EQ(lookup.status, MatchStatus::SCORED);
      EXPECT_EQ(lookup.position, 1U);
      EXPECT_EQ(lookup.method, LookupMethod::RETENTION_TIME);
      EXPECT_EQ(thermoIndex().find({"", 2.3, 500.4}).status, MatchStatus::NO_SPECTRUM);
      EXPECT_EQ(thermoIndex().find({"", 5.5, 500.25}).status, MatchStatus::NO_SPECTRUM);
    }

    TEST(SpectrumIndex, SeveralCandidatesAreAmbiguousUnlessOneIsExact)
    {
      EXPECT_EQ(thermoIndex().find({"", 3.2, 600.3}).status, MatchStatus::AMBIGUOUS_SPECTRUM);
      const SpectrumLookup exact = thermoIndex().find({"", 3.4, 600.3});
      EXPECT_EQ(exact.status, MatchStatus::SCORED);
      EXPECT_EQ(exact.position, 3U);
    }

    TEST(SpectrumIndex, OtherLevelsAreNoCandidates)
    {
      EXPECT_EQ(thermoIndex().find({THERMO + "1", 1.0, 500.0}).status, MatchStatus::NO_MS2);
      EXPECT_EQ(thermoIndex().find({"scan=7", 9.0, 700.0}).status, MatchStatus::NO_MS2);
      EXPECT_EQ(thermoIndex().find({"", 9.0, 700.0}).status, MatchStatus::NO_SPECTRUM);
    }

    TEST(SpectrumIndex, NativeIdThatOccursTwiceIsAmbiguous)
    {
      const SpectrumIndex index({{"scan=1", 1.0, 500.0, 2}, {"scan=1", 2.0, 600.0, 2}});
      EXPECT_EQ(index.find({"scan=1", 1.0, 500.0}).status, MatchStatus::AMBIGUOUS_SPECTRUM);
    }

    TEST(SpectrumIndex, PrecursorsAgreeWithinIsotopesOnlyWhenAllowed)
    {
      PrecursorAgreement agreement;
      EXPECT_TRUE(agreement.agree(500.0, 500.019, 2));
      EXPECT_FALSE(agreement.agree(500.0, 500.021, 2));
      EXPECT_TRUE(agreement.agree(1500.0, 1500.029, 2)) << "20 ppm are more there";
      EXPECT_FALSE(agreement.agree(500.0, 500.5017, 2));
      agreement.min_isotope = -1;
      agreement.max_isotope = 3;
      EXPECT_TRUE(agreement.agree(500.0, 500.5017, 2));
      EXPECT_TRUE(agreement.agree(500.0, 499.4983, 2));
      EXPECT_FALSE(agreement.agree(500.0, 502.0067, 2)) << "four isotopes";
    }

    TEST(SpectrumFile, KeepsThePeaksOfNeededSpectraOnly)
    {
      const test::TempDir folder;
      const test::TestRun run = test::makeTestRun();
      const std::string file = test::writeSpectra(run, folder.path());
      const std::size_t position = run.spectrum_of_identification[5];
      const std::string native_id(run.spectra[position].getNativeID());
      const SpectrumFile spectra = readSpectra(file, {{native_id, std::numeric_limits<double>::quiet_NaN(), 0.0}});
      EXPECT_EQ(spectra.n_ms2, run.identifications.size());
      EXPECT_EQ(spectra.index.entries().size(), run.spectra.size());
      ASSERT_EQ(spectra.spectra.size(), 1U);
      const Spectrum& kept = spectra.spectra.at(position);
      EXPECT_EQ(kept.native_id, native_id);
      EXPECT_EQ(kept.mz.size(), run.spectra[position].size());
      EXPECT_EQ(kept.activation, Activation::HCD);
      EXPECT_EQ(kept.precursor_charge, 2);
      EXPECT_TRUE(std::is_sorted(kept.mz.begin(), kept.mz.end()));
    }

    TEST(SpectrumFile, WithoutMs2IsRefused)
    {
      const test::TempDir folder;
      test::TestRun run = test::makeTestRun();
      for (auto& spectrum : run.spectra.getSpectra())
      {
        spectrum.setMSLevel(1);
      }
      const std::string file = test::writeSpectra(run, folder.path());
      test::expectError(ErrorKind::INVALID_INPUT, "no MS2 spectra", [&] { readSpectra(file, {}); });
    }
  }
}
