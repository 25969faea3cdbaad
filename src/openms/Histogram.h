// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Equal bins [low + k width, low + (k + 1) width) with round numbers as borders.
  struct Bins
  {
    double low = 0.0;
    double width = 1.0;
    std::size_t count = 1;
  };

  /// At most `max_count` bins over the values but the `outliers` share at each end; 1 of width 1 when all are equal or
  /// there are none. The width is 1, 2 or 5 times a power of ten.
  Bins chooseBins(std::vector<double> values, std::size_t max_count, double outliers);

  /// As chooseBins(), with as many bins below 0 as above.
  Bins chooseSymmetricBins(std::vector<double> values, std::size_t max_count, double outliers);

  /// How many values fall into each bin.
  struct BinCounts
  {
    std::vector<std::size_t> counts;
    std::size_t outside = 0;
  };

  BinCounts countInBins(const std::vector<double>& values, const Bins& bins);

  /// The middle value, the lower of two; NaN of none.
  double lowerMedian(std::vector<double> values);
}
