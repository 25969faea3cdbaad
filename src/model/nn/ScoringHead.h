// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

#include <cstdint>

namespace psmformer::nn
{
  /// CLS vector -> logit: linear, ReLU, linear.
  class ScoringHeadImpl : public torch::nn::Module
  {
  public:
    explicit ScoringHeadImpl(const Architecture& architecture);

    /// @return logit_N
    at::Tensor forward(const at::Tensor& cls_ND);

  private:
    torch::nn::Linear hidden_{nullptr};
    torch::nn::Linear logit_{nullptr};
  };
  TORCH_MODULE(ScoringHead);

  /// Predicts the intensity of every ion channel at every site from the peptide alone: no evidence goes in.
  class FragmentHeadImpl : public torch::nn::Module
  {
  public:
    explicit FragmentHeadImpl(const ModelManifest& manifest);

    /// @param residue_NLD   encoded residues
    /// @param charge_N, activation_N  int64
    /// @return N S K: square-root intensities, >= 0; S = L - 1 (at least 1), K = number of ion channels
    at::Tensor forward(const at::Tensor& residue_NLD, const at::Tensor& charge_N, const at::Tensor& activation_N);

  private:
    std::int64_t max_charge_;
    torch::nn::Linear pair_{nullptr};
    torch::nn::Embedding charge_{nullptr};
    torch::nn::Embedding activation_{nullptr};
    torch::nn::Linear intensity_{nullptr};
  };
  TORCH_MODULE(FragmentHead);

  /// 1 - 2 acos(cos(predicted, measured)) / pi over all sites and channels (Toprak et al. 2014,
  /// doi:10.1074/mcp.O113.036475).
  ///
  /// @param predicted_NSK, measured_NSK   >= 0
  /// @param site_padding_NS               bool, true = padding
  /// @return N, in [0, 1]; 0 where nothing was measured. Its gradient is finite everywhere.
  at::Tensor spectralAngle(const at::Tensor& predicted_NSK, const at::Tensor& measured_NSK,
                           const at::Tensor& site_padding_NS);

  /// Left and right neighbours of each site side by side: N L D -> N S 2D with S = max(L - 1, 1); a single residue
  /// stands on both sides of its one (padded) site.
  at::Tensor pairNeighbours(const at::Tensor& residue_NLD);
}
