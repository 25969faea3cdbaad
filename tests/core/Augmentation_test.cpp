// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/Augmentation.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::makeSpectrum;
    using testing::DoubleNear;
    using testing::ElementsAre;
    using testing::Pointwise;

    Augmentation nothing()
    {
      return {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 10};
    }

    double sum(const std::vector<float>& values)
    {
      return std::accumulate(values.begin(), values.end(), 0.0);
    }

    double explainedShare(const Spectrum& spectrum, const Peptide& peptide, const std::vector<IonChannel>& ions)
    {
      PreprocessingParameters parameters;
      parameters.precursor_removal = 0.0;
      parameters.max_peaks = 1000;
      parameters.max_mz = 1e5;
      parameters.min_mz = 0.0;
      return matchIons(preprocess(spectrum, 2, parameters), peptide, ions, 1000).summary.front();
    }

    TEST(RelocatePeaks, MovesANoiselessSpectrumToThatOfThePermutedPeptide)
    {
      Random random(61);
      const std::vector<IonChannel> ions = parseIonChannels({"b1", "y1"});
      for (int round = 0; round < 100; ++round)
      {
        const Peptide peptide = makePeptide(test::randomResidues(6 + random.below(15), random));
        const std::optional<Peptide> permuted = shuffleResidues(peptide, random);
        if (!permuted)
        {
          continue;
        }
        Spectrum spectrum = test::noiselessSpectrum(peptide, 2);
        spectrum.fragment_tolerance = {1e-4, ToleranceUnit::DA};
        const RelocatedMatch moved = relocatePeaks(spectrum, peptide, *permuted, 2, ions);
        EXPECT_EQ(moved.peptide.residues, permuted->residues);
        EXPECT_EQ(moved.spectrum.precursor_mz, spectrum.precursor_mz);
        EXPECT_TRUE(std::is_sorted(moved.spectrum.mz.begin(), moved.spectrum.mz.end()));
        EXPECT_EQ(moved.spectrum.mz.size(), spectrum.mz.size());
        EXPECT_NEAR(sum(moved.spectrum.intensity), sum(spectrum.intensity), 1e-3);
        // Two ions may have one m/z in one of the two peptides; then a peak has one place to go to.
        EXPECT_GT(explainedShare(moved.spectrum, *permuted, ions), 0.99) << peptide.residues;
      }
    }

    TEST(RelocatePeaks, KeepsIntensityErrorAndUnexplainedPeaks)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const Peptide permuted = makePeptide("PDITPEE");
      const IonChannel b1;
      Spectrum spectrum = makeSpectrum(
          {{333.333, 4.0F}, {fragmentMz(peptide, 1, b1) * (1 + 5e-6), 7.0F}, {fragmentMz(peptide, 3, b1), 9.0F}});
      const RelocatedMatch moved = relocatePeaks(spectrum, peptide, permuted, 2, {b1});
      const std::vector<double> expected = {fragmentMz(permuted, 1, b1) * (1 + 5e-6), 333.333,
                                            fragmentMz(permuted, 3, b1)};
      EXPECT_THAT(moved.spectrum.mz, Pointwise(DoubleNear(1e-7), expected));
      EXPECT_THAT(moved.spectrum.intensity, ElementsAre(7.0F, 4.0F, 9.0F));
      EXPECT_EQ(moved.spectrum.native_id, "scan=1");
    }

    TEST(RelocatePeaks, ErrorsInDaltonStayErrorsInDalton)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const Peptide permuted = makePeptide("PDITPEE");
      const IonChannel b1;
      Spectrum spectrum = makeSpectrum({{fragmentMz(peptide, 1, b1) - 0.3, 1.0F}});
      spectrum.fragment_tolerance = {0.5, ToleranceUnit::DA};
      EXPECT_NEAR(relocatePeaks(spectrum, peptide, permuted, 2, {b1}).spectrum.mz[0], fragmentMz(permuted, 1, b1) - 0.3,
                  1e-9);
    }

    TEST(RelocatePeaks, APeakThatTwoIonsExplainGoesWithTheNearer)
    {
      // K is modified such that y1 lies 0.006 Th above b2; y1 stays where it is in the permuted peptide, b2 does not.
      const IonChannel b1{IonType::B, 1};
      const IonChannel y1{IonType::Y, 1};
      Peptide peptide = makePeptide("AGSK");
      peptide.modification_mass[3] = fragmentMz(peptide, 1, b1) - fragmentMz(peptide, 2, y1) + 0.006;
      const Peptide permuted = *reverseResidues(peptide);
      const double b2 = fragmentMz(peptide, 1, b1);
      const auto movedTo = [&](double mz)
      {
        Spectrum spectrum = makeSpectrum({{mz, 1.0F}});
        spectrum.fragment_tolerance = {0.02, ToleranceUnit::DA};
        return relocatePeaks(spectrum, peptide, permuted, 2, {b1, y1}).spectrum.mz[0];
      };
      EXPECT_NEAR(movedTo(b2 + 0.001), fragmentMz(permuted, 1, b1) + 0.001, 1e-9);
      EXPECT_NEAR(movedTo(b2 + 0.005), b2 + 0.005, 1e-9);
    }

    TEST(RelocatePeaks, IonsThatThePermutedPeptideLacksLeaveTheirPeak)
    {
      Peptide peptide = makePeptide("ASDK");
      peptide.modification_mass[1] = 79.966331;
      peptide.neutral_loss[1] = 97.976896;
      const Peptide permuted = *reverseResidues(peptide);
      const std::vector<IonChannel> b_loss = parseIonChannels({"b1-loss"});
      const double kept = fragmentMz(peptide, 1, b_loss[0]);
      const Spectrum spectrum = makeSpectrum({{kept, 1.0F}, {fragmentMz(peptide, 2, b_loss[0]), 1.0F}});
      const RelocatedMatch moved = relocatePeaks(spectrum, peptide, permuted, 2, b_loss);
      EXPECT_NEAR(moved.spectrum.mz[0], kept, 1e-9);
    }

    TEST(RelocatePeaks, UnsortedAndEmptySpectraAreFine)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      const Peptide permuted = makePeptide("PDITPEE");
      const IonChannel b1;
      const Spectrum unsorted = makeSpectrum({{fragmentMz(peptide, 3, b1), 9.0F}, {fragmentMz(peptide, 1, b1), 7.0F}});
      EXPECT_THAT(relocatePeaks(unsorted, peptide, permuted, 2, {b1}).spectrum.intensity, ElementsAre(7.0F, 9.0F));
      EXPECT_TRUE(relocatePeaks(makeSpectrum({}), peptide, permuted, 2, {b1}).spectrum.mz.empty());
      expectError(ErrorKind::INVALID_INPUT, "no permutation",
                  [&] { relocatePeaks(unsorted, peptide, makePeptide("PEP"), 2, {b1}); });
    }

    /// The peptide PEPTIDE with its ion b4 2+, the isotopes of this ion, its losses and a peak that is none of these.
    struct Accompanied
    {
      Peptide peptide = makePeptide("PEPTIDE");
      Peptide permuted = makePeptide("PDITPEE");
      IonChannel b2{IonType::B, 2};
      double ion = fragmentMz(peptide, 3, b2);
      std::vector<double> companions = {ion + 1.0033548 / 2, ion + 2.0067097 / 2, ion - 17.026549 / 2,
                                        ion - 18.010565 / 2, ion - 27.994915 / 2};

      Spectrum spectrum() const
      {
        Spectrum made = makeSpectrum({{ion, 9.0F}, {555.0, 5.0F}});
        for (const double mz : companions)
        {
          made.mz.push_back(mz);
          made.intensity.push_back(2.0F);
        }
        return made;
      }
    };

    TEST(RelocatePeaks, IsotopesAndLossesMoveWithTheirIon)
    {
      const Accompanied a;
      const RelocatedMatch moved = relocatePeaks(a.spectrum(), a.peptide, a.permuted, 3, {a.b2});
      const double shift = fragmentMz(a.permuted, 3, a.b2) - a.ion;
      std::vector<double> expected = {a.ion + shift, 555.0};
      for (const double mz : a.companions)
      {
        expected.push_back(mz + shift);
      }
      std::sort(expected.begin(), expected.end());
      EXPECT_GT(std::abs(shift), 1.0);
      EXPECT_THAT(moved.spectrum.mz, Pointwise(DoubleNear(1e-3), expected));
    }

    TEST(WithoutExplainedPeaks, LeavesWhatIsNoIonNoIsotopeAndNoLoss)
    {
      const Accompanied a;
      const Spectrum left = withoutExplainedPeaks(a.spectrum(), a.peptide, 3, {a.b2});
      EXPECT_THAT(left.mz, ElementsAre(555.0));
      EXPECT_THAT(left.intensity, ElementsAre(5.0F));
      EXPECT_EQ(withoutExplainedPeaks(a.spectrum(), makePeptide("GGGG"), 3, {a.b2}).mz.size(), 7U);
      EXPECT_TRUE(withoutExplainedPeaks(makeSpectrum({}), a.peptide, 3, {a.b2}).mz.empty());
    }

    TEST(Augment, WithAllOffChangesNothing)
    {
      Random random(62);
      Spectrum spectrum = test::randomSpectrum(50, random);
      std::sort(spectrum.mz.begin(), spectrum.mz.end());
      const Spectrum result = augment(spectrum, test::randomSpectrum(50, random), nothing(), random);
      EXPECT_EQ(result.mz, spectrum.mz);
      EXPECT_EQ(result.intensity, spectrum.intensity);
      EXPECT_EQ(result.precursor_mz, spectrum.precursor_mz);
    }

    TEST(Augment, DropsTheAskedShareOfPeaks)
    {
      Random random(63);
      Augmentation augmentation = nothing();
      augmentation.peak_dropout = 0.3;
      const Spectrum spectrum = test::randomSpectrum(10000, random);
      EXPECT_NEAR(static_cast<double>(augment(spectrum, {}, augmentation, random).mz.size()), 7000.0, 250.0);
    }

    TEST(Augment, JitterHasTheAskedWidths)
    {
      Random random(64);
      const Spectrum spectrum = makeSpectrum(test::Peaks(10000, {1000.0, 50.0F})); // tolerance: 0.02 Th
      Augmentation augmentation = nothing();
      augmentation.intensity_jitter = 0.2;
      augmentation.mz_jitter = 0.5;
      const Spectrum result = augment(spectrum, {}, augmentation, random);
      double mz_squares = 0.0;
      double log_squares = 0.0;
      for (std::size_t i = 0; i < result.mz.size(); ++i)
      {
        mz_squares += std::pow((result.mz[i] - 1000.0) / 0.02, 2);
        log_squares += std::pow(std::log(result.intensity[i] / 50.0), 2);
      }
      EXPECT_NEAR(std::sqrt(mz_squares / 10000), 0.5, 0.02);
      EXPECT_NEAR(std::sqrt(log_squares / 10000), 0.2, 0.008);
      EXPECT_TRUE(std::is_sorted(result.mz.begin(), result.mz.end()));
    }

    TEST(Augment, OffsetIsCommonToTheSpectrum)
    {
      Random random(65);
      const Spectrum spectrum = makeSpectrum({{500.0, 1.0F}, {1000.0, 1.0F}});
      Augmentation augmentation = nothing();
      augmentation.mz_offset = 1.0;
      double squares = 0.0;
      for (int round = 0; round < 2000; ++round)
      {
        const Spectrum result = augment(spectrum, {}, augmentation, random);
        const double first = (result.mz[0] - 500.0) / 0.01; // 20 ppm of 500
        EXPECT_NEAR(first, (result.mz[1] - 1000.0) / 0.02, 1e-6);
        squares += first * first;
      }
      EXPECT_NEAR(std::sqrt(squares / 2000), 1.0, 0.08);
    }

    TEST(Augment, BorrowsPeaksScaledToTheMedian)
    {
      Random random(66);
      const Spectrum spectrum = makeSpectrum(test::Peaks(100, {500.0, 10.0F}));
      test::Peaks noise_peaks;
      for (int i = 0; i < 50; ++i)
      {
        noise_peaks.emplace_back(600.0 + i, 1e6F);
      }
      Augmentation augmentation = nothing();
      augmentation.noise_peaks = 0.2;
      const Spectrum result = augment(spectrum, makeSpectrum(noise_peaks), augmentation, random);
      ASSERT_EQ(result.mz.size(), 120U);
      EXPECT_THAT(result.intensity, testing::Each(10.0F));
      const std::vector<double> borrowed(result.mz.begin() + 100, result.mz.end());
      EXPECT_EQ(std::adjacent_find(borrowed.begin(), borrowed.end()), borrowed.end()); // each peak at most once
      EXPECT_GE(borrowed.front(), 600.0);

      augmentation.noise_peaks = 5.0; // more than there are
      EXPECT_EQ(augment(spectrum, makeSpectrum(noise_peaks), augmentation, random).mz.size(), 150U);
      EXPECT_EQ(augment(spectrum, makeSpectrum({}), augmentation, random).mz.size(), 100U);
      EXPECT_EQ(augment(spectrum, makeSpectrum({{1.0, 0.0F}}), augmentation, random).mz.size(), 100U);
      EXPECT_TRUE(augment(makeSpectrum({}), makeSpectrum(noise_peaks), augmentation, random).mz.empty());
    }

    TEST(Augment, TheSameRandomStateGivesTheSameSpectrum)
    {
      Random random(67);
      const Spectrum spectrum = test::randomSpectrum(100, random);
      const Spectrum noise = test::randomSpectrum(100, random);
      Random a(5);
      Random b(5);
      Random c(6);
      const std::vector<double> mz = augment(spectrum, noise, {}, a).mz;
      EXPECT_EQ(mz, augment(spectrum, noise, {}, b).mz);
      EXPECT_NE(mz, augment(spectrum, noise, {}, c).mz);
    }

    TEST(Augment, HidesTheActivationOfTheStatedShare)
    {
      Random random(69);
      Spectrum spectrum = makeSpectrum({{500.0, 1.0F}});
      spectrum.activation = Activation::HCD;
      Augmentation augmentation = nothing();
      augmentation.hidden_activation = 0.25;
      int hidden = 0;
      for (int round = 0; round < 2000; ++round)
      {
        hidden += augment(spectrum, {}, augmentation, random).activation == Activation::UNKNOWN ? 1 : 0;
      }
      EXPECT_NEAR(hidden / 2000.0, 0.25, 0.03);
    }

    TEST(Augment, ThinnedSpectraKeepTheirMostIntensePeaks)
    {
      Spectrum spectrum = makeSpectrum({});
      for (int i = 0; i < 200; ++i)
      {
        spectrum.mz.push_back(100.0 + i);
        spectrum.intensity.push_back(static_cast<float>(1 + (i * 37) % 200)); // each from 1 to 200 once
      }
      Augmentation thinned = nothing();
      thinned.thinned_share = 0.5;
      thinned.thinned_to = 20;
      Random random(62);
      std::size_t n_thinned = 0;
      std::size_t n_below_63 = 0; // the geometric mean of 20 and 200
      for (int round = 0; round < 1000; ++round)
      {
        const Spectrum kept = augment(spectrum, spectrum, thinned, random);
        EXPECT_GE(kept.mz.size(), 20U);
        EXPECT_TRUE(std::is_sorted(kept.mz.begin(), kept.mz.end()));
        EXPECT_EQ(*std::min_element(kept.intensity.begin(), kept.intensity.end()),
                  201.0F - static_cast<float>(kept.mz.size()));
        n_thinned += kept.mz.size() < 200 ? 1 : 0;
        n_below_63 += kept.mz.size() < 63 ? 1 : 0;
      }
      EXPECT_NEAR(static_cast<double>(n_thinned), 500.0, 60.0);
      EXPECT_NEAR(static_cast<double>(n_below_63), 250.0, 50.0);
    }

    TEST(Augment, RefusesToDropAllPeaks)
    {
      Random random(68);
      Augmentation augmentation;
      augmentation.peak_dropout = 1.0;
      expectError(ErrorKind::INVALID_INPUT, "below 1", [&] { augment({}, {}, augmentation, random); });
    }
  }
}
