// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/MatchReader.h>
#include <PSMFormer/openms/MatchWriter.h>
#include <PSMFormer/openms/PSMRescoring.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// What is known of decoys: `target_decoy` of the hits, nothing else.
  struct DecoyKnowledge
  {
    bool usable = false;                     ///< every hit is a target or a decoy, and there is a decoy
    std::string reason;                      ///< why it is not usable; a clause
    std::vector<std::vector<bool>> is_decoy; ///< by identification and hit; "target+decoy" is a target
  };

  DecoyKnowledge readDecoys(const PeptideIds& identifications);

  /// Whether the main scores of all identifications can be compared: one type, one direction.
  bool haveOneScoreType(const PeptideIds& identifications);

  /// Decides between hits of one spectrum with equal scores, the smaller first: engines list targets first.
  std::uint64_t tieHash(const std::string& native_id, const OpenMS::PeptideHit& hit, std::uint64_t seed);

  /// The order of the hits of one identification: scored before others, higher scores first; ties by tieHash().
  std::vector<std::size_t> rankHits(const OpenMS::PeptideIdentification& identification, const std::string& native_id,
                                    const std::vector<HitAnnotation>& hits, std::uint64_t seed);

  /// A list of identifications that compete with each other, by index.
  using CompetitionLists = std::vector<std::vector<std::size_t>>;

  /// One list of all identifications, or one for each pair of run and file.
  CompetitionLists competitionLists(const RunAssignment& assignment, bool per_run);

  /// Estimates q-values and PEPs on the best hits of each list and gives every scored hit those of its score; counts
  /// the accepted targets.
  AcceptedCounts estimateQValues(const CompetitionLists& lists, const DecoyKnowledge& decoys, Annotation& annotation,
                                 std::size_t& n_targets, std::size_t& n_decoys);

  /// The best hit by the main score, the number of hits when no score is finite.
  std::size_t bestPreviousHit(const OpenMS::PeptideIdentification& identification, const std::string& native_id,
                              std::uint64_t seed);

  /// Counts the targets that the previous main score accepts; `score` is empty in the result when the identifications
  /// have main scores of different types.
  AcceptedCounts countPrevious(const PeptideIds& identifications, const std::vector<std::string>& native_id,
                               const CompetitionLists& lists, const DecoyKnowledge& decoys, std::uint64_t seed);
}
