// SPDX-License-Identifier: BSD-3-Clause
#include "Loss.h"

#include <PSMFormer/core/Error.h>

#include <limits>

namespace psmformer
{
  namespace
  {
    constexpr float MINUS_INFINITY = -std::numeric_limits<float>::infinity();

    void requireSameShape(const at::Tensor& logit_BC, const at::Tensor& padding_BC)
    {
      require(logit_BC.dim() == 2 && logit_BC.sizes() == padding_BC.sizes() && padding_BC.dtype() == torch::kBool,
              ErrorKind::INTERNAL, "The logits and the padding mask of a loss differ in shape; please report this.");
    }

    /// Mean of `value_B` where `counted_B` is true; 0, still with a gradient, when nothing is counted.
    at::Tensor meanWhere(const at::Tensor& value_B, const at::Tensor& counted_B)
    {
      const at::Tensor weight_B = counted_B.to(value_B.dtype());
      return (value_B * weight_B).sum() / weight_B.sum().clamp_min(1.0);
    }
  }

  at::Tensor listwiseLoss(const at::Tensor& logit_BC, const at::Tensor& padding_BC, const at::Tensor& true_B)
  {
    requireSameShape(logit_BC, padding_BC);
    const at::Tensor log_probability_BC = torch::log_softmax(logit_BC.masked_fill(padding_BC, MINUS_INFINITY), 1);
    const at::Tensor has_negative_B = padding_BC.logical_not().sum(1) > 1;
    return meanWhere(-log_probability_BC.select(1, 0), has_negative_B & true_B);
  }

  at::Tensor matchLoss(const at::Tensor& logit_BC, const at::Tensor& padding_BC, const at::Tensor& true_B,
                       double positive_weight)
  {
    requireSameShape(logit_BC, padding_BC);
    at::Tensor target_BC = torch::zeros_like(logit_BC);
    target_BC.select(1, 0).copy_(true_B);
    at::Tensor weight_BC = padding_BC.logical_not().to(logit_BC.dtype());
    weight_BC.select(1, 0).mul_(torch::where(true_B, positive_weight, 1.0));
    const at::Tensor loss_BC =
        torch::binary_cross_entropy_with_logits(logit_BC, target_BC, weight_BC, {}, at::Reduction::None);
    return loss_BC.sum() / weight_BC.sum();
  }

  at::Tensor contrastiveLoss(const at::Tensor& spectrum_BD, const at::Tensor& peptide_QD, const at::Tensor& positive_B,
                             const at::Tensor& allowed_BQ, const at::Tensor& true_B, const at::Tensor& temperature)
  {
    const std::int64_t n_spectra = spectrum_BD.size(0);
    require(spectrum_BD.size(1) == peptide_QD.size(1) && positive_B.size(0) == n_spectra &&
                allowed_BQ.size(0) == n_spectra && allowed_BQ.size(1) == peptide_QD.size(0),
            ErrorKind::INTERNAL, "The vectors and the masks of InfoNCE differ in shape; please report this.");
    const at::Tensor similarity_BQ = torch::matmul(spectrum_BD, peptide_QD.t()) / temperature;

    // spectrum -> peptide
    const at::Tensor taken_BQ = allowed_BQ.scatter(1, positive_B.unsqueeze(1), true);
    const at::Tensor to_peptide_B = torch::log_softmax(similarity_BQ.masked_fill(~taken_BQ, MINUS_INFINITY), 1)
                                        .gather(1, positive_B.unsqueeze(1))
                                        .squeeze(1);

    // peptide -> spectrum: column b holds the similarities of all spectra to the own peptide of spectrum b. Another
    // spectrum of the same peptide is not its negative.
    const at::Tensor similarity_BB = similarity_BQ.index_select(1, positive_B);
    const at::Tensor same_peptide_BB = positive_B.unsqueeze(1) == positive_B.unsqueeze(0);
    const at::Tensor own_BB = torch::eye(n_spectra, allowed_BQ.options());
    const at::Tensor taken_BB = (allowed_BQ.index_select(1, positive_B) & ~same_peptide_BB) | own_BB;
    const at::Tensor to_spectrum_B =
        torch::log_softmax(similarity_BB.masked_fill(~taken_BB, MINUS_INFINITY), 0).diagonal();

    return 0.5 * (meanWhere(-to_peptide_B, (taken_BQ.sum(1) > 1) & true_B) +
                  meanWhere(-to_spectrum_B, (taken_BB.sum(0) > 1) & true_B));
  }
}
