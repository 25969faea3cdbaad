// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// Numbers of search engines on each hit: the main score and all numeric `extra_features`.
  struct EngineScores
  {
    std::vector<std::string> names;
    /// By identification, hit and name; NaN: not there, not a number or not finite.
    std::vector<std::vector<std::vector<double>>> values;
    /// By identification and hit: the main score as it enters as a feature, higher is better; NaN where it is not
    /// finite, and everywhere when the identifications have main scores of different types or one that was made from
    /// target/decoy labels.
    std::vector<std::vector<double>> main_score;
  };

  /// Whether a score of this name was estimated from targets and decoys (q-values, PEPs, scores of Percolator and of
  /// PSMFormer): a model that is trained on labels must not see it.
  bool isMadeFromLabels(const std::string& score_name);

  /// Reads the scores of all hits.
  ///
  /// Each main score type is one feature, "score <type>", so that those of several engines do not mix; one where lower
  /// is better and all values are positive (an E-value) enters as its negative logarithm, any other as it is, its sign
  /// turned where lower is better. `target_decoy` and what is made from labels is never read.
  EngineScores readEngineScores(const std::vector<OpenMS::ProteinIdentification>& runs,
                                const PeptideIds& identifications,
                                const std::vector<std::size_t>& run_of_identification);
}
