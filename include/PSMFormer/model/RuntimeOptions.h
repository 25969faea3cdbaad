// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace psmformer
{
  /// What changes speed and memory but, within the promised tolerances, no score.
  struct RuntimeOptions
  {
    std::string device = "auto";      ///< auto, cpu, cuda or cuda:N; auto falls back to the CPU and says so
    int threads = 1;                  ///< >= 1
    std::size_t batch_tokens = 16384; ///< BatchLimits::max_tokens
    std::uint64_t seed = 1;
  };
}
