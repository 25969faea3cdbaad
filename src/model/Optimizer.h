// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "nn/PSMTransformer.h"

#include <PSMFormer/model/PSMTrainer.h>

#include <torch/torch.h>

#include <memory>
#include <vector>

namespace psmformer
{
  /// AdamW (Loshchilov & Hutter 2019, arXiv:1711.05101) over a network's parameters and the temperature of InfoNCE.
  ///
  /// Weight decay acts on matrices only: not on biases, norms and the temperature.
  std::unique_ptr<torch::optim::AdamW> makeOptimizer(const nn::PSMTransformer& network,
                                                     const at::Tensor& log_temperature,
                                                     const TrainingParameters& parameters);

  /// All tensors that an optimiser changes.
  std::vector<at::Tensor> optimizedTensors(const torch::optim::Optimizer& optimizer);

  /// Takes gradients away instead of setting them to zero: the optimiser then passes over a parameter without gradient
  /// after a resumption as it does in an uninterrupted run.
  void dropGradients(const std::vector<at::Tensor>& tensors);

  /// Sets the learning rate of all parameters.
  void setLearningRate(torch::optim::Optimizer& optimizer, double rate);
}
