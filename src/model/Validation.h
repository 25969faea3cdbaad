// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "TrainingBatch.h"
#include "nn/PSMTransformer.h"

#include <PSMFormer/model/PSMTrainer.h>

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psmformer
{
  /// How well the network does on spectra it was not fitted to.
  struct ValidationResult
  {
    double loss = 0.0;
    double top1 = 0.0;       ///< share of spectra whose true peptide has a better logit than every negative
    double cosine_auc = 0.5; ///< share of (true, equal-mass) pairs of a spectrum ranked rightly by the cosine
  };

  /// Validation spectra with negatives that are drawn once, so that epochs are compared on the same task.
  ///
  /// Like training it has peak relocations in the stated share (a network that recognises natural sequences must not
  /// look good), but no augmentation.
  class Validation
  {
  public:
    /// Draws everything at epoch 0 of the seed.
    /// @param rows  made without augmentation
    Validation(const TrainingRowMaker& rows, const TrainingParameters& parameters, std::uint64_t seed);

    /// Leaves the network in eval mode and the random generators untouched.
    ValidationResult evaluate(nn::PSMTransformer network, const at::Tensor& temperature,
                              const torch::Device& device) const;

  private:
    TrainingParameters parameters_;
    std::vector<TrainingBatch> batches_;
  };
}
