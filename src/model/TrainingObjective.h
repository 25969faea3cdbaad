// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "TrainingBatch.h"
#include "nn/PSMTransformer.h"

#include <PSMFormer/model/PSMTrainer.h>

#include <torch/torch.h>

namespace psmformer
{
  /// The parts of the training loss of one batch, unweighted, and their weighted sum; scalars.
  struct LossTerms
  {
    at::Tensor listwise;
    at::Tensor match;
    at::Tensor spectral_angle; ///< 1 - spectral angle
    at::Tensor contrastive;
    at::Tensor total;
  };

  /// The training loss of the network's output on a batch.
  ///
  /// The spectral angle counts on true peptides that were not relocated: moved peaks keep the intensities of the
  /// peptide they come from, which say nothing of how the permuted peptide breaks.
  /// @param temperature  of InfoNCE, scalar tensor
  LossTerms trainingLoss(const nn::MatchOutput& output, const TrainingBatch& batch,
                         const TrainingParameters& parameters, const at::Tensor& temperature);

  /// Moves a batch to a device.
  TrainingBatch toDevice(const TrainingBatch& batch, const torch::Device& device);
}
