// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Competition.h"

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// What the statistics are made from.
  struct StatisticsInput
  {
    const std::vector<OpenMS::ProteinIdentification>& runs;
    const PeptideIds& identifications;
    const RunAssignment& assignment;
    const JoinedMatches& joined;
    const DecoyKnowledge& decoys;
  };

  enum class RescoringMethod
  {
    AUTO,
    PRETRAINED,
    SEMI_SUPERVISED
  };

  struct StatisticsRules
  {
    RescoringMethod method = RescoringMethod::AUTO;
    bool per_run = false;
    std::uint64_t seed = 1;
  };

  /// How a run was rescored, for its search parameters.
  struct MethodUsed
  {
    std::string method = "pretrained"; ///< or "semi_supervised"
    std::string fold_scores;           ///< of each fold, "linear,logit,linear"; empty for pretrained
  };

  /// Whether hits need all features of `featureNames`, not only those that are written.
  bool needsAllFeatures(const DecoyKnowledge& decoys, const StatisticsRules& rules);

  /// Chooses and sets the scores of all hits, their order, q-values and PEPs; adds counts, notes and warnings.
  ///
  /// @param annotation     scored and ordered by the logit; with all features when needsAllFeatures()
  /// @param feature_names  of these features, the last is the distance to the next candidate
  /// @return by run
  std::vector<MethodUsed> estimateStatistics(const StatisticsInput& input,
                                             const std::vector<std::string>& feature_names,
                                             const StatisticsRules& rules, Annotation& annotation,
                                             RescoringReport& report);
}
