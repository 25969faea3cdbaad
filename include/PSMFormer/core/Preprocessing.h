// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Spectrum.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// How a spectrum is cleaned before the network sees it; part of a model's manifest.
  struct PreprocessingParameters
  {
    double min_mz = 50.0;           ///< Th; peaks below are dropped
    double max_mz = 2500.0;         ///< Th; peaks above are dropped
    double precursor_removal = 1.5; ///< Th on each side of the precursor and its charge-reduced forms; 0: off
    std::size_t max_peaks = 120;    ///< the most intense that are kept, 1 to 150
  };

  /// The peaks the network sees, and the precursor as the PSM's charge makes it.
  struct PreprocessedSpectrum
  {
    std::vector<double> mz;       ///< Th, ascending
    std::vector<float> intensity; ///< square root, largest is 1
    std::vector<int> rank;        ///< 1 for the most intense peak; ties by m/z
    double precursor_mass = 0.0;  ///< Da, neutral, from precursor m/z and charge
    int charge = 0;
    Activation activation = Activation::UNKNOWN;
    Tolerance fragment_tolerance;
  };

  /// Drops peaks outside the m/z range and around the precursor, keeps the most intense, scales by square root.
  ///
  /// A function of the pair (spectrum, charge), so that it is computed once and shared by all candidates of that
  /// charge. Peaks may come unsorted. Equal intensities at the cut are decided by m/z (lower first), never by input
  /// order. A spectrum may end up without peaks.
  /// @throws Error INVALID_INPUT if mz and intensity differ in length or a value is not finite or negative
  PreprocessedSpectrum preprocess(const Spectrum& spectrum, int charge, const PreprocessingParameters& parameters);
}
