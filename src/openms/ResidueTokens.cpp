// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ResidueTokens.h>

#include <PSMFormer/core/Chemistry.h>

#include <OpenMS/CHEMISTRY/AASequence.h>
#include <OpenMS/CHEMISTRY/EmpiricalFormula.h>
#include <OpenMS/CHEMISTRY/Residue.h>
#include <OpenMS/CHEMISTRY/ResidueDB.h>
#include <OpenMS/CHEMISTRY/ResidueModification.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace psmformer
{
  namespace
  {
    /// Lighter "losses" are the 0 that Unimod lists beside the real ones.
    constexpr double LIGHTEST_LOSS = 1.0;

    double heaviest(const std::vector<OpenMS::EmpiricalFormula>& losses)
    {
      double mass = 0.0;
      for (const auto& loss : losses)
      {
        mass = std::max(mass, loss.getMonoWeight());
      }
      return mass >= LIGHTEST_LOSS ? mass : 0.0;
    }

    /// OpenMS 2.6 leaves the masses of neutral losses at 0, so they are computed from the formulas; some losses are
    /// listed with the modified residue only.
    double neutralLoss(const OpenMS::Residue& residue)
    {
      return std::max(heaviest(residue.getModification()->getNeutralLossDiffFormulas()),
                      heaviest(residue.getLossFormulas()));
    }

    /// OpenMS gives selenocysteine the lightest isotope of selenium, 6 Da below the most abundant one that search
    /// engines (and spectra) have.
    double residueMassOf(char letter)
    {
      if (letter == 'U')
      {
        return *residueMass(letter);
      }
      const auto* residue = OpenMS::ResidueDB::getInstance()->getResidue(static_cast<unsigned char>(letter));
      return residue != nullptr ? residue->getMonoWeight(OpenMS::Residue::Internal) : 0.0;
    }

    double modificationMass(const OpenMS::Residue& residue, double residue_mass)
    {
      const double difference = residue.getModification()->getDiffMonoMass();
      return difference != 0.0 ? difference : residue.getMonoWeight(OpenMS::Residue::Internal) - residue_mass;
    }
  }

  std::optional<Peptide> toPeptide(const OpenMS::AASequence& sequence)
  {
    const std::string ambiguous = "BJXZ";
    Peptide peptide;
    for (const auto& residue : sequence)
    {
      const std::string& letter = residue.getOneLetterCode();
      if (letter.size() != 1 || ambiguous.find(letter) != std::string::npos)
      {
        return std::nullopt;
      }
      const double residue_mass = residueMassOf(letter[0]);
      if (!(residue_mass > 0.0) || !std::isfinite(residue_mass))
      {
        return std::nullopt;
      }
      peptide.residues += letter[0];
      peptide.residue_mass.push_back(residue_mass);
      peptide.modification_mass.push_back(residue.isModified() ? modificationMass(residue, residue_mass) : 0.0);
      peptide.neutral_loss.push_back(residue.isModified() ? neutralLoss(residue) : 0.0);
    }
    if (peptide.residues.empty())
    {
      return std::nullopt;
    }
    if (sequence.hasNTerminalModification())
    {
      peptide.n_term_modification = sequence.getNTerminalModification()->getDiffMonoMass();
    }
    if (sequence.hasCTerminalModification())
    {
      peptide.c_term_modification = sequence.getCTerminalModification()->getDiffMonoMass();
    }
    return peptide;
  }
}
