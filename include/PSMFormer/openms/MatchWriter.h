// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/MatchStatus.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  /// What is written for one hit; all finite.
  struct HitAnnotation
  {
    MatchStatus status = MatchStatus::NO_SPECTRUM;
    double score = 0.0;           ///< PSMFormer:score, orders the hits
    double q_value = 1.0;         ///< 1 on hits that are not scored
    std::vector<double> features; ///< begin with those of Annotation::feature_names, in their order
    double posterior_error = 1.0; ///< 1 on hits that are not scored
    double peptide_q_value = 1.0; ///< of the peptidoform; 1 on hits that are not scored
  };

  /// What is written for all hits.
  struct Annotation
  {
    std::vector<std::vector<HitAnnotation>> hits; ///< by identification and hit, as read
    std::vector<std::vector<std::size_t>> order;  ///< by identification: hits from best to worst
    std::vector<double> retention_time;           ///< by identification, for those without; NaN: not known
    std::vector<std::string> feature_names;       ///< with prefix; label-free, so they go into extra_features
    bool has_q_values = false;                    ///< and PEPs: there are decoys
  };

  enum class MainScore
  {
    SCORE,
    Q_VALUE,
    POSTERIOR_ERROR
  };

  enum class UnscoredHits
  {
    FLOOR,
    KEEP,
    REMOVE
  };

  struct WritingRules
  {
    bool replace_main_score = true; ///< false: only meta values are added
    MainScore main_score = MainScore::SCORE;
    UnscoredHits unscored = UnscoredHits::FLOOR;
  };

  /// What the writer came across.
  struct WritingReport
  {
    std::size_t n_removed_hits = 0;
    std::size_t n_nonfinite_scores = 0; ///< previous main scores that are infinite or not a number
  };

  /// Writes scores and meta values to the hits and sorts them.
  ///
  /// A previous main score stays as a meta value under its own score type; one that is not finite stays as text.
  /// Nothing else of the identifications changes.
  WritingReport annotateIdentifications(PeptideIds& identifications, const Annotation& annotation,
                                        const WritingRules& rules);

  /// Appends names to the comma-separated `extra_features` of the search parameters, each once.
  void appendExtraFeatures(OpenMS::ProteinIdentification& run, const std::vector<std::string>& names);

  /// A name and a value that are recorded in the search parameters.
  using ProvenanceEntry = std::pair<std::string, OpenMS::DataValue>;

  /// Records `PSMFormer:<name>` in the search parameters of a run.
  void recordProvenance(OpenMS::ProteinIdentification& run, const std::vector<ProvenanceEntry>& entries);
}
