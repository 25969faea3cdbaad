// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace psmformer
{
  /// How much of a peptide's ends the enzyme decides.
  enum class CleavageSpecificity
  {
    FULL,
    SEMI, ///< one end is free
    NONE  ///< both ends are free
  };

  struct DigestionParameters
  {
    std::string enzyme = "Trypsin"; ///< a name of OpenMS's list
    CleavageSpecificity specificity = CleavageSpecificity::FULL;
    std::size_t missed_cleavages = 2;
    std::size_t min_length = 6;
    std::size_t max_length = 40;
    std::size_t max_peptides = 3'000'000; ///< above it a seeded draw; a bound on memory
    std::size_t unspecific_draws = 0;     ///< of peptides cut anywhere, besides those of the enzyme
    std::uint64_t seed = 1;
  };

  /// Distinct peptides of the proteins of FASTA files, sorted.
  ///
  /// With specificity NONE the peptides are drawn: `max_peptides` times a protein by its length, a start and a length,
  /// all of these uniformly; there would be too many to list. So are `unspecific_draws` further ones with FULL and
  /// SEMI.
  ///
  /// @param files  FASTA; gzip-compressed when the name ends in .gz
  /// @throws Error NOT_FOUND, NOT_READABLE, DAMAGED_INPUT or INVALID_INPUT (no protein) for a file, OPTION for an
  ///         unknown enzyme (listing the known ones)
  std::set<std::string> digestProteins(const std::vector<std::string>& files, const DigestionParameters& parameters);
}
