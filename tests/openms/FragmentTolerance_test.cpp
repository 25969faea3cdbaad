// SPDX-License-Identifier: BSD-3-Clause
#include <FragmentTolerance.h>

#include <support/Builders.h>

#include <gtest/gtest.h>

#include <numeric>

namespace psmformer
{
  namespace
  {
    /// Matches whose fragments have normal errors of the given size, half of them hidden, among noise peaks.
    MatchTable noisyTable(std::size_t n_matches, std::size_t n_true, double error)
    {
      Random random(5);
      MatchTable table;
      for (std::size_t m = 0; m < n_matches; ++m)
      {
        const Peptide peptide = makePeptide(test::randomResidues(14, random));
        Spectrum spectrum = test::noiselessSpectrum(peptide, 2);
        if (m >= n_true)
        {
          spectrum = test::randomSpectrum(60, random);
          spectrum.precursor_mz = massToCharge(peptide, 2);
        }
        for (std::size_t p = 0; p < spectrum.mz.size(); ++p)
        {
          spectrum.mz[p] += error * random.normal();
          spectrum.intensity[p] *= static_cast<float>(100.0 + 900.0 * random.uniform());
        }
        for (int noise = 0; noise < 30; ++noise)
        {
          spectrum.mz.push_back(150.0 + 1200.0 * random.uniform());
          spectrum.intensity.push_back(static_cast<float>(50.0 * random.uniform()));
        }
        table.spectra.push_back(spectrum);
        table.peptides.push_back(peptide);
        table.matches.push_back({m, m, 2, {m, 0}});
      }
      return table;
    }

    std::vector<std::size_t> allMatches(const MatchTable& table)
    {
      std::vector<std::size_t> matches(table.matches.size());
      std::iota(matches.begin(), matches.end(), std::size_t(0));
      return matches;
    }

    TEST(FragmentTolerance, EstimateFollowsTheErrorOfTheFragments)
    {
      for (const double error : {0.001, 0.005, 0.02, 0.1})
      {
        const MatchTable table = noisyTable(60, 60, error);
        const Tolerance tolerance = estimateFragmentTolerance(table, allMatches(table));
        EXPECT_EQ(tolerance.unit, ToleranceUnit::DA);
        EXPECT_GT(tolerance.value, 2.5 * error) << error;
        EXPECT_LT(tolerance.value, 4.5 * error) << error;
      }
    }

    TEST(FragmentTolerance, WrongMatchesDoNotWidenIt)
    {
      const MatchTable table = noisyTable(120, 40, 0.005);
      const Tolerance tolerance = estimateFragmentTolerance(table, allMatches(table));
      EXPECT_GT(tolerance.value, 0.010);
      EXPECT_LT(tolerance.value, 0.030);
    }

    TEST(FragmentTolerance, ChanceAloneGivesNoEstimate)
    {
      const MatchTable table = noisyTable(60, 0, 0.005);
      EXPECT_FALSE(estimateFragmentTolerance(table, allMatches(table)).known());
    }

    TEST(FragmentTolerance, FewMatchesGiveNoEstimate)
    {
      const MatchTable table = noisyTable(19, 19, 0.005);
      EXPECT_FALSE(estimateFragmentTolerance(table, allMatches(table)).known());
    }

    TEST(FragmentTolerance, SearchParametersAreUsedWhenPossible)
    {
      OpenMS::ProteinIdentification::SearchParameters parameters;
      parameters.fragment_mass_tolerance = 0.5025;
      parameters.fragment_mass_tolerance_ppm = false;
      EXPECT_EQ(searchedFragmentTolerance(parameters).value, 0.5025);
      parameters.fragment_mass_tolerance = 2.5;
      EXPECT_FALSE(searchedFragmentTolerance(parameters).known());
      parameters.fragment_mass_tolerance_ppm = true;
      EXPECT_EQ(searchedFragmentTolerance(parameters).unit, ToleranceUnit::PPM);
      parameters.fragment_mass_tolerance = 0.0;
      EXPECT_FALSE(searchedFragmentTolerance(parameters).known());
    }
  }
}
