// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <support/SimulatedTable.h>

#include <cstddef>
#include <vector>

namespace psmformer::test
{
  inline SemiSupervisedResult rescore(const RescoringTable& table)
  {
    return rescoreSemiSupervised(table, MeanDifferenceFitter());
  }

  inline std::vector<double> logits(const RescoringTable& table)
  {
    std::vector<double> scores;
    for (const RescoringHit& hit : table.hits)
    {
      scores.push_back(hit.logit);
    }
    return scores;
  }

  /// Targets that a score accepts, and how many of them are false.
  struct Accepted
  {
    std::size_t n = 0;
    std::size_t n_false = 0;

    double shareOfFalse() const { return n == 0 ? 0.0 : static_cast<double>(n_false) / static_cast<double>(n); }
  };

  inline Accepted accept(const SimulatedTable& simulated, const std::vector<double>& score, double limit,
                         int pseudo_count = 1)
  {
    const std::vector<std::size_t> best = bestHits(simulated.table, score);
    std::vector<double> scores;
    std::vector<bool> is_decoy;
    for (const std::size_t h : best)
    {
      scores.push_back(score[h]);
      is_decoy.push_back(simulated.table.hits[h].is_decoy);
    }
    const std::vector<double> q_values = computeQValues(scores, is_decoy, pseudo_count);
    Accepted accepted;
    for (std::size_t k = 0; k < best.size(); ++k)
    {
      const bool is_accepted = !is_decoy[k] && q_values[k] <= limit;
      accepted.n += is_accepted ? 1 : 0;
      accepted.n_false += is_accepted && !simulated.is_true[best[k]] ? 1 : 0;
    }
    return accepted;
  }

  /// The fold of each spectrum, by the rule.
  inline std::vector<std::size_t> foldsOf(const RescoringTable& table)
  {
    const SemiSupervisedParameters parameters;
    std::vector<std::size_t> folds;
    for (const std::size_t h : bestHits(table, logits(table)))
    {
      folds.push_back(
          FoldRule{parameters.n_folds, parameters.seed}.foldOf(table.peptides[table.hits[h].peptide].residues));
    }
    return folds;
  }
}
