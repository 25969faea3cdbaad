// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Batch.h"
#include "MatchDecoder.h"
#include "PeakEmbedding.h"
#include "ScoringHead.h"
#include "TransformerEncoder.h"

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

namespace psmformer::nn
{
  /// What the network says of one batch; slots without a candidate hold values without meaning.
  struct MatchOutput
  {
    at::Tensor logit_N;
    at::Tensor cosine_N;         ///< in [-1, 1]
    at::Tensor spectral_angle_N; ///< in [0, 1]
    at::Tensor spectrum_BD;      ///< unit length
    at::Tensor peptide_QD;       ///< unit length
  };

  /// Spectrum encoder, peptide encoder, match decoder and their heads.
  class PSMTransformerImpl : public torch::nn::Module
  {
  public:
    explicit PSMTransformerImpl(const ModelManifest& manifest);

    MatchOutput forward(const MatchTensors& batch);

    /// Number of trainable numbers.
    std::int64_t parameterCount() const;

  private:
    /// Encoded spectra with the precursor token first: memory_BPD and its padding mask (P includes that token).
    std::pair<at::Tensor, at::Tensor> encodeSpectra(const SpectrumBatch& spectra);

    Architecture architecture_;
    std::int64_t n_channels_;
    PeakEmbedding peak_embedding_{nullptr};
    PrecursorEmbedding precursor_embedding_{nullptr};
    TransformerEncoder spectrum_encoder_{nullptr};
    ResidueEmbedding residue_embedding_{nullptr};
    TransformerEncoder peptide_encoder_{nullptr};
    MatchDecoder match_decoder_{nullptr};
    ScoringHead scoring_head_{nullptr};
    FragmentHead fragment_head_{nullptr};
    torch::nn::Linear spectrum_projection_{nullptr};
    torch::nn::Linear peptide_projection_{nullptr};
  };
  TORCH_MODULE(PSMTransformer);
}
