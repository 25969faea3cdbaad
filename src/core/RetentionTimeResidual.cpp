// SPDX-License-Identifier: BSD-3-Clause
#include "RetentionTimeResidual.h"

#include <PSMFormer/core/RetentionTimeModel.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace psmformer
{
  namespace
  {
    constexpr double CONFIDENT = 0.01;
    constexpr double LARGEST_RESIDUAL = 10.0;
    constexpr double MEDIAN_TO_DEVIATION = 1.4826;

    struct Confident
    {
      std::size_t hit = 0;
      std::size_t division = 0;
    };

    using ByRun = std::map<std::string, std::vector<Confident>>;

    double timeOf(const RescoringTable& table, std::size_t hit)
    {
      return table.spectra[table.hits[hit].spectrum].retention_time;
    }

    const Peptide& peptideOf(const RescoringTable& table, std::size_t hit)
    {
      return table.peptides[table.hits[hit].peptide];
    }

    ByRun confidentHits(const RescoringTable& table, const CompetingSpectra& competition,
                        const std::vector<std::size_t>& division, std::size_t n_divisions,
                        const std::vector<double>& score)
    {
      SpectrumSet training;
      for (std::size_t s = 0; s < competition.size(); ++s)
      {
        if (division[s] < n_divisions)
        {
          training.push_back(s);
        }
      }
      const BestHits best = competition.bestHits(training, score);
      const std::vector<double> q_values = computeQValues(best.scores, best.is_decoy, 0);
      std::vector<std::size_t> order;
      for (std::size_t k = 0; k < best.hits.size(); ++k)
      {
        if (!best.is_decoy[k] && q_values[k] <= CONFIDENT && std::isfinite(timeOf(table, best.hits[k])))
        {
          order.push_back(k);
        }
      }
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return best.scores[a] > best.scores[b]; });
      ByRun confident;
      std::set<std::pair<std::string, std::size_t>> known;
      for (const std::size_t k : order)
      {
        const RescoringHit& hit = table.hits[best.hits[k]];
        const std::string& run = table.spectra[hit.spectrum].run;
        if (known.emplace(run, hit.peptide).second)
        {
          confident[run].push_back({best.hits[k], division[best.spectra[k]]});
        }
      }
      return confident;
    }

    using Model = std::optional<RetentionTimeModel>;

    /// The model of the confident hits of one run outside of a division; none of too few.
    Model fitWithout(const RescoringTable& table, const std::vector<Confident>& confident, std::size_t division)
    {
      std::vector<const Peptide*> peptides;
      std::vector<double> times;
      for (const Confident& hit : confident)
      {
        if (hit.division != division)
        {
          peptides.push_back(&peptideOf(table, hit.hit));
          times.push_back(timeOf(table, hit.hit));
        }
      }
      return peptides.size() < RetentionTimeModel::MIN_PEPTIDES ? Model() : Model(RetentionTimeModel(peptides, times));
    }

    /// The models of one run, by division, the last for hits outside, and the spread of their residuals.
    struct RunModels
    {
      std::vector<Model> models;
      double spread = 0.0; ///< s; 0: no residuals

      RunModels(const RescoringTable& table, const std::vector<Confident>& confident, std::size_t n_divisions)
      {
        for (std::size_t division = 0; division <= n_divisions; ++division)
        {
          models.push_back(fitWithout(table, confident, division));
        }
        std::vector<double> residuals;
        for (const Confident& hit : confident)
        {
          if (const Model& model = models[hit.division])
          {
            residuals.push_back(std::abs(timeOf(table, hit.hit) - model->predict(peptideOf(table, hit.hit))));
          }
        }
        if (!residuals.empty())
        {
          const auto middle = residuals.begin() + static_cast<std::ptrdiff_t>(residuals.size() / 2);
          std::nth_element(residuals.begin(), middle, residuals.end());
          spread = MEDIAN_TO_DEVIATION * *middle;
        }
      }
    };
  }

  std::vector<double> retentionTimeResiduals(const RescoringTable& table, const CompetingSpectra& competition,
                                             const std::vector<std::size_t>& division, std::size_t n_divisions,
                                             const std::vector<double>& score)
  {
    std::vector<double> result(table.hits.size(), std::numeric_limits<double>::quiet_NaN());
    std::map<std::string, RunModels> models;
    for (const auto& [run, confident] : confidentHits(table, competition, division, n_divisions, score))
    {
      models.emplace(run, RunModels(table, confident, n_divisions));
    }
    for (std::size_t s = 0; s < competition.size(); ++s)
    {
      for (const std::size_t hit : competition.hitsOf(s))
      {
        const auto of_run = models.find(table.spectra[table.hits[hit].spectrum].run);
        if (of_run == models.end() || of_run->second.spread <= 0.0)
        {
          continue;
        }
        if (const Model& model = of_run->second.models[division[s]])
        {
          // Not known where the time is NaN: std::min(NaN, x) is NaN.
          const double residual = std::abs(timeOf(table, hit) - model->predict(peptideOf(table, hit)));
          result[hit] = std::min(residual / of_run->second.spread, LARGEST_RESIDUAL);
        }
      }
    }
    return result;
  }
}
