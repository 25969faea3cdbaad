// SPDX-License-Identifier: BSD-3-Clause
#include "Inference.h"

#include "ParallelFor.h"
#include "TorchRuntime.h"

#include <PSMFormer/core/Error.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

namespace psmformer
{
  namespace
  {
    /// The three scores of all slots on the CPU: 3 N, in one transfer. The only place where InferenceMode is on.
    at::Tensor infer(nn::PSMTransformer& network, const MatchTensors& batch, const torch::Device& device)
    {
      const c10::InferenceMode inference;
      const nn::MatchOutput output = network->forward(toDevice(batch, device));
      return torch::stack({output.logit_N, output.cosine_N, output.spectral_angle_N}).to(torch::kCPU, torch::kFloat32);
    }

    void scatter(const at::Tensor& scores_3N, const CandidateBatch& candidates, MatchScores& scores)
    {
      const auto value = scores_3N.accessor<float, 2>();
      for (std::size_t slot = 0; slot < candidates.match.size(); ++slot)
      {
        const std::size_t match = candidates.match[slot];
        if (match == CandidateBatch::NO_MATCH)
        {
          continue;
        }
        const auto n = static_cast<std::int64_t>(slot);
        scores.logit[match] = static_cast<double>(value[0][n]);
        scores.cosine[match] = static_cast<double>(value[1][n]);
        scores.spectral_angle[match] = static_cast<double>(value[2][n]);
      }
    }

    void requireFinite(const MatchScores& scores, const MatchTable& table)
    {
      for (std::size_t i = 0; i < scores.logit.size(); ++i)
      {
        require(std::isfinite(scores.logit[i]) && std::isfinite(scores.cosine[i]) &&
                    std::isfinite(scores.spectral_angle[i]),
                ErrorKind::INTERNAL,
                "The score of peptide '" + table.peptides[table.matches[i].peptide].residues + "' in spectrum '" +
                    table.spectra[table.matches[i].spectrum].native_id +
                    "' is not a finite number; please report it with the model and the spectrum.");
      }
    }

    std::size_t matchCount(const MatchBatch& batch)
    {
      std::size_t count = 0;
      for (const BatchRow& row : batch.rows)
      {
        count += row.matches.size();
      }
      return count;
    }
  }

  MatchScores scoreMatches(const std::vector<nn::PSMTransformer>& networks, const ModelManifest& manifest,
                           const MatchTable& table, const BatchLimits& limits, const torch::Device& device, int threads,
                           const ProgressCallback& progress)
  {
    require(networks.size() == manifest.folds.count, ErrorKind::INTERNAL,
            "There are " + std::to_string(networks.size()) + " networks for " + std::to_string(manifest.folds.count) +
                " folds; please report it.");
    const ModelInputs& inputs = manifest.inputs;
    const std::size_t n_matches = table.matches.size();
    MatchScores scores{std::vector<double>(n_matches), std::vector<double>(n_matches), std::vector<double>(n_matches)};
    const std::vector<MatchBatch> batches = planBatches(table, limits, manifest.folds);
    std::mutex device_turn;
    std::atomic<std::size_t> done{0};
    const std::thread::id caller = std::this_thread::get_id();
    const auto score_batch = [&](std::size_t i)
    {
      const MatchTensors batch = collate(prepareRows(table, batches[i], inputs, 1), inputs);
      std::unique_lock<std::mutex> turn(device_turn, std::defer_lock);
      if (!device.is_cpu())
      {
        turn.lock();
      }
      nn::PSMTransformer network = networks[batches[i].fold];
      scatter(infer(network, batch, device), batch.candidates, scores); // no match is in two batches
      done += matchCount(batches[i]);
      // Progress bars are not made for several threads.
      if (progress && std::this_thread::get_id() == caller)
      {
        progress(done);
      }
    };
    TorchRuntime::translateErrors(
        [&]
        {
          const TorchRuntime::ThreadScope scope(threads);
          parallelFor(batches.size(), threads, score_batch);
        });
    requireFinite(scores, table);
    if (progress)
    {
      progress(n_matches);
    }
    return scores;
  }
}
