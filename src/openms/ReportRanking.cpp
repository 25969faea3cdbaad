// SPDX-License-Identifier: BSD-3-Clause
#include "ReportRanking.h"

#include "MetaValues.h"

#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Adds the members of one list, which compete with each other alone.
    void addList(Ranking& ranking, const std::vector<double>& scores, const std::vector<bool>& is_decoy,
                 const std::vector<std::size_t>& members, bool has_decoys)
    {
      ranking.score.insert(ranking.score.end(), scores.begin(), scores.end());
      ranking.is_decoy.insert(ranking.is_decoy.end(), is_decoy.begin(), is_decoy.end());
      ranking.identification.insert(ranking.identification.end(), members.begin(), members.end());
      if (has_decoys && !scores.empty())
      {
        const std::vector<double> plain = computeQValues(scores, is_decoy, 0);
        const std::vector<double> plus_one = computeQValues(scores, is_decoy, 1);
        ranking.plain.insert(ranking.plain.end(), plain.begin(), plain.end());
        ranking.plus_one.insert(ranking.plus_one.end(), plus_one.begin(), plus_one.end());
      }
    }

    template <typename IsMember>
    std::vector<std::size_t> select(const std::vector<std::size_t>& identification, const IsMember& isMember)
    {
      std::vector<std::size_t> members;
      for (std::size_t k = 0; k < identification.size(); ++k)
      {
        if (isMember(k))
        {
          members.push_back(identification[k]);
        }
      }
      return members;
    }
  }

  std::vector<double> Ranking::shownOf(bool decoys) const
  {
    std::vector<double> values;
    for (std::size_t k = 0; k < shown.size(); ++k)
    {
      if (is_decoy[k] == decoys)
      {
        values.push_back(shown[k]);
      }
    }
    return values;
  }

  std::vector<std::size_t> Ranking::acceptedTargets(double q_value) const
  {
    return select(identification, [&](std::size_t k) { return !plain.empty() && !is_decoy[k] && plain[k] <= q_value; });
  }

  std::vector<std::size_t> Ranking::decoys() const
  {
    return select(identification, [&](std::size_t k) { return is_decoy[k]; });
  }

  double Ranking::lowestAccepted(double q_value) const
  {
    double lowest = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < plain.size(); ++k)
    {
      if (!is_decoy[k] && plain[k] <= q_value && !(shown[k] >= lowest))
      {
        lowest = shown[k];
      }
    }
    return lowest;
  }

  std::vector<std::size_t> countBySteps(std::vector<double> values, std::size_t n_steps, double steps_to_one)
  {
    std::sort(values.begin(), values.end());
    std::vector<std::size_t> counts;
    for (std::size_t k = 0; k <= n_steps; ++k)
    {
      const auto end = std::upper_bound(values.begin(), values.end(), static_cast<double>(k) / steps_to_one);
      counts.push_back(static_cast<std::size_t>(end - values.begin()));
    }
    return counts;
  }

  std::vector<std::size_t> Ranking::acceptedBySteps(const std::vector<double>& q_values, std::size_t n_steps,
                                                    double steps_to_one) const
  {
    std::vector<double> of_targets;
    for (std::size_t k = 0; k < q_values.size(); ++k)
    {
      if (!is_decoy[k])
      {
        of_targets.push_back(q_values[k]);
      }
    }
    return countBySteps(std::move(of_targets), n_steps, steps_to_one);
  }

  void Ranking::countFromBelow(std::size_t n_points, std::vector<std::size_t>& targets,
                               std::vector<std::size_t>& decoys) const
  {
    std::vector<std::size_t> order(score.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return score[a] < score[b]; });
    targets = {0};
    decoys = {0};
    std::size_t n_targets = 0;
    std::size_t n_decoys = 0;
    std::size_t next = 0; // number of hits below which no further point is needed
    for (std::size_t k = 0; k < order.size(); ++k)
    {
      ++(is_decoy[order[k]] ? n_decoys : n_targets);
      const bool ends_tie = k + 1 == order.size() || score[order[k]] < score[order[k + 1]];
      if (ends_tie && (k + 1 >= next || k + 1 == order.size()))
      {
        targets.push_back(n_targets);
        decoys.push_back(n_decoys);
        next = (targets.size() - 1) * order.size() / n_points + 1;
      }
    }
  }

  PreviousScores readPreviousScores(const PeptideIds& identifications, std::uint64_t seed)
  {
    PreviousScores previous;
    const bool comparable = haveOneScoreType(identifications);
    for (const auto& identification : identifications)
    {
      const auto& hits = identification.getHits();
      const std::size_t best = bestPreviousHit(identification, spectrumReference(identification), seed);
      const bool competes = comparable && best < hits.size();
      previous.score.push_back(competes ? hits[best].getScore() : std::numeric_limits<double>::quiet_NaN());
      previous.is_decoy.push_back(competes && isDecoy(hits[best]));
      if (competes)
      {
        previous.score_type = std::string(identification.getScoreType());
        previous.higher_is_better = identification.isHigherScoreBetter();
      }
    }
    return previous;
  }

  Ranking rankPrevious(const PreviousScores& previous, const CompetitionLists& lists, bool has_decoys)
  {
    Ranking ranking;
    for (const auto& list : lists)
    {
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      std::vector<std::size_t> members;
      for (const std::size_t i : list)
      {
        if (!std::isnan(previous.score[i]))
        {
          scores.push_back(previous.higher_is_better ? previous.score[i] : -previous.score[i]);
          is_decoy.push_back(previous.is_decoy[i]);
          members.push_back(i);
        }
      }
      addList(ranking, scores, is_decoy, members, has_decoys);
    }
    const bool by_logarithm =
        !previous.higher_is_better && std::all_of(ranking.score.begin(), ranking.score.end(),
                                                  [](double score) { return score < 0.0 && std::isfinite(score); });
    ranking.axis = by_logarithm ? "-log10(" + previous.score_type + ")" : previous.score_type;
    for (const double score : ranking.score)
    {
      ranking.shown.push_back(by_logarithm ? -std::log10(-score) : previous.higher_is_better ? score : -score);
    }
    return ranking;
  }

  Ranking rankRescored(const PeptideIds& identifications, const CompetitionLists& lists, bool has_decoys)
  {
    Ranking ranking;
    ranking.label = "PSMFormer";
    ranking.axis = "PSMFormer:score";
    for (const auto& list : lists)
    {
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      std::vector<std::size_t> members;
      for (const std::size_t i : list)
      {
        double score = 0.0;
        const auto& hits = identifications[i].getHits();
        if (!hits.empty() && isScored(hits.front()) && metaNumber(hits.front(), PREFIX + "score", score))
        {
          scores.push_back(score);
          is_decoy.push_back(isDecoy(hits.front()));
          members.push_back(i);
        }
      }
      addList(ranking, scores, is_decoy, members, has_decoys);
    }
    ranking.shown = ranking.score;
    return ranking;
  }
}
