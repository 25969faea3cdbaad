// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "PositionalEncoding.h"

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

namespace psmformer::nn
{
  /// Peaks as vectors: sinusoidal encoding of m/z + projection of the intensity + ordinal encoding of the rank in m/z
  /// order. With use_mz_encoding false, m/z only tells the order.
  class PeakEmbeddingImpl : public torch::nn::Module
  {
  public:
    explicit PeakEmbeddingImpl(const ModelManifest& manifest);

    /// @param mz_BP         Th, float64
    /// @param intensity_BP  float32, as preprocessed
    /// @return B P D
    at::Tensor forward(const at::Tensor& mz_BP, const at::Tensor& intensity_BP);

  private:
    Architecture architecture_;
    torch::nn::Linear intensity_{nullptr};
    PositionalEncoding positions_{nullptr};
  };
  TORCH_MODULE(PeakEmbedding);

  /// The precursor as one vector: its neutral mass, charge, activation and the fragment tolerance.
  ///
  /// The mass comes from the precursor m/z: with use_mz_encoding false it is left out.
  class PrecursorEmbeddingImpl : public torch::nn::Module
  {
  public:
    explicit PrecursorEmbeddingImpl(const ModelManifest& manifest);

    /// @param mass_B           Da, float64
    /// @param charge_B         int64, clipped to the manifest's max_charge
    /// @param activation_B     int64, the values of Activation
    /// @param log_tolerance_B  log10 of the fragment tolerance at m/z 500 in Th, float32
    /// @return B D
    at::Tensor forward(const at::Tensor& mass_B, const at::Tensor& charge_B, const at::Tensor& activation_B,
                       const at::Tensor& log_tolerance_B);

  private:
    Architecture architecture_;
    std::int64_t max_charge_;
    torch::nn::Embedding charge_{nullptr};
    torch::nn::Embedding activation_{nullptr};
    torch::nn::Linear tolerance_{nullptr};
  };
  TORCH_MODULE(PrecursorEmbedding);

  /// Residues as vectors: amino acid + sinusoidal encoding of residue mass with modification + ordinal encodings from
  /// both termini.
  class ResidueEmbeddingImpl : public torch::nn::Module
  {
  public:
    explicit ResidueEmbeddingImpl(const ModelManifest& manifest);

    /// @param token_QL   int64, 0 = padding
    /// @param mass_QL    Da, float64, residue with its modifications; terminal ones on the first and last residue
    /// @param padding_QL bool, true = padding
    /// @return Q L D
    at::Tensor forward(const at::Tensor& token_QL, const at::Tensor& mass_QL, const at::Tensor& padding_QL);

  private:
    Architecture architecture_;
    torch::nn::Embedding residue_{nullptr};
    PositionalEncoding positions_from_n_{nullptr};
    PositionalEncoding positions_from_c_{nullptr};
  };
  TORCH_MODULE(ResidueEmbedding);

  /// Positions counted from the last unpadded token: length - 1 - index, 0 on padding.
  at::Tensor positionsFromEnd(const at::Tensor& padding_QL);

  /// Encodings of the positions counted from the last unpadded token, with their features in reverse order.
  ///
  /// Were the features in one order, the sum of the encodings from both ends would be the same at position i and at
  /// length - 1 - i, and a peptide could not be told from its reversal. In reverse order the short waves from one end
  /// meet the long waves from the other.
  /// @return Q L D
  at::Tensor encodeFromEnd(PositionalEncoding& positions_from_c, const at::Tensor& padding_QL);
}
