// SPDX-License-Identifier: BSD-3-Clause
#include "Histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    double quantile(const std::vector<double>& sorted, double share)
    {
      return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }

    /// The smallest of 1, 2 and 5 times a power of ten that is not below `width`.
    double roundUp(double width)
    {
      const double power = std::pow(10.0, std::floor(std::log10(width)));
      for (const double factor : {1.0, 2.0, 5.0})
      {
        if (factor * power >= width)
        {
          return factor * power;
        }
      }
      return 10.0 * power;
    }

    Bins binsBetween(double low, double high, std::size_t max_count)
    {
      Bins bins;
      if (!(high > low))
      {
        bins.low = std::floor(low);
        return bins;
      }
      // The borders move outwards to round numbers, which may take a bin more at each end.
      double wanted = (high - low) / static_cast<double>(max_count);
      do
      {
        bins.width = roundUp(wanted);
        bins.low = std::floor(low / bins.width) * bins.width;
        bins.count = static_cast<std::size_t>(std::floor((high - bins.low) / bins.width)) + 1;
        wanted = 1.01 * bins.width;
      } while (bins.count > max_count);
      return bins;
    }
  }

  Bins chooseBins(std::vector<double> values, std::size_t max_count, double outliers)
  {
    if (values.empty())
    {
      return {};
    }
    std::sort(values.begin(), values.end());
    return binsBetween(quantile(values, outliers), quantile(values, 1.0 - outliers), max_count);
  }

  Bins chooseSymmetricBins(std::vector<double> values, std::size_t max_count, double outliers)
  {
    std::transform(values.begin(), values.end(), values.begin(), [](double value) { return std::abs(value); });
    std::sort(values.begin(), values.end());
    const double reach = values.empty() ? 0.0 : quantile(values, 1.0 - outliers);
    Bins half = binsBetween(0.0, reach, max_count / 2);
    return {-static_cast<double>(half.count) * half.width, half.width, 2 * half.count};
  }

  BinCounts countInBins(const std::vector<double>& values, const Bins& bins)
  {
    BinCounts result;
    result.counts.assign(bins.count, 0);
    for (const double value : values)
    {
      const double bin = std::floor((value - bins.low) / bins.width);
      if (bin >= 0.0 && bin < static_cast<double>(bins.count))
      {
        ++result.counts[static_cast<std::size_t>(bin)];
      }
      else
      {
        ++result.outside;
      }
    }
    return result;
  }

  double lowerMedian(std::vector<double> values)
  {
    if (values.empty())
    {
      return std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(values.begin(), values.end());
    return values[(values.size() - 1) / 2];
  }
}
