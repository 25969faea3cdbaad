// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/Preprocessing.h>
#include <PSMFormer/core/Random.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// How many negatives of which class are drawn for each positive in an epoch.
  struct NegativeMix
  {
    std::size_t natural_drawn = 100; ///< equal-mass natural peptides that are looked at
    std::size_t natural_hardest = 3; ///< of these, the ones with the most matched intensity
    std::size_t natural_random = 1;  ///< of these, others
    std::size_t shuffled = 2;
    std::size_t swapped = 1;
    std::size_t reversed = 1;
    std::size_t substituted = 0;
    double any_end_share = 0.0;   ///< of the positives whose natural negatives end anywhere, not as they do
    double mass_tolerance = 0.05; ///< Da; how far the mass of a natural or substituted one may be from the positive's
  };

  /// Draws the negatives of one positive; their number may be smaller than asked for when a class has none.
  ///
  /// None of them equals another or is indistinguishable from the positive. The same Random state gives the same ones.
  /// @param spectrum  the preprocessed spectrum of the positive: decides which natural peptides are hard
  /// @param others    other candidates of the same spectrum (rank 2 to 10 of a search), all taken but those that are
  ///                  indistinguishable from the positive
  std::vector<Peptide> drawNegatives(const PreprocessedSpectrum& spectrum, const Peptide& positive,
                                     const std::vector<Peptide>& others, const PeptidePool& pool,
                                     const NegativeMix& mix, const std::vector<IonChannel>& channels,
                                     std::size_t max_peaks, Random& random);
}
