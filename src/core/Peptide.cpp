// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Peptide.h>

#include <numeric>

namespace psmformer
{
  Peptide makePeptide(const std::string& residues)
  {
    Peptide peptide;
    peptide.residues = residues;
    peptide.residue_mass.reserve(residues.size());
    for (const char letter : residues)
    {
      const std::optional<double> mass = residueMass(letter);
      if (!mass) // not require(): its message would be put together for every residue of millions of peptides
      {
        throw Error(ErrorKind::INVALID_INPUT, "Peptide '" + residues + "': '" + std::string(1, letter) +
                                                  "' has no residue mass; use the 20 standard amino acids, U or O.");
      }
      peptide.residue_mass.push_back(*mass);
    }
    peptide.modification_mass.assign(residues.size(), 0.0);
    peptide.neutral_loss.assign(residues.size(), 0.0);
    return peptide;
  }

  double monoisotopicMass(const Peptide& peptide)
  {
    double mass = WATER_MASS + peptide.n_term_modification + peptide.c_term_modification;
    mass = std::accumulate(peptide.residue_mass.begin(), peptide.residue_mass.end(), mass);
    return std::accumulate(peptide.modification_mass.begin(), peptide.modification_mass.end(), mass);
  }

  double massToCharge(const Peptide& peptide, int charge)
  {
    require(charge >= 1, ErrorKind::INVALID_INPUT,
            "Peptide '" + peptide.residues + "' has charge " + std::to_string(charge) + "; it must be at least 1.");
    return monoisotopicMass(peptide) / charge + PROTON_MASS;
  }
}
