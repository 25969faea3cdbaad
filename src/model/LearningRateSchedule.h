// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace psmformer
{
  /// Linear warm-up, then a cosine down to 1 % of the largest rate (Loshchilov & Hutter 2017, arXiv:1608.03983, without
  /// restarts).
  struct LearningRateSchedule
  {
    double largest = 1e-3;
    double warmup_share = 0.1; ///< of all steps, [0, 1]
    std::size_t n_steps = 1;   ///< >= 1

    /// The rate of step `step`, 0 to n_steps - 1; later steps keep the last rate.
    double rate(std::size_t step) const;
  };
}
