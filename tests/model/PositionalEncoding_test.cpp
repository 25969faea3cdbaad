// SPDX-License-Identifier: BSD-3-Clause
#include "SinusoidNumbers.h"

#include "nn/PositionalEncoding.h"

#include "support/ExpectError.h"
#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::expectError;
    using test::someNumbers;
    using test::splitWavelengths;
    using test::tensorNear;

    constexpr double TWO_PI = 6.283185307179586;
    constexpr double MIN_MZ = 0.001;
    constexpr double MAX_MZ = 10000.0;

    at::Tensor numbers(const std::vector<double>& values)
    {
      return torch::tensor(values, torch::kFloat64);
    }

    /// The encoding once more, in plain loops.
    at::Tensor encodeInLoops(const std::vector<double>& values, std::int64_t width, double min_wavelength,
                             double max_wavelength)
    {
      const std::vector<double> wavelengths = splitWavelengths(width, min_wavelength, max_wavelength);
      std::vector<double> features;
      for (const double value : values)
      {
        for (std::int64_t i = 0; i < width; ++i)
        {
          const double phase = TWO_PI * value / wavelengths[static_cast<std::size_t>(i)];
          features.push_back(i < (width + 1) / 2 ? std::sin(phase) : std::cos(phase));
        }
      }
      return numbers(features).view({static_cast<std::int64_t>(values.size()), width});
    }

    TEST(SinusoidWavelengths, PinnedForFiveFeatures)
    {
      const std::vector<double> sines = sinusoidWavelengths(3, 0.1, 10.0);
      ASSERT_EQ(sines.size(), 3u);
      EXPECT_EQ(sines[0], 0.1);
      EXPECT_NEAR(sines[1], 1.0, 1e-15);
      EXPECT_EQ(sines[2], 10.0);
      EXPECT_EQ(sinusoidWavelengths(2, 0.1, 10.0), (std::vector<double>{0.1, 10.0}));
    }

    TEST(SinusoidWavelengths, ReachBothEndsExactlyAndAreGeometric)
    {
      for (const std::int64_t n : {2, 3, 7, 32, 33, 256})
      {
        const std::vector<double> wavelengths = sinusoidWavelengths(n, MIN_MZ, MAX_MZ);
        EXPECT_EQ(wavelengths.front(), MIN_MZ);
        EXPECT_EQ(wavelengths.back(), MAX_MZ);
        const double ratio = std::pow(MAX_MZ / MIN_MZ, 1.0 / static_cast<double>(n - 1));
        for (std::size_t i = 1; i < wavelengths.size(); ++i)
        {
          EXPECT_NEAR(wavelengths[i] / wavelengths[i - 1], ratio, 1e-12 * ratio) << "n " << n << ", i " << i;
        }
      }
    }

    TEST(SinusoidWavelengths, OneIsTheShortest)
    {
      EXPECT_EQ(sinusoidWavelengths(1, 0.1, 10.0), (std::vector<double>{0.1}));
    }

    TEST(EncodeSinusoidal, AgreesWithLoops)
    {
      const std::vector<double> values = {0.0, 0.0005, 57.02146, 500.25, 1234.56789, 4999.9};
      for (const std::int64_t width : {2, 3, 4, 5, 8, 33, 64})
      {
        EXPECT_TRUE(tensorNear(encodeSinusoidal(numbers(values), width, MIN_MZ, MAX_MZ),
                               encodeInLoops(values, width, MIN_MZ, MAX_MZ), 1e-7))
            << "D " << width;
      }
    }

    TEST(EncodeSinusoidal, FewFeatures)
    {
      const at::Tensor x = numbers({0.03, 2.5});
      const auto sine = [&](double wavelength)
      {
        return (TWO_PI / wavelength * x).sin();
      };
      const auto cosine = [&](double wavelength)
      {
        return (TWO_PI / wavelength * x).cos();
      };
      EXPECT_TRUE(tensorNear(encodeSinusoidal(x, 2, 0.1, 10.0), at::stack({sine(0.1), cosine(0.1)}, -1), 1e-12));
      EXPECT_TRUE(
          tensorNear(encodeSinusoidal(x, 3, 0.1, 10.0), at::stack({sine(0.1), sine(10.0), cosine(0.1)}, -1), 1e-12));
      EXPECT_TRUE(tensorNear(encodeSinusoidal(x, 4, 0.1, 10.0),
                             at::stack({sine(0.1), sine(10.0), cosine(0.1), cosine(10.0)}, -1), 1e-12));
      EXPECT_TRUE(tensorNear(encodeSinusoidal(x, 5, 0.1, 10.0),
                             at::stack({sine(0.1), sine(1.0), sine(10.0), cosine(0.1), cosine(10.0)}, -1), 1e-12));
    }

    TEST(EncodeSinusoidal, EveryFeatureRepeatsAfterItsWavelength)
    {
      const std::int64_t width = 9;
      const std::vector<double> wavelengths = splitWavelengths(width, 0.1, 10.0);
      const at::Tensor x = someNumbers(50) / 50.0;
      for (std::int64_t i = 0; i < width; ++i)
      {
        const double wavelength = wavelengths[static_cast<std::size_t>(i)];
        const auto feature = [&](const at::Tensor& at)
        {
          return encodeSinusoidal(at, width, 0.1, 10.0).select(1, i);
        };
        EXPECT_TRUE(tensorNear(feature(x + wavelength), feature(x), 1e-9)) << "feature " << i;
        EXPECT_TRUE(tensorNear(feature(x + wavelength / 2.0), -feature(x), 1e-9)) << "feature " << i;
      }
    }

    TEST(EncodeSinusoidal, KeepsTheShapeAndStaysInRange)
    {
      for (const std::int64_t width : {2, 3, 64, 65})
      {
        const at::Tensor encoded = encodeSinusoidal(someNumbers(60).view({3, 4, 5}), width, MIN_MZ, MAX_MZ);
        EXPECT_EQ(encoded.sizes(), at::IntArrayRef({3, 4, 5, width}));
        EXPECT_EQ(encoded.scalar_type(), torch::kFloat64);
        EXPECT_LE(encoded.abs().max().item<double>(), 1.0);
        EXPECT_TRUE(test::allFinite(encoded));
      }
      EXPECT_EQ(encodeSinusoidal(torch::zeros({2, 0}, torch::kFloat64), 6, MIN_MZ, MAX_MZ).sizes(),
                at::IntArrayRef({2, 0, 6}));
    }

    TEST(EncodeSinusoidal, AFloat32MzWouldMoveTheShortestWave)
    {
      const double exact = encodeSinusoidal(numbers({1234.56789}), 4, MIN_MZ, MAX_MZ)[0][0].item<double>();
      const double rounded =
          encodeSinusoidal(numbers({static_cast<double>(1234.56789f)}), 4, MIN_MZ, MAX_MZ)[0][0].item<double>();
      EXPECT_NEAR(exact, std::sin(TWO_PI * 0.89), 1e-6); // 1234.56789 / 0.001 = 1234567.89
      EXPECT_GT(std::abs(exact - rounded), 0.05);
    }

    TEST(EncodeSinusoidal, RefusesImpossibleNumbers)
    {
      const at::Tensor x = numbers({1.0});
      const double nan = std::numeric_limits<double>::quiet_NaN();
      expectError(ErrorKind::INVALID_MODEL, "at least 2 features", [&] { encodeSinusoidal(x, 1, 0.1, 10.0); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths", [&] { encodeSinusoidal(x, 4, 0.0, 10.0); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths", [&] { encodeSinusoidal(x, 4, -1.0, 10.0); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths", [&] { encodeSinusoidal(x, 4, 10.0, 10.0); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths", [&] { encodeSinusoidal(x, 4, 10.0, 0.1); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths", [&] { encodeSinusoidal(x, 4, nan, 10.0); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths", [&] { encodeSinusoidal(x, 4, 0.1, nan); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths",
                  [&] { encodeSinusoidal(x, 4, 0.1, std::numeric_limits<double>::infinity()); });
    }

    TEST(EncodeVaswani, AgreesWithTheFormula)
    {
      for (const std::int64_t width : {2, 5, 6})
      {
        std::vector<double> features;
        for (std::int64_t position = 0; position < 50; ++position)
        {
          for (std::int64_t feature = 0; feature < width; ++feature)
          {
            const double even = static_cast<double>(feature - feature % 2);
            const double phase = static_cast<double>(position) / std::pow(10000.0, even / static_cast<double>(width));
            features.push_back(feature % 2 == 0 ? std::sin(phase) : std::cos(phase));
          }
        }
        EXPECT_TRUE(tensorNear(encodeVaswani(50, width), numbers(features).view({50, width}), 1e-12)) << width;
      }
    }

    TEST(EncodeVaswani, StaysInRange)
    {
      for (const std::int64_t width : {2, 3, 64, 65})
      {
        const at::Tensor encoded = encodeVaswani(5000, width);
        EXPECT_EQ(encoded.sizes(), at::IntArrayRef({5000, width}));
        EXPECT_LE(encoded.abs().max().item<double>(), 1.0);
        EXPECT_TRUE(test::allFinite(encoded));
      }
      EXPECT_EQ(encodeVaswani(0, 4).sizes(), at::IntArrayRef({0, 4}));
      expectError(ErrorKind::INVALID_MODEL, "at least 2 features", [&] { encodeVaswani(10, 1); });
      expectError(ErrorKind::INVALID_INPUT, "-1 positions", [&] { encodeVaswani(-1, 4); });
    }

    PositionalEncoding make(OrdinalEncoding mode, std::int64_t width, std::int64_t max_length)
    {
      return PositionalEncoding(mode, width, max_length, TWO_PI, 10000.0 * TWO_PI);
    }

    TEST(PositionalEncoding, GivesTheMatrixOfItsMode)
    {
      for (const std::int64_t width : {6, 7})
      {
        EXPECT_TRUE(tensorNear(make(OrdinalEncoding::NONE, width, 9)->matrix(9), torch::zeros({9, width}), 0.0));
        EXPECT_TRUE(tensorNear(make(OrdinalEncoding::VASWANI, width, 9)->matrix(9), encodeVaswani(9, width), 1e-7));
        const at::Tensor waves = encodeSinusoidal(torch::arange(9, torch::kFloat64), width, TWO_PI, 10000.0 * TWO_PI);
        EXPECT_TRUE(tensorNear(make(OrdinalEncoding::WAVELENGTHS, width, 9)->matrix(9), waves, 1e-7));
      }
    }

    TEST(PositionalEncoding, LooksPositionsUpAndKeepsTheirShape)
    {
      PositionalEncoding encoding = make(OrdinalEncoding::VASWANI, 6, 20);
      const at::Tensor positions = torch::tensor({{3, 0, 19}, {7, 7, 1}}, torch::kInt64);
      const at::Tensor encoded = encoding->forward(positions);
      EXPECT_EQ(encoded.sizes(), at::IntArrayRef({2, 3, 6}));
      EXPECT_EQ(encoded.scalar_type(), torch::kFloat32);
      EXPECT_TRUE(tensorNear(encoded[0][2], encoding->matrix(20)[19], 0.0));
      EXPECT_TRUE(tensorNear(encoded[1][0], encoded[1][1], 0.0));
      EXPECT_EQ(encoding->forward(torch::zeros({2, 0}, torch::kInt64)).sizes(), at::IntArrayRef({2, 0, 6}));
      expectError(ErrorKind::INVALID_INPUT, "negative", [&] { encoding->forward(torch::tensor({-1}, torch::kInt64)); });
    }

    TEST(PositionalEncoding, GrowsOnDemand)
    {
      for (const OrdinalEncoding mode : {OrdinalEncoding::NONE, OrdinalEncoding::VASWANI, OrdinalEncoding::WAVELENGTHS})
      {
        PositionalEncoding encoding = make(mode, 6, 10);
        const at::Tensor before = encoding->matrix(10).clone();
        EXPECT_TRUE(tensorNear(encoding->matrix(300), make(mode, 6, 300)->matrix(300), 0.0));
        EXPECT_EQ(encoding->forward(torch::tensor({999}, torch::kInt64)).sizes(), at::IntArrayRef({1, 6}));
        EXPECT_TRUE(tensorNear(encoding->matrix(10), before, 0.0));
      }
    }

    TEST(PositionalEncoding, ATableGrownWhileScoringServesTraining)
    {
      PositionalEncoding encoding = make(OrdinalEncoding::VASWANI, 4, 2);
      {
        const c10::InferenceMode inference;
        encoding->matrix(30);
      }
      const at::Tensor x = torch::ones({30, 4}, torch::requires_grad());
      (x * encoding->matrix(30)).sum().backward();
      EXPECT_TRUE(tensorNear(x.grad(), encodeVaswani(30, 4), 1e-7));
    }

    TEST(PositionalEncoding, FollowsTheTypeOfItsParents)
    {
      PositionalEncoding encoding = make(OrdinalEncoding::VASWANI, 6, 40);
      torch::nn::ModuleList parent;
      parent->push_back(encoding);
      parent->to(torch::kFloat64);
      EXPECT_EQ(encoding->matrix(40).scalar_type(), torch::kFloat64);
      EXPECT_TRUE(tensorNear(encoding->matrix(40), encodeVaswani(40, 6), 0.0)); // not by way of float32
      parent->to(torch::Device(torch::kCPU), torch::kFloat32);
      EXPECT_EQ(encoding->matrix(50).scalar_type(), torch::kFloat32);
    }

    TEST(PositionalEncoding, StoresNoTable)
    {
      for (const OrdinalEncoding mode : {OrdinalEncoding::NONE, OrdinalEncoding::VASWANI, OrdinalEncoding::WAVELENGTHS})
      {
        EXPECT_TRUE(make(mode, 6, 10)->named_parameters().is_empty());
        EXPECT_TRUE(make(mode, 6, 10)->named_buffers().is_empty());
      }
    }

    TEST(PositionalEncoding, LearnsAParameterThatDoesNotGrow)
    {
      PositionalEncoding encoding = make(OrdinalEncoding::LEARNED, 6, 10);
      ASSERT_TRUE(encoding->named_parameters().contains("learned"));
      EXPECT_EQ(encoding->named_parameters()["learned"].sizes(), at::IntArrayRef({10, 6}));
      EXPECT_TRUE(tensorNear(encoding->matrix(4), encoding->named_parameters()["learned"].narrow(0, 0, 4), 0.0));
      expectError(ErrorKind::INVALID_INPUT, "learned 10 positions", [&] { encoding->matrix(11); });
      expectError(ErrorKind::INVALID_INPUT, "learned 10 positions",
                  [&] { encoding->forward(torch::tensor({10}, torch::kInt64)); });
    }

    TEST(PositionalEncoding, RefusesWavesShorterThanTwoPositions)
    {
      expectError(ErrorKind::INVALID_MODEL, "wavelengths",
                  [&] { PositionalEncoding(OrdinalEncoding::WAVELENGTHS, 6, 10, 1.9, 100.0); });
      expectError(ErrorKind::INVALID_MODEL, "wavelengths",
                  [&] { PositionalEncoding(OrdinalEncoding::WAVELENGTHS, 6, 10, 2.0, 2.0); });
      expectError(ErrorKind::INVALID_MODEL, "at least one position",
                  [&] { PositionalEncoding(OrdinalEncoding::VASWANI, 6, 0, 2.0, 100.0); });
    }

    TEST(MakePositionalEncoding, TakesItsNumbersFromTheManifest)
    {
      Architecture architecture;
      architecture.d_model = 8;
      architecture.min_position_wavelength = 4.0;
      architecture.max_position_wavelength = 64.0;
      const at::Tensor expected = encodeSinusoidal(torch::arange(5, torch::kFloat64), 8, 4.0, 64.0);
      EXPECT_TRUE(
          tensorNear(makePositionalEncoding(OrdinalEncoding::WAVELENGTHS, architecture, 5)->matrix(5), expected, 1e-7));
    }
  }
}
