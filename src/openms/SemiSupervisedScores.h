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

  /// What a linear model is given of our features of a hit: rounded, since the network's outputs differ a little
  /// between machines, and NaN where the written 0 stands for what is not known: the distance to a next candidate that
  /// is not there, and fragment errors without a matched ion.
  /// @param names  of the features; delta_next is the last one
  std::vector<double> learnableFeatures(const std::vector<double>& features, const std::vector<std::string>& names,
                                        bool has_next);

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
