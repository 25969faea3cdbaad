// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptideVariants.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/SpectrumNull.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace psmformer
{
  namespace
  {
    bool isAmong(const Peptide& peptide, const std::vector<Peptide>& others)
    {
      return std::any_of(others.begin(), others.end(),
                         [&](const Peptide& other) { return indistinguishable(peptide, other); });
    }

    /// Positions in the table of the matches of each identification.
    std::map<std::size_t, std::vector<std::size_t>> matchesOfIdentifications(const MatchTable& table)
    {
      std::map<std::size_t, std::vector<std::size_t>> matches;
      for (std::size_t m = 0; m < table.matches.size(); ++m)
      {
        matches[table.matches[m].origin.identification].push_back(m);
      }
      return matches;
    }

    /// Appends the false matches of all identifications to the table.
    void appendNull(MatchTable& table, std::size_t n_shuffles)
    {
      for (const auto& [identification, matches] : matchesOfIdentifications(table))
      {
        std::vector<Peptide> candidates;
        candidates.reserve(matches.size());
        for (const std::size_t m : matches)
        {
          candidates.push_back(table.peptides[table.matches[m].peptide]);
        }
        std::vector<std::vector<Peptide>> shuffled = shuffledCandidates(candidates, n_shuffles);
        for (std::size_t c = 0; c < matches.size(); ++c)
        {
          for (Peptide& peptide : shuffled[c])
          {
            PeptideSpectrumMatch match = table.matches[matches[c]];
            match.peptide = table.peptides.size();
            table.peptides.push_back(std::move(peptide));
            table.matches.push_back(match);
          }
        }
      }
    }

    /// False matches at the end of a table for as long as this lives, also when scoring fails.
    class FalseMatches
    {
    public:
      FalseMatches(MatchTable& table, std::size_t n_shuffles)
          : table_(table), n_matches_(table.matches.size()), n_peptides_(table.peptides.size())
      {
        appendNull(table, n_shuffles);
      }

      ~FalseMatches()
      {
        table_.matches.resize(n_matches_);
        table_.peptides.resize(n_peptides_);
      }

      FalseMatches(const FalseMatches&) = delete;
      FalseMatches& operator=(const FalseMatches&) = delete;

    private:
      MatchTable& table_;
      std::size_t n_matches_;
      std::size_t n_peptides_;
    };

    /// The same for any order of the values.
    double mean(std::vector<double> values)
    {
      std::sort(values.begin(), values.end());
      return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }

    /// By match: the mean logit of the false matches, which begin at n_matches, of its identification.
    std::vector<double> nullLogits(const MatchTable& table, std::size_t n_matches, const std::vector<double>& logit)
    {
      std::map<std::size_t, std::vector<double>> of_identification;
      for (std::size_t m = n_matches; m < table.matches.size(); ++m)
      {
        of_identification[table.matches[m].origin.identification].push_back(logit[m]);
      }
      std::map<std::size_t, double> means;
      std::vector<double> all;
      for (const auto& [identification, values] : of_identification)
      {
        all.push_back(means[identification] = mean(values));
      }
      const double otherwise = all.empty() ? 0.0 : mean(all);
      std::vector<double> result;
      result.reserve(n_matches);
      for (std::size_t m = 0; m < n_matches; ++m)
      {
        const auto found = means.find(table.matches[m].origin.identification);
        result.push_back(found == means.end() ? otherwise : found->second);
      }
      return result;
    }

    std::size_t shufflesOfEach(std::size_t n_candidates, std::size_t at_least)
    {
      return n_candidates == 0 ? 0 : (at_least + n_candidates - 1) / n_candidates;
    }
  }

  std::vector<std::vector<Peptide>> shuffledCandidates(const std::vector<Peptide>& candidates, std::size_t at_least)
  {
    std::vector<std::vector<Peptide>> shuffled(candidates.size());
    std::vector<Peptide> taken = candidates;
    for (std::size_t k = 0; k < shufflesOfEach(candidates.size(), at_least); ++k)
    {
      for (std::size_t c = 0; c < candidates.size(); ++c)
      {
        Random random(seededHash(peptideKey(candidates[c].residues), k));
        std::optional<Peptide> peptide = shuffleResidues(candidates[c], random, FreeResidues::ALL_BUT_C_TERMINAL);
        if (peptide && !isAmong(*peptide, taken))
        {
          taken.push_back(*peptide);
          shuffled[c].push_back(std::move(*peptide));
        }
      }
    }
    return shuffled;
  }

  MatchScores scoreWithNull(const MatchScorer& scorer, MatchTable& table, std::size_t n_shuffles,
                            const ProgressCallback& progress)
  {
    if (n_shuffles == 0)
    {
      return scorer.score(table, progress);
    }
    const std::size_t n_matches = table.matches.size();
    const FalseMatches false_matches(table, n_shuffles);
    const std::size_t n_all = table.matches.size();
    MatchScores scores = scorer.score(table,
                                      [&](std::size_t done)
                                      {
                                        if (progress)
                                        {
                                          progress(done * n_matches / n_all);
                                        }
                                      });
    scores.null_logit = nullLogits(table, n_matches, scores.logit);
    for (std::vector<double>* values : {&scores.logit, &scores.cosine, &scores.spectral_angle})
    {
      values->resize(n_matches);
    }
    return scores;
  }
}
