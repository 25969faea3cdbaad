// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Competition.h"
#include "ReportRanking.h"

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// What the best hits say about their own errors, by falling score.
  struct ErrorCurve
  {
    std::vector<double> score;
    std::vector<double> q_value;         ///< `PSMFormer:q-value`
    std::vector<double> posterior_error; ///< `PSMFormer:PEP`
    double at_threshold = 0.0;           ///< the highest PEP of an accepted target; NaN when no target is accepted
  };

  /// About `n_points` of the best hits, the first and the last among them. Hits of one score have one q-value and one
  /// PEP: give a ranking of one list.
  /// @param q_value  of `PSMFormer:q-value`, up to which a target is accepted
  ErrorCurve errorCurve(const PeptideIds& identifications, const Ranking& ranking, std::size_t n_points,
                        double q_value);

  /// `PSMFormer:peptide_q-value` of the target peptidoforms that are best hits, each once in its list.
  std::vector<double> peptidoformQValues(const PeptideIds& identifications, const CompetitionLists& lists);
}
