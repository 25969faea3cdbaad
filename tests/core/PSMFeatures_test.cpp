// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/PSMFeatures.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace psmformer
{
  namespace
  {
    using test::makeMatchTable;
    using test::makeSpectrum;
    using test::noiselessSpectrum;

    /// Features of one match, by name.
    std::map<std::string, double> featuresOf(const Spectrum& spectrum, const Peptide& peptide, int charge = 2,
                                             const std::vector<std::string>& ions = ModelInputs().ions)
    {
      MatchTable table = makeMatchTable({spectrum}, {peptide});
      table.matches[0].charge = charge;
      ModelInputs inputs;
      inputs.preprocessing.precursor_removal = 0.0;
      inputs.ions = ions;
      const std::vector<double> row = computeFeatures(table, inputs).at(0);
      std::map<std::string, double> by_name;
      for (std::size_t i = 0; i < row.size(); ++i)
      {
        by_name[psmFeatures().at(i).name] = row[i];
      }
      return by_name;
    }

    TEST(PSMFeatures, NamesAreDistinctSnakeCaseAndDescribed)
    {
      std::set<std::string> names;
      const std::set<std::string> units = {"1", "Da", "ppm", "residues"};
      for (const PSMFeature& feature : psmFeatures())
      {
        EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
        EXPECT_THAT(feature.name, testing::MatchesRegex("[a-z][a-z0-9_]*"));
        EXPECT_EQ(units.count(feature.unit), 1U) << feature.name;
        EXPECT_FALSE(feature.description.empty()) << feature.name;
      }
    }

    TEST(PSMFeatures, ANoiselessSpectrumIsExplainedInFull)
    {
      const auto features = featuresOf(noiselessSpectrum(makePeptide("PEPTIDE"), 2), makePeptide("PEPTIDE"));
      EXPECT_NEAR(features.at("explained_intensity"), 1.0, 1e-6);
      EXPECT_NEAR(features.at("explained_peaks"), 1.0, 1e-6);
      EXPECT_NEAR(features.at("explained_top_10"), 1.0, 1e-6);
      EXPECT_NEAR(features.at("explained_top_25"), 1.0, 1e-6);
      EXPECT_NEAR(features.at("matched_share"), 1.0, 1e-6);
      EXPECT_EQ(features.at("matched_b1"), 6.0);
      EXPECT_EQ(features.at("matched_y1"), 6.0);
      EXPECT_EQ(features.at("matched_b2"), 0.0);
      EXPECT_EQ(features.at("longest_run_b"), 6.0);
      EXPECT_EQ(features.at("longest_run_y"), 6.0);
      EXPECT_EQ(features.at("explained_sites"), 1.0);
      EXPECT_NEAR(features.at("fragment_error_median"), 0.0, 1e-6);
      EXPECT_NEAR(features.at("precursor_error_ppm"), 0.0, 1e-6);
      EXPECT_EQ(features.at("isotope_offset"), 0.0);
      EXPECT_EQ(features.at("charge"), 2.0);
      EXPECT_EQ(features.at("length"), 7.0);
      EXPECT_NEAR(features.at("peptide_mass"), 799.35997, 1e-5);
      EXPECT_EQ(features.at("peaks"), 12.0);
    }

    TEST(PSMFeatures, RunsAndSitesAreCountedOverGaps)
    {
      const Peptide peptide = makePeptide("PEPTIDESK");
      const IonChannel b1{IonType::B, 1};
      const IonChannel y1{IonType::Y, 1};
      test::Peaks peaks;
      for (const std::size_t site : {0U, 1U, 3U, 4U, 5U, 7U})
      {
        peaks.emplace_back(fragmentMz(peptide, site, b1), 1.0F);
      }
      peaks.emplace_back(fragmentMz(peptide, 7, y1), 1.0F);
      const auto features = featuresOf(makeSpectrum(peaks, massToCharge(peptide, 2)), peptide);
      EXPECT_EQ(features.at("longest_run_b"), 3.0);
      EXPECT_EQ(features.at("longest_run_y"), 1.0);
      EXPECT_NEAR(features.at("explained_sites"), 6.0 / 8.0, 1e-9);
      EXPECT_NEAR(features.at("matched_share"), 7.0 / 16.0, 1e-6);
    }

    TEST(PSMFeatures, SeriesAndChargesAreCountedApart)
    {
      const Peptide peptide = makePeptide("WEPTIDEWK"); // all ions lie above 50 Th
      const std::vector<std::string> ions = {"b1", "b2", "y1", "y2", "c1", "c2", "z1", "z2"};
      for (const std::string& ion : ions)
      {
        Spectrum spectrum = noiselessSpectrum(peptide, 3, {ion});
        spectrum.activation = Activation::ETD;
        spectrum.fragment_tolerance = {0.001, ToleranceUnit::DA};
        const auto features = featuresOf(spectrum, peptide, 3, ions);
        for (const std::string& other : ions)
        {
          EXPECT_EQ(features.at("matched_" + other), ion == other ? 8.0 : 0.0) << ion << " " << other;
        }
      }
    }

    TEST(PSMFeatures, FragmentErrorsHaveTheirMedianAndSpread)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const IonChannel b1;
      test::Peaks peaks;
      const std::vector<double> errors = {-0.2, 0.1, 0.3, 0.4, 0.9}; // in units of the tolerance
      for (std::size_t s = 0; s < errors.size(); ++s)
      {
        peaks.emplace_back(fragmentMz(peptide, s, b1) + errors[s] * 0.02, 1.0F);
      }
      Spectrum spectrum = makeSpectrum(peaks, massToCharge(peptide, 2));
      spectrum.fragment_tolerance = {0.02, ToleranceUnit::DA};
      const auto odd = featuresOf(spectrum, peptide);
      EXPECT_NEAR(odd.at("fragment_error_median"), 0.3, 1e-5);
      EXPECT_NEAR(odd.at("fragment_error_spread"), 0.2, 1e-5); // of 0.5, 0.2, 0, 0.1, 0.6
      spectrum.mz.pop_back();
      spectrum.intensity.pop_back();
      const auto even = featuresOf(spectrum, peptide);
      EXPECT_NEAR(even.at("fragment_error_median"), 0.2, 1e-5);
      EXPECT_NEAR(even.at("fragment_error_spread"), 0.15, 1e-5); // of 0.4, 0.1, 0.1, 0.2
    }

    TEST(PSMFeatures, MissedCleavagesFollowTrypsin)
    {
      const std::vector<std::pair<std::string, double>> cases = {
          {"PEPTIDEK", 0.0}, {"PEKTIDER", 1.0}, {"PEKPTIDER", 0.0}, {"RKAK", 2.0}, {"K", 0.0}, {"", 0.0}};
      for (const auto& [residues, expected] : cases)
      {
        EXPECT_EQ(featuresOf(makeSpectrum({{200.0, 1.0F}}), makePeptide(residues)).at("missed_cleavages"), expected)
            << residues;
      }
    }

    TEST(PSMFeatures, PrecursorErrorPicksTheIsotope)
    {
      const Peptide peptide = makePeptide("PEPTIDEPEPTIDEK");
      const double mass = monoisotopicMass(peptide);
      for (const int charge : {1, 2, 3, 5})
      {
        for (const int isotope : {-1, 0, 1, 2, 3})
        {
          const double measured = mass * (1.0 + 4e-6) + isotope * ISOTOPE_SPACING;
          const PrecursorError error = precursorError(measured / charge + PROTON_MASS, charge, peptide);
          EXPECT_EQ(error.isotope, isotope);
          EXPECT_NEAR(error.ppm, 4.0, 1e-5);
          EXPECT_NEAR(error.da, mass * 4e-6, 1e-8);
        }
      }
      EXPECT_EQ(precursorError((mass + 10.0) / 2 + PROTON_MASS, 2, peptide).isotope, 3);
      EXPECT_NEAR(precursorError((mass + 10.0) / 2 + PROTON_MASS, 2, peptide).da, 10.0 - 3 * ISOTOPE_SPACING, 1e-6);
      for (const double unknown : {0.0, -1.0, std::nan("")})
      {
        const PrecursorError error = precursorError(unknown, 2, peptide);
        EXPECT_EQ(error.ppm, 0.0);
        EXPECT_EQ(error.da, 0.0);
        EXPECT_EQ(error.isotope, 0);
      }
    }

    TEST(PSMFeatures, PrecursorErrorOfAMatchIsThatOfItsSpectrum)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      Spectrum spectrum = noiselessSpectrum(peptide, 2);
      spectrum.precursor_mz += (ISOTOPE_SPACING - 0.004) / 2;
      const auto features = featuresOf(spectrum, peptide);
      EXPECT_EQ(features.at("isotope_offset"), 1.0);
      EXPECT_NEAR(features.at("precursor_error_da"), -0.004, 1e-9);
      EXPECT_NEAR(features.at("precursor_error_ppm"), -0.004 / 799.35997 * 1e6, 1e-4);
      EXPECT_NEAR(features.at("absolute_precursor_error_ppm"), 0.004 / 799.35997 * 1e6, 1e-4);
    }

    TEST(PSMFeatures, AllAreFiniteForPoorInput)
    {
      Random random(71);
      std::vector<Spectrum> spectra = {makeSpectrum({}), makeSpectrum({}, 400.0, 1), makeSpectrum({{200.0, 1.0F}})};
      std::vector<Peptide> peptides = {makePeptide(""), makePeptide("K"), makePeptide(std::string(100, 'W'))};
      for (int i = 0; i < 20; ++i)
      {
        spectra.push_back(test::randomSpectrum(random.below(200), random));
        peptides.push_back(test::randomModifiedPeptide(random.below(40), random));
      }
      const MatchTable table = makeMatchTable(spectra, peptides);
      const std::vector<std::vector<double>> features = computeFeatures(table, {});
      ASSERT_EQ(features.size(), table.matches.size());
      for (const std::vector<double>& row : features)
      {
        ASSERT_EQ(row.size(), psmFeatures().size());
        EXPECT_TRUE(std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); }));
      }
    }

    TEST(PSMFeatures, RowsBelongToTheirMatchesInAnyOrder)
    {
      Random random(72);
      MatchTable table = makeMatchTable({test::randomSpectrum(100, random), test::randomSpectrum(100, random)},
                                        {makePeptide("PEPTIDEK"), makePeptide("ELVISK"), makePeptide("SAMPLER")});
      table.matches[2].charge = 4;
      const std::vector<std::vector<double>> features = computeFeatures(table, {});
      MatchTable reversed = table;
      std::reverse(reversed.matches.begin(), reversed.matches.end());
      std::vector<std::vector<double>> reversed_features = computeFeatures(reversed, {});
      std::reverse(reversed_features.begin(), reversed_features.end());
      EXPECT_EQ(features, reversed_features);
      EXPECT_TRUE(computeFeatures({}, {}).empty());
    }

    TEST(PSMFeatures, AnUnknownToleranceIsAnError)
    {
      Spectrum spectrum = makeSpectrum({{200.0, 1.0F}});
      spectrum.fragment_tolerance = {};
      test::expectError(ErrorKind::INVALID_INPUT, "tolerance", [&] { featuresOf(spectrum, makePeptide("AK")); });
    }
  }
}
