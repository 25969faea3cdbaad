// SPDX-License-Identifier: BSD-3-Clause
#include "MatchDecoder.h"

#include "ScoringHead.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Spectrum.h>

#include <string>

namespace psmformer::nn
{
  namespace
  {
    constexpr std::int64_t N_ACTIVATIONS = static_cast<std::int64_t>(Activation::ETHCD) + 1;
    constexpr std::int64_t N_SUMMARY = static_cast<std::int64_t>(IonEvidence::SUMMARY_VALUES);

    /// Brings the logarithm of a peptide length (up to 100) into the range of the other summary values.
    constexpr double LOG_LENGTH_SCALE = 5.0;
  }

  DecoderLayerImpl::DecoderLayerImpl(const Architecture& architecture)
      : norm_order_(architecture.norm_order), use_cross_attention_(architecture.use_cross_attention)
  {
    const std::int64_t width = architecture.d_model;
    self_attention_ =
        register_module("self_attention", MultiHeadAttention(width, architecture.n_heads, architecture.dropout));
    self_norm_ = register_module("self_norm", makeNorm(width));
    if (use_cross_attention_)
    {
      cross_attention_ =
          register_module("cross_attention", MultiHeadAttention(width, architecture.n_heads, architecture.dropout));
      cross_norm_ = register_module("cross_norm", makeNorm(width));
    }
    feed_forward_ = register_module("feed_forward", FeedForward(architecture));
    feed_forward_norm_ = register_module("feed_forward_norm", makeNorm(width));
    dropout_ = register_module("dropout", Dropout(architecture.dropout));
  }

  at::Tensor DecoderLayerImpl::forward(const at::Tensor& x_NTD, const at::Tensor& padding_NT,
                                       const at::Tensor& memory_BPD, const at::Tensor& memory_padding_BP, bool only_cls)
  {
    const auto self_attention = [&](const at::Tensor& tokens_NTD)
    {
      return only_cls ? self_attention_->attend(tokens_NTD.narrow(1, 0, 1), tokens_NTD, padding_NT)
                      : self_attention_->forward(tokens_NTD, padding_NT);
    };
    const auto cross_attention = [&](const at::Tensor& query_NTD)
    {
      const std::int64_t n_spectra = memory_BPD.size(0);
      // N T D -> B (C T) D
      const at::Tensor query_BTD = query_NTD.reshape({n_spectra, -1, query_NTD.size(2)});
      return cross_attention_->attend(query_BTD, memory_BPD, memory_padding_BP).view(query_NTD.sizes());
    };
    const auto feed_forward = [&](const at::Tensor& tokens_NTD)
    {
      return feed_forward_->forward(tokens_NTD);
    };
    // Sub-layer, residual and LayerNorm in the manifest's order.
    const auto add =
        [&](const at::Tensor& residual, const at::Tensor& tokens, torch::nn::LayerNorm& norm, const auto& sub_layer)
    {
      return norm_order_ == NormOrder::PRE ? residual + dropout_->forward(sub_layer(norm->forward(tokens)))
                                           : norm->forward(residual + dropout_->forward(sub_layer(tokens)));
    };

    at::Tensor out_NTD = add(only_cls ? x_NTD.narrow(1, 0, 1) : x_NTD, x_NTD, self_norm_, self_attention);
    if (use_cross_attention_)
    {
      out_NTD = add(out_NTD, out_NTD, cross_norm_, cross_attention);
    }
    return add(out_NTD, out_NTD, feed_forward_norm_, feed_forward);
  }

  MatchDecoderImpl::MatchDecoderImpl(const ModelManifest& manifest) : max_charge_(manifest.inputs.max_charge)
  {
    const Architecture& architecture = manifest.architecture;
    const std::int64_t width = architecture.d_model;
    const std::int64_t max_sites = static_cast<std::int64_t>(manifest.inputs.max_residues);
    const std::int64_t n_evidence =
        static_cast<std::int64_t>(manifest.inputs.ions.size() * IonEvidence::VALUES_PER_CHANNEL);
    const OrdinalEncoding mode = architecture.residue_positions;

    residue_pair_ = register_module("residue_pair", torch::nn::Linear(2 * width, width));
    evidence_ = register_module("evidence", torch::nn::Linear(n_evidence, width));
    summary_ = register_module("summary", torch::nn::Linear(N_SUMMARY + 2, width));
    charge_ = register_module("charge", torch::nn::Embedding(max_charge_ + 1, width));
    activation_ = register_module("activation", torch::nn::Embedding(N_ACTIVATIONS, width));
    positions_from_n_ = register_module("positions_from_n", makePositionalEncoding(mode, architecture, max_sites));
    positions_from_c_ = register_module("positions_from_c", makePositionalEncoding(mode, architecture, max_sites));
    layers_ = register_module("layers", torch::nn::ModuleList());
    for (std::int64_t i = 0; i < architecture.decoder_layers; ++i)
    {
      layers_->push_back(DecoderLayer(architecture));
    }
    if (architecture.norm_order == NormOrder::PRE || architecture.decoder_layers == 0)
    {
      final_norm_ = register_module("final_norm", makeNorm(width));
    }
  }

  at::Tensor MatchDecoderImpl::embedSites(const at::Tensor& residue_NLD, const at::Tensor& evidence_NSE,
                                          const at::Tensor& site_padding_NS)
  {
    const std::int64_t n_sites = evidence_NSE.size(1);
    return residue_pair_->forward(pairNeighbours(residue_NLD)) +
           evidence_->forward(evidence_NSE.to(residue_NLD.dtype())) + positions_from_n_->matrix(n_sites) +
           encodeFromEnd(positions_from_c_, site_padding_NS);
  }

  at::Tensor MatchDecoderImpl::embedMatch(const at::Tensor& summary_NG, const at::Tensor& site_padding_NS,
                                          const at::Tensor& charge_B, const at::Tensor& activation_B,
                                          const at::Tensor& log_tolerance_B)
  {
    const std::int64_t n_matches = summary_NG.size(0);
    const std::int64_t n_candidates = n_matches / charge_B.size(0);
    const auto type = summary_->weight.options();
    const at::Tensor n_residues_N1 = site_padding_NS.logical_not().sum(1, true) + 1;
    const at::Tensor log_length_N1 = n_residues_N1.to(type).log1p() / LOG_LENGTH_SCALE;
    const at::Tensor log_tolerance_N1 = log_tolerance_B.to(type).repeat_interleave(n_candidates).unsqueeze(1);
    const at::Tensor spectrum_BD =
        charge_->forward(charge_B.clamp(0, max_charge_)) + activation_->forward(activation_B);
    return summary_->forward(at::cat({summary_NG.to(type), log_length_N1, log_tolerance_N1}, 1)) +
           spectrum_BD.repeat_interleave(n_candidates, 0);
  }

  at::Tensor MatchDecoderImpl::forward(const at::Tensor& residue_NLD, const at::Tensor& evidence_NSE,
                                       const at::Tensor& site_padding_NS, const at::Tensor& summary_NG,
                                       const at::Tensor& charge_B, const at::Tensor& activation_B,
                                       const at::Tensor& log_tolerance_B, const at::Tensor& memory_BPD,
                                       const at::Tensor& memory_padding_BP)
  {
    const std::int64_t n_matches = residue_NLD.size(0);
    const std::int64_t n_spectra = memory_BPD.size(0);
    require(n_spectra > 0 && n_matches % n_spectra == 0, ErrorKind::INTERNAL,
            "A batch has " + std::to_string(n_matches) + " candidates, not the same number for each of its " +
                std::to_string(n_spectra) + " spectra.");
    const at::Tensor cls_ND = embedMatch(summary_NG, site_padding_NS, charge_B, activation_B, log_tolerance_B);
    at::Tensor x_NTD = at::cat({cls_ND.unsqueeze(1), embedSites(residue_NLD, evidence_NSE, site_padding_NS)}, 1);
    const at::Tensor padding_NT = at::constant_pad_nd(site_padding_NS, {1, 0}, false);
    for (std::size_t i = 0; i < layers_->size(); ++i)
    {
      // Nothing but the CLS vector leaves the last layer.
      const bool only_cls = i + 1 == layers_->size();
      x_NTD = layers_->ptr(i)->as<DecoderLayer>()->forward(x_NTD, padding_NT, memory_BPD, memory_padding_BP, only_cls);
    }
    const at::Tensor out_ND = layers_->is_empty() ? pool(x_NTD, padding_NT, Pooling::MEAN) : x_NTD.select(1, 0);
    return final_norm_.is_empty() ? out_ND : final_norm_->forward(out_ND);
  }
}
