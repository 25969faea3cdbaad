// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/MatchReader.h>

#include <support/ExpectError.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <gmock/gmock.h>

namespace psmformer
{
  namespace
  {
    using ::testing::Each;
    using ::testing::HasSubstr;
    using ::testing::IsEmpty;
    using ::testing::SizeIs;

    JoinedMatches join(const std::vector<test::TestRun>& runs, const JoinParameters& parameters = {},
                       const ModelInputs& inputs = {})
    {
      const test::TempDir folder;
      std::vector<OpenMS::ProteinIdentification> proteins;
      PeptideIds identifications;
      std::vector<std::string> files;
      for (const test::TestRun& run : runs)
      {
        proteins.push_back(run.run);
        identifications.insert(identifications.end(), run.identifications.begin(), run.identifications.end());
        files.push_back(test::writeSpectra(run, folder.path()));
      }
      return joinMatches(proteins, identifications, resolveRuns(proteins, identifications, files), inputs, parameters);
    }

    void replaceSequence(test::TestRun& run, std::size_t identification, const std::string& sequence)
    {
      auto hits = run.identifications[identification].getHits();
      hits[0].setSequence(OpenMS::AASequence::fromString(sequence));
      run.identifications[identification].setHits(hits);
    }

    TEST(MatchReader, EveryHitOfAnOrdinaryRunIsScored)
    {
      const test::TestRun run = test::makeTestRun();
      const JoinedMatches joined = join({run});
      EXPECT_EQ(joined.report.scored(), test::countHits(run.identifications));
      EXPECT_EQ(joined.table.matches.size(), joined.report.n_hits);
      EXPECT_EQ(joined.table.spectra.size(), run.identifications.size()) << "a spectrum is kept once";
      EXPECT_THAT(joined.report.warnings, IsEmpty());
      EXPECT_EQ(joined.fragment_tolerance[0].value, 20.0);
      for (const auto& match : joined.table.matches)
      {
        const auto& identification = run.identifications[match.origin.identification];
        EXPECT_EQ(joined.table.spectra[match.spectrum].native_id, spectrumReference(identification));
        EXPECT_EQ(joined.table.peptides[match.peptide].residues,
                  std::string(identification.getHits()[match.origin.hit].getSequence().toString()));
      }
    }

    TEST(MatchReader, EachMergedIdentificationGetsTheSpectrumOfItsFile)
    {
      test::TestRunOptions options;
      options.name = "b";
      options.seed = 2;
      const test::TestRun a = test::makeTestRun();
      const test::TestRun b = test::makeTestRun(options);
      const test::TestRun merged = test::mergeRuns({a, b});
      const test::TempDir folder;
      const std::vector<std::string> files = {test::writeSpectra(b, folder.path()),
                                              test::writeSpectra(a, folder.path())};
      const std::vector<OpenMS::ProteinIdentification> runs = {merged.run};
      const JoinedMatches joined =
          joinMatches(runs, merged.identifications, resolveRuns(runs, merged.identifications, files), {}, {});
      EXPECT_EQ(joined.report.scored(), joined.report.n_hits) << "a wrong file would show as precursor mismatch";
    }

    TEST(MatchReader, SpectraThatAreNotThereLeaveTheirHitsUnscored)
    {
      test::TestRun run = test::makeTestRun();
      test::setReference(run.identifications[3], "controllerType=0 controllerNumber=1 scan=9999");
      run.identifications[3].setRT(99999.0);
      const JoinedMatches joined = join({run});
      EXPECT_THAT(joined.status[3], Each(MatchStatus::NO_SPECTRUM));
      EXPECT_EQ(joined.report.reasons(), "no_spectrum 2");
      EXPECT_EQ(joined.report.scored() + 2, joined.report.n_hits);
    }

    TEST(MatchReader, ReferencesToOtherLevelsAreUnscored)
    {
      test::TestRun run = test::makeTestRun();
      test::setReference(run.identifications[0], std::string(run.spectra[0].getNativeID()));
      EXPECT_THAT(join({run}).status[0], Each(MatchStatus::NO_MS2));
    }

    TEST(MatchReader, WrongFileIsRefusedWithReferencesAndNativeIds)
    {
      test::TestRun run = test::makeTestRun();
      for (auto& identification : run.identifications)
      {
        test::setReference(identification, "title " + spectrumReference(identification));
        identification.setRT(identification.getRT() + 1e6);
      }
      test::expectError(ErrorKind::INVALID_INPUT, "'title controllerType=0 controllerNumber=1 scan=2'",
                        [&] { join({run}); });
    }

    TEST(MatchReader, NeighbouringSpectraAreAWrongJoin)
    {
      test::TestRun run = test::makeTestRun();
      for (std::size_t i = 0; i + 1 < run.identifications.size(); ++i)
      {
        test::setReference(run.identifications[i], spectrumReference(run.identifications[i + 1]));
      }
      test::expectError(ErrorKind::INVALID_INPUT, "precursor m/z of", [&] { join({run}); });
    }

    TEST(MatchReader, FewWrongPrecursorsAreWarnedAboutAndUnscored)
    {
      test::TestRun run = test::makeTestRun();
      test::setReference(run.identifications[1], spectrumReference(run.identifications[2]));
      const JoinedMatches joined = join({run});
      EXPECT_THAT(joined.status[1], Each(MatchStatus::PRECURSOR_MISMATCH));
      ASSERT_THAT(joined.report.warnings, SizeIs(1));
      EXPECT_THAT(joined.report.warnings[0], HasSubstr("1 of 40"));
    }

    TEST(MatchReader, IsotopeShiftsOfThePrecursorAreNoWrongJoin)
    {
      test::TestRun run = test::makeTestRun();
      for (auto& identification : run.identifications)
      {
        identification.setMZ(identification.getMZ() - 1.0033548 / 2.0);
      }
      EXPECT_THAT(join({run}).report.warnings, IsEmpty());
    }

    TEST(MatchReader, SequencesThatCannotBeScoredSayWhy)
    {
      test::TestRun run = test::makeTestRun();
      replaceSequence(run, 0, "PEPXIDEK");
      replaceSequence(run, 1, "PEPTIDEK");
      replaceSequence(run, 2, std::string(101, 'G'));
      auto hits = run.identifications[3].getHits();
      hits[0].setCharge(0);
      hits[1].setCharge(9);
      run.identifications[3].setHits(hits);
      const JoinedMatches joined = join({run});
      EXPECT_EQ(joined.status[0][0], MatchStatus::UNSUPPORTED_RESIDUE);
      EXPECT_EQ(joined.status[1][0], MatchStatus::MASS_MISMATCH);
      EXPECT_EQ(joined.status[2][0], MatchStatus::UNSUPPORTED_LENGTH);
      EXPECT_EQ(joined.status[3][0], MatchStatus::NO_CHARGE);
      EXPECT_EQ(joined.status[3][1], MatchStatus::UNSUPPORTED_CHARGE);
      EXPECT_EQ(joined.status[0][1], MatchStatus::SCORED) << "the other hits are not touched";
    }

    TEST(MatchReader, ResiduesOutsideTheVocabularyAreUnsupported)
    {
      ModelInputs inputs;
      inputs.vocabulary = "ACDEFGHIKLMNPQRSTVW"; // no Y
      const test::TestRun run = test::makeTestRun();
      const JoinedMatches joined = join({run}, {}, inputs);
      const auto unsupported = joined.report.hits.find(MatchStatus::UNSUPPORTED_RESIDUE);
      ASSERT_NE(unsupported, joined.report.hits.end());
      EXPECT_EQ(unsupported->second + joined.report.scored(), joined.report.n_hits);
    }

    TEST(MatchReader, SpectrumWithoutPrecursorTakesThatOfTheIdentification)
    {
      test::TestRun run = test::makeTestRun();
      auto& spectrum = run.spectra[run.spectrum_of_identification[0]];
      auto precursors = spectrum.getPrecursors();
      precursors[0].setMZ(0.0);
      precursors[0].setCharge(0);
      spectrum.setPrecursors(precursors);
      const JoinedMatches joined = join({run});
      EXPECT_EQ(joined.report.scored(), joined.report.n_hits);
      EXPECT_EQ(joined.table.spectra[joined.table.matches[0].spectrum].precursor_mz, run.identifications[0].getMZ());
    }

    TEST(MatchReader, ProfileSpectraAreRefusedUnlessForced)
    {
      test::TestRun run = test::makeTestRun();
      for (auto& spectrum : run.spectra.getSpectra())
      {
        spectrum.setType(OpenMS::SpectrumSettings::SpectrumType::PROFILE);
      }
      test::expectError(ErrorKind::INVALID_INPUT, "profile", [&] { join({run}); });
      JoinParameters forced;
      forced.accept_profile = true;
      EXPECT_THAT(join({run}, forced).report.warnings, SizeIs(1));
    }

    TEST(MatchReader, OneProfileSpectrumIsCounted)
    {
      test::TestRun run = test::makeTestRun();
      run.spectra[run.spectrum_of_identification[4]].setType(OpenMS::SpectrumSettings::SpectrumType::PROFILE);
      const JoinedMatches joined = join({run});
      ASSERT_THAT(joined.report.warnings, SizeIs(1));
      EXPECT_THAT(joined.report.warnings[0], HasSubstr("1 of 40"));
    }

    TEST(MatchReader, InvalidPeaksAreLeftOutAndCounted)
    {
      test::TestRun run = test::makeTestRun();
      auto& spectrum = run.spectra[run.spectrum_of_identification[0]];
      spectrum[3].setIntensity(-5.0F);
      const JoinedMatches joined = join({run});
      EXPECT_EQ(joined.table.spectra[joined.table.matches[0].spectrum].mz.size() + 1, spectrum.size());
      EXPECT_THAT(joined.report.warnings, SizeIs(1));
    }

    TEST(MatchReader, EmptySpectrumIsLegal)
    {
      test::TestRun run = test::makeTestRun();
      run.spectra[run.spectrum_of_identification[0]].clear(false);
      EXPECT_THAT(join({run}).status[0], Each(MatchStatus::SCORED));
    }

    TEST(MatchReader, ToleranceOfTheParametersOverridesTheSearch)
    {
      JoinParameters parameters;
      parameters.fragment_tolerance = {0.3, ToleranceUnit::DA};
      const JoinedMatches joined = join({test::makeTestRun()}, parameters);
      EXPECT_EQ(joined.table.spectra[0].fragment_tolerance.value, 0.3);
    }

    TEST(MatchReader, UnusableToleranceIsEstimatedAndPrinted)
    {
      for (const double stated : {0.0, 500.0})
      {
        test::TestRun run = test::makeTestRun();
        auto parameters = run.run.getSearchParameters();
        parameters.fragment_mass_tolerance = stated;
        parameters.fragment_mass_tolerance_ppm = false;
        run.run.setSearchParameters(parameters);
        const JoinedMatches joined = join({run});
        EXPECT_LT(joined.fragment_tolerance[0].value, 0.02) << "simulated errors are 3 ppm";
        EXPECT_GT(joined.fragment_tolerance[0].value, 0.002);
        ASSERT_THAT(joined.report.notes, SizeIs(1));
        EXPECT_THAT(joined.report.notes[0], HasSubstr("estimated"));
      }
    }

    TEST(MatchReader, TooFewMatchesForAnEstimateAskForTheOption)
    {
      test::TestRunOptions options;
      options.n_spectra = 10;
      options.n_unidentifiable = 0;
      test::TestRun run = test::makeTestRun(options);
      auto parameters = run.run.getSearchParameters();
      parameters.fragment_mass_tolerance = 0.0;
      run.run.setSearchParameters(parameters);
      test::expectError(ErrorKind::OPTION, "-fragment_tolerance", [&] { join({run}); });
    }

    TEST(MatchReader, RetentionTimeOfTheSpectrumIsHandedOn)
    {
      test::TestRun run = test::makeTestRun();
      const JoinedMatches joined = join({run});
      EXPECT_DOUBLE_EQ(joined.retention_time[7], run.identifications[7].getRT());
    }
  }
}
