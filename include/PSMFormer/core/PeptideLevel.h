// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace psmformer
{
  /// A peptidoform with the score of its best PSM.
  struct ScoredPeptidoform
  {
    std::string pair; ///< equal for a target and its decoy, see decoyPairKey()
    double score = 0.0;
    bool is_decoy = false;
  };

  /// What a target peptidoform and its reversed or shuffled decoy have in common: the pairing key of the residues and
  /// the masses of the modifications (rounded to 0.001 Da), whatever their places.
  std::string decoyPairKey(const std::string& residues, const std::vector<double>& modification_masses);

  /// Estimates q-values of peptidoforms by target-decoy competition, (D + 1) / T.
  ///
  /// A pair is known where one target and one decoy have the same pair key. Its two compete first, and the loser (in a
  /// tie the target) leaves the list: picked competition, The et al. 2016, doi:10.1007/s13361-016-1460-7. Everybody
  /// else, and the winners, are then ranked by computeQValues().
  /// @return in the order of the input, in [0, 1]; 1 for those that lost against their partner
  /// @throws Error INVALID_INPUT when a score is not finite
  std::vector<double> peptideQValues(const std::vector<ScoredPeptidoform>& peptidoforms);
}
