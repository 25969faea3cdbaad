// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"

#include <PSMFormer/core/Random.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace psmformer
{
  namespace
  {
    TEST(Random, GivesThePublishedNumbersOfSplitMix64)
    {
      // First outputs for the seed 1234567, as listed with the reference implementation.
      Random random(1234567);
      EXPECT_EQ(random.next(), 6457827717110365317ULL);
      EXPECT_EQ(random.next(), 3203168211198807973ULL);
      EXPECT_EQ(random.next(), 9817491932198370423ULL);
      EXPECT_EQ(random.next(), 4593380528125082431ULL);
      EXPECT_EQ(random.next(), 16408922859458223821ULL);
    }

    TEST(Random, UniformFillsTheUnitIntervalEvenly)
    {
      Random random(1);
      std::vector<int> bins(10, 0);
      for (int i = 0; i < 100000; ++i)
      {
        const double u = random.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        ++bins[static_cast<std::size_t>(u * 10.0)];
      }
      for (const int bin : bins)
      {
        EXPECT_NEAR(bin, 10000, 500); // 5 standard deviations
      }
    }

    TEST(Random, BelowReachesEveryNumberEquallyOften)
    {
      Random random(2);
      std::vector<int> counts(7, 0);
      for (int i = 0; i < 70000; ++i)
      {
        ++counts.at(random.below(7));
      }
      for (const int count : counts)
      {
        EXPECT_NEAR(count, 10000, 500);
      }
      EXPECT_EQ(random.below(1), 0U);
      test::expectError(ErrorKind::INTERNAL, "at least one", [&] { random.below(0); });
    }

    TEST(Random, BelowIsEvenForBoundsThatDoNotDivideTheRange)
    {
      // A plain remainder would give the lowest third of these numbers half of the time.
      static_assert(sizeof(std::size_t) == 8);
      const std::size_t third = std::size_t(1) << 62;
      Random random(5);
      int n_lowest = 0;
      for (int i = 0; i < 30000; ++i)
      {
        n_lowest += random.below(3 * third) < third ? 1 : 0;
      }
      EXPECT_NEAR(n_lowest, 10000, 500);
    }

    TEST(Random, NormalHasMeanZeroAndDeviationOne)
    {
      Random random(3);
      double sum = 0.0;
      double squares = 0.0;
      int beyond_two = 0;
      const int n = 100000;
      for (int i = 0; i < n; ++i)
      {
        const double x = random.normal();
        ASSERT_TRUE(std::isfinite(x));
        sum += x;
        squares += x * x;
        beyond_two += std::abs(x) > 2.0 ? 1 : 0;
      }
      EXPECT_NEAR(sum / n, 0.0, 0.02);
      EXPECT_NEAR(squares / n, 1.0, 0.03);
      EXPECT_NEAR(beyond_two / double(n), 0.0455, 0.005);
    }

    TEST(Random, ShuffleKeepsItemsAndReachesAllOrders)
    {
      Random random(4);
      std::set<std::vector<int>> orders;
      for (int i = 0; i < 500; ++i)
      {
        std::vector<int> items = {1, 2, 3, 4};
        random.shuffle(items);
        orders.insert(items);
        std::sort(items.begin(), items.end());
        ASSERT_EQ(items, (std::vector<int>{1, 2, 3, 4}));
      }
      EXPECT_EQ(orders.size(), 24U);
    }

    TEST(Random, ItemsHaveStreamsOfTheirOwn)
    {
      std::set<std::uint64_t> seen;
      for (std::uint64_t seed = 0; seed < 5; ++seed)
      {
        for (std::uint64_t epoch = 0; epoch < 5; ++epoch)
        {
          for (std::uint64_t index = 0; index < 50; ++index)
          {
            Random random = Random::forItem(seed, epoch, index);
            for (int i = 0; i < 4; ++i) // an overlap of neighbouring streams would repeat numbers
            {
              EXPECT_TRUE(seen.insert(random.next()).second);
            }
          }
        }
      }
      EXPECT_EQ(Random::forItem(1, 2, 3).next(), Random::forItem(1, 2, 3).next());
    }
  }
}
