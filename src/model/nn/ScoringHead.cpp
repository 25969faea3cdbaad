// SPDX-License-Identifier: BSD-3-Clause
#include "ScoringHead.h"

#include <PSMFormer/core/Spectrum.h>

namespace psmformer::nn
{
  namespace
  {
    constexpr std::int64_t ACTIVATIONS = static_cast<std::int64_t>(Activation::ETHCD) + 1;
    constexpr double PI = 3.14159265358979323846;
  }

  ScoringHeadImpl::ScoringHeadImpl(const Architecture& architecture)
  {
    hidden_ = register_module("hidden", torch::nn::Linear(architecture.d_model, architecture.d_model));
    logit_ = register_module("logit", torch::nn::Linear(architecture.d_model, 1));
  }

  at::Tensor ScoringHeadImpl::forward(const at::Tensor& cls_ND)
  {
    return logit_(torch::relu(hidden_(cls_ND))).squeeze(-1);
  }

  FragmentHeadImpl::FragmentHeadImpl(const ModelManifest& manifest) : max_charge_(manifest.inputs.max_charge)
  {
    const std::int64_t width = manifest.architecture.d_model;
    const auto n_channels = static_cast<std::int64_t>(manifest.inputs.ions.size());
    pair_ = register_module("pair", torch::nn::Linear(2 * width, width));
    charge_ = register_module("charge", torch::nn::Embedding(max_charge_ + 1, width));
    activation_ = register_module("activation", torch::nn::Embedding(ACTIVATIONS, width));
    intensity_ = register_module("intensity", torch::nn::Linear(width, n_channels));
  }

  at::Tensor FragmentHeadImpl::forward(const at::Tensor& residue_NLD, const at::Tensor& charge_N,
                                       const at::Tensor& activation_N)
  {
    const at::Tensor precursor_ND = charge_(charge_N.clamp(0, max_charge_)) + activation_(activation_N);
    const at::Tensor site_NSD = torch::relu(pair_(pairNeighbours(residue_NLD)) + precursor_ND.unsqueeze(1));
    return torch::softplus(intensity_(site_NSD));
  }

  at::Tensor spectralAngle(const at::Tensor& predicted_NSK, const at::Tensor& measured_NSK,
                           const at::Tensor& site_padding_NS)
  {
    // acos has no slope at 1 and a square root none at 0: both are kept a little away from it.
    constexpr double LARGEST_COSINE = 1.0 - 1e-6;
    constexpr double SMALLEST_SQUARE = 1e-12;
    const at::Tensor taken_NS1 = site_padding_NS.logical_not().unsqueeze(-1).to(predicted_NSK.scalar_type());
    const at::Tensor predicted_NV = (predicted_NSK * taken_NS1).flatten(1);
    const at::Tensor measured_NV = (measured_NSK * taken_NS1).flatten(1);
    const at::Tensor norm_N = ((predicted_NV * predicted_NV).sum(1) + SMALLEST_SQUARE).sqrt() *
                              ((measured_NV * measured_NV).sum(1) + SMALLEST_SQUARE).sqrt();
    const at::Tensor cosine_N = ((predicted_NV * measured_NV).sum(1) / norm_N).clamp(0.0, LARGEST_COSINE);
    return (1.0 - torch::acos(cosine_N) * (2.0 / PI)).clamp(0.0, 1.0);
  }

  at::Tensor pairNeighbours(const at::Tensor& residue_NLD)
  {
    const std::int64_t length = residue_NLD.size(1);
    if (length == 1)
    {
      return torch::cat({residue_NLD, residue_NLD}, -1);
    }
    return torch::cat({residue_NLD.narrow(1, 0, length - 1), residue_NLD.narrow(1, 1, length - 1)}, -1);
  }
}
