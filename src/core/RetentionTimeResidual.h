// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "SpectrumCompetition.h"

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// How far each hit is from its predicted retention time, in units of the run's own spread; NaN where it is not
  /// known.
  ///
  /// The model of a run is fitted to confident hits of the training part: best targets at q <= 1 % (D / T), one a
  /// peptidoform. A hit outside of the training part gets the model of all of them, a hit inside one that was fitted
  /// without its own division. The spread is 1.4826 times the median size of the residuals of the confident hits (a
  /// standard deviation for normal errors); a residual is cut at 10 of these.
  ///
  /// @param division  of each spectrum of the competition: 0 ... n_divisions - 1 inside of the training part,
  ///                  n_divisions outside
  /// @param score     of each hit, by which confident hits are found
  std::vector<double> retentionTimeResiduals(const RescoringTable& table, const CompetingSpectra& competition,
                                             const std::vector<std::size_t>& division, std::size_t n_divisions,
                                             const std::vector<double>& score);
}
