// SPDX-License-Identifier: BSD-3-Clause
#include "PeptideCollector.h"

#include <PSMFormer/openms/ResidueTokens.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <optional>

namespace psmformer
{
  namespace
  {
    /// The letters of a sequence in OpenMS notation, without modifications and terminal dots.
    std::string lettersOf(const std::string& text)
    {
      std::string letters;
      int depth = 0;
      for (const char c : text)
      {
        depth += c == '(' || c == '[' ? 1 : 0;
        if (depth == 0 && c != '.')
        {
          letters += c;
        }
        depth -= c == ')' || c == ']' ? 1 : 0;
      }
      return letters;
    }
  }

  PeptideCollector::PeptideCollector(MatchTable& table, const ModelInputs& inputs)
      : table_(table), vocabulary_(inputs.vocabulary), max_residues_(inputs.max_residues)
  {
  }

  std::pair<MatchStatus, std::size_t> PeptideCollector::add(const OpenMS::AASequence& sequence)
  {
    const std::string key = std::string(sequence.toString()) + ' ' + std::string(sequence.toUnmodifiedString());
    const auto [known, is_new] = known_.emplace(key, std::make_pair(MatchStatus::SCORED, std::size_t(0)));
    if (is_new)
    {
      known->second = convert(sequence);
    }
    return known->second;
  }

  std::pair<MatchStatus, std::size_t> PeptideCollector::convert(const OpenMS::AASequence& sequence)
  {
    if (sequence.empty() || sequence.size() > max_residues_)
    {
      return {MatchStatus::UNSUPPORTED_LENGTH, 0};
    }
    std::optional<Peptide> peptide = toPeptide(sequence);
    const bool is_known = peptide && std::all_of(peptide->residues.begin(), peptide->residues.end(),
                                                 [this](char letter) { return vocabulary_.contains(letter); });
    if (!is_known)
    {
      const std::string text(sequence.toString());
      if (lettersOf(text) != std::string(sequence.toUnmodifiedString()))
      {
        rewritten_.push_back(text);
      }
      return {MatchStatus::UNSUPPORTED_RESIDUE, 0};
    }
    table_.peptides.push_back(std::move(*peptide));
    return {MatchStatus::SCORED, table_.peptides.size() - 1};
  }
}
