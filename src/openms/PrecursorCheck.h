// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/openms/MatchReader.h>
#include <PSMFormer/openms/SpectrumIndex.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// Whether a peptide has the mass of the precursor as far as the search allows (twice its tolerance, at least 0.1 Da,
  /// 1.5 Da when it does not tell), after isotope shifts of -1 to 3. A sequence that does not was read in another way
  /// than it was meant.
  bool hasPrecursorMass(const Peptide& peptide, int charge, double precursor_mz,
                        const OpenMS::ProteinIdentification& run);

  /// Compares the precursor m/z of identifications with those of the spectra they were joined with.
  class PrecursorCheck
  {
  public:
    /// Counts a joined identification and tells whether the two agree: within 0.02 Th or 20 ppm, whichever is larger
    /// (1.5 Th for precursors of low resolution), after isotope shifts of -1 to 3. An unknown m/z agrees with any.
    bool check(const SpectrumQuery& query, const SpectrumEntry& entry, int charge,
               const OpenMS::ProteinIdentification& run);

    /// Adds a warning when a few precursors disagree.
    /// @throws Error INVALID_INPUT with three examples when more than 5 % of the identifications, at least 5, disagree
    void refuseWrongJoin(JoinReport& report) const;

  private:
    std::size_t n_joined_ = 0;
    std::size_t n_wrong_ = 0;
    std::vector<std::string> examples_;
  };
}
