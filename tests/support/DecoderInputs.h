// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/ModelManifest.h>

#include <nn/MatchDecoder.h>

#include <torch/torch.h>

#include <cstdint>

namespace psmformer::test
{
  /// A manifest small enough for gradients by differences.
  inline ModelManifest smallManifest()
  {
    ModelManifest manifest = presetManifest("tiny");
    manifest.architecture.d_model = 8;
    manifest.architecture.n_heads = 2;
    manifest.architecture.d_feedforward = 12;
    manifest.architecture.decoder_layers = 2;
    manifest.inputs.ions = {"b1", "y1"};
    manifest.inputs.max_residues = 30;
    return manifest;
  }

  /// What the match decoder reads, with random numbers.
  struct DecoderInputs
  {
    at::Tensor residue_NLD;
    at::Tensor evidence_NSE;
    at::Tensor site_padding_NS;
    at::Tensor summary_NG;
    at::Tensor charge_B;
    at::Tensor activation_B;
    at::Tensor log_tolerance_B;
    at::Tensor memory_BPD;
    at::Tensor memory_padding_BP;

    at::Tensor decode(nn::MatchDecoder& decoder) const
    {
      return decoder->forward(residue_NLD, evidence_NSE, site_padding_NS, summary_NG, charge_B, activation_B,
                              log_tolerance_B, memory_BPD, memory_padding_BP);
    }
  };

  /// B spectra with C candidates of `length` residues each; the second candidate of every spectrum is a residue
  /// shorter, the last peak of every spectrum is padding. Made for smallManifest().
  inline DecoderInputs makeDecoderInputs(std::int64_t n_spectra, std::int64_t n_candidates, std::int64_t length,
                                         std::int64_t n_peaks)
  {
    const std::int64_t n_matches = n_spectra * n_candidates;
    const std::int64_t n_evidence = 2 * static_cast<std::int64_t>(IonEvidence::VALUES_PER_CHANNEL);
    const auto real = torch::dtype(torch::kFloat64);
    DecoderInputs inputs;
    inputs.residue_NLD = torch::randn({n_matches, length, 8}, real);
    inputs.evidence_NSE = torch::rand({n_matches, length - 1, n_evidence}, real);
    inputs.site_padding_NS = torch::zeros({n_matches, length - 1}, torch::kBool);
    for (std::int64_t slot = 1; slot < n_matches; slot += n_candidates)
    {
      inputs.site_padding_NS[slot][length - 2] = true;
    }
    inputs.summary_NG = torch::rand({n_matches, static_cast<std::int64_t>(IonEvidence::SUMMARY_VALUES)}, real);
    inputs.charge_B = torch::randint(1, 5, {n_spectra}, torch::kInt64);
    inputs.activation_B = torch::randint(0, 5, {n_spectra}, torch::kInt64);
    inputs.log_tolerance_B = -2.0 * torch::rand({n_spectra}, real);
    inputs.memory_BPD = torch::randn({n_spectra, n_peaks + 1, 8}, real);
    inputs.memory_padding_BP = torch::zeros({n_spectra, n_peaks + 1}, torch::kBool);
    inputs.memory_padding_BP.select(1, n_peaks).fill_(n_peaks > 0);
    return inputs;
  }
}
