// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptideSpectrumMatch.h>

#include <cstddef>
#include <functional>

namespace psmformer
{
  struct ModelManifest;

  /// Called now and then with the number of matches done.
  using ProgressCallback = std::function<void(std::size_t)>;

  /// Scores matches; the seam between `openms` and `model`, and what tests replace by a scorer without a network.
  class MatchScorer
  {
  public:
    virtual ~MatchScorer() = default;

    /// Scores every match of the table; the result does not depend on the order of matches nor on how they are batched.
    virtual MatchScores score(const MatchTable& table, const ProgressCallback& progress = {}) const = 0;

    /// What the model was made for: limits of its inputs, vocabulary, name and version.
    virtual const ModelManifest& manifest() const = 0;
  };
}
