// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/IonEvidence.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::makeSpectrum;
    using testing::Each;
    using testing::ElementsAre;

    const IonChannel B1{IonType::B, 1};
    const IonChannel Y1{IonType::Y, 1};

    PreprocessedSpectrum prepared(const Spectrum& spectrum, int charge = 2)
    {
      PreprocessingParameters parameters;
      parameters.precursor_removal = 0.0;
      return preprocess(spectrum, charge, parameters);
    }

    TEST(IonChannel, NamesAreReadBack)
    {
      for (const char* name : {"b1", "y1", "c2", "z3", "b1-loss", "y2-loss", "a1", "y1-H2O", "b2-NH3", "y1+1"})
      {
        EXPECT_EQ(parseIonChannel(name).name(), name);
      }
      EXPECT_EQ(parseIonChannel("y2-loss").type, IonType::Y);
      EXPECT_EQ(parseIonChannel("y2-loss").charge, 2);
      EXPECT_EQ(parseIonChannel("y2-loss").form, IonForm::MODIFICATION_LOSS);
      for (const char* name :
           {"", "b", "b0", "x1", "b1+", "b1+2", "b1-H2", "b1-", "B1", "b1 ", "b10", "b-1", "b1-lossy"})
      {
        expectError(ErrorKind::INVALID_INPUT, "'" + std::string(name) + "'", [&] { parseIonChannel(name); });
      }
    }

    TEST(FragmentMz, SeriesOfPeptideAreTheKnownOnes)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const std::vector<double> b = {98.0600, 227.1026, 324.1554, 425.2031, 538.2871, 653.3141};
      const std::vector<double> y = {703.3145, 574.2719, 477.2191, 376.1714, 263.0874, 148.0604};
      for (std::size_t s = 0; s < 6; ++s)
      {
        EXPECT_NEAR(fragmentMz(peptide, s, B1), b[s], 1e-4);
        EXPECT_NEAR(fragmentMz(peptide, s, Y1), y[s], 1e-4);
      }
      EXPECT_NEAR(fragmentMz(peptide, 1, parseIonChannel("b2")), (227.10263 + 1.00728) / 2, 1e-4);
      EXPECT_NEAR(fragmentMz(peptide, 1, parseIonChannel("c1")), 227.10263 + 17.02655, 1e-4);
      EXPECT_NEAR(fragmentMz(peptide, 5, parseIonChannel("z1")), 148.06043 - 17.02655 + 1.00783, 1e-4);
      expectError(ErrorKind::INVALID_INPUT, "no cleavage site 6", [&] { fragmentMz(peptide, 6, B1); });
      expectError(ErrorKind::INVALID_INPUT, "no cleavage site 0", [] { fragmentMz(makePeptide(""), 0, B1); });
    }

    TEST(FragmentMz, ComplementaryIonsAddUpToThePeptide)
    {
      Random random(21);
      for (int round = 0; round < 50; ++round)
      {
        const Peptide peptide = test::randomModifiedPeptide(2 + random.below(30), random);
        for (std::size_t s = 0; s + 1 < peptide.length(); ++s)
        {
          const double b = fragmentMz(peptide, s, B1) - PROTON_MASS;
          const double y = fragmentMz(peptide, s, Y1) - PROTON_MASS;
          EXPECT_NEAR(b + y, monoisotopicMass(peptide), 1e-9);
          const double c = fragmentMz(peptide, s, parseIonChannel("c1")) - PROTON_MASS;
          const double z = fragmentMz(peptide, s, parseIonChannel("z1")) - PROTON_MASS;
          EXPECT_NEAR(c + z, monoisotopicMass(peptide) + HYDROGEN_MASS, 1e-9);
        }
      }
    }

    TEST(FragmentMz, FormsLieAtTheirDistances)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      for (const int charge : {1, 2})
      {
        const auto distance = [&](IonType type, IonForm form)
        {
          return charge * (fragmentMz(peptide, 2, {type, charge, form}) - fragmentMz(peptide, 2, {type, charge}));
        };
        EXPECT_NEAR(distance(IonType::B, IonForm::ISOTOPE), 1.003355, 1e-6);
        EXPECT_NEAR(distance(IonType::Y, IonForm::WATER_LOSS), -18.010565, 1e-6);
        EXPECT_NEAR(distance(IonType::Y, IonForm::AMMONIA_LOSS), -17.026549, 1e-6);
      }
      // a2 of PEPTIDE by the tables: b2 227.1026 less CO 27.9949
      EXPECT_NEAR(fragmentMz(peptide, 1, parseIonChannel("a1")), 199.1077, 1e-4);
    }

    TEST(FragmentMz, TakesTheLargestSingleLossOfTheFragment)
    {
      Peptide peptide = makePeptide("ASTMK");
      peptide.modification_mass = {0.0, 79.966331, 0.0, 15.994915, 0.0};
      peptide.neutral_loss = {0.0, 97.976896, 0.0, 63.998285, 0.0};
      const IonChannel b_loss = parseIonChannel("b1-loss");
      const IonChannel y2_loss = parseIonChannel("y2-loss");
      EXPECT_TRUE(std::isnan(fragmentMz(peptide, 0, b_loss)));
      EXPECT_NEAR(fragmentMz(peptide, 1, b_loss), fragmentMz(peptide, 1, B1) - 97.976896, 1e-9);
      EXPECT_NEAR(fragmentMz(peptide, 3, b_loss), fragmentMz(peptide, 3, B1) - 97.976896, 1e-9);
      EXPECT_NEAR(fragmentMz(peptide, 2, y2_loss), (fragmentMz(peptide, 2, Y1) + PROTON_MASS - 63.998285) / 2, 1e-9);
      EXPECT_TRUE(std::isnan(fragmentMz(peptide, 3, y2_loss)));
    }

    TEST(MatchIons, FindsExactlyTheFragmentsThatFragmentMzGives)
    {
      const std::vector<IonChannel> all =
          parseIonChannels({"b1", "b2", "b3", "y1", "y2", "y3", "b1-loss", "y1-loss", "y2-loss", "c1", "c2", "z1", "z2",
                            "a1", "b1-H2O", "y2-NH3", "y1+1"});
      Random random(22);
      for (int round = 0; round < 200; ++round)
      {
        const Peptide peptide = test::randomModifiedPeptide(1 + random.below(40), random);
        Spectrum spectrum = test::noiselessSpectrum(peptide, 4, {"b1", "y1", "y2", "b1-loss", "c1", "z2"});
        spectrum.activation = Activation::ETHCD;
        const PreprocessedSpectrum peaks = prepared(spectrum, 4);
        const IonEvidence evidence = matchIons(peaks, peptide, all, 150);
        ASSERT_EQ(evidence.n_sites, peptide.length() - 1);
        ASSERT_EQ(evidence.n_channels, all.size());
        for (std::size_t s = 0; s < evidence.n_sites; ++s)
        {
          for (std::size_t c = 0; c < all.size(); ++c)
          {
            const double mz = fragmentMz(peptide, s, all[c]);
            const bool expected =
                std::any_of(peaks.mz.begin(), peaks.mz.end(),
                            [&](double peak) { return std::abs(peak - mz) < mz * 20e-6 * (1.0 - 1e-6); });
            const int peak = evidence.peak[s * all.size() + c];
            ASSERT_EQ(peak >= 0, expected) << all[c].name() << " at site " << s << " of " << peptide.residues;
            if (peak >= 0)
            {
              const float* values = &evidence.values[(s * all.size() + c) * IonEvidence::VALUES_PER_CHANNEL];
              ASSERT_NEAR(values[3], (peaks.mz[static_cast<std::size_t>(peak)] - mz) / (mz * 20e-6), 1e-5);
            }
          }
        }
      }
    }

    TEST(MatchIons, WritesTheFourValuesOfAMatch)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const double b2 = fragmentMz(peptide, 1, B1);
      Spectrum spectrum = makeSpectrum({{b2 + 0.01, 25.0F}, {600.0, 100.0F}});
      spectrum.fragment_tolerance = {0.02, ToleranceUnit::DA};
      const IonEvidence evidence = matchIons(prepared(spectrum), peptide, {B1, Y1}, 120);
      const std::size_t cell = 1 * 2 + 0;
      EXPECT_EQ(evidence.peak[cell], 0);
      EXPECT_FLOAT_EQ(evidence.values[cell * 4 + 0], 1.0F);
      EXPECT_FLOAT_EQ(evidence.values[cell * 4 + 1], 0.5F);
      EXPECT_NEAR(evidence.values[cell * 4 + 2], 1.0 - std::log(2.0) / std::log(121.0), 1e-6);
      EXPECT_NEAR(evidence.values[cell * 4 + 3], 0.5, 1e-5);
      EXPECT_EQ(std::count(evidence.peak.begin(), evidence.peak.end(), -1), 11);
      EXPECT_EQ(std::count(evidence.values.begin(), evidence.values.end(), 0.0F), 44);
      // explained 0.5 of 1.5, 1 peak of 2, 2 peaks, the same in the top 10 and 25, 1 ion of 12
      ASSERT_EQ(evidence.summary.size(), IonEvidence::SUMMARY_VALUES);
      EXPECT_NEAR(evidence.summary[0], 1.0 / 3.0, 1e-6);
      EXPECT_NEAR(evidence.summary[1], 0.5, 1e-6);
      EXPECT_NEAR(evidence.summary[2], std::log10(3.0) / 3.0, 1e-6);
      EXPECT_NEAR(evidence.summary[3], 1.0 / 3.0, 1e-6);
      EXPECT_NEAR(evidence.summary[4], 1.0 / 3.0, 1e-6);
      EXPECT_NEAR(evidence.summary[5], 1.0 / 12.0, 1e-6);
    }

    TEST(MatchIons, TopSharesLookAtTheMostIntensePeaksOnly)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      test::Peaks peaks = {{fragmentMz(peptide, 1, B1), 1.0F}, {fragmentMz(peptide, 2, B1), 100.0F}};
      for (int i = 0; i < 9; ++i)
      {
        peaks.emplace_back(700.5 + i, 100.0F);
      }
      const IonEvidence evidence = matchIons(prepared(makeSpectrum(peaks)), peptide, {B1}, 120);
      EXPECT_NEAR(evidence.summary[3], 0.1, 1e-6);        // 1 of 10
      EXPECT_NEAR(evidence.summary[4], 1.1 / 10.1, 1e-6); // all 11 peaks
    }

    TEST(MatchIons, TakesTheMostIntensePeakOfTheWindowAndTheNearerOnTies)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const double b2 = fragmentMz(peptide, 1, B1);
      const auto matched = [&](const test::Peaks& peaks)
      {
        Spectrum spectrum = makeSpectrum(peaks);
        spectrum.fragment_tolerance = {0.5, ToleranceUnit::DA};
        return matchIons(prepared(spectrum), peptide, {B1}, 120).peak[1];
      };
      EXPECT_EQ(matched({{b2 - 0.4, 1.0F}, {b2 + 0.01, 1.0F}, {b2 + 0.3, 7.0F}}), 2);
      EXPECT_EQ(matched({{b2 - 0.4, 7.0F}, {b2 + 0.01, 1.0F}, {b2 + 0.3, 7.0F}}), 2);
      EXPECT_EQ(matched({{b2 - 0.2, 7.0F}, {b2 + 0.01, 1.0F}, {b2 + 0.3, 7.0F}}), 0);
      EXPECT_EQ(matched({{b2 - 0.51, 7.0F}, {b2 + 0.01, 1.0F}, {b2 + 0.51, 7.0F}}), 1);
      EXPECT_EQ(matched({{b2 - 0.51, 7.0F}, {b2 + 0.51, 7.0F}}), -1);
    }

    TEST(MatchIons, MultiplyChargedFragmentsNeedAHigherPrecursorCharge)
    {
      const Peptide peptide = makePeptide("PEPTIDEK");
      const Spectrum spectrum = test::noiselessSpectrum(peptide, 3, {"y2"});
      const std::vector<IonChannel> y2 = parseIonChannels({"y2"});
      EXPECT_THAT(matchIons(prepared(spectrum, 1), peptide, y2, 120).peak, Each(-1));
      EXPECT_THAT(matchIons(prepared(spectrum, 2), peptide, y2, 120).peak, Each(-1));
      EXPECT_THAT(matchIons(prepared(spectrum, 3), peptide, y2, 120).peak, ElementsAre(6, 5, 4, 3, 2, 1, 0));
    }

    TEST(MatchIons, ElectronTransferIonsAreLookedForInElectronTransferSpectra)
    {
      const Peptide peptide = makePeptide("PEPTIDEK");
      Spectrum spectrum = test::noiselessSpectrum(peptide, 2, {"b1", "c1", "z1"});
      const std::vector<IonChannel> all = parseIonChannels({"b1", "y1", "c1", "z1"});
      const auto countMatched = [&](Activation activation, std::size_t channel)
      {
        spectrum.activation = activation;
        const IonEvidence evidence = matchIons(prepared(spectrum), peptide, all, 120);
        int n = 0;
        for (std::size_t s = 0; s < evidence.n_sites; ++s)
        {
          n += evidence.peak[s * 4 + channel] >= 0 ? 1 : 0;
        }
        return n;
      };
      for (const Activation activation : {Activation::HCD, Activation::CID, Activation::UNKNOWN})
      {
        EXPECT_EQ(countMatched(activation, 0), 7);
        EXPECT_EQ(countMatched(activation, 2), 0);
        EXPECT_EQ(countMatched(activation, 3), 0);
      }
      for (const Activation activation : {Activation::ETD, Activation::ETHCD})
      {
        EXPECT_EQ(countMatched(activation, 0), 7);
        EXPECT_EQ(countMatched(activation, 2), 7);
        EXPECT_EQ(countMatched(activation, 3), 7);
      }
      spectrum.activation = Activation::ETD;
      EXPECT_FLOAT_EQ(matchIons(prepared(spectrum), peptide, all, 120).summary[5], 1.0F);
      spectrum.activation = Activation::HCD;
      EXPECT_FLOAT_EQ(matchIons(prepared(spectrum), peptide, all, 120).summary[5], 0.5F);
    }

    TEST(MatchIons, EmptySpectraAndShortPeptidesGiveFiniteNumbers)
    {
      const std::vector<IonChannel> ions = parseIonChannels({"b1", "y1", "b1-loss"});
      const IonEvidence empty = matchIons(prepared(makeSpectrum({})), makePeptide("PEPTIDE"), ions, 120);
      EXPECT_THAT(empty.summary, ElementsAre(0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F));
      EXPECT_THAT(empty.values, Each(0.0F));
      for (const char* residues : {"", "K"})
      {
        const IonEvidence evidence = matchIons(prepared(makeSpectrum({{200.0, 1.0F}})), makePeptide(residues), ions, 1);
        EXPECT_EQ(evidence.n_sites, 0U);
        EXPECT_TRUE(evidence.values.empty());
        EXPECT_EQ(evidence.summary[0], 0.0F);
        EXPECT_EQ(evidence.summary[5], 0.0F);
      }
      const IonEvidence no_channel = matchIons(prepared(makeSpectrum({{200.0, 1.0F}})), makePeptide("PEK"), {}, 120);
      EXPECT_EQ(no_channel.summary[5], 0.0F);
    }

    TEST(MatchIons, MassShiftsBeyondTheFragmentGiveNoIon)
    {
      Peptide peptide = makePeptide("AAAK");
      peptide.modification_mass[0] = -300.0;
      const IonEvidence evidence = matchIons(prepared(makeSpectrum({{200.0, 1.0F}})), peptide, {B1}, 120);
      EXPECT_THAT(evidence.peak, Each(-1));

      // An m/z just below zero has peaks within its tolerance, but is none.
      peptide.modification_mass[0] = -*residueMass('A') - PROTON_MASS - 0.1;
      Spectrum spectrum = makeSpectrum({{0.2, 1.0F}});
      spectrum.fragment_tolerance = {0.5, ToleranceUnit::DA};
      PreprocessingParameters parameters;
      parameters.min_mz = 0.0;
      EXPECT_THAT(matchIons(preprocess(spectrum, 2, parameters), peptide, {B1}, 120).peak, Each(-1));
    }

    TEST(MatchIons, ValuesStayInTheirRanges)
    {
      const std::vector<IonChannel> ions = parseIonChannels({"b1", "b2", "y1", "y2", "b1-loss", "y1-loss", "c1", "z1"});
      Random random(23);
      for (int round = 0; round < 200; ++round)
      {
        Spectrum spectrum = test::randomSpectrum(random.below(400), random);
        spectrum.fragment_tolerance = {0.5, ToleranceUnit::DA};
        const Peptide peptide = test::randomModifiedPeptide(1 + random.below(50), random);
        const IonEvidence evidence = matchIons(preprocess(spectrum, 3, {}), peptide, ions, 120);
        for (std::size_t i = 0; i < evidence.values.size(); ++i)
        {
          ASSERT_LE(std::abs(evidence.values[i]), 1.0F);
          ASSERT_TRUE(i % 4 == 3 || evidence.values[i] >= 0.0F);
        }
        for (const float value : evidence.summary)
        {
          ASSERT_GE(value, 0.0F);
          ASSERT_LE(value, 1.0F);
        }
      }
    }

    TEST(MatchIons, UnknownToleranceIsAnError)
    {
      Spectrum spectrum = makeSpectrum({{200.0, 1.0F}});
      spectrum.fragment_tolerance = {};
      expectError(ErrorKind::INVALID_INPUT, "tolerance",
                  [&] { matchIons(prepared(spectrum), makePeptide("PEPTIDE"), {B1}, 120); });
    }
  }
}
