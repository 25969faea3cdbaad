// SPDX-License-Identifier: BSD-3-Clause
#include "Optimizer.h"

#include <utility>

namespace psmformer
{
  std::unique_ptr<torch::optim::AdamW> makeOptimizer(const nn::PSMTransformer& network,
                                                     const at::Tensor& log_temperature,
                                                     const TrainingParameters& parameters)
  {
    std::vector<at::Tensor> decayed;
    std::vector<at::Tensor> free = {log_temperature};
    for (const at::Tensor& parameter : network->parameters())
    {
      (parameter.dim() >= 2 ? decayed : free).push_back(parameter);
    }
    const torch::optim::AdamWOptions options(parameters.learning_rate);
    auto with_decay = std::make_unique<torch::optim::AdamWOptions>(options);
    with_decay->weight_decay(parameters.weight_decay);
    auto without_decay = std::make_unique<torch::optim::AdamWOptions>(options);
    without_decay->weight_decay(0.0);
    std::vector<torch::optim::OptimizerParamGroup> groups;
    groups.emplace_back(decayed, std::move(with_decay));
    groups.emplace_back(free, std::move(without_decay));
    return std::make_unique<torch::optim::AdamW>(std::move(groups), options);
  }

  std::vector<at::Tensor> optimizedTensors(const torch::optim::Optimizer& optimizer)
  {
    std::vector<at::Tensor> tensors;
    for (const torch::optim::OptimizerParamGroup& group : optimizer.param_groups())
    {
      tensors.insert(tensors.end(), group.params().begin(), group.params().end());
    }
    return tensors;
  }

  void dropGradients(const std::vector<at::Tensor>& tensors)
  {
    for (const at::Tensor& tensor : tensors)
    {
      tensor.mutable_grad().reset();
    }
  }

  void setLearningRate(torch::optim::Optimizer& optimizer, double rate)
  {
    for (torch::optim::OptimizerParamGroup& group : optimizer.param_groups())
    {
      static_cast<torch::optim::AdamWOptions&>(group.options()).lr(rate);
    }
  }
}
