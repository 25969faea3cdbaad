// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/core/Vocabulary.h>
#include <PSMFormer/openms/MatchStatus.h>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace OpenMS
{
  class AASequence;
}

namespace psmformer
{
  /// Keeps every peptidoform once; the sequence text and the bare letters together name it, since OpenMS may write an
  /// unknown residue with a mass as another residue.
  class PeptideCollector
  {
  public:
    /// @param table  gets the peptides; must outlive the collector
    PeptideCollector(MatchTable& table, const ModelInputs& inputs);

    /// Index into MatchTable::peptides, or why there is none.
    std::pair<MatchStatus, std::size_t> add(const OpenMS::AASequence& sequence);

    /// Distinct sequences that OpenMS writes with other letters than it has read.
    const std::vector<std::string>& rewritten() const { return rewritten_; }

  private:
    std::pair<MatchStatus, std::size_t> convert(const OpenMS::AASequence& sequence);

    MatchTable& table_;
    Vocabulary vocabulary_;
    std::size_t max_residues_;
    std::unordered_map<std::string, std::pair<MatchStatus, std::size_t>> known_;
    std::vector<std::string> rewritten_;
  };
}
