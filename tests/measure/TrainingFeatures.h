// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/model/PSMTrainer.h>

#include <cstdint>
#include <vector>

namespace psmformer
{
  /// Prints the features of all candidates of the first epoch of a training, head first, separated by tabs.
  ///
  /// In a file of its own: what makes training rows includes LibTorch, what reads the spectra Qt, and no file may do
  /// both.
  void printTrainingFeatures(const std::vector<TrainingExample>& examples, const PeptidePool& pool,
                             const ModelInputs& inputs, const TrainingParameters& parameters, std::uint64_t seed);
}
