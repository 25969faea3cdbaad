// SPDX-License-Identifier: BSD-3-Clause
#include "LocalAttention.h"

#include <PSMFormer/core/Error.h>

#include <cmath>
#include <limits>
#include <string>

namespace psmformer::nn
{
  namespace
  {
    /// Queries that are handled by one matrix product. It changes speed only: small blocks pay for many products, large
    /// ones compute scores outside the band.
    constexpr std::int64_t BLOCK = 32;

    /// Blocks of keys or values with their neighbours: A S K -> A n_blocks K (BLOCK + 2 window).
    at::Tensor blocksWithNeighbours(const at::Tensor& x_ASK, std::int64_t window, std::int64_t n_blocks)
    {
      const std::int64_t after = n_blocks * BLOCK - x_ASK.size(1) + window;
      return at::constant_pad_nd(x_ASK, {0, 0, window, after}).unfold(1, BLOCK + 2 * window, BLOCK);
    }

    /// True where query i of a block may not see key j: (BLOCK, BLOCK + 2 window). Key j stands j - window after the
    /// first query.
    at::Tensor outsideBand(std::int64_t window, const torch::Device& device)
    {
      const auto options = torch::TensorOptions().dtype(torch::kInt64).device(device);
      const at::Tensor offset =
          at::arange(BLOCK + 2 * window, options).unsqueeze(0) - at::arange(BLOCK, options).unsqueeze(1);
      return at::logical_or(offset<0, offset> 2 * window);
    }
  }

  at::Tensor attendLocally(const at::Tensor& query_BHSK, const at::Tensor& key_BHSK, const at::Tensor& value_BHSK,
                           const at::Tensor& padding_BS, std::int64_t window)
  {
    require(window >= 1, ErrorKind::INVALID_MODEL,
            "The window of local attention is " + std::to_string(window) + ", but must be at least 1.");
    const std::int64_t n_batch = query_BHSK.size(0);
    const std::int64_t n_heads = query_BHSK.size(1);
    const std::int64_t n_tokens = query_BHSK.size(2);
    const std::int64_t d_head = query_BHSK.size(3);
    const std::int64_t n_blocks = (n_tokens + BLOCK - 1) / BLOCK;
    const std::int64_t n_keys = BLOCK + 2 * window;

    // B H S K -> (B H) n_blocks BLOCK K
    const at::Tensor query = at::constant_pad_nd(query_BHSK.flatten(0, 1), {0, 0, 0, n_blocks * BLOCK - n_tokens})
                                 .view({n_batch * n_heads, n_blocks, BLOCK, d_head});
    const at::Tensor key = blocksWithNeighbours(key_BHSK.flatten(0, 1), window, n_blocks);
    const at::Tensor value = blocksWithNeighbours(value_BHSK.flatten(0, 1), window, n_blocks).transpose(2, 3);
    // B S -> B 1 n_blocks 1 n_keys, what lies beyond the ends counting as padding
    const at::Tensor padding = at::constant_pad_nd(padding_BS, {window, n_blocks * BLOCK - n_tokens + window}, true)
                                   .unfold(1, n_keys, BLOCK)
                                   .view({n_batch, 1, n_blocks, 1, n_keys});
    const at::Tensor hidden = at::logical_or(padding, outsideBand(window, padding.device()));
    const at::Tensor sees_nothing = hidden.all(-1, true);

    const double scale = 1.0 / std::sqrt(static_cast<double>(d_head));
    const at::Tensor score = (at::matmul(query, key) * scale).view({n_batch, n_heads, n_blocks, BLOCK, n_keys});
    // A row without any key would be NaN after the softmax, and so would its gradient: it keeps its scores and gets
    // its zeros afterwards.
    const at::Tensor weight =
        score.masked_fill(at::logical_and(hidden, sees_nothing.logical_not()), -std::numeric_limits<double>::infinity())
            .softmax(-1)
            .masked_fill(sees_nothing, 0.0);
    return at::matmul(weight.flatten(0, 1), value)
        .view({n_batch, n_heads, n_blocks * BLOCK, d_head})
        .narrow(2, 0, n_tokens);
  }
}
