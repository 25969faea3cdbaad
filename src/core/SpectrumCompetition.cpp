// SPDX-License-Identifier: BSD-3-Clause
#include "SpectrumCompetition.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace psmformer
{
  namespace
  {
    const std::size_t NO_HIT = static_cast<std::size_t>(-1);

    void requireConsistent(const RescoringTable& table)
    {
      bool is_consistent = table.features.size() == table.hits.size() * table.feature_names.size() &&
                           table.peptides.size() == table.peptidoforms.size();
      for (const RescoringHit& hit : table.hits)
      {
        is_consistent = is_consistent && hit.spectrum < table.spectra.size() && hit.peptide < table.peptides.size() &&
                        std::isfinite(hit.logit);
      }
      require(is_consistent, ErrorKind::INTERNAL, "The parts of a rescoring table do not fit together.");
    }

    /// Whether one row of features comes before another; NaN before all numbers.
    bool isBefore(double a, double b)
    {
      return std::isnan(a) ? !std::isnan(b) : a < b;
    }

    /// A total order of hits that uses nothing but what they are.
    class HitOrder
    {
    public:
      explicit HitOrder(const RescoringTable& table) : table_(table) {}

      bool operator()(std::size_t a, std::size_t b) const
      {
        const RescoringHit& left = table_.hits[a];
        const RescoringHit& right = table_.hits[b];
        const int order = table_.peptidoforms[left.peptide].compare(table_.peptidoforms[right.peptide]);
        if (left.charge != right.charge || order != 0)
        {
          return std::make_tuple(left.charge, order) < std::make_tuple(right.charge, 0);
        }
        for (std::size_t f = 0; f < table_.feature_names.size(); ++f)
        {
          if (isBefore(table_.feature(a, f), table_.feature(b, f)) ||
              isBefore(table_.feature(b, f), table_.feature(a, f)))
          {
            return isBefore(table_.feature(a, f), table_.feature(b, f));
          }
        }
        return false;
      }

    private:
      const RescoringTable& table_;
    };
  }

  std::size_t BestHits::countDecoys() const
  {
    return static_cast<std::size_t>(std::count(is_decoy.begin(), is_decoy.end(), true));
  }

  std::size_t BestHits::countTargets(double limit) const
  {
    return countAccepted(computeQValues(scores, is_decoy, 0), is_decoy, limit);
  }

  double BestHits::lowestAccepted(double limit) const
  {
    const std::vector<double> q_values = computeQValues(scores, is_decoy, 0);
    double lowest = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < scores.size(); ++k)
    {
      if (!is_decoy[k] && q_values[k] <= limit && !(scores[k] >= lowest))
      {
        lowest = scores[k];
      }
    }
    return lowest;
  }

  CompetingSpectra::CompetingSpectra(const RescoringTable& table, std::uint64_t seed) : table_(table)
  {
    requireConsistent(table);
    std::vector<std::vector<std::size_t>> hits(table.spectra.size());
    for (std::size_t h = 0; h < table.hits.size(); ++h)
    {
      hits[table.hits[h].spectrum].push_back(h);
    }
    const HitOrder hit_order(table);
    std::vector<std::size_t> order;
    for (std::size_t s = 0; s < hits.size(); ++s)
    {
      if (!hits[s].empty())
      {
        std::sort(hits[s].begin(), hits[s].end(), hit_order);
        order.push_back(s);
      }
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b)
              {
                const auto left = std::tie(table.spectra[a].run, table.spectra[a].native_id);
                const auto right = std::tie(table.spectra[b].run, table.spectra[b].native_id);
                return left != right ? left < right
                                     : std::lexicographical_compare(hits[a].begin(), hits[a].end(), hits[b].begin(),
                                                                    hits[b].end(), hit_order);
              });
    const std::vector<double> logit = scoresOf(table, &RescoringHit::logit);
    for (const std::size_t s : order)
    {
      hits_.push_back(std::move(hits[s]));
      const std::size_t best = bestHit(hits_.size() - 1, logit);
      hash_.push_back(seededHash(pairingKey(table.peptides[table.hits[best].peptide].residues), seed));
    }
  }

  std::size_t CompetingSpectra::bestHit(std::size_t spectrum, const std::vector<double>& score) const
  {
    std::size_t best = NO_HIT;
    for (const std::size_t h : hits_[spectrum])
    {
      if (!std::isnan(score[h]) && (best == NO_HIT || score[h] > score[best] ||
                                    (!(score[h] < score[best]) && table_.hits[h].tie < table_.hits[best].tie)))
      {
        best = h;
      }
    }
    return best;
  }

  BestHits CompetingSpectra::bestHits(const SpectrumSet& spectra, const std::vector<double>& score) const
  {
    BestHits best;
    for (const std::size_t s : spectra)
    {
      const std::size_t hit = bestHit(s, score);
      if (hit != NO_HIT)
      {
        best.spectra.push_back(s);
        best.hits.push_back(hit);
        best.scores.push_back(score[hit]);
        best.is_decoy.push_back(table_.hits[hit].is_decoy);
      }
    }
    return best;
  }

  std::vector<double> scoresOf(const RescoringTable& table, double RescoringHit::*score)
  {
    std::vector<double> scores;
    scores.reserve(table.hits.size());
    for (const RescoringHit& hit : table.hits)
    {
      scores.push_back(hit.*score);
    }
    return scores;
  }
}
