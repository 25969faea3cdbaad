// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ConfidentHits.h"

#include <vector>

namespace psmformer
{
  /// How far each hit is from its predicted retention time, in units of the run's own spread; NaN where it is not
  /// known.
  ///
  /// The model of a run is fitted to the confident hits of the training part. A hit outside of the training part gets
  /// the model of all of them, a hit inside one that was fitted without its own division. The spread is 1.4826 times
  /// the median size of the residuals of the confident hits (a standard deviation for normal errors); a residual is cut
  /// at 10 of these.
  ///
  /// @param confident  of the same divisions
  std::vector<double> retentionTimeResiduals(const RescoringTable& table, const CompetingSpectra& competition,
                                             const TrainingDivisions& divisions, const ConfidentHits& confident);
}
