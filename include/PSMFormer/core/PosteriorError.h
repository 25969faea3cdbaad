// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// The posterior error probability (PEP) of a PSM as a function of its score: the chance that this PSM is false.
  ///
  /// After target-decoy competition there are as many false targets as decoys at any score, so that PEP = r / (1 - r)
  /// with r(s) the share of decoys among the PSMs of score s (Kaell et al. 2008, doi:10.1093/bioinformatics/btn294). r
  /// is the isotonic regression of the decoy label on the score: pooling adjacent violators, Ayer et al. 1955,
  /// doi:10.1214/aoms/1177728423, as in Percolator's isotonic PEP. One pseudo-decoy above all PSMs keeps the PEP above
  /// 0, as the + 1 of (D + 1) / T does. Between the mean scores of two pools the logarithm of the PEP is
  /// interpolated linearly.
  class PosteriorError
  {
  public:
    /// Fits the curve to the PSMs that competed; no PSM at all is legal.
    ///
    /// @param scores    higher is better; must be finite
    /// @param is_decoy  same length as scores
    /// @throws Error    INVALID_INPUT if lengths differ or a score is not finite
    PosteriorError(const std::vector<double>& scores, const std::vector<bool>& is_decoy);

    /// The PEP of a PSM of this score, in (0, 1], never larger for a higher score; 1 for all when no PSM competed. A
    /// score that took no part gets the PEP that a competitor of that score would have.
    double at(double score) const;

  private:
    std::vector<double> score_; ///< of the pools, descending
    std::vector<double> error_; ///< their PEP, ascending
  };
}
