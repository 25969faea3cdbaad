// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Shuffles of the candidates of one spectrum: peptides that are certainly false.
  ///
  /// All residues but the last change places, with their modifications. Each candidate gives the same number of them,
  /// so that there are `at_least` in all; those that equal a candidate or one another are left out, and a candidate
  /// that has no other order gives none. They depend on the candidates alone, not on their order.
  /// @return  by candidate
  std::vector<std::vector<Peptide>> shuffledCandidates(const std::vector<Peptide>& candidates, std::size_t at_least);

  /// Scores matches, and false ones beside them that show what chance alone explains of each spectrum.
  ///
  /// MatchScores::null_logit becomes the mean logit of shuffledCandidates() of each identification (matches of equal
  /// Origin::identification); where no candidate has another order, the mean over all identifications. Scores of
  /// different spectra can only be compared when they are calibrated: Keich & Noble 2015, doi:10.1021/pr5010983.
  ///
  /// @param table       is as before afterwards, also after an error; false matches are in it while they are scored
  /// @param n_shuffles  of an identification, at least; 0: none are scored, and null_logit stays empty
  /// @param progress    gets the number of matches done, false ones counted as parts of them
  MatchScores scoreWithNull(const MatchScorer& scorer, MatchTable& table, std::size_t n_shuffles,
                            const ProgressCallback& progress = {});
}
