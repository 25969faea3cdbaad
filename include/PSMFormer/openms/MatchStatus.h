// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace psmformer
{
  /// Why a hit was scored or not; written as `PSMFormer:status`.
  enum class MatchStatus
  {
    SCORED,
    NO_SPECTRUM,         ///< neither the reference nor retention time and m/z lead to a spectrum
    NO_MS2,              ///< the reference names a spectrum of another MS level
    AMBIGUOUS_SPECTRUM,  ///< more than one spectrum fits
    PRECURSOR_MISMATCH,  ///< precursor m/z of spectrum and identification differ
    MASS_MISMATCH,       ///< the sequence does not have the mass of the precursor
    UNSUPPORTED_RESIDUE, ///< an ambiguous residue, or one that the model does not know
    UNSUPPORTED_LENGTH,
    UNSUPPORTED_CHARGE, ///< above the model's maximum
    NO_CHARGE           ///< the hit's charge is 0
  };

  /// The text of a status: "scored", "no_spectrum", ...
  std::string statusName(MatchStatus status);
}
