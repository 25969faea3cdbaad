// SPDX-License-Identifier: BSD-3-Clause
#include "TransformerEncoder.h"

#include <limits>

namespace psmformer::nn
{
  torch::nn::LayerNorm makeNorm(std::int64_t width)
  {
    return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
  }

  FeedForwardImpl::FeedForwardImpl(const Architecture& architecture) : activation_(architecture.activation)
  {
    inner_ = register_module("inner", torch::nn::Linear(architecture.d_model, architecture.d_feedforward));
    outer_ = register_module("outer", torch::nn::Linear(architecture.d_feedforward, architecture.d_model));
    dropout_ = register_module("dropout", Dropout(architecture.dropout));
  }

  at::Tensor FeedForwardImpl::forward(const at::Tensor& x_BSD)
  {
    const at::Tensor inner = inner_->forward(x_BSD);
    const at::Tensor active = activation_ == FeedForwardActivation::GELU ? at::gelu(inner) : at::relu(inner);
    return outer_->forward(dropout_->forward(active));
  }

  EncoderLayerImpl::EncoderLayerImpl(const Architecture& architecture, bool has_mz_bias)
      : norm_order_(architecture.norm_order)
  {
    attention_ = register_module("attention",
                                 MultiHeadAttention(architecture.d_model, architecture.n_heads, architecture.dropout,
                                                    architecture.attention_window, architecture.local_attention_above));
    if (has_mz_bias)
    {
      mz_bias_ = register_module("mz_bias", MzDifferenceBias(architecture));
    }
    feed_forward_ = register_module("feed_forward", FeedForward(architecture));
    attention_norm_ = register_module("attention_norm", makeNorm(architecture.d_model));
    feed_forward_norm_ = register_module("feed_forward_norm", makeNorm(architecture.d_model));
    dropout_ = register_module("dropout", Dropout(architecture.dropout));
  }

  at::Tensor EncoderLayerImpl::forward(const at::Tensor& x_BSD, const at::Tensor& padding_BS,
                                       const at::Tensor& mz_encoding_BSF)
  {
    const at::Tensor bias_ASS = mz_bias_.is_empty() ? at::Tensor() : mz_bias_->forward(mz_encoding_BSF);
    if (norm_order_ == NormOrder::PRE)
    {
      const at::Tensor attended =
          x_BSD + dropout_->forward(attention_->forward(attention_norm_->forward(x_BSD), padding_BS, bias_ASS));
      return attended + dropout_->forward(feed_forward_->forward(feed_forward_norm_->forward(attended)));
    }
    const at::Tensor attended =
        attention_norm_->forward(x_BSD + dropout_->forward(attention_->forward(x_BSD, padding_BS, bias_ASS)));
    return feed_forward_norm_->forward(attended + dropout_->forward(feed_forward_->forward(attended)));
  }

  TransformerEncoderImpl::TransformerEncoderImpl(const Architecture& architecture, std::int64_t n_layers,
                                                 bool has_mz_bias)
  {
    layers_ = register_module("layers", torch::nn::ModuleList());
    for (std::int64_t i = 0; i < n_layers; ++i)
    {
      layers_->push_back(EncoderLayer(architecture, has_mz_bias));
    }
    if (architecture.norm_order == NormOrder::PRE || n_layers == 0)
    {
      final_norm_ = register_module("final_norm", makeNorm(architecture.d_model));
    }
  }

  at::Tensor TransformerEncoderImpl::forward(const at::Tensor& x_BSD, const at::Tensor& padding_BS,
                                             const at::Tensor& mz_encoding_BSF)
  {
    at::Tensor encoded_BSD = x_BSD;
    for (const std::shared_ptr<torch::nn::Module>& layer : *layers_)
    {
      encoded_BSD = layer->as<EncoderLayer>()->forward(encoded_BSD, padding_BS, mz_encoding_BSF);
    }
    return final_norm_.is_empty() ? encoded_BSD : final_norm_->forward(encoded_BSD);
  }

  at::Tensor pool(const at::Tensor& x_BSD, const at::Tensor& padding_BS, Pooling pooling)
  {
    const at::Tensor padding_BS1 = padding_BS.unsqueeze(-1);
    if (pooling == Pooling::MAX)
    {
      return x_BSD.masked_fill(padding_BS1, -std::numeric_limits<double>::infinity()).amax(1);
    }
    if (pooling == Pooling::MEAN)
    {
      const at::Tensor n_tokens_B1 = padding_BS1.logical_not().sum(1);
      return x_BSD.masked_fill(padding_BS1, 0.0).sum(1) / n_tokens_B1.clamp_min(1);
    }
    return x_BSD.select(1, 0);
  }
}
