// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/FlankingResidues.h>

#include <OpenMS/METADATA/PeptideEvidence.h>

#include <algorithm>

namespace psmformer
{
  std::pair<char, char> flankingResidues(const OpenMS::PeptideHit& hit)
  {
    const char UNKNOWN = OpenMS::PeptideEvidence::UNKNOWN_AA;
    std::pair<char, char> first = {UNKNOWN, UNKNOWN};
    for (const OpenMS::PeptideEvidence& evidence : hit.getPeptideEvidences())
    {
      const std::pair<char, char> here = {evidence.getAABefore(), evidence.getAAAfter()};
      const bool is_known = here.first != UNKNOWN && here.second != UNKNOWN;
      first = is_known && (first.first == UNKNOWN || here < first) ? here : first;
    }
    return first;
  }
}
