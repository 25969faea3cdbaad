// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Random.h>

#include <optional>

namespace psmformer
{
  /// True when two peptides have the same masses in the same order (I = L): no spectrum can tell them apart.
  bool indistinguishable(const Peptide& a, const Peptide& b);

  /// Which residues of a peptide may change places. The C-terminal one stays, as the enzyme demands it of decoys too.
  enum class FreeResidues
  {
    INNER,             ///< all but the two terminal ones
    ALL_BUT_C_TERMINAL ///< where most true confusions are: b1 is rarely seen, so that the first two residues may be
                       ///< swapped
  };

  /// Permutes residues together with their modifications; nothing when no other order exists.
  std::optional<Peptide> shuffleResidues(const Peptide& peptide, Random& random,
                                         FreeResidues free = FreeResidues::INNER);

  /// Reverses the order of residues; nothing when that changes nothing.
  std::optional<Peptide> reverseResidues(const Peptide& peptide, FreeResidues free = FreeResidues::INNER);

  /// Swaps two neighbouring residues with different masses; nothing when there are none.
  std::optional<Peptide> swapNeighbours(const Peptide& peptide, Random& random,
                                        FreeResidues free = FreeResidues::INNER);

  /// Either of the two, with equal chances: training meets both.
  FreeResidues drawFreeResidues(Random& random);

  /// Replaces one or two residues by others such that the peptide's mass changes by less than `tolerance_da`
  /// (K/Q, F/M(ox), N/GG, AG/Q, ...); nothing when that is not possible.
  ///
  /// Both terminal residues and modified ones (other than oxidised M) stay; the length may change by one.
  std::optional<Peptide> substituteNearIsobaric(const Peptide& peptide, double tolerance_da, Random& random);
}
