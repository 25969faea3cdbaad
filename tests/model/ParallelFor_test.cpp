// SPDX-License-Identifier: BSD-3-Clause
#include "ParallelFor.h"

#include <gtest/gtest.h>

#include <ATen/Parallel.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace psmformer
{
  namespace
  {
    TEST(ParallelFor, CallsEachIndexOnce)
    {
      for (const int threads : {1, 2, 5})
      {
        std::vector<std::atomic<int>> calls(100);
        parallelFor(calls.size(), threads, [&](std::size_t i) { ++calls[i]; });
        for (const auto& count : calls)
        {
          EXPECT_EQ(count, 1) << threads;
        }
      }
    }

    TEST(ParallelFor, ThrowsTheFailureOfTheLowestIndex)
    {
      for (const int threads : {1, 2, 5})
      {
        for (int repetition = 0; repetition < 50; ++repetition)
        {
          try
          {
            parallelFor(100, threads,
                        [](std::size_t i)
                        {
                          if (i >= 13)
                          {
                            throw std::runtime_error(std::to_string(i));
                          }
                        });
            FAIL() << "nothing was thrown";
          }
          catch (const std::runtime_error& error)
          {
            EXPECT_STREQ(error.what(), "13") << threads;
          }
        }
      }
    }

    TEST(ParallelFor, LibTorchComputesWithOneThreadInside)
    {
      std::vector<char> inside(4);
      parallelFor(inside.size(), 2, [&](std::size_t i) { inside[i] = at::in_parallel_region() ? 1 : 0; });
      EXPECT_EQ(inside, std::vector<char>(4, 1));
    }
  }
}
