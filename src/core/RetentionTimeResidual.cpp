// SPDX-License-Identifier: BSD-3-Clause
#include "RetentionTimeResidual.h"

#include <PSMFormer/core/RetentionTimeModel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace psmformer
{
  namespace
  {
    constexpr double LARGEST_RESIDUAL = 10.0;
    constexpr double MEDIAN_TO_DEVIATION = 1.4826;

    using ByRun = std::map<std::string, std::vector<ConfidentHit>>;

    double timeOf(const RescoringTable& table, std::size_t hit)
    {
      return table.spectra[table.hits[hit].spectrum].retention_time;
    }

    const Peptide& peptideOf(const RescoringTable& table, std::size_t hit)
    {
      return table.peptides[table.hits[hit].peptide];
    }

    ByRun confidentByRun(const RescoringTable& table, const ConfidentHits& confident)
    {
      ByRun by_run;
      for (const ConfidentHit& hit : confident.hits)
      {
        if (std::isfinite(timeOf(table, hit.hit)))
        {
          by_run[table.spectra[table.hits[hit.hit].spectrum].run].push_back(hit);
        }
      }
      return by_run;
    }

    using Model = std::optional<RetentionTimeModel>;

    /// The model of the confident hits of one run outside of a division; none of too few.
    Model fitWithout(const RescoringTable& table, const std::vector<ConfidentHit>& confident, std::size_t division)
    {
      std::vector<const Peptide*> peptides;
      std::vector<double> times;
      for (const ConfidentHit& hit : confident)
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

      RunModels(const RescoringTable& table, const std::vector<ConfidentHit>& confident, std::size_t n_divisions)
      {
        for (std::size_t division = 0; division <= n_divisions; ++division)
        {
          models.push_back(fitWithout(table, confident, division));
        }
        std::vector<double> residuals;
        for (const ConfidentHit& hit : confident)
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
                                             const TrainingDivisions& divisions, const ConfidentHits& confident)
  {
    std::vector<double> result(table.hits.size(), std::numeric_limits<double>::quiet_NaN());
    std::map<std::string, RunModels> models;
    for (const auto& [run, hits] : confidentByRun(table, confident))
    {
      models.emplace(run, RunModels(table, hits, divisions.n_divisions));
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
        if (const Model& model = of_run->second.models[divisions.division[s]])
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
