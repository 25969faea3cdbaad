// SPDX-License-Identifier: BSD-3-Clause
#include "TrainingObjective.h"

#include "Loss.h"

namespace psmformer
{
  LossTerms trainingLoss(const nn::MatchOutput& output, const TrainingBatch& batch,
                         const TrainingParameters& parameters, const at::Tensor& temperature)
  {
    const std::int64_t n_spectra = batch.spectrumCount();
    const at::Tensor logit_BC = output.logit_N.view({n_spectra, -1});
    const at::Tensor padding_BC = batch.tensors.candidates.slot_padding_N.view({n_spectra, -1});
    const at::Tensor angle_B = output.spectral_angle_N.view({n_spectra, -1}).select(1, 0);
    const at::Tensor true_B = batch.foreign_B.logical_not();
    const at::Tensor real_B = (true_B & batch.relocated_B.logical_not()).to(angle_B.dtype());

    LossTerms terms;
    terms.listwise = listwiseLoss(logit_BC, padding_BC, true_B);
    terms.match = matchLoss(logit_BC, padding_BC, true_B, parameters.positive_weight);
    terms.spectral_angle = ((1.0 - angle_B) * real_B).sum() / real_B.sum().clamp_min(1.0);
    terms.contrastive =
        contrastiveLoss(output.spectrum_BD, output.peptide_QD, batch.positive_B, batch.allowed_BQ, true_B, temperature);
    terms.total = parameters.listwise_weight * terms.listwise + parameters.match_weight * terms.match +
                  parameters.spectral_angle_weight * terms.spectral_angle +
                  parameters.contrastive_weight * terms.contrastive;
    return terms;
  }

  TrainingBatch toDevice(const TrainingBatch& batch, const torch::Device& device)
  {
    TrainingBatch moved = batch;
    moved.tensors = toDevice(batch.tensors, device);
    moved.positive_B = batch.positive_B.to(device);
    moved.allowed_BQ = batch.allowed_BQ.to(device);
    moved.relocated_B = batch.relocated_B.to(device);
    moved.foreign_B = batch.foreign_B.to(device);
    return moved;
  }
}
