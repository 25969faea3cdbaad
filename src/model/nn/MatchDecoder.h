// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Dropout.h"
#include "MultiHeadAttention.h"
#include "PeakEmbedding.h"
#include "TransformerEncoder.h"

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

namespace psmformer::nn
{
  /// One decoder layer: self-attention over sites and CLS, cross-attention to the spectrum, feed-forward.
  ///
  /// Self-attention is always full: the CLS token, all that is read in the end, has to see every site.
  class DecoderLayerImpl : public torch::nn::Module
  {
  public:
    explicit DecoderLayerImpl(const Architecture& architecture);

    /// The N = B x C candidates of a spectrum attend to its memory together, so that the memory is never copied.
    ///
    /// @param x_NTD              CLS and site tokens, T = S + 1
    /// @param padding_NT         bool, true = padding; column 0 (CLS) is false
    /// @param memory_BPD         encoded spectrum, precursor token first
    /// @param memory_padding_BP  bool, true = padding; column 0 is false
    /// @param only_cls           compute column 0 of the result alone, with the same numbers
    /// @return N T D, or N 1 D
    at::Tensor forward(const at::Tensor& x_NTD, const at::Tensor& padding_NT, const at::Tensor& memory_BPD,
                       const at::Tensor& memory_padding_BP, bool only_cls = false);

  private:
    NormOrder norm_order_;
    bool use_cross_attention_;
    MultiHeadAttention self_attention_{nullptr};
    MultiHeadAttention cross_attention_{nullptr};
    FeedForward feed_forward_{nullptr};
    torch::nn::LayerNorm self_norm_{nullptr};
    torch::nn::LayerNorm cross_norm_{nullptr};
    torch::nn::LayerNorm feed_forward_norm_{nullptr};
    Dropout dropout_{nullptr};
  };
  TORCH_MODULE(DecoderLayer);

  /// Reads the evidence at every cleavage site of a candidate, in view of the whole spectrum, and gives one CLS vector.
  ///
  /// Exact matching of peaks to theoretical fragments is arithmetic, not something to learn: it enters as evidence, and
  /// about 15 site tokens carry what 150 peaks would. What the candidate does not explain comes through
  /// cross-attention. Zero layers: the mean of all tokens.
  class MatchDecoderImpl : public torch::nn::Module
  {
  public:
    explicit MatchDecoderImpl(const ModelManifest& manifest);

    /// @param residue_NLD        encoded residues of each candidate's peptide
    /// @param evidence_NSE       matched ions, see Batch.h
    /// @param site_padding_NS    bool, true = padding
    /// @param summary_NG         numbers about the whole match
    /// @param charge_B, activation_B, log_tolerance_B   of the spectra
    /// @param memory_BPD, memory_padding_BP             encoded spectra, precursor token first
    /// @return N D: the CLS vector of each candidate
    /// @throws Error INTERNAL when B does not divide N
    at::Tensor forward(const at::Tensor& residue_NLD, const at::Tensor& evidence_NSE, const at::Tensor& site_padding_NS,
                       const at::Tensor& summary_NG, const at::Tensor& charge_B, const at::Tensor& activation_B,
                       const at::Tensor& log_tolerance_B, const at::Tensor& memory_BPD,
                       const at::Tensor& memory_padding_BP);

  private:
    /// Site tokens N S D: the residues on both sides, the evidence, and the place in the peptide from both termini.
    at::Tensor embedSites(const at::Tensor& residue_NLD, const at::Tensor& evidence_NSE,
                          const at::Tensor& site_padding_NS);

    /// CLS token N D: the numbers about the whole match, and the spectrum's charge, activation and tolerance.
    at::Tensor embedMatch(const at::Tensor& summary_NG, const at::Tensor& site_padding_NS, const at::Tensor& charge_B,
                          const at::Tensor& activation_B, const at::Tensor& log_tolerance_B);

    std::int64_t max_charge_;
    torch::nn::Linear residue_pair_{nullptr}; ///< left and right residue -> D
    torch::nn::Linear evidence_{nullptr};
    torch::nn::Linear summary_{nullptr}; ///< summary, log length and log tolerance -> D
    torch::nn::Embedding charge_{nullptr};
    torch::nn::Embedding activation_{nullptr};
    PositionalEncoding positions_from_n_{nullptr};
    PositionalEncoding positions_from_c_{nullptr};
    torch::nn::ModuleList layers_{nullptr};
    torch::nn::LayerNorm final_norm_{nullptr}; ///< of pre-norm stacks and of zero layers
  };
  TORCH_MODULE(MatchDecoder);
}
