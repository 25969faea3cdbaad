// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/RunResolver.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  /// "1,234"
  std::string grouped(std::size_t number);

  /// "1 hit", "1,234 hits"
  std::string plural(std::size_t number, const std::string& what);

  /// Names without repetition, in order: "Comet, XTandem"; empty names are left out.
  std::string enumeration(const std::vector<std::string>& names);

  /// What was recorded as `PSMFormer:<name>` in the search parameters, as text; empty when nothing was.
  std::string recordedValue(const OpenMS::ProteinIdentification& run, const std::string& name);

  /// All that was recorded, by name; values that differ between runs side by side.
  std::vector<std::pair<std::string, std::string>>
  recordedValues(const std::vector<OpenMS::ProteinIdentification>& runs);

  /// Retention times of identifications in min; those without one are left out.
  std::vector<double> minutes(const PeptideIds& identifications, const std::vector<std::size_t>& members);

  /// Errors of one kind of the best hits, as stored in a feature.
  class MassErrors
  {
  public:
    /// `PSMFormer:precursor_error_ppm`
    static MassErrors ofPrecursors(const PeptideIds& identifications);

    /// `PSMFormer:fragment_error_median`, a share of the fragment tolerance, in the unit of that; nothing when the runs
    /// have tolerances of different units.
    static MassErrors ofFragments(const std::vector<OpenMS::ProteinIdentification>& runs,
                                  const PeptideIds& identifications, const RunAssignment& assignment);

    const std::string& unit() const { return unit_; }

    /// Those of some identifications, as far as they are known.
    std::vector<double> of(const std::vector<std::size_t>& members) const;

  private:
    std::string unit_;
    std::vector<double> errors_; ///< by identification; NaN: not known
  };
}
