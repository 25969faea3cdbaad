// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Rows of a two-class problem; a view, valid as long as what it points to.
  struct LabelledRows
  {
    std::size_t n_rows = 0;
    std::size_t n_features = 0;
    const double* values = nullptr; ///< n_rows x n_features, row by row, finite
    std::vector<bool> is_positive;  ///< n_rows
  };

  /// A plane between two classes: score = intercept + sum of weights times features, larger for positives.
  struct LinearModel
  {
    std::vector<double> weights;
    double intercept = 0.0;
  };

  /// Fits a regularised linear model; the seam between the statistics of `core` and the numerics of `model`.
  class LinearFitter
  {
  public:
    virtual ~LinearFitter() = default;

    /// Fits the model to rows of both classes; the two weigh the same in sum.
    ///
    /// The result depends on nothing but the arguments, whatever the number of threads.
    /// @param start  where to begin, for speed alone; empty weights: at 0
    /// @throws Error INTERNAL when a class has no row
    virtual LinearModel fit(const LabelledRows& rows, const LinearModel& start) const = 0;
  };
}
