// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psmformer
{
  /// The best hits of some spectra by one score; all parts have the same length.
  struct ScoredSpectra
  {
    std::vector<std::size_t> spectra; ///< numbers by which lists of different scores are compared; each at most once
    std::vector<double> scores;       ///< higher is better
    std::vector<bool> is_decoy;
  };

  /// How sure it is that one score accepts more targets than another: the share of 200 bootstrap samples of the spectra
  /// in which it does, in [0, 1] (Efron 1979, doi:10.1214/aos/1176344552); 0 for no spectra.
  ///
  /// Counts at 1 % FDR hang on where a handful of decoys stands, and differ by several per cent between scores that
  /// are equally good.
  ///
  /// @param other  by the score that may be better
  /// @param base   by the score that it is compared with; a spectrum may be missing in one of the two
  /// @param limit  FDR at which targets are accepted, D / T
  /// @param seed   of the samples
  double shareOfGains(const ScoredSpectra& other, const ScoredSpectra& base, double limit, std::uint64_t seed);
}
