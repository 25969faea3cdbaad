// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "EngineScores.h"
#include "RescoringStatistics.h"

#include <PSMFormer/core/RescoringTable.h>
#include <PSMFormer/core/SemiSupervised.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// The scored hits of one list as a table, and where each row came from.
  struct ListTable
  {
    RescoringTable table;
    std::vector<Origin> origin; ///< by hit of the table
  };

  /// Collects the scored hits of a list with their label-free features and engine scores.
  ListTable makeListTable(const StatisticsInput& input, const std::vector<std::size_t>& list,
                          const EngineScores& engine_scores, const std::vector<std::string>& feature_names,
                          const Annotation& annotation, std::uint64_t seed);

  /// Rescores each list by models that are trained on it, where it has enough targets and decoys: sets the score of its
  /// hits (unscored ones get a floor below all others) and their order.
  /// @return by list
  std::vector<SemiSupervisedResult> rescoreLists(const StatisticsInput& input, const CompetitionLists& lists,
                                                 const std::vector<std::string>& feature_names, std::uint64_t seed,
                                                 Annotation& annotation);
}
