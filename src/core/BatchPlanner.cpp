// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/BatchPlanner.h>
#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// A row and the lengths that decide how it is padded.
    struct SizedRow
    {
      BatchRow row;
      std::size_t fold = 0;
      std::size_t longest = 0; ///< residues of the longest candidate
      std::size_t peaks = 0;   ///< upper bound, at least 1
    };

    void checkTable(const MatchTable& table, const BatchLimits& limits)
    {
      require(limits.max_tokens > 0 && limits.max_candidates > 0, ErrorKind::INVALID_INPUT,
              "Batch limits of 0 tokens or 0 candidates leave room for nothing; both must be at least 1.");
      for (std::size_t i = 0; i < table.matches.size(); ++i)
      {
        const PeptideSpectrumMatch& match = table.matches[i];
        if (match.spectrum >= table.spectra.size() || match.peptide >= table.peptides.size() || match.charge < 1)
        {
          throw Error(ErrorKind::INVALID_INPUT, "Match " + std::to_string(i) +
                                                    " names a spectrum or peptide that is not there or a charge below "
                                                    "1.");
        }
      }
    }

    /// The fold of each peptide of the table.
    std::vector<std::size_t> foldsOf(const std::vector<Peptide>& peptides, const FoldRule& rule)
    {
      std::vector<std::size_t> folds(peptides.size());
      std::transform(peptides.begin(), peptides.end(), folds.begin(),
                     [&](const Peptide& peptide) { return rule.foldOf(peptide.residues); });
      return folds;
    }

    std::vector<SizedRow> makeRows(const MatchTable& table, const BatchLimits& limits, const FoldRule& rule)
    {
      const std::vector<std::size_t> folds = foldsOf(table.peptides, rule);
      std::map<std::tuple<std::size_t, int, std::size_t>, std::vector<std::size_t>> groups;
      for (std::size_t i = 0; i < table.matches.size(); ++i)
      {
        const PeptideSpectrumMatch& match = table.matches[i];
        groups[{match.spectrum, match.charge, folds[match.peptide]}].push_back(i);
      }
      const auto length = [&](std::size_t match)
      {
        return table.peptides[table.matches[match].peptide].length();
      };
      std::vector<SizedRow> rows;
      for (auto& [key, matches] : groups)
      {
        // Where a group is cut, long and short candidates part, which saves padding.
        std::stable_sort(matches.begin(), matches.end(),
                         [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
        const auto [spectrum, charge, fold] = key;
        const std::size_t peaks = std::min(table.spectra[spectrum].mz.size(), limits.max_peaks);
        for (std::size_t first = 0; first < matches.size(); first += limits.max_candidates)
        {
          const std::size_t last = std::min(first + limits.max_candidates, matches.size());
          SizedRow sized;
          sized.row.spectrum = spectrum;
          sized.row.charge = charge;
          sized.fold = fold;
          for (std::size_t i = first; i < last; ++i)
          {
            sized.row.matches.push_back(matches[i]);
          }
          sized.longest = length(matches[first]);
          sized.peaks = std::max<std::size_t>(peaks, 1);
          rows.push_back(std::move(sized));
        }
      }
      return rows;
    }

    /// Padded tokens of rows that share a shape: peaks with the precursor token, and sites with the CLS token.
    std::size_t paddedTokens(std::size_t n_rows, std::size_t peaks, std::size_t candidates, std::size_t longest)
    {
      return n_rows * (peaks + 1 + candidates * std::max<std::size_t>(longest, 2));
    }
  }

  std::vector<MatchBatch> planBatches(const MatchTable& table, const BatchLimits& limits, const FoldRule& folds)
  {
    checkTable(table, limits);
    std::vector<SizedRow> rows = makeRows(table, limits, folds);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SizedRow& a, const SizedRow& b)
                     {
                       return std::make_tuple(a.fold, b.longest, b.row.matches.size()) <
                              std::make_tuple(b.fold, a.longest, a.row.matches.size());
                     });
    std::vector<MatchBatch> batches;
    std::size_t peaks = 0;
    std::size_t candidates = 0;
    std::size_t longest = 0;
    for (SizedRow& sized : rows)
    {
      peaks = std::max(peaks, sized.peaks);
      candidates = std::max(candidates, sized.row.matches.size());
      longest = std::max(longest, sized.longest);
      const bool fits = !batches.empty() && batches.back().fold == sized.fold &&
                        paddedTokens(batches.back().rows.size() + 1, peaks, candidates, longest) <= limits.max_tokens;
      if (!fits)
      {
        batches.emplace_back();
        batches.back().fold = sized.fold;
        peaks = sized.peaks;
        candidates = sized.row.matches.size();
        longest = sized.longest;
      }
      batches.back().rows.push_back(std::move(sized.row));
    }
    return batches;
  }
}
