// SPDX-License-Identifier: BSD-3-Clause
#include "PeakEmbedding.h"

#include <PSMFormer/core/Spectrum.h>
#include <PSMFormer/core/Vocabulary.h>

namespace psmformer::nn
{
  namespace
  {
    constexpr std::int64_t N_ACTIVATIONS = static_cast<std::int64_t>(Activation::ETHCD) + 1;

    /// m/z or mass as a vector in the floating type of `weight`; phases in float64, whatever that type is.
    at::Tensor encodeMass(const at::Tensor& mass, const Architecture& architecture, const at::Tensor& weight)
    {
      return encodeSinusoidal(mass, architecture.d_model, architecture.min_mz_wavelength,
                              architecture.max_mz_wavelength)
          .to(weight.scalar_type());
    }
  }

  PeakEmbeddingImpl::PeakEmbeddingImpl(const ModelManifest& manifest) : architecture_(manifest.architecture)
  {
    intensity_ = register_module("intensity", torch::nn::Linear(1, architecture_.d_model));
    positions_ = register_module(
        "positions", makePositionalEncoding(architecture_.peak_positions, architecture_,
                                            static_cast<std::int64_t>(manifest.inputs.preprocessing.max_peaks)));
  }

  at::Tensor PeakEmbeddingImpl::forward(const at::Tensor& mz_BP, const at::Tensor& intensity_BP)
  {
    const at::Tensor& weight = intensity_->weight;
    const at::Tensor embedded_BPD =
        intensity_->forward(intensity_BP.to(weight.scalar_type()).unsqueeze(-1)) + positions_->matrix(mz_BP.size(1));
    return architecture_.use_mz_encoding ? embedded_BPD + encodeMass(mz_BP, architecture_, weight) : embedded_BPD;
  }

  PrecursorEmbeddingImpl::PrecursorEmbeddingImpl(const ModelManifest& manifest)
      : architecture_(manifest.architecture), max_charge_(manifest.inputs.max_charge)
  {
    charge_ = register_module("charge", torch::nn::Embedding(max_charge_ + 1, architecture_.d_model));
    activation_ = register_module("activation", torch::nn::Embedding(N_ACTIVATIONS, architecture_.d_model));
    tolerance_ = register_module("tolerance", torch::nn::Linear(1, architecture_.d_model));
  }

  at::Tensor PrecursorEmbeddingImpl::forward(const at::Tensor& mass_B, const at::Tensor& charge_B,
                                             const at::Tensor& activation_B, const at::Tensor& log_tolerance_B)
  {
    const at::Tensor& weight = tolerance_->weight;
    const at::Tensor embedded_BD = charge_->forward(charge_B.clamp(0, max_charge_)) +
                                   activation_->forward(activation_B) +
                                   tolerance_->forward(log_tolerance_B.to(weight.scalar_type()).unsqueeze(-1));
    return architecture_.use_mz_encoding ? embedded_BD + encodeMass(mass_B, architecture_, weight) : embedded_BD;
  }

  ResidueEmbeddingImpl::ResidueEmbeddingImpl(const ModelManifest& manifest) : architecture_(manifest.architecture)
  {
    const std::int64_t max_length = static_cast<std::int64_t>(manifest.inputs.max_residues);
    const OrdinalEncoding mode = architecture_.residue_positions;
    residue_ = register_module(
        "residue", torch::nn::Embedding(Vocabulary(manifest.inputs.vocabulary).size(), architecture_.d_model));
    positions_from_n_ = register_module("positions_from_n", makePositionalEncoding(mode, architecture_, max_length));
    positions_from_c_ = register_module("positions_from_c", makePositionalEncoding(mode, architecture_, max_length));
  }

  at::Tensor ResidueEmbeddingImpl::forward(const at::Tensor& token_QL, const at::Tensor& mass_QL,
                                           const at::Tensor& padding_QL)
  {
    const std::int64_t length = token_QL.size(1);
    return residue_->forward(token_QL) + encodeMass(mass_QL, architecture_, residue_->weight) +
           positions_from_n_->matrix(length) + encodeFromEnd(positions_from_c_, padding_QL);
  }

  at::Tensor positionsFromEnd(const at::Tensor& padding_QL)
  {
    const at::Tensor length_Q1 = padding_QL.logical_not().sum(1, true);
    const at::Tensor index_L = at::arange(padding_QL.size(1), length_Q1.options());
    return (length_Q1 - 1 - index_L).masked_fill(padding_QL, 0);
  }

  at::Tensor encodeFromEnd(PositionalEncoding& positions_from_c, const at::Tensor& padding_QL)
  {
    return at::embedding(positions_from_c->matrix(padding_QL.size(1)).flip(1), positionsFromEnd(padding_QL));
  }
}
