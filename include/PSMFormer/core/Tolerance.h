// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace psmformer
{
  enum class ToleranceUnit
  {
    DA,
    PPM
  };

  /// A mass tolerance: a peak matches when it lies within plus or minus this of the theoretical m/z.
  struct Tolerance
  {
    double value = 0.0; ///< > 0 when known; 0: not known
    ToleranceUnit unit = ToleranceUnit::DA;

    bool known() const { return value > 0.0; }

    /// Half width of the window around `mz`, in Th.
    double halfWidth(double mz) const { return unit == ToleranceUnit::PPM ? mz * value * 1e-6 : value; }
  };
}
