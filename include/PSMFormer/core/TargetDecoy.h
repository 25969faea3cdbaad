// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Estimates q-values of PSMs by target-decoy competition.
  ///
  /// The FDR at score s is (decoys with score >= s, plus pseudo_count, 1 or 0) / (targets with score >= s), clipped to
  /// 1; the q-value is the smallest FDR at which the PSM would still be accepted. Equal scores share one q-value. Elias
  /// & Gygi 2007, doi:10.1038/nmeth1019; the +1: Levitsky et al. 2017, doi:10.1021/acs.jproteome.6b00144.
  ///
  /// @param scores    higher is better; must be finite
  /// @param is_decoy  same length as scores
  /// @return q-values in [0, 1], in the order of the input; decoys get the q-value of their score
  /// @throws Error    INVALID_INPUT if lengths differ, a score is not finite or pseudo_count is neither 0 nor 1
  std::vector<double> computeQValues(const std::vector<double>& scores, const std::vector<bool>& is_decoy,
                                     int pseudo_count = 1);

  /// Gives scores that took no part in the competition the q-value a competitor of that score would have.
  ///
  /// @param scores            finite
  /// @param competed_scores   the scores that computeQValues saw
  /// @param competed_q_values its result
  /// @return for each score the q-value of the best competitor at or
  ///         below it; 1 below all of them
  std::vector<double> interpolateQValues(const std::vector<double>& scores, const std::vector<double>& competed_scores,
                                         const std::vector<double>& competed_q_values);

  /// Number of targets with a q-value of at most `threshold`.
  std::size_t countAccepted(const std::vector<double>& q_values, const std::vector<bool>& is_decoy, double threshold);
}
