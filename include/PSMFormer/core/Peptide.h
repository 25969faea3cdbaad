// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// A peptidoform: residues and the masses of their modifications.
  ///
  /// A modification enters by its mass alone, so none has to be known by name. All per-residue vectors have one entry a
  /// residue, N-terminus first.
  struct Peptide
  {
    std::string residues;                  ///< one-letter codes
    std::vector<double> residue_mass;      ///< Da, monoisotopic residue mass without modification
    std::vector<double> modification_mass; ///< Da, 0 where unmodified; several modifications of one residue are added
    std::vector<double>
        neutral_loss; ///< Da, > 0 where the modification is known to be lost as a neutral (98 of phospho)
    double n_term_modification = 0.0; ///< Da
    double c_term_modification = 0.0; ///< Da

    std::size_t length() const { return residues.size(); }
  };

  /// Builds a peptide without modifications from letters whose masses are known.
  /// @throws Error INVALID_INPUT when a letter has no residue mass (B, J, X, Z and non-letters)
  Peptide makePeptide(const std::string& residues);

  /// Monoisotopic mass of the neutral peptide, with modifications and water, in Da.
  double monoisotopicMass(const Peptide& peptide);

  /// m/z of the peptide with `charge` protons (charge >= 1), in Th.
  double massToCharge(const Peptide& peptide, int charge);
}
