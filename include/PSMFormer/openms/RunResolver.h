// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// Which spectrum file and which identification run each identification belongs to.
  struct RunAssignment
  {
    std::vector<std::string> files;                  ///< as given, those that are needed
    std::vector<std::size_t> file_of_identification; ///< index into files
    std::vector<std::size_t> run_of_identification;  ///< index into the protein identifications
    std::vector<std::string> warnings;
  };

  /// The name by which runs and spectrum files are matched: without folder, `file://`, compression and format
  /// extension; case matters.
  std::string runStem(const std::string& path);

  /// Finds the spectrum file of each identification through `spectra_data` of its run and its `id_merge_index`.
  ///
  /// With a single run of at most one entry and a single file, names do not matter. Indices count per run.
  /// @throws Error INVALID_INPUT for an identification without run, a missing or wrong `id_merge_index`, an entry
  ///         without file or `spectra_data` that does not tell several files apart; OPTION when two files share a name
  RunAssignment resolveRuns(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                            const std::vector<std::string>& spectrum_files);
}
