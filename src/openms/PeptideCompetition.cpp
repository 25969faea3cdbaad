// SPDX-License-Identifier: BSD-3-Clause
#include "PeptideCompetition.h"

#include <PSMFormer/core/PeptideLevel.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <map>
#include <utility>

namespace psmformer
{
  namespace
  {
    std::string pairKeyOf(const Peptide& peptide)
    {
      std::vector<double> masses = peptide.modification_mass;
      masses.push_back(peptide.n_term_modification);
      masses.push_back(peptide.c_term_modification);
      return decoyPairKey(peptide.residues, masses);
    }

    using Matches = std::vector<const PeptideSpectrumMatch*>;

    /// The scored hits of each list.
    std::vector<Matches> divide(const CompetitionLists& lists, const MatchTable& table, std::size_t n_identifications)
    {
      std::vector<std::size_t> list_of(n_identifications, 0);
      for (std::size_t l = 0; l < lists.size(); ++l)
      {
        for (const std::size_t i : lists[l])
        {
          list_of[i] = l;
        }
      }
      std::vector<Matches> divided(lists.size());
      for (const PeptideSpectrumMatch& match : table.matches)
      {
        divided[list_of[match.origin.identification]].push_back(&match);
      }
      return divided;
    }

    /// A peptidoform, and whether it is a decoy: one whose hits disagree on that is two.
    using Key = std::pair<std::size_t, bool>;

    Key keyOf(const PeptideSpectrumMatch& match, const DecoyKnowledge& decoys)
    {
      return {match.peptide, decoys.is_decoy[match.origin.identification][match.origin.hit]};
    }

    HitAnnotation& hitOf(const PeptideSpectrumMatch& match, Annotation& annotation)
    {
      return annotation.hits[match.origin.identification][match.origin.hit];
    }

    /// The peptidoforms that are the best hit of an identification.
    struct Competitors
    {
      std::map<Key, std::size_t> place; ///< in peptidoforms
      std::vector<ScoredPeptidoform> peptidoforms;

      Competitors(const Matches& matches, const DecoyKnowledge& decoys, const MatchTable& table, Annotation& annotation)
      {
        for (const PeptideSpectrumMatch* match : matches)
        {
          if (annotation.order[match->origin.identification][0] != match->origin.hit)
          {
            continue;
          }
          const double score = hitOf(*match, annotation).score;
          const Key key = keyOf(*match, decoys);
          const auto [at, is_new] = place.emplace(key, peptidoforms.size());
          if (is_new)
          {
            peptidoforms.push_back({pairKeyOf(table.peptides[match->peptide]), score, key.second});
          }
          double& best = peptidoforms[at->second].score;
          best = std::max(best, score);
        }
      }
    };

    void estimateList(const Matches& matches, const DecoyKnowledge& decoys, const MatchTable& table,
                      Annotation& annotation)
    {
      const Competitors competitors(matches, decoys, table, annotation);
      const std::vector<double> q_values = peptideQValues(competitors.peptidoforms);

      // Those that lost against their partner have left the list; who is not in it is compared with the others.
      std::vector<double> competed_scores;
      std::vector<double> competed_q_values;
      for (std::size_t p = 0; p < q_values.size(); ++p)
      {
        if (q_values[p] < 1.0)
        {
          competed_scores.push_back(competitors.peptidoforms[p].score);
          competed_q_values.push_back(q_values[p]);
        }
      }
      std::vector<double> scores;
      scores.reserve(matches.size());
      for (const PeptideSpectrumMatch* match : matches)
      {
        scores.push_back(hitOf(*match, annotation).score);
      }
      const std::vector<double> as_competitor = interpolateQValues(scores, competed_scores, competed_q_values);
      for (std::size_t m = 0; m < matches.size(); ++m)
      {
        const auto known = competitors.place.find(keyOf(*matches[m], decoys));
        hitOf(*matches[m], annotation).peptide_q_value =
            known == competitors.place.end() ? as_competitor[m] : q_values[known->second];
      }
    }
  }

  void estimatePeptideQValues(const CompetitionLists& lists, const DecoyKnowledge& decoys, const MatchTable& table,
                              Annotation& annotation)
  {
    for (const Matches& matches : divide(lists, table, annotation.hits.size()))
    {
      estimateList(matches, decoys, table, annotation);
    }
  }
}
