// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// Refuses identifications that Percolator cannot learn from, before any work is done.
  /// @throws Error INVALID_INPUT when a hit has no `target_decoy`, or when there are hits and none is a decoy
  void requireTargetsAndDecoys(const PeptideIds& identifications);

  /// The scored hits of rescored identifications as a Percolator input (PIN), tab-separated, one row a hit.
  ///
  /// Columns: SpecId, Label (1 or -1; "target+decoy" is 1), ScanNr, ExpMass and CalcMass (neutral, Da), the features,
  /// `Charge<z>` (0 or 1) for every charge that occurs, Peptide with its flanking residues ("K.PEPTIDER.A", '-' at a
  /// terminus of the protein, 'X' when not known, modifications as mass differences in brackets), Proteins (as many
  /// columns as accessions). Features are `feature_names` but the charge, and those names in `extra_features` that
  /// every scored hit has as a finite number; nothing else, so nothing that was fitted on labels.
  ///
  /// SpecId is `<run>:<native ID>:<identification>.<hit>`, the last two counted from 1 in the idXML; blanks and '%' are
  /// percent-encoded, since Percolator ends the name at a blank. ScanNr is the scan number of the native ID; when
  /// spectra have none, or several files are in one table, spectra are counted through instead, since Percolator takes
  /// rows with the same ScanNr and ExpMass to be of one spectrum.
  /// Format: https://github.com/percolator/percolator/wiki/Interface
  ///
  /// @param identifications  as annotateIdentifications() left them; requireTargetsAndDecoys() had nothing against them
  /// @param spectrum_files   as given to resolveRuns()
  /// @param feature_names    meta values with the prefix "PSMFormer:"; all features, with `PSMFormer:peptide_mass`
  std::string percolatorInput(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                              const std::vector<std::string>& spectrum_files,
                              const std::vector<std::string>& feature_names);
}
