// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace psmformer
{
  /// Calls action(0) ... action(count - 1), shared by `threads` threads, each index once.
  ///
  /// With more than one thread the calls run inside an OpenMP parallel region, also when there is one call only.
  /// LibTorch and OpenBLAS look for such a region and then compute with one thread, so that what a call computes does
  /// not depend on `threads`. The calling thread takes part.
  ///
  /// @throws whatever the failing call of the lowest index throws; calls that have not begun by then are left out
  void parallelFor(std::size_t count, int threads, const std::function<void(std::size_t)>& action);
}
