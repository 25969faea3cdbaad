// SPDX-License-Identifier: BSD-3-Clause
#include "PSMTransformer.h"

#include <PSMFormer/core/IonEvidence.h>

#include <utility>

namespace psmformer::nn
{
  namespace
  {
    constexpr std::int64_t EVIDENCE_INTENSITY = 1; ///< which of the values of a channel is the intensity
    constexpr double SMALLEST_LENGTH = 1e-12;

    at::Tensor unitLength(const at::Tensor& x_BD)
    {
      return x_BD / x_BD.norm(2, -1, true).clamp_min(SMALLEST_LENGTH);
    }

    /// The measured intensities of all ion channels: N S E -> N S K.
    at::Tensor measuredIntensities(const at::Tensor& evidence_NSE, std::int64_t n_channels)
    {
      constexpr auto VALUES = static_cast<std::int64_t>(IonEvidence::VALUES_PER_CHANNEL);
      return evidence_NSE.unflatten(-1, {n_channels, VALUES}).select(-1, EVIDENCE_INTENSITY);
    }
  }

  PSMTransformerImpl::PSMTransformerImpl(const ModelManifest& manifest)
      : architecture_(manifest.architecture), n_channels_(static_cast<std::int64_t>(manifest.inputs.ions.size()))
  {
    const std::int64_t width = architecture_.d_model;
    peak_embedding_ = register_module("peak_embedding", PeakEmbedding(manifest));
    precursor_embedding_ = register_module("precursor_embedding", PrecursorEmbedding(manifest));
    spectrum_encoder_ =
        register_module("spectrum_encoder", TransformerEncoder(architecture_, architecture_.spectrum_layers,
                                                               architecture_.mz_bias_wavelengths > 0));
    residue_embedding_ = register_module("residue_embedding", ResidueEmbedding(manifest));
    peptide_encoder_ =
        register_module("peptide_encoder", TransformerEncoder(architecture_, architecture_.peptide_layers));
    match_decoder_ = register_module("match_decoder", MatchDecoder(manifest));
    scoring_head_ = register_module("scoring_head", ScoringHead(architecture_));
    fragment_head_ = register_module("fragment_head", FragmentHead(manifest));
    spectrum_projection_ = register_module("spectrum_projection", torch::nn::Linear(width, width));
    peptide_projection_ = register_module("peptide_projection", torch::nn::Linear(width, width));
  }

  std::pair<at::Tensor, at::Tensor> PSMTransformerImpl::encodeSpectra(const SpectrumBatch& spectra)
  {
    const at::Tensor precursor_BD =
        precursor_embedding_(spectra.precursor_mass_B, spectra.charge_B, spectra.activation_B, spectra.log_tolerance_B);
    const at::Tensor peaks_BPD = peak_embedding_(spectra.mz_BP, spectra.intensity_BP);
    const at::Tensor tokens_BPD = torch::cat({precursor_BD.unsqueeze(1), peaks_BPD}, 1);
    const at::Tensor precursor_padding_B1 =
        torch::zeros({spectra.peak_padding_BP.size(0), 1}, spectra.peak_padding_BP.options());
    const at::Tensor padding_BP = torch::cat({precursor_padding_B1, spectra.peak_padding_BP}, 1);
    const at::Tensor mz_encoding_BPF =
        architecture_.mz_bias_wavelengths > 0
            ? MzDifferenceBiasImpl::encode(spectra.mz_BP, architecture_, tokens_BPD.scalar_type())
            : at::Tensor();
    return {spectrum_encoder_(tokens_BPD, padding_BP, mz_encoding_BPF), padding_BP};
  }

  MatchOutput PSMTransformerImpl::forward(const MatchTensors& batch)
  {
    const SpectrumBatch& spectra = batch.spectra;
    const PeptideBatch& peptides = batch.peptides;
    const CandidateBatch& candidates = batch.candidates;
    const std::int64_t n_spectra = spectra.charge_B.size(0);
    const std::int64_t n_candidates = candidates.peptide_N.size(0) / n_spectra;

    const auto [memory_BPD, memory_padding_BP] = encodeSpectra(spectra);
    const at::Tensor residue_QLD = peptide_encoder_(
        residue_embedding_(peptides.token_QL, peptides.mass_QL, peptides.padding_QL), peptides.padding_QL);
    const at::Tensor residue_NLD = residue_QLD.index_select(0, candidates.peptide_N);

    const at::Tensor cls_ND =
        match_decoder_(residue_NLD, candidates.evidence_NSE, candidates.site_padding_NS, candidates.summary_NG,
                       spectra.charge_B, spectra.activation_B, spectra.log_tolerance_B, memory_BPD, memory_padding_BP);
    const at::Tensor predicted_NSK = fragment_head_(residue_NLD, spectra.charge_B.repeat_interleave(n_candidates),
                                                    spectra.activation_B.repeat_interleave(n_candidates));

    MatchOutput output;
    output.logit_N = scoring_head_(cls_ND);
    output.spectral_angle_N = spectralAngle(predicted_NSK, measuredIntensities(candidates.evidence_NSE, n_channels_),
                                            candidates.site_padding_NS);
    output.spectrum_BD = unitLength(spectrum_projection_(pool(memory_BPD, memory_padding_BP, architecture_.pooling)));
    output.peptide_QD = unitLength(peptide_projection_(pool(residue_QLD, peptides.padding_QL, architecture_.pooling)));
    const at::Tensor spectrum_ND = output.spectrum_BD.repeat_interleave(n_candidates, 0);
    const at::Tensor peptide_ND = output.peptide_QD.index_select(0, candidates.peptide_N);
    output.cosine_N = (spectrum_ND * peptide_ND).sum(-1).clamp(-1.0, 1.0);
    return output;
  }

  std::int64_t PSMTransformerImpl::parameterCount() const
  {
    std::int64_t count = 0;
    for (const at::Tensor& parameter : parameters())
    {
      count += parameter.numel();
    }
    return count;
  }
}
