// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Dropout.h"

#include <torch/torch.h>

#include <cstdint>

namespace psmformer::nn
{
  /// Multi-head scaled dot-product attention: softmax(Q K^T / sqrt(d_k)) V, heads concatenated and projected.
  ///
  /// Vaswani et al. 2017, section 3.2 (arXiv:1706.03762). Batch first. The projections of Q, K and V are one weight,
  /// `qkv`, each part initialised on its own (Glorot & Bengio 2010, uniform).
  class MultiHeadAttentionImpl : public torch::nn::Module
  {
  public:
    /// @param d_model      width, a multiple of n_heads
    /// @param dropout      [0, 1), on the attention weights; full attention in training only
    /// @param window       neighbours on each side in self-attention over long sequences; 0: full attention always
    /// @param local_above  self-attention over more positions than this uses the window
    /// @throws Error INVALID_MODEL when n_heads does not divide d_model
    MultiHeadAttentionImpl(std::int64_t d_model, std::int64_t n_heads, double dropout, std::int64_t window = 0,
                           std::int64_t local_above = 0);

    /// Self-attention.
    /// @param x_BSD        tokens
    /// @param padding_BS   bool, true = ignore; no row may be fully padded
    /// @param bias_ASS     added to the scores of full attention before the softmax, A = B x H; undefined: nothing
    at::Tensor forward(const at::Tensor& x_BSD, const at::Tensor& padding_BS, const at::Tensor& bias_ASS = {});

    /// Attention from queries to a memory.
    /// @param query_BTD    queries
    /// @param memory_BPD   what is attended to
    /// @param padding_BP   bool, true = ignore; no row may be fully padded
    /// @return B T D
    at::Tensor attend(const at::Tensor& query_BTD, const at::Tensor& memory_BPD, const at::Tensor& padding_BP);

    torch::nn::Linear qkv{nullptr};
    torch::nn::Linear output{nullptr};

  private:
    /// B S D -> (B H) S K, with K = D / H.
    at::Tensor splitHeads(const at::Tensor& x_BSD) const;

    /// Every query sees every key that is not padding; A = B x H.
    /// @return B T D, not yet projected
    at::Tensor attendFully(const at::Tensor& query_ATK, const at::Tensor& key_APK, const at::Tensor& value_APK,
                           const at::Tensor& padding_BP, const at::Tensor& bias_ATP = {});

    std::int64_t n_heads_;
    std::int64_t window_;
    std::int64_t local_above_;
    Dropout dropout_{nullptr};
  };
  TORCH_MODULE(MultiHeadAttention);
}
