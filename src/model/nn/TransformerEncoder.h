// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Dropout.h"
#include "MultiHeadAttention.h"
#include "MzDifferenceBias.h"

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

#include <cstdint>

namespace psmformer::nn
{
  /// A LayerNorm over the last dimension.
  torch::nn::LayerNorm makeNorm(std::int64_t width);

  /// Two linear layers with a ReLU or GELU between them.
  class FeedForwardImpl : public torch::nn::Module
  {
  public:
    explicit FeedForwardImpl(const Architecture& architecture);
    at::Tensor forward(const at::Tensor& x_BSD);

  private:
    FeedForwardActivation activation_;
    torch::nn::Linear inner_{nullptr};
    torch::nn::Linear outer_{nullptr};
    Dropout dropout_{nullptr};
  };
  TORCH_MODULE(FeedForward);

  /// One encoder layer: self-attention and feed-forward, each with residual and LayerNorm in the manifest's order.
  class EncoderLayerImpl : public torch::nn::Module
  {
  public:
    /// @param has_mz_bias  whether forward() is given encodings of m/z
    explicit EncoderLayerImpl(const Architecture& architecture, bool has_mz_bias = false);
    at::Tensor forward(const at::Tensor& x_BSD, const at::Tensor& padding_BS, const at::Tensor& mz_encoding_BSF = {});

  private:
    NormOrder norm_order_;
    MultiHeadAttention attention_{nullptr};
    MzDifferenceBias mz_bias_{nullptr}; ///< empty without it
    FeedForward feed_forward_{nullptr};
    torch::nn::LayerNorm attention_norm_{nullptr};
    torch::nn::LayerNorm feed_forward_norm_{nullptr};
    Dropout dropout_{nullptr};
  };
  TORCH_MODULE(EncoderLayer);

  /// A stack of encoder layers; pre-norm stacks end with one more LayerNorm. Zero layers: the input, normalised.
  class TransformerEncoderImpl : public torch::nn::Module
  {
  public:
    /// @param has_mz_bias  whether tokens are peaks, whose attention is biased by m/z differences
    TransformerEncoderImpl(const Architecture& architecture, std::int64_t n_layers, bool has_mz_bias = false);

    /// @param x_BSD       tokens
    /// @param padding_BS  bool, true = padding; the first token of each row is never padding
    /// @param mz_encoding_BSF  of MzDifferenceBias::encode(), with the bias only
    at::Tensor forward(const at::Tensor& x_BSD, const at::Tensor& padding_BS, const at::Tensor& mz_encoding_BSF = {});

  private:
    torch::nn::ModuleList layers_{nullptr};
    torch::nn::LayerNorm final_norm_{nullptr}; ///< of pre-norm stacks and of zero layers
  };
  TORCH_MODULE(TransformerEncoder);

  /// Mean or maximum over the tokens that are not padding, or the first token.
  /// @return B D
  at::Tensor pool(const at::Tensor& x_BSD, const at::Tensor& padding_BS, Pooling pooling);
}
