// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/openms/MatchReader.h>
#include <PSMFormer/openms/MatchWriter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// Names of the label-free features, with prefix: the network's outputs alone, or all, which begin with these and end
  /// with the distance to the next candidate.
  std::vector<std::string> namesOfFeatures(bool all);

  struct FeatureChoice
  {
    bool all_features = false;
    std::uint64_t seed = 1; ///< of ties, see rankHits()
  };

  /// Makes the calibrated logit, rounded to 1e-4, the score of each scored hit and a floor below all of them that of
  /// the others, adds the features and orders the hits.
  Annotation annotateByLogit(const PeptideIds& identifications, const JoinedMatches& joined, const MatchScores& scores,
                             const ModelManifest& manifest, const FeatureChoice& choice);
}
