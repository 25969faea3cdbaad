// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/Random.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// Which ends drawn peptides may have.
  enum class DrawnEnds
  {
    ALIKE, ///< K or R when the given peptide has one of them, and otherwise neither
    ANY    ///< as they are in the pool, as of a search without an enzyme
  };

  /// Peptides of natural proteins, sorted by mass: where same-mass negatives come from.
  class PeptidePool
  {
  public:
    /// @param sequences  residues of distinct peptides; letters without a mass and keys outside `part` are left out
    /// @param fixed      Da added to each residue letter ('A' to 'Z') that every peptide of the data carries, such as
    ///                   carbamidomethyl on C
    PeptidePool(const std::vector<std::string>& sequences, DataPart part, const std::vector<double>& fixed = {});

    std::size_t size() const { return masses_.size(); }

    /// A number that differs when the peptides or their fixed modifications differ.
    std::uint64_t fingerprint() const;

    /// Draws up to `count` distinct peptides with a mass within `tolerance_da` of that of `like`, of another key.
    ///
    /// Variable modifications of `like` (its modification masses beyond the fixed ones) are placed on residues of the
    /// same letter of the drawn peptide, and its terminal ones on the same terminus; a peptide that lacks the letters
    /// is passed over. With DrawnEnds::ALIKE the end does not tell true from false when peptides of trypsin and others
    /// are trained on together; where the pool has no such peptide of the mass, the others are drawn.
    std::vector<Peptide> draw(const Peptide& like, std::size_t count, double tolerance_da, Random& random,
                              DrawnEnds ends = DrawnEnds::ALIKE) const;

  private:
    std::vector<std::string> sequences_; ///< sorted by mass
    std::vector<double> masses_;         ///< Da, neutral, with the fixed modifications
    std::vector<double> fixed_;
  };
}
