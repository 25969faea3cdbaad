// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/openms/PSMRescoring.h>

namespace psmformer
{
  /// Whether the model has seen all modifications of a peptide in training, by mass (within 0.01 Da).
  bool hasTrainedModifications(const Peptide& peptide, const ModelInputs& inputs);

  /// Adds what users should know of spectra and peptides that the model was not trained on: one sentence a kind.
  void noteUntrained(const MatchTable& table, const ModelInputs& inputs, RescoringReport& report);

  /// Name of the counts by the logit where another score is PSMFormer:score.
  inline const char* const LOGIT_COUNTS = "PSMFormer:calibrated_logit";

  /// Adds one warning where fewer PSMs are accepted than by the previous score, and a note where (D + 1) / T cannot
  /// reach a threshold.
  void noteCounts(RescoringReport& report);
}
