// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Bounds on what goes through the network at once; they change speed and memory, never a score.
  struct BatchLimits
  {
    std::size_t max_tokens = 16384;  ///< padded peaks plus padded site tokens in one batch, > 0
    std::size_t max_candidates = 32; ///< matches that share one row; a spectrum with more gets several rows
    std::size_t max_peaks = 150;     ///< an upper bound on the peaks of a preprocessed spectrum
  };

  /// A spectrum with one charge and the candidates that are scored against it.
  struct BatchRow
  {
    std::size_t spectrum = 0; ///< index into MatchTable::spectra
    int charge = 0;
    std::vector<std::size_t> matches; ///< indices into MatchTable::matches, 1 to max_candidates
  };

  /// Rows that are padded to one shape: longest peptide and most candidates among them.
  struct MatchBatch
  {
    std::vector<BatchRow> rows;
    std::size_t fold = 0; ///< of all peptides in it
  };

  /// Groups matches by (spectrum, charge, fold of the peptide) and packs rows of like size into batches.
  ///
  /// Every match is in exactly one row. The plan depends on the table and the limits only; rows are sorted by fold,
  /// longest peptide (longest first, so that a lack of memory shows at once), then number of candidates, then index.
  std::vector<MatchBatch> planBatches(const MatchTable& table, const BatchLimits& limits, const FoldRule& folds = {});
}
