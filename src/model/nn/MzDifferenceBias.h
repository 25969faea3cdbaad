// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

#include <cstdint>

namespace psmformer::nn
{
  /// A learned bias on the attention between two peaks that depends on the difference of their m/z alone:
  /// for each head h  bias_h(d) = sum_k a_hk cos(2 pi d / w_k) + b_hk sin(2 pi d / w_k).
  ///
  /// Since the cosine and the sine of a difference are sums of products, the bias of all pairs is one matrix product
  /// of sinusoids of the m/z. The wavelengths w_k are those of the range of the m/z encoding. That a bias from mass
  /// differences helps: Lapin et al. 2025, doi:10.1021/acs.jproteome.5c00063, for de novo sequencing.
  class MzDifferenceBiasImpl : public torch::nn::Module
  {
  public:
    explicit MzDifferenceBiasImpl(const Architecture& architecture);

    /// cos and sin of the phases of m/z, to be made once for all layers.
    ///
    /// @param mz_BP  Th, float64
    /// @return B (P + 1) 2K, in the given type; zeros for the precursor token, which comes first and has no bias
    static at::Tensor encode(const at::Tensor& mz_BP, const Architecture& architecture, torch::Dtype dtype);

    /// @param encoding_BPF  of encode(), F = 2K
    /// @return (B H) P P: row i, column j for the difference mz_i - mz_j
    at::Tensor forward(const at::Tensor& encoding_BPF);

  private:
    std::int64_t n_heads_;
    at::Tensor cosine_HK_; ///< a
    at::Tensor sine_HK_;   ///< b
  };
  TORCH_MODULE(MzDifferenceBias);
}
