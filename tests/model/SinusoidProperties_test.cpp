// SPDX-License-Identifier: BSD-3-Clause
// What the sinusoids are chosen for: the forms they supersede, and that a shift is one linear map.
#include "SinusoidNumbers.h"

#include "nn/PositionalEncoding.h"

#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::someNumbers;
    using test::splitWavelengths;
    using test::tensorNear;

    constexpr double TWO_PI = 6.283185307179586;
    constexpr double MIN_MZ = 0.001;
    constexpr double MAX_MZ = 10000.0;

    /// What a form encodes with, in the order of its features.
    struct Wavelengths
    {
      std::vector<double> sines;
      std::vector<double> cosines;
    };

    /// Yilmaz et al. 2022, "De novo mass spectrometry peptide sequencing with a transformer model" (ICML, PMLR 162):
    /// sin and cos of m / (min / (2 pi) (max / min)^(2i / D)), sines for i <= D / 2, cosines above.
    Wavelengths icml2022(std::int64_t width, double min_wavelength, double max_wavelength)
    {
      Wavelengths wavelengths;
      for (std::int64_t i = 0; i < width; ++i)
      {
        const double exponent = 2.0 * static_cast<double>(i) / static_cast<double>(width);
        (2 * i <= width ? wavelengths.sines : wavelengths.cosines)
            .push_back(min_wavelength * std::pow(max_wavelength / min_wavelength, exponent));
      }
      return wavelengths;
    }

    /// depthcharge, commit dcf2a83 (May 2021), MzEncoder: sin and cos of 1000 m exp(-2i ln(2e6) / (D - 1)), where 1000
    /// is 1 / min and 2e6 is max / min.
    Wavelengths firstDepthcharge(std::int64_t width, double min_wavelength, double max_wavelength)
    {
      Wavelengths wavelengths;
      const std::int64_t d = width - 1;
      const auto wavelength = [&](std::int64_t i)
      {
        const double exponent = 2.0 * static_cast<double>(i) / static_cast<double>(d);
        return TWO_PI * min_wavelength * std::pow(max_wavelength / min_wavelength, exponent);
      };
      for (std::int64_t i = 0; i < d / 2; ++i)
      {
        wavelengths.sines.push_back(wavelength(i));
      }
      for (std::int64_t i = 0; i < d - d / 2; ++i)
      {
        wavelengths.cosines.push_back(wavelength(i));
      }
      return wavelengths;
    }

    /// depthcharge, commit 5246ef8 until pull request 28, MassEncoder: exponents i / (n - 1), with floor(D / 2) sines.
    Wavelengths massEncoder(std::int64_t width, double min_wavelength, double max_wavelength)
    {
      const auto geometric = [&](std::int64_t n)
      {
        std::vector<double> wavelengths;
        for (std::int64_t i = 0; i < n; ++i)
        {
          const double exponent = static_cast<double>(i) / static_cast<double>(n - 1);
          wavelengths.push_back(min_wavelength * std::pow(max_wavelength / min_wavelength, exponent));
        }
        return wavelengths;
      };
      return {geometric(width / 2), geometric(width - width / 2)};
    }

    /// depthcharge, pull request 28 (March 2023) as first described: with d = D - 1, exponents 2i / d for sines
    /// (i <= d / 2) and 2i / d - 1 for cosines (i > d / 2).
    Wavelengths pullRequest28First(std::int64_t width, double min_wavelength, double max_wavelength)
    {
      Wavelengths wavelengths;
      const std::int64_t d = width - 1;
      for (std::int64_t i = 0; i <= d; ++i)
      {
        const bool is_sine = 2 * i <= d;
        const double exponent = 2.0 * static_cast<double>(i) / static_cast<double>(d) - (is_sine ? 0.0 : 1.0);
        (is_sine ? wavelengths.sines : wavelengths.cosines)
            .push_back(min_wavelength * std::pow(max_wavelength / min_wavelength, exponent));
      }
      return wavelengths;
    }

    TEST(SupersededForms, Icml2022HasCosinesFarBeyondTheLongestWavelength)
    {
      for (const std::int64_t width : {4, 5, 64, 65})
      {
        const Wavelengths form = icml2022(width, MIN_MZ, MAX_MZ);
        EXPECT_GT(form.cosines.front(), 1.0001 * MAX_MZ) << "D " << width;
        EXPECT_GT(form.cosines.back(), 100.0 * MAX_MZ) << "D " << width;
      }
      EXPECT_LT(icml2022(5, 0.1, 10.0).sines.back(), 0.9 * 10.0); // odd D: the sines end too early as well
    }

    TEST(SupersededForms, TheFirstDepthchargeCodeMissesBothEnds)
    {
      for (const std::int64_t width : {6, 7, 64, 65})
      {
        const Wavelengths form = firstDepthcharge(width, 0.001, 2000.0);
        EXPECT_GT(form.sines.front(), 6.0 * 0.001) << "D " << width;
        EXPECT_GT(form.cosines.front(), 6.0 * 0.001) << "D " << width;
        for (const double last : {form.sines.back(), form.cosines.back()})
        {
          EXPECT_GT(std::abs(last / 2000.0 - 1.0), 0.1) << "D " << width;
        }
        EXPECT_EQ(form.sines.size() + form.cosines.size(), static_cast<std::size_t>(width - 1)); // one feature short
      }
    }

    TEST(SupersededForms, TheMassEncoderDividesByZeroForFewFeatures)
    {
      EXPECT_TRUE(std::isnan(massEncoder(2, 0.1, 10.0).sines.front()));
      EXPECT_TRUE(std::isnan(massEncoder(3, 0.1, 10.0).sines.front()));
      // From D = 4 on its wavelengths are those asked for; an odd feature is a cosine there and a sine here.
      EXPECT_EQ(massEncoder(5, 0.1, 10.0).sines.size(), 2u);
      EXPECT_EQ(massEncoder(5, 0.1, 10.0).cosines.size(), 3u);
    }

    TEST(SupersededForms, PullRequest28FirstMissesTheShortestCosineForOddWidths)
    {
      for (const std::int64_t width : {5, 7, 65})
      {
        const Wavelengths form = pullRequest28First(width, 0.1, 10.0);
        EXPECT_NEAR(form.sines.front(), 0.1, 1e-12);
        EXPECT_NEAR(form.sines.back(), 10.0, 1e-9);
        EXPECT_NEAR(form.cosines.back(), 10.0, 1e-9);
        EXPECT_GT(form.cosines.front(), 1.05 * 0.1) << "D " << width;
      }
    }

    TEST(SupersededForms, PullRequest28FirstMissesBothEndsAndEveryPairForEvenWidths)
    {
      for (const std::int64_t width : {4, 6, 64})
      {
        const Wavelengths form = pullRequest28First(width, 0.1, 10.0);
        EXPECT_GT(form.cosines.front(), 1.05 * 0.1) << "D " << width;
        EXPECT_LT(form.sines.back(), 10.0 / 1.05) << "D " << width;
        for (const double sine : form.sines)
        {
          for (const double cosine : form.cosines)
          {
            EXPECT_GT(std::abs(sine / cosine - 1.0), 0.01) << "D " << width;
          }
        }
      }
    }

    /// A sine and a cosine feature of equal wavelength.
    struct Pair
    {
      std::int64_t sine;
      std::int64_t cosine;
      double wavelength;
    };

    /// The matrix that turns enc(x) into enc(x + shift) on the features of the pairs; other rows stay 0.
    at::Tensor shiftMatrix(std::int64_t width, const std::vector<Pair>& pairs, double shift)
    {
      at::Tensor matrix = torch::zeros({width, width}, torch::kFloat64);
      for (const Pair& pair : pairs)
      {
        const double angle = TWO_PI * shift / pair.wavelength;
        matrix[pair.sine][pair.sine] = std::cos(angle);
        matrix[pair.sine][pair.cosine] = std::sin(angle);
        matrix[pair.cosine][pair.sine] = -std::sin(angle);
        matrix[pair.cosine][pair.cosine] = std::cos(angle);
      }
      return matrix;
    }

    /// Sines and cosines of equal wavelength in the split layout.
    std::vector<Pair> splitPairs(std::int64_t width, double min_wavelength, double max_wavelength)
    {
      const std::vector<double> wavelengths = splitWavelengths(width, min_wavelength, max_wavelength);
      const std::int64_t n_sines = (width + 1) / 2;
      std::vector<Pair> pairs;
      for (std::int64_t i = 0; i < n_sines; ++i)
      {
        for (std::int64_t j = n_sines; j < width; ++j)
        {
          if (wavelengths[static_cast<std::size_t>(i)] == wavelengths[static_cast<std::size_t>(j)])
          {
            pairs.push_back({i, j, wavelengths[static_cast<std::size_t>(i)]});
          }
        }
      }
      return pairs;
    }

    std::vector<Pair> vaswaniPairs(std::int64_t width)
    {
      std::vector<Pair> pairs;
      for (std::int64_t even = 0; even + 1 < width; even += 2)
      {
        const double exponent = static_cast<double>(even) / static_cast<double>(width);
        pairs.push_back({even, even + 1, TWO_PI * std::pow(10000.0, exponent)});
      }
      return pairs;
    }

    /// Asserts enc(x + k) = T_k enc(x) on the features of the pairs.
    void expectShifted(const at::Tensor& shifted, const at::Tensor& encoded, const std::vector<Pair>& pairs,
                       double shift)
    {
      const at::Tensor predicted = encoded.matmul(shiftMatrix(encoded.size(1), pairs, shift).t());
      for (const Pair& pair : pairs)
      {
        EXPECT_TRUE(tensorNear(predicted.select(1, pair.sine), shifted.select(1, pair.sine), 1e-6)) << shift;
        EXPECT_TRUE(tensorNear(predicted.select(1, pair.cosine), shifted.select(1, pair.cosine), 1e-6)) << shift;
      }
    }

    /// Features of enc(x + shift) that no matrix makes out of enc(x): those with a residue after least squares.
    std::vector<std::int64_t> unreachableFeatures(const at::Tensor& encoded, const at::Tensor& shifted)
    {
      const at::Tensor solution = std::get<0>(at::linalg_lstsq(encoded, shifted, c10::nullopt, "gelsd"));
      const at::Tensor residue = (encoded.matmul(solution) - shifted).abs().amax(0);
      std::vector<std::int64_t> features;
      for (std::int64_t i = 0; i < residue.size(0); ++i)
      {
        if (residue[i].item<double>() > 1e-3)
        {
          features.push_back(i);
        }
      }
      return features;
    }

    TEST(RelativeShift, IsOneMatrixForTheSplitLayout)
    {
      const at::Tensor x = someNumbers(300);
      for (const auto& [shortest, longest] :
           {std::pair{MIN_MZ, MAX_MZ}, std::pair{TWO_PI, 10000.0 * TWO_PI}, std::pair{2.0, 500.0}})
      {
        for (const std::int64_t width : {2, 3, 4, 5, 7, 64, 65})
        {
          const std::vector<Pair> pairs = splitPairs(width, shortest, longest);
          const std::size_t expected = width % 2 == 0 ? static_cast<std::size_t>(width / 2) : width == 3 ? 1u : 2u;
          ASSERT_EQ(pairs.size(), expected) << "D " << width;
          for (const double shift : {-200.0, -57.02146, -1.0, 0.0, 0.37, 18.0, 200.0})
          {
            expectShifted(encodeSinusoidal(x + shift, width, shortest, longest),
                          encodeSinusoidal(x, width, shortest, longest), pairs, shift);
          }
        }
      }
    }

    TEST(RelativeShift, OddWidthsPairOnlyTheEndWavelengths)
    {
      EXPECT_EQ(splitPairs(3, 3.0, 300.0).front().wavelength, 3.0);
      for (const std::int64_t width : {5, 7, 65})
      {
        const std::vector<Pair> pairs = splitPairs(width, 3.0, 300.0);
        ASSERT_EQ(pairs.size(), 2u);
        EXPECT_EQ(pairs[0].wavelength, 3.0);
        EXPECT_EQ(pairs[1].wavelength, 300.0);
      }
    }

    TEST(RelativeShift, NoMatrixExistsForFeaturesWithoutAPartner)
    {
      const at::Tensor x = someNumbers(500);
      const auto unreachable = [&](std::int64_t width)
      {
        return unreachableFeatures(encodeSinusoidal(x, width, 3.0, 300.0),
                                   encodeSinusoidal(x + 1.3, width, 3.0, 300.0));
      };
      EXPECT_EQ(unreachable(2), std::vector<std::int64_t>{});
      EXPECT_EQ(unreachable(3), (std::vector<std::int64_t>{1}));
      EXPECT_EQ(unreachable(4), std::vector<std::int64_t>{});
      EXPECT_EQ(unreachable(5), (std::vector<std::int64_t>{1}));
      EXPECT_EQ(unreachable(7), (std::vector<std::int64_t>{1, 2, 5}));
      EXPECT_EQ(unreachable(8), std::vector<std::int64_t>{});
    }

    TEST(RelativeShift, IsOneMatrixForVaswaniWithoutAnOddLastFeature)
    {
      for (const std::int64_t width : {2, 3, 8, 9, 64, 65})
      {
        const at::Tensor table = encodeVaswani(5201, width);
        for (const std::int64_t shift : {-200, -1, 0, 1, 17, 200})
        {
          const std::int64_t first = std::max<std::int64_t>(0, -shift);
          const std::int64_t length = 5001 - first;
          expectShifted(table.narrow(0, first + shift, length), table.narrow(0, first, length), vaswaniPairs(width),
                        static_cast<double>(shift));
        }
      }
      const at::Tensor odd = encodeVaswani(600, 5);
      EXPECT_EQ(unreachableFeatures(odd.narrow(0, 0, 500), odd.narrow(0, 40, 500)), (std::vector<std::int64_t>{4}));
      const at::Tensor even = encodeVaswani(600, 6);
      EXPECT_EQ(unreachableFeatures(even.narrow(0, 0, 500), even.narrow(0, 40, 500)), std::vector<std::int64_t>{});
    }
  }
}
