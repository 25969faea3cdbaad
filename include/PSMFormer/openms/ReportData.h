// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/PSMRescoring.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// The best hit of each identification by the main score it comes with, which rescoring replaces.
  struct PreviousScores
  {
    std::string score_type; ///< empty when there are none, or of different types
    bool higher_is_better = true;
    std::vector<double> score;  ///< by identification; NaN where no score is finite
    std::vector<bool> is_decoy; ///< by identification
  };

  /// Reads the scores before rescoring. Ties are decided as countPrevious() does.
  PreviousScores readPreviousScores(const PeptideIds& identifications, std::uint64_t seed);

  /// What the report shows, apart from how it looks.
  struct ReportData
  {
    std::string title;    ///< names of the runs
    std::string headline; ///< one sentence: what happened
    std::string json;     ///< everything that is drawn or listed; its size does not grow with the number of PSMs
  };

  /// Collects and bins what a report shows, from what is in the rescored identifications.
  ///
  /// Charts of accepted PSMs count the targets with a q-value of D / T of at most 1 %, as FalseDiscoveryRate does; the
  /// charts of errors need the features `PSMFormer:precursor_error_ppm` and `PSMFormer:fragment_error_median` on the
  /// hits. Parts that need decoys or features that are not there are left out of the JSON.
  ///
  /// Members of the JSON: `headline`, `runs`, `hits`, `competitors`, `missing` (why there is no FDR), `counts`,
  /// `scores` and `accepted` (before and after, in this order), `peptides` (peptidoforms by
  /// `PSMFormer:peptide_q-value`), `errors` (q-value and PEP by score; null with q-values of several lists),
  /// `retention` (min), `precursor`, `fragment`, `calibration`, `parameters`, `warnings`, `notes`. A histogram is
  /// `low`, `width` and `series`, each with a `name`, its `n`, the counts `y` of its bins from `low` on, and the number
  /// `outside` of them.
  ///
  /// @param spectrum_files  as given to PSMRescoring::rescore()
  ReportData collectReport(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                           const std::vector<std::string>& spectrum_files, const PreviousScores& previous,
                           const RescoringReport& report);
}
