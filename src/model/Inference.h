// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "nn/PSMTransformer.h"

#include <PSMFormer/core/BatchPlanner.h>
#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

#include <vector>

namespace psmformer
{
  /// Scores all matches of a table with networks in eval mode; same bytes for any number of threads.
  ///
  /// On the CPU each thread takes whole batches. On a GPU the threads prepare batches and take turns in using it.
  /// @param networks  one for each fold of the manifest's rule
  /// @throws Error INVALID_INPUT for a peptide or spectrum the network cannot take, INTERNAL for a score that is not
  ///         finite
  MatchScores scoreMatches(const std::vector<nn::PSMTransformer>& networks, const ModelManifest& manifest,
                           const MatchTable& table, const BatchLimits& limits, const torch::Device& device, int threads,
                           const ProgressCallback& progress = {});
}
