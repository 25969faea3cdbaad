// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/openms/ProteinDigestion.h>

#include <set>
#include <string>
#include <vector>

namespace psmformer
{
  /// Peptides of the proteins that belong to one part of the data, carbamidomethylated on C: tryptic ones, and a number
  /// of others, cut anywhere and drawn before the parts are told apart.
  inline PeptidePool naturalPeptides(const std::string& fasta, DataPart part, std::size_t n_unspecific = 0)
  {
    std::vector<double> fixed(26, 0.0);
    fixed['C' - 'A'] = 57.021464; // Unimod 4
    DigestionParameters digestion;
    digestion.unspecific_draws = n_unspecific;
    const std::set<std::string> peptides = digestProteins({fasta}, digestion);
    return PeptidePool({peptides.begin(), peptides.end()}, part, fixed);
  }

  /// Adds a match of the table's last spectrum.
  inline void addMatch(MatchTable& table, const Peptide& peptide, int charge)
  {
    table.peptides.push_back(peptide);
    PeptideSpectrumMatch match;
    match.spectrum = table.spectra.size() - 1;
    match.peptide = table.peptides.size() - 1;
    match.charge = charge;
    table.matches.push_back(match);
  }
}
