// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// An identification: one spectrum and the hits that compete for it.
  struct RescoringSpectrum
  {
    std::string run; ///< name of the spectrum file; retention times compare within it
    std::string native_id;
    double retention_time = 0.0; ///< s; NaN: not known
  };

  /// A scored hit.
  struct RescoringHit
  {
    std::size_t spectrum = 0; ///< index into RescoringTable::spectra
    std::size_t peptide = 0;  ///< index into RescoringTable::peptides
    int charge = 0;
    bool is_decoy = false;
    double logit = 0.0;    ///< of the network, calibrated, finite
    double engine = 0.0;   ///< previous main score, higher is better; NaN: not known or not comparable
    std::uint64_t tie = 0; ///< decides between hits of a spectrum with equal scores, the smaller wins
    char before = 'X';     ///< residue before the peptide in its protein, '[' at the start of it; 'X': not known
    char after = 'X';      ///< residue after the peptide, ']' at the end of the protein; 'X': not known
  };

  /// What rescoring on target/decoy labels works with: hits and their label-free features.
  struct RescoringTable
  {
    std::vector<RescoringSpectrum> spectra;
    std::vector<Peptide> peptides;
    std::vector<std::string> peptidoforms; ///< text of each peptide with its modifications
    std::vector<RescoringHit> hits;
    std::vector<std::string> feature_names;
    std::vector<double> features; ///< hits x feature_names, row by row; NaN: missing

    double feature(std::size_t hit, std::size_t name) const { return features[hit * feature_names.size() + name]; }
  };
}
