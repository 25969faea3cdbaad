// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/core/Tolerance.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/MatchReader.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Whether a tolerance is above 0 and at most 2 Da at 1000 Th: no measurement of fragments is coarser.
  bool isFragmentTolerance(const Tolerance& tolerance);

  /// For a tolerance that a user chose: known and possible, or 0 for none.
  /// @throws Error OPTION that names the option
  void requireFragmentTolerance(const Tolerance& chosen);

  /// The fragment tolerance a search was made with; unknown when it is absent or not possible.
  Tolerance searchedFragmentTolerance(const OpenMS::ProteinIdentification::SearchParameters& parameters);

  /// Estimates a fragment tolerance from the mass errors of the most reliable matches: 5 times the median absolute
  /// error (for normal errors 3.4 standard deviations).
  ///
  /// The first b, y, c and z ions are matched to the peaks within 0.5 Da. Matches by chance fill that window evenly;
  /// their density, read off its outer half, is subtracted before the median is taken.
  ///
  /// @param matches  indices into table.matches, best first; at most the first 200 are used
  /// @return unknown when fewer than 20 matches or fewer than 100 ions beyond chance are there
  Tolerance estimateFragmentTolerance(const MatchTable& table, const std::vector<std::size_t>& matches);

  /// Gives every spectrum of a join its fragment tolerance: `chosen` when known, else that of the search, else the
  /// estimate from the run's best hits by the engine's score, with a note.
  ///
  /// @param run_of_spectrum  index into runs, by index into MatchTable::spectra
  /// @throws Error OPTION when it is neither known nor can be estimated
  void assignFragmentTolerances(JoinedMatches& joined, const Tolerance& chosen,
                                const std::vector<std::size_t>& run_of_spectrum,
                                const std::vector<OpenMS::ProteinIdentification>& runs,
                                const PeptideIds& identifications);
}
