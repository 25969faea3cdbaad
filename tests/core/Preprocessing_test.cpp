// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Preprocessing.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::makeSpectrum;
    using testing::ElementsAre;

    PreprocessingParameters parametersWithoutRemoval()
    {
      PreprocessingParameters parameters;
      parameters.precursor_removal = 0.0;
      return parameters;
    }

    TEST(Preprocessing, SortsScalesAndRanksPeaks)
    {
      const Spectrum spectrum = makeSpectrum({{300.0, 25.0F}, {100.0, 100.0F}, {200.0, 1.0F}}, 500.0, 2);
      const PreprocessedSpectrum result = preprocess(spectrum, 2, parametersWithoutRemoval());
      EXPECT_THAT(result.mz, ElementsAre(100.0, 200.0, 300.0));
      EXPECT_THAT(result.intensity, ElementsAre(1.0F, 0.1F, 0.5F));
      EXPECT_THAT(result.rank, ElementsAre(1, 3, 2));
      EXPECT_NEAR(result.precursor_mass, 2 * (500.0 - PROTON_MASS), 1e-9);
      EXPECT_EQ(result.charge, 2);
      EXPECT_EQ(result.activation, Activation::HCD);
      EXPECT_EQ(result.fragment_tolerance.value, 20.0);
    }

    TEST(Preprocessing, KeepsPeaksOnTheEdgesOfTheRangeOnly)
    {
      PreprocessingParameters parameters = parametersWithoutRemoval();
      parameters.min_mz = 100.0;
      parameters.max_mz = 200.0;
      const Spectrum spectrum =
          makeSpectrum({{99.999, 1.0F}, {100.0, 1.0F}, {150.0, 0.0F}, {200.0, 1.0F}, {200.001, 1.0F}});
      EXPECT_THAT(preprocess(spectrum, 2, parameters).mz, ElementsAre(100.0, 200.0));
    }

    TEST(Preprocessing, EqualIntensitiesAtTheCutAreDecidedByMz)
    {
      PreprocessingParameters parameters = parametersWithoutRemoval();
      parameters.max_peaks = 2;
      const Spectrum spectrum = makeSpectrum({{400.0, 5.0F}, {300.0, 5.0F}, {200.0, 9.0F}, {100.0, 5.0F}});
      const PreprocessedSpectrum result = preprocess(spectrum, 2, parameters);
      EXPECT_THAT(result.mz, ElementsAre(100.0, 200.0));
      EXPECT_THAT(result.rank, ElementsAre(2, 1));
    }

    TEST(Preprocessing, DropsThePrecursorAndItsChargeReducedForms)
    {
      const double mass = 1497.0;
      const double z3 = mass / 3 + PROTON_MASS;
      const double z2 = mass / 2 + PROTON_MASS;
      const double z1 = mass + PROTON_MASS;
      Spectrum spectrum = makeSpectrum({{z3 - 1.51, 1.0F},
                                        {z3 - 1.49, 1.0F},
                                        {z3, 9.0F},
                                        {z3 + 1.49, 1.0F},
                                        {z2, 9.0F},
                                        {z2 + 1.6, 2.0F},
                                        {z1, 1.0F}},
                                       z3, 3);
      EXPECT_THAT(preprocess(spectrum, 3, {}).mz, ElementsAre(z3 - 1.51, z2 + 1.6));
      EXPECT_THAT(preprocess(spectrum, 3, parametersWithoutRemoval()).mz.size(), 7U);

      // With another charge the same m/z is another mass, and other forms are dropped.
      EXPECT_THAT(preprocess(spectrum, 1, {}).mz, ElementsAre(z3 - 1.51, z2, z2 + 1.6, z1));
    }

    TEST(Preprocessing, DropsFormsThatTookUpElectronsInEtdOnly)
    {
      const double mass = 1497.0;
      const double radical = mass + 3 * PROTON_MASS; // [M+3H]+ after taking up two electrons
      Spectrum spectrum = makeSpectrum({{radical, 1.0F}}, mass / 3 + PROTON_MASS, 3);
      EXPECT_EQ(preprocess(spectrum, 3, {}).mz.size(), 1U);
      spectrum.activation = Activation::ETD;
      EXPECT_EQ(preprocess(spectrum, 3, {}).mz.size(), 0U);
    }

    TEST(Preprocessing, UnknownPrecursorRemovesNothing)
    {
      const PreprocessedSpectrum result = preprocess(makeSpectrum({{1.2, 1.0F}, {60.0, 1.0F}}, 0.0, 0), 2, {});
      EXPECT_THAT(result.mz, ElementsAre(60.0));
      EXPECT_EQ(result.precursor_mass, 0.0);
    }

    TEST(Preprocessing, ASpectrumMayEndUpEmpty)
    {
      EXPECT_TRUE(preprocess(makeSpectrum({}, 500.0), 2, {}).mz.empty());
      EXPECT_TRUE(preprocess(makeSpectrum({{300.0, 0.0F}}, 500.0), 2, {}).mz.empty());
      EXPECT_TRUE(preprocess(makeSpectrum({{500.2, 3.0F}}, 500.0), 2, {}).mz.empty());
    }

    TEST(Preprocessing, InputOrderChangesNothing)
    {
      Random random(11);
      for (int round = 0; round < 100; ++round)
      {
        Spectrum spectrum = test::randomSpectrum(random.below(250), random);
        for (std::size_t i = 0; i < spectrum.mz.size(); ++i)
        {
          spectrum.intensity[i] = static_cast<float>(random.below(20)); // many ties, some zeros
          spectrum.mz[i] = std::round(spectrum.mz[i] * 2.0) / 2.0;      // some peaks at one m/z
        }
        std::vector<std::size_t> order(spectrum.mz.size());
        for (std::size_t i = 0; i < order.size(); ++i)
        {
          order[i] = i;
        }
        random.shuffle(order);
        Spectrum permuted = spectrum;
        for (std::size_t i = 0; i < order.size(); ++i)
        {
          permuted.mz[i] = spectrum.mz[order[i]];
          permuted.intensity[i] = spectrum.intensity[order[i]];
        }
        const PreprocessedSpectrum a = preprocess(spectrum, 2, {});
        const PreprocessedSpectrum b = preprocess(permuted, 2, {});
        ASSERT_EQ(a.mz, b.mz);
        ASSERT_EQ(a.intensity, b.intensity);
        ASSERT_EQ(a.rank, b.rank);
      }
    }

    TEST(Preprocessing, KeepsWhatItPromisesOnRandomSpectra)
    {
      Random random(12);
      for (int round = 0; round < 100; ++round)
      {
        const Spectrum spectrum = test::randomSpectrum(1 + random.below(300), random);
        PreprocessingParameters parameters;
        parameters.max_peaks = 1 + random.below(150);
        const PreprocessedSpectrum result = preprocess(spectrum, 2, parameters);
        ASSERT_LE(result.mz.size(), parameters.max_peaks);
        ASSERT_TRUE(std::is_sorted(result.mz.begin(), result.mz.end()));
        if (result.mz.empty())
        {
          continue;
        }
        ASSERT_EQ(*std::max_element(result.intensity.begin(), result.intensity.end()), 1.0F);
        std::vector<int> ranks = result.rank;
        std::sort(ranks.begin(), ranks.end());
        for (std::size_t i = 0; i < ranks.size(); ++i)
        {
          ASSERT_EQ(ranks[i], static_cast<int>(i) + 1);
        }
        for (std::size_t i = 0; i < result.mz.size(); ++i)
        {
          for (std::size_t j = 0; j < result.mz.size(); ++j)
          {
            ASSERT_TRUE(result.rank[i] >= result.rank[j] || result.intensity[i] >= result.intensity[j]);
          }
        }
      }
    }

    TEST(Preprocessing, DamagedPeaksAreErrorsThatNameTheSpectrum)
    {
      Spectrum spectrum = makeSpectrum({{100.0, 1.0F}, {200.0, 1.0F}}, 500.0);
      const auto run = [&]
      {
        preprocess(spectrum, 2, {});
      };
      spectrum.intensity.pop_back();
      expectError(ErrorKind::INVALID_INPUT, "scan=1", run);
      spectrum.intensity = {1.0F, -1.0F};
      expectError(ErrorKind::INVALID_INPUT, "peak 1", run);
      spectrum.intensity = {1.0F, std::numeric_limits<float>::quiet_NaN()};
      expectError(ErrorKind::INVALID_INPUT, "peak 1", run);
      spectrum.intensity = {1.0F, 1.0F};
      spectrum.mz[0] = std::numeric_limits<double>::infinity();
      expectError(ErrorKind::INVALID_INPUT, "peak 0", run);
      spectrum.mz[0] = -1.0;
      expectError(ErrorKind::INVALID_INPUT, "peak 0", run);
    }
  }
}
