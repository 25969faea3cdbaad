// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ConfidentHits.h"

#include <vector>

namespace psmformer
{
  /// How much the ends of each hit look like those of peptides that are surely in the sample: a sum of log-odds over
  /// six residues, the two at either end and those before and after the peptide in its protein. NaN where fewer than
  /// TERMINUS_MIN_PEPTIDES are sure.
  ///
  /// What cuts proteins leaves its mark there, a protease as well as the processing and binding of antigens, and
  /// nothing has to be known of it: the residues of confident hits are counted, and those of all hits of spectra whose
  /// best hit is not confident, targets and decoys alike. A false target and a decoy are treated alike. A position
  /// weight matrix (Stormo et al. 1982, doi:10.1093/nar/10.9.2997) with 20 pseudo-counts in the proportions of the
  /// second group. A hit outside of the training part is rated by all of it, a hit inside by what is outside of its own
  /// division.
  ///
  /// @param confident  of the same divisions
  std::vector<double> terminusEvidence(const RescoringTable& table, const CompetingSpectra& competition,
                                       const TrainingDivisions& divisions, const ConfidentHits& confident);

  constexpr std::size_t TERMINUS_MIN_PEPTIDES = 60;
}
