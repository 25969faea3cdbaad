// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Tolerance.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// How the precursor was broken; read per spectrum, UNKNOWN is scored like any other.
  enum class Activation
  {
    UNKNOWN,
    CID,
    HCD,
    ETD,
    ETHCD
  };

  /// "unknown", "CID", "HCD", "ETD" or "EThcD".
  std::string activationName(Activation activation);

  /// One centroided MS2 spectrum.
  struct Spectrum
  {
    std::string native_id;        ///< mzML native ID, unique within a run
    std::vector<double> mz;       ///< Th, ascending
    std::vector<float> intensity; ///< arbitrary units, >= 0, same length as mz
    double precursor_mz = 0.0;    ///< Th; 0: not known
    int precursor_charge = 0;     ///< 0: not known
    double retention_time = 0.0;  ///< s
    Activation activation = Activation::UNKNOWN;
    Tolerance fragment_tolerance; ///< how closely fragments are matched; a property of the instrument and the search
  };
}
