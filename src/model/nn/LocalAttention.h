// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace psmformer::nn
{
  /// Attention in which each position sees `window` neighbours on each side, in time and memory linear in the length.
  ///
  /// Equal to full attention with a band mask. Beltagy, Peters & Cohan 2020 (arXiv:2004.05150), section 3.1, sliding
  /// window.
  ///
  /// @param query_BHSK, key_BHSK, value_BHSK   per-head projections (K = d_k), not yet scaled
  /// @param padding_BS                         bool, true = ignore
  /// @param window                             >= 1
  /// @return B H S K; a position whose whole window is padding gives zeros
  at::Tensor attendLocally(const at::Tensor& query_BHSK, const at::Tensor& key_BHSK, const at::Tensor& value_BHSK,
                           const at::Tensor& padding_BS, std::int64_t window);
}
