// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Competition.h"
#include "Histogram.h"

#include <PSMFormer/openms/ReportData.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// For k = 0 ... n_steps the number of values of at most k / steps_to_one.
  std::vector<std::size_t> countBySteps(std::vector<double> values, std::size_t n_steps, double steps_to_one);

  /// The hits that compete by one score: the best of each identification.
  struct Ranking
  {
    std::string label; ///< what the score is called in the report
    std::string axis;  ///< what is drawn: the score, or -log10 of one that is positive and better when lower
    std::vector<std::size_t> identification;
    std::vector<double> score; ///< higher is better
    std::vector<double> shown; ///< on the axis
    std::vector<bool> is_decoy;
    std::vector<double> plain;    ///< q-values of D / T; empty without decoys
    std::vector<double> plus_one; ///< q-values of (D + 1) / T; empty without decoys

    std::vector<double> shownOf(bool decoys) const;

    /// Identifications whose best hit is a target with a q-value (D / T) of at most `q_value`; none without decoys.
    std::vector<std::size_t> acceptedTargets(double q_value) const;

    /// Identifications whose best hit is a decoy.
    std::vector<std::size_t> decoys() const;

    /// The lowest score on the axis of a target with a q-value (D / T) of at most `q_value`; NaN when there is none.
    double lowestAccepted(double q_value) const;

    /// For k = 0 ... n_steps the number of targets with a q-value of at most k / steps_to_one.
    std::vector<std::size_t> acceptedBySteps(const std::vector<double>& q_values, std::size_t n_steps,
                                             double steps_to_one) const;

    /// Targets and decoys at or below a score, for about `n_points` scores from the lowest to the highest.
    void countFromBelow(std::size_t n_points, std::vector<std::size_t>& targets,
                        std::vector<std::size_t>& decoys) const;
  };

  Ranking rankPrevious(const PreviousScores& previous, const CompetitionLists& lists, bool has_decoys);

  /// By `PSMFormer:score`; identifications whose best hit is not scored do not compete.
  Ranking rankRescored(const PeptideIds& identifications, const CompetitionLists& lists, bool has_decoys);
}
