// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/MatchStatus.h>

namespace psmformer
{
  std::string statusName(MatchStatus status)
  {
    switch (status)
    {
    case MatchStatus::SCORED:
      return "scored";
    case MatchStatus::NO_SPECTRUM:
      return "no_spectrum";
    case MatchStatus::NO_MS2:
      return "no_ms2";
    case MatchStatus::AMBIGUOUS_SPECTRUM:
      return "ambiguous_spectrum";
    case MatchStatus::PRECURSOR_MISMATCH:
      return "precursor_mismatch";
    case MatchStatus::MASS_MISMATCH:
      return "mass_mismatch";
    case MatchStatus::UNSUPPORTED_RESIDUE:
      return "unsupported_residue";
    case MatchStatus::UNSUPPORTED_LENGTH:
      return "unsupported_length";
    case MatchStatus::UNSUPPORTED_CHARGE:
      return "unsupported_charge";
    case MatchStatus::NO_CHARGE:
      break;
    }
    return "no_charge";
  }
}
