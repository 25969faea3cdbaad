// SPDX-License-Identifier: BSD-3-Clause
#include "Validation.h"

#include "TrainingObjective.h"

#include <algorithm>
#include <limits>

namespace psmformer
{
  namespace
  {
    constexpr std::uint64_t CHOICE_STREAM = std::numeric_limits<std::uint64_t>::max() - 2;

    /// Counts over the spectra of the validation set.
    struct Counts
    {
      double loss = 0.0;
      std::int64_t spectra = 0;
      std::int64_t ranked = 0; ///< spectra with at least one negative
      std::int64_t right = 0;
      std::int64_t pairs = 0;
      double concordant = 0.0; ///< a tie is half
    };

    void countTop1(const nn::MatchOutput& output, const TrainingBatch& batch, Counts& counts)
    {
      const std::int64_t n_spectra = batch.spectrumCount();
      const at::Tensor padding_BC = batch.tensors.candidates.slot_padding_N.view({n_spectra, -1});
      at::Tensor is_negative_BC = padding_BC.logical_not();
      is_negative_BC.select(1, 0).fill_(false);
      const at::Tensor logit_BC = output.logit_N.view({n_spectra, -1});
      const at::Tensor best_negative_B =
          logit_BC.masked_fill(~is_negative_BC, -std::numeric_limits<float>::infinity()).amax(1);
      const at::Tensor has_negative_B = is_negative_BC.any(1) & batch.foreign_B.logical_not();
      counts.ranked += has_negative_B.sum().item<std::int64_t>();
      counts.right += ((logit_BC.select(1, 0) > best_negative_B) & has_negative_B).sum().item<std::int64_t>();
    }

    void countCosine(const nn::MatchOutput& output, const TrainingBatch& batch, Counts& counts)
    {
      const std::int64_t n_spectra = batch.spectrumCount();
      const at::Tensor peptide_BC = batch.tensors.candidates.peptide_N.view({n_spectra, -1});
      const at::Tensor padding_BC = batch.tensors.candidates.slot_padding_N.view({n_spectra, -1});
      const at::Tensor taken_BC = batch.allowed_BQ.gather(1, peptide_BC) & ~padding_BC;
      const at::Tensor cosine_BC = output.cosine_N.view({n_spectra, -1});
      const at::Tensor own_B1 = cosine_BC.narrow(1, 0, 1);
      counts.pairs += taken_BC.sum().item<std::int64_t>();
      counts.concordant += ((own_B1 > cosine_BC) & taken_BC).sum().item<double>() +
                           0.5 * ((own_B1 == cosine_BC) & taken_BC).sum().item<double>();
    }

    std::vector<std::vector<std::size_t>> limitBatches(std::vector<std::vector<std::size_t>> batches,
                                                       const TrainingParameters& parameters, std::uint64_t seed)
    {
      // Whole batches of mass neighbours are chosen: single spectra would leave few equal-mass peptides.
      Random random = Random::forItem(seed, 0, CHOICE_STREAM);
      random.shuffle(batches);
      const std::size_t n_batches =
          std::max<std::size_t>(1, parameters.max_validation_spectra / parameters.spectra_per_batch);
      batches.resize(std::min(batches.size(), n_batches));
      return batches;
    }
  }

  Validation::Validation(const TrainingRowMaker& rows, const TrainingParameters& parameters, std::uint64_t seed)
      : parameters_(parameters)
  {
    const EpochPlan plan = planEpoch(rows.masses(), parameters, seed, 0);
    for (const std::vector<std::size_t>& batch : limitBatches(plan.batches, parameters, seed))
    {
      batches_.push_back(rows.makeBatch(0, batch, plan.kinds));
    }
  }

  ValidationResult Validation::evaluate(nn::PSMTransformer network, const at::Tensor& temperature,
                                        const torch::Device& device) const
  {
    const torch::NoGradGuard no_gradients;
    network->eval();
    Counts counts;
    for (const TrainingBatch& made : batches_)
    {
      const TrainingBatch batch = toDevice(made, device);
      const nn::MatchOutput output = network->forward(batch.tensors);
      const LossTerms terms = trainingLoss(output, batch, parameters_, temperature);
      counts.loss += terms.total.item<double>() * static_cast<double>(batch.spectrumCount());
      counts.spectra += batch.spectrumCount();
      countTop1(output, batch, counts);
      countCosine(output, batch, counts);
    }
    ValidationResult result;
    result.loss = counts.loss / static_cast<double>(counts.spectra);
    result.top1 = counts.ranked == 0 ? 0.0 : static_cast<double>(counts.right) / static_cast<double>(counts.ranked);
    result.cosine_auc = counts.pairs == 0 ? 0.5 : counts.concordant / static_cast<double>(counts.pairs);
    return result;
  }
}
