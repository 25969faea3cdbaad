// SPDX-License-Identifier: BSD-3-Clause
#include "ReportStatistics.h"

#include "MetaValues.h"

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>

namespace psmformer
{
  namespace
  {
    double valueOfBest(const OpenMS::PeptideIdentification& identification, const std::string& name)
    {
      double value = std::numeric_limits<double>::quiet_NaN();
      metaNumber(identification.getHits().front(), name, value);
      return value;
    }
  }

  ErrorCurve errorCurve(const PeptideIds& identifications, const Ranking& ranking, std::size_t n_points, double q_value)
  {
    std::vector<std::size_t> order(ranking.score.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranking.score[a] > ranking.score[b]; });
    ErrorCurve curve;
    curve.at_threshold = std::numeric_limits<double>::quiet_NaN();
    std::size_t next = 0; // number of hits above which no further point is needed
    for (std::size_t k = 0; k < order.size(); ++k)
    {
      const auto& identification = identifications[ranking.identification[order[k]]];
      const double q = valueOfBest(identification, "PSMFormer:q-value");
      const double posterior_error = valueOfBest(identification, "PSMFormer:PEP");
      if (!ranking.is_decoy[order[k]] && q <= q_value && !(posterior_error <= curve.at_threshold))
      {
        curve.at_threshold = posterior_error;
      }
      const double score = ranking.score[order[k]];
      const bool is_new = curve.score.empty() || score < curve.score.back();
      if (is_new && (k >= next || k + 1 == order.size()))
      {
        curve.score.push_back(score);
        curve.q_value.push_back(q);
        curve.posterior_error.push_back(posterior_error);
        next = curve.score.size() * order.size() / n_points;
      }
    }
    return curve;
  }

  std::vector<double> peptidoformQValues(const PeptideIds& identifications, const CompetitionLists& lists)
  {
    std::vector<double> q_values;
    for (const auto& list : lists)
    {
      std::set<std::string> known;
      for (const std::size_t i : list)
      {
        const auto& hits = identifications[i].getHits();
        if (!hits.empty() && isScored(hits.front()) && !isDecoy(hits.front()) &&
            known.insert(std::string(hits.front().getSequence().toString())).second)
        {
          q_values.push_back(valueOfBest(identifications[i], "PSMFormer:peptide_q-value"));
        }
      }
    }
    return q_values;
  }
}
