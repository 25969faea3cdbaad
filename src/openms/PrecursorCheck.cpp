// SPDX-License-Identifier: BSD-3-Clause
#include "PrecursorCheck.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PSMFeatures.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace psmformer
{
  namespace
  {
    /// A precursor is of low resolution when the search allowed more than this at 500 Th.
    constexpr double LOW_RESOLUTION_PRECURSOR = 0.1; // Da
    constexpr double LOW_RESOLUTION_AGREEMENT = 1.5; // Th
    constexpr std::size_t MIN_WRONG = 5;
    constexpr double MAX_WRONG_SHARE = 0.05;
    constexpr std::size_t N_EXAMPLES = 3;
    constexpr double MIN_MASS_TOLERANCE = 0.1;     // Da
    constexpr double UNKNOWN_MASS_TOLERANCE = 1.5; // Da

    Tolerance searchedTolerance(const OpenMS::ProteinIdentification& run)
    {
      const auto& parameters = run.getSearchParameters();
      return {parameters.precursor_mass_tolerance,
              parameters.precursor_mass_tolerance_ppm ? ToleranceUnit::PPM : ToleranceUnit::DA};
    }

    PrecursorAgreement agreementOf(const OpenMS::ProteinIdentification& run)
    {
      PrecursorAgreement agreement;
      agreement.min_isotope = -1;
      agreement.max_isotope = 3;
      if (searchedTolerance(run).halfWidth(500.0) > LOW_RESOLUTION_PRECURSOR)
      {
        agreement.absolute = LOW_RESOLUTION_AGREEMENT;
      }
      return agreement;
    }
  }

  bool hasPrecursorMass(const Peptide& peptide, int charge, double precursor_mz,
                        const OpenMS::ProteinIdentification& run)
  {
    const Tolerance searched = searchedTolerance(run);
    const double allowed = searched.known()
                               ? std::max(MIN_MASS_TOLERANCE, 2.0 * searched.halfWidth(monoisotopicMass(peptide)))
                               : UNKNOWN_MASS_TOLERANCE;
    return std::abs(precursorError(precursor_mz, charge, peptide).da) <= allowed;
  }

  bool PrecursorCheck::check(const SpectrumQuery& query, const SpectrumEntry& entry, int charge,
                             const OpenMS::ProteinIdentification& run)
  {
    ++n_joined_;
    const bool is_known = query.precursor_mz > 0.0 && entry.precursor_mz > 0.0;
    if (!is_known || agreementOf(run).agree(query.precursor_mz, entry.precursor_mz, charge))
    {
      return true;
    }
    if (examples_.size() < N_EXAMPLES)
    {
      std::ostringstream example;
      example.precision(8);
      example << query.reference << " has " << query.precursor_mz << " Th, its spectrum " << entry.native_id << " "
              << entry.precursor_mz << " Th";
      examples_.push_back(example.str());
    }
    ++n_wrong_;
    return false;
  }

  void PrecursorCheck::refuseWrongJoin(JoinReport& report) const
  {
    if (n_wrong_ == 0)
    {
      return;
    }
    std::string what = "precursor m/z of " + std::to_string(n_wrong_) + " of " + std::to_string(n_joined_) +
                       " identifications differs from that of the spectrum they refer to (";
    for (std::size_t k = 0; k < examples_.size(); ++k)
    {
      what += (k == 0 ? "" : "; ") + examples_[k];
    }
    const double share = static_cast<double>(n_wrong_) / static_cast<double>(n_joined_);
    require(n_wrong_ < MIN_WRONG || share <= MAX_WRONG_SHARE, ErrorKind::INVALID_INPUT,
            "the " + what + "); give the mzML that was searched.");
    report.warnings.push_back("The " + what + "); these are not scored.");
  }
}
