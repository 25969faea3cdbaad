// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <OpenMS/METADATA/PeptideHit.h>

#include <utility>

namespace psmformer
{
  /// The residues before and after a peptide in its protein, as PeptideIndexer writes them: '[' and ']' at the ends of
  /// a protein, 'X' where they are not known. Of several places the first by the alphabet, whatever their order in the
  /// file.
  std::pair<char, char> flankingResidues(const OpenMS::PeptideHit& hit);
}
