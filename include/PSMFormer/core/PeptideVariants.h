// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Random.h>

#include <optional>

namespace psmformer
{
  /// True when two peptides have the same masses in the same order (I = L): no spectrum can tell them apart.
  bool indistinguishable(const Peptide& a, const Peptide& b);

  /// Permutes the residues between the termini together with their modifications; nothing when no other order exists.
  std::optional<Peptide> shuffleInner(const Peptide& peptide, Random& random);

  /// Reverses the residues between the termini; nothing when that changes nothing.
  std::optional<Peptide> reverseInner(const Peptide& peptide);

  /// Swaps two neighbouring residues with different masses between the termini; nothing when there are none.
  std::optional<Peptide> swapNeighbours(const Peptide& peptide, Random& random);

  /// Replaces one or two residues by others such that the peptide's mass changes by less than `tolerance_da`
  /// (K/Q, F/M(ox), N/GG, AG/Q, ...); nothing when that is not possible.
  ///
  /// Both terminal residues and modified ones (other than oxidised M) stay; the length may change by one.
  std::optional<Peptide> substituteNearIsobaric(const Peptide& peptide, double tolerance_da, Random& random);
}
