// SPDX-License-Identifier: BSD-3-Clause
#include <Histogram.h>

#include <PSMFormer/core/Random.h>

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

namespace psmformer
{
  namespace
  {
    using ::testing::ElementsAre;

    bool isRound(double width)
    {
      const double factor = width / std::pow(10.0, std::floor(std::log10(width) + 1e-9));
      return std::abs(factor - 1.0) < 1e-9 || std::abs(factor - 2.0) < 1e-9 || std::abs(factor - 5.0) < 1e-9;
    }
  }

  TEST(Histogram, BinsAreFewRoundAndHoldAllValues)
  {
    Random random(1);
    for (int repetition = 0; repetition < 200; ++repetition)
    {
      const double scale = std::pow(10.0, -4.0 + 8.0 * random.uniform());
      std::vector<double> values;
      for (int k = 0; k < 100; ++k)
      {
        values.push_back(scale * (random.normal() + 3.0 * random.uniform()));
      }
      const Bins bins = chooseBins(values, 60, 0.0);
      EXPECT_LE(bins.count, 60u);
      EXPECT_GE(bins.count, 20u) << "no more than 2.5 times too wide";
      EXPECT_TRUE(isRound(bins.width)) << bins.width;
      const BinCounts counts = countInBins(values, bins);
      EXPECT_EQ(counts.outside, 0u);
      EXPECT_EQ(std::accumulate(counts.counts.begin(), counts.counts.end(), std::size_t(0)), 100u);
    }
  }

  TEST(Histogram, LeftBordersBelongToTheirBin)
  {
    const BinCounts counts = countInBins({-1.0, -0.5, 0.0, 0.0, 0.49, 1.0, 1.5, -1.01}, {-1.0, 0.5, 5});
    EXPECT_THAT(counts.counts, ElementsAre(1, 1, 3, 0, 1));
    EXPECT_EQ(counts.outside, 2u);
  }

  TEST(Histogram, FarValuesAreOutside)
  {
    std::vector<double> values(1000, 0.0);
    std::iota(values.begin(), values.end(), 0.0);
    values.push_back(1e9);
    const Bins bins = chooseBins(values, 60, 0.01);
    EXPECT_LT(bins.low + bins.width * static_cast<double>(bins.count), 1100.0);
    EXPECT_GE(countInBins(values, bins).outside, 1u);
  }

  TEST(Histogram, SymmetricBinsHaveABorderAtZero)
  {
    const Bins bins = chooseSymmetricBins({-3.2, 1.0, 7.9}, 50, 0.0);
    EXPECT_EQ(bins.count % 2, 0u);
    EXPECT_DOUBLE_EQ(bins.low, -static_cast<double>(bins.count / 2) * bins.width);
    EXPECT_EQ(countInBins({-7.9, -3.2, 1.0, 7.9}, bins).outside, 0u);
  }

  TEST(Histogram, NoValuesAndEqualValues)
  {
    EXPECT_EQ(chooseBins({}, 60, 0.0).count, 1u);
    EXPECT_EQ(countInBins({2.5, 2.5}, chooseBins({2.5, 2.5}, 60, 0.0)).outside, 0u);
    EXPECT_EQ(countInBins({0.0}, chooseSymmetricBins({0.0}, 50, 0.0)).outside, 0u);
    EXPECT_TRUE(std::isnan(lowerMedian({})));
    EXPECT_EQ(lowerMedian({4.0, 1.0, 3.0, 2.0}), 2.0);
  }
}
