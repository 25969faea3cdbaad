// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>

#include <optional>

namespace OpenMS
{
  class AASequence;
}

namespace psmformer
{
  /// The peptidoform of an OpenMS sequence: letters, residue masses, modification masses and neutral losses in Da.
  ///
  /// All masses are OpenMS's: named modifications by their mass difference, bare mass shifts as given, terminal ones
  /// apart from those of the first and last residue. Only the residue mass of selenocysteine is ours. A neutral loss is
  /// the heaviest that OpenMS knows for the modified residue (97.977 Da of phosphoserine). Sequences are not parsed
  /// here; convert each distinct one once.
  ///
  /// @return nothing for an empty sequence, an ambiguous residue (X, B, Z, J) or a residue without mass
  std::optional<Peptide> toPeptide(const OpenMS::AASequence& sequence);
}
