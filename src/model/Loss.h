// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace psmformer
{
  /// Listwise softmax: -log of the probability of the true candidate among those of its spectrum.
  /// @param logit_BC    candidate 0 is the true one
  /// @param padding_BC  bool, true = no candidate
  /// @param true_B      bool, false where no candidate is true: such a spectrum is left out
  /// @return mean over spectra that have at least one negative, scalar
  at::Tensor listwiseLoss(const at::Tensor& logit_BC, const at::Tensor& padding_BC, const at::Tensor& true_B);

  /// Binary cross-entropy on the logits, true candidates weighted by `positive_weight`; weighted mean, scalar.
  /// @param true_B  bool, whether candidate 0 of a spectrum is true
  at::Tensor matchLoss(const at::Tensor& logit_BC, const at::Tensor& padding_BC, const at::Tensor& true_B,
                       double positive_weight);

  /// InfoNCE in both directions between unit vectors (van den Oord et al. 2018, arXiv:1807.03748).
  ///
  /// Only peptides within the precursor tolerance of a spectrum are its negatives: otherwise the precursor mass alone
  /// would solve the task. Pairs with `allowed_BQ` false (other mass, or equal key) are left out.
  ///
  /// @param spectrum_BD, peptide_QD  unit length
  /// @param positive_B               int64, index of each spectrum's own peptide
  /// @param allowed_BQ               bool; the own peptide is always taken
  /// @param true_B                   bool, whether the own peptide is true; others are left out
  /// @param temperature              scalar tensor, > 0
  /// @return half the sum of both directions, each the mean over spectra (peptides) that have a negative; scalar
  at::Tensor contrastiveLoss(const at::Tensor& spectrum_BD, const at::Tensor& peptide_QD, const at::Tensor& positive_B,
                             const at::Tensor& allowed_BQ, const at::Tensor& true_B, const at::Tensor& temperature);
}
