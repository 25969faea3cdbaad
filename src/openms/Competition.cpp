// SPDX-License-Identifier: BSD-3-Clause
#include "Competition.h"

#include "EarlierRescoring.h"

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PosteriorError.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace psmformer
{
  namespace
  {
    void addCounts(AcceptedCounts& counts, const std::vector<double>& scores, const std::vector<bool>& is_decoy)
    {
      if (scores.empty())
      {
        return;
      }
      const std::vector<double> plain = computeQValues(scores, is_decoy, 0);
      const std::vector<double> plus_one = computeQValues(scores, is_decoy, 1);
      for (std::size_t t = 0; t < AcceptedCounts::THRESHOLDS.size(); ++t)
      {
        counts.decoys_over_targets[t] += countAccepted(plain, is_decoy, AcceptedCounts::THRESHOLDS[t]);
        counts.plus_one_over_targets[t] += countAccepted(plus_one, is_decoy, AcceptedCounts::THRESHOLDS[t]);
      }
    }

    /// Gives every scored hit of a list the q-value and the PEP of its score.
    void giveErrors(const std::vector<std::size_t>& list, const std::vector<double>& scores,
                    const std::vector<bool>& is_decoy, Annotation& annotation)
    {
      std::vector<double> all_scores;
      std::vector<HitAnnotation*> all_hits;
      for (const std::size_t i : list)
      {
        for (HitAnnotation& hit : annotation.hits[i])
        {
          if (hit.status == MatchStatus::SCORED)
          {
            all_scores.push_back(hit.score);
            all_hits.push_back(&hit);
          }
        }
      }
      const std::vector<double> q_values = interpolateQValues(all_scores, scores, computeQValues(scores, is_decoy, 1));
      const PosteriorError posterior_error(scores, is_decoy);
      for (std::size_t k = 0; k < all_hits.size(); ++k)
      {
        all_hits[k]->q_value = q_values[k];
        all_hits[k]->posterior_error = posterior_error.at(all_scores[k]);
      }
    }
  }

  std::uint64_t tieHash(const std::string& native_id, const OpenMS::PeptideHit& hit, std::uint64_t seed)
  {
    return seededHash(native_id + '\t' + std::string(hit.getSequence().toString()), seed);
  }

  std::size_t bestPreviousHit(const OpenMS::PeptideIdentification& identification, const std::string& native_id,
                              std::uint64_t seed)
  {
    const auto& hits = identification.getHits();
    const double sign = identification.isHigherScoreBetter() ? 1.0 : -1.0;
    std::size_t best = hits.size();
    for (std::size_t h = 0; h < hits.size(); ++h)
    {
      if (!std::isfinite(hits[h].getScore()))
      {
        continue;
      }
      if (best == hits.size() || sign * hits[h].getScore() > sign * hits[best].getScore() ||
          (!(sign * hits[h].getScore() < sign * hits[best].getScore()) &&
           tieHash(native_id, hits[h], seed) < tieHash(native_id, hits[best], seed)))
      {
        best = h;
      }
    }
    return best;
  }

  bool haveOneScoreType(const PeptideIds& identifications)
  {
    const OpenMS::PeptideIdentification* first = nullptr;
    for (const auto& identification : identifications)
    {
      if (identification.getHits().empty())
      {
        continue;
      }
      first = first != nullptr ? first : &identification;
      if (identification.getScoreType() != first->getScoreType() ||
          identification.isHigherScoreBetter() != first->isHigherScoreBetter())
      {
        return false;
      }
    }
    return first != nullptr;
  }

  DecoyKnowledge readDecoys(const PeptideIds& identifications)
  {
    DecoyKnowledge decoys;
    std::size_t n_hits = 0;
    std::size_t n_unknown = 0;
    std::size_t n_decoys = 0;
    for (const auto& identification : identifications)
    {
      std::vector<bool> is_decoy;
      for (const auto& hit : identification.getHits())
      {
        const std::string text = hit.metaValueExists("target_decoy")
                                     ? std::string(hit.getMetaValue("target_decoy").toString())
                                     : std::string();
        is_decoy.push_back(text == "decoy");
        n_decoys += text == "decoy" ? 1 : 0;
        n_unknown += text.empty() ? 1 : 0;
        ++n_hits;
      }
      decoys.is_decoy.push_back(std::move(is_decoy));
    }
    decoys.usable = n_unknown == 0 && n_decoys > 0;
    decoys.reason = n_unknown > 0
                        ? std::to_string(n_unknown) + " of " + std::to_string(n_hits) + " hits have no target_decoy"
                        : "no hit is a decoy";
    return decoys;
  }

  std::vector<std::size_t> rankHits(const OpenMS::PeptideIdentification& identification, const std::string& native_id,
                                    const std::vector<HitAnnotation>& hits, std::uint64_t seed)
  {
    // A peptidoform that is listed twice has equal hashes: its previous scores tell the two apart, not their places.
    using Key = std::tuple<bool, double, std::uint64_t, int, double, std::size_t>;
    std::vector<Key> keys;
    for (std::size_t h = 0; h < hits.size(); ++h)
    {
      const OpenMS::PeptideHit& hit = identification.getHits()[h];
      const bool is_unscored = hits[h].status != MatchStatus::SCORED;
      keys.emplace_back(is_unscored, -hits[h].score, is_unscored ? 0 : tieHash(native_id, hit, seed), hit.getCharge(),
                        std::isnan(hit.getScore()) ? 0.0 : hit.getScore(), h);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> order;
    order.reserve(keys.size());
    for (const Key& key : keys)
    {
      order.push_back(std::get<5>(key));
    }
    return order;
  }

  CompetitionLists competitionLists(const RunAssignment& assignment, bool per_run)
  {
    const std::size_t n = assignment.run_of_identification.size();
    if (!per_run)
    {
      CompetitionLists lists(1, std::vector<std::size_t>(n));
      std::iota(lists[0].begin(), lists[0].end(), std::size_t(0));
      return lists;
    }
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> by_run;
    for (std::size_t i = 0; i < n; ++i)
    {
      by_run[{assignment.run_of_identification[i], assignment.file_of_identification[i]}].push_back(i);
    }
    CompetitionLists lists;
    for (auto& [key, members] : by_run)
    {
      lists.push_back(std::move(members));
    }
    return lists;
  }

  AcceptedCounts estimateQValues(const CompetitionLists& lists, const DecoyKnowledge& decoys, Annotation& annotation,
                                 std::size_t& n_targets, std::size_t& n_decoys)
  {
    AcceptedCounts counts;
    counts.score = "PSMFormer:score";
    for (const auto& list : lists)
    {
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      for (const std::size_t i : list)
      {
        if (annotation.order[i].empty() || annotation.hits[i][annotation.order[i][0]].status != MatchStatus::SCORED)
        {
          continue;
        }
        const std::size_t best = annotation.order[i][0];
        scores.push_back(annotation.hits[i][best].score);
        is_decoy.push_back(decoys.is_decoy[i][best]);
        ++(is_decoy.back() ? n_decoys : n_targets);
      }
      addCounts(counts, scores, is_decoy);
      if (!scores.empty())
      {
        giveErrors(list, scores, is_decoy, annotation);
      }
    }
    annotation.has_q_values = true;
    return counts;
  }

  AcceptedCounts countPrevious(const PeptideIds& identifications, const std::vector<std::string>& native_id,
                               const CompetitionLists& lists, const DecoyKnowledge& decoys, std::uint64_t seed)
  {
    AcceptedCounts counts;
    if (!haveOneScoreType(identifications))
    {
      return counts;
    }
    for (const auto& list : lists)
    {
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      for (const std::size_t i : list)
      {
        const std::size_t best = bestPreviousHit(identifications[i], native_id[i], seed);
        if (best < identifications[i].getHits().size())
        {
          const double score = identifications[i].getHits()[best].getScore();
          scores.push_back(identifications[i].isHigherScoreBetter() ? score : -score);
          is_decoy.push_back(decoys.is_decoy[i][best]);
          const std::string type(identifications[i].getScoreType());
          counts.score = type.empty() ? NAMELESS_SCORE : type;
        }
      }
      addCounts(counts, scores, is_decoy);
    }
    return counts;
  }
}
