// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Spectrum.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Where a match came from in the input; opaque to `core` and `model`.
  struct Origin
  {
    std::size_t identification = 0;
    std::size_t hit = 0;
  };

  /// One candidate peptide of one spectrum, by index into a MatchTable.
  struct PeptideSpectrumMatch
  {
    std::size_t spectrum = 0;
    std::size_t peptide = 0;
    int charge = 0; ///< charge of the hit, >= 1
    Origin origin;
  };

  /// Spectra and peptides, each kept once, and the matches between them.
  struct MatchTable
  {
    std::vector<Spectrum> spectra;
    std::vector<Peptide> peptides;
    std::vector<PeptideSpectrumMatch> matches;
  };

  /// What the network says of each match, in the order of MatchTable::matches; all finite.
  struct MatchScores
  {
    std::vector<double> logit;  ///< higher is better; rounded to 1e-4 before anything is ranked by it
    std::vector<double> cosine; ///< similarity of the spectrum and the peptide vector, in [-1, 1]
    std::vector<double>
        spectral_angle;             ///< of predicted and measured fragment intensities, in [0, 1], higher is more alike
    std::vector<double> null_logit; ///< mean logit of false peptides of the spectrum; empty when none were scored
  };
}
