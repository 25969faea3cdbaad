// SPDX-License-Identifier: BSD-3-Clause
#include "MultiHeadAttention.h"

#include "LocalAttention.h"

#include <PSMFormer/core/Error.h>

#include <cmath>
#include <limits>
#include <string>

namespace psmformer::nn
{
  namespace
  {
    /// Each of the equal parts of a fused projection gets the range of its own fan-in and fan-out.
    void initialiseProjection(torch::nn::Linear& projection, std::int64_t n_parts)
    {
      const at::NoGradGuard no_gradient;
      for (at::Tensor& part : projection->weight.chunk(n_parts, 0))
      {
        torch::nn::init::xavier_uniform_(part);
      }
      torch::nn::init::zeros_(projection->bias);
    }

    /// 0 for keys that take part, -inf for padded ones; one row a head: B P -> (B H) 1 P.
    at::Tensor paddingBias(const at::Tensor& padding_BP, std::int64_t n_heads, torch::Dtype dtype)
    {
      const std::int64_t n_batch = padding_BP.size(0);
      const std::int64_t n_keys = padding_BP.size(1);
      const at::Tensor bias_BP = at::zeros({n_batch, n_keys}, padding_BP.options().dtype(dtype))
                                     .masked_fill(padding_BP, -std::numeric_limits<double>::infinity());
      return bias_BP.unsqueeze(1).expand({n_batch, n_heads, n_keys}).reshape({n_batch * n_heads, 1, n_keys});
    }

    /// (B H) S K -> B S (H K)
    at::Tensor mergeHeads(const at::Tensor& x_ASK, std::int64_t n_heads)
    {
      const std::int64_t n_batch = x_ASK.size(0) / n_heads;
      const std::int64_t n_tokens = x_ASK.size(1);
      return x_ASK.view({n_batch, n_heads, n_tokens, x_ASK.size(2)})
          .transpose(1, 2)
          .reshape({n_batch, n_tokens, n_heads * x_ASK.size(2)});
    }
  }

  MultiHeadAttentionImpl::MultiHeadAttentionImpl(std::int64_t d_model, std::int64_t n_heads, double dropout,
                                                 std::int64_t window, std::int64_t local_above)
      : n_heads_(n_heads), window_(window), local_above_(local_above)
  {
    require(d_model >= 1 && n_heads >= 1 && d_model % n_heads == 0, ErrorKind::INVALID_MODEL,
            "The model's d_model " + std::to_string(d_model) + " is not a multiple of its n_heads " +
                std::to_string(n_heads) + "; change one of them.");
    qkv = register_module("qkv", torch::nn::Linear(d_model, 3 * d_model));
    output = register_module("output", torch::nn::Linear(d_model, d_model));
    dropout_ = register_module("dropout", Dropout(dropout));
    initialiseProjection(qkv, 3);
    initialiseProjection(output, 1);
  }

  at::Tensor MultiHeadAttentionImpl::forward(const at::Tensor& x_BSD, const at::Tensor& padding_BS,
                                             const at::Tensor& bias_ASS)
  {
    const std::vector<at::Tensor> parts = qkv->forward(x_BSD).chunk(3, -1);
    const at::Tensor query_ASK = splitHeads(parts[0]);
    const at::Tensor key_ASK = splitHeads(parts[1]);
    const at::Tensor value_ASK = splitHeads(parts[2]);
    if (window_ == 0 || x_BSD.size(1) <= local_above_)
    {
      return output->forward(attendFully(query_ASK, key_ASK, value_ASK, padding_BS, bias_ASS));
    }
    // (B H) S K -> B H S K
    const std::vector<std::int64_t> shape = {x_BSD.size(0), n_heads_, x_BSD.size(1), query_ASK.size(2)};
    const at::Tensor mixed_BHSK =
        attendLocally(query_ASK.view(shape), key_ASK.view(shape), value_ASK.view(shape), padding_BS, window_);
    return output->forward(mergeHeads(mixed_BHSK.flatten(0, 1), n_heads_));
  }

  at::Tensor MultiHeadAttentionImpl::attend(const at::Tensor& query_BTD, const at::Tensor& memory_BPD,
                                            const at::Tensor& padding_BP)
  {
    const std::int64_t width = query_BTD.size(2);
    const at::Tensor query_BTD_projected =
        at::linear(query_BTD, qkv->weight.narrow(0, 0, width), qkv->bias.narrow(0, 0, width));
    const std::vector<at::Tensor> key_value =
        at::linear(memory_BPD, qkv->weight.narrow(0, width, 2 * width), qkv->bias.narrow(0, width, 2 * width))
            .chunk(2, -1);
    return output->forward(
        attendFully(splitHeads(query_BTD_projected), splitHeads(key_value[0]), splitHeads(key_value[1]), padding_BP));
  }

  at::Tensor MultiHeadAttentionImpl::attendFully(const at::Tensor& query_ATK, const at::Tensor& key_APK,
                                                 const at::Tensor& value_APK, const at::Tensor& padding_BP,
                                                 const at::Tensor& bias_ATP)
  {
    at::Tensor bias_A1P = paddingBias(padding_BP, n_heads_, query_ATK.scalar_type());
    if (bias_ATP.defined())
    {
      bias_A1P = bias_A1P + bias_ATP;
    }
    const double scale = 1.0 / std::sqrt(static_cast<double>(query_ATK.size(2)));
    const at::Tensor weight_ATP = at::baddbmm(bias_A1P, query_ATK, key_APK.transpose(1, 2), 1, scale).softmax(-1);
    return mergeHeads(at::bmm(dropout_->forward(weight_ATP), value_APK), n_heads_);
  }

  at::Tensor MultiHeadAttentionImpl::splitHeads(const at::Tensor& x_BSD) const
  {
    const std::int64_t n_batch = x_BSD.size(0);
    const std::int64_t n_tokens = x_BSD.size(1);
    const std::int64_t d_head = x_BSD.size(2) / n_heads_;
    // B S (H K) -> B H S K -> (B H) S K
    return x_BSD.reshape({n_batch, n_tokens, n_heads_, d_head})
        .transpose(1, 2)
        .reshape({n_batch * n_heads_, n_tokens, d_head});
  }
}
