// SPDX-License-Identifier: BSD-3-Clause
#include "ConfidentHits.h"

#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace psmformer
{
  namespace
  {
    constexpr double CONFIDENT = 0.01;

    SpectrumSet trainingSpectra(const TrainingDivisions& divisions)
    {
      SpectrumSet spectra;
      for (std::size_t s = 0; s < divisions.division.size(); ++s)
      {
        if (divisions.division[s] < divisions.n_divisions)
        {
          spectra.push_back(s);
        }
      }
      return spectra;
    }
  }

  ConfidentHits::ConfidentHits(const RescoringTable& table, const CompetingSpectra& competition,
                               const TrainingDivisions& divisions, const std::vector<double>& score)
  {
    const BestHits best = competition.bestHits(trainingSpectra(divisions), score);
    const std::vector<double> q_values = computeQValues(best.scores, best.is_decoy, 0);
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < best.hits.size(); ++k)
    {
      if (!best.is_decoy[k] && q_values[k] <= CONFIDENT)
      {
        order.push_back(k);
      }
      else
      {
        others.push_back(best.spectra[k]);
      }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return best.scores[a] > best.scores[b]; });
    std::set<std::pair<std::string, std::size_t>> known;
    for (const std::size_t k : order)
    {
      const RescoringHit& hit = table.hits[best.hits[k]];
      if (known.emplace(table.spectra[hit.spectrum].run, hit.peptide).second)
      {
        hits.push_back({best.hits[k], divisions.division[best.spectra[k]]});
      }
    }
  }
}
