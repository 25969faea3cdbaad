// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "nn/PSMTransformer.h"

#include <PSMFormer/model/PSMTrainer.h>

#include <torch/torch.h>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace psmformer
{
  /// How far a training has come; with the seed it says which batch is next.
  struct TrainingProgress
  {
    std::size_t epoch = 1;        ///< the epoch in progress, from 1
    std::size_t next_batch = 0;   ///< of this epoch; always the first of those that share a step
    std::size_t step = 0;         ///< steps of the optimiser so far
    std::size_t stale_epochs = 0; ///< since the last better validation loss
    double best_loss = std::numeric_limits<double>::infinity();
    double loss_sum = 0.0;         ///< of this epoch, over spectra
    std::size_t epoch_spectra = 0; ///< done in this epoch
    std::size_t total_spectra = 0; ///< done in all
    double epoch_seconds = 0.0;    ///< spent in this epoch
    std::vector<EpochRecord> history;
  };

  /// Everything that a training goes on from.
  struct TrainingState
  {
    TrainingProgress progress;
    std::vector<at::Tensor> best; ///< parameters with the best validation loss, in the network's order; may be empty
    nn::PSMTransformer network{nullptr};
    at::Tensor log_temperature;
    torch::optim::Optimizer* optimizer = nullptr; ///< not owned
    torch::Device device{torch::kCPU};            ///< whose random generator is stored as well
  };

  /// Writes the state and the states of LibTorch's random generators as one file, in full or not at all.
  /// @param fingerprint  names the training (network, data, parameters); compared when the state is read
  /// @throws Error CANNOT_WRITE
  void saveTrainingState(const std::filesystem::path& file, const std::string& fingerprint, const TrainingState& state);

  /// Reads a state into an existing network and optimiser of the same training.
  /// @throws Error DAMAGED_INPUT for a damaged file, INVALID_INPUT for one that belongs to another training
  void loadTrainingState(const std::filesystem::path& file, const std::string& fingerprint, TrainingState& state);

  /// Copies of all parameters, in the network's order.
  std::vector<at::Tensor> copyParameters(const nn::PSMTransformer& network);

  /// Writes copied parameters back.
  void restoreParameters(nn::PSMTransformer& network, const std::vector<at::Tensor>& parameters);
}
