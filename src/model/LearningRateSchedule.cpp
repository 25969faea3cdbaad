// SPDX-License-Identifier: BSD-3-Clause
#include "LearningRateSchedule.h"

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    constexpr double FINAL_SHARE = 0.01;
    constexpr double PI = 3.141592653589793;
  }

  double LearningRateSchedule::rate(std::size_t step) const
  {
    const double warmup_steps = std::max(1.0, std::floor(warmup_share * static_cast<double>(n_steps)));
    const double done = static_cast<double>(step) + 1.0;
    if (done <= warmup_steps)
    {
      return largest * done / warmup_steps;
    }
    const double cooling_steps = std::max(1.0, static_cast<double>(n_steps) - warmup_steps);
    const double share = std::min(1.0, (done - warmup_steps) / cooling_steps);
    return largest * (FINAL_SHARE + (1.0 - FINAL_SHARE) * 0.5 * (1.0 + std::cos(PI * share)));
  }
}
