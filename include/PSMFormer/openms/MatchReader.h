// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/MatchStatus.h>
#include <PSMFormer/openms/RunResolver.h>
#include <PSMFormer/openms/SpectrumIndex.h>

#include <OpenMS/CONCEPT/ProgressLogger.h>
#include <OpenMS/METADATA/ProteinIdentification.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace psmformer
{
  struct JoinParameters
  {
    Tolerance fragment_tolerance; ///< overrides the search parameters when known
    bool accept_profile = false;  ///< go on although all spectra are profile data
    OpenMS::ProgressLogger::LogType log_type = OpenMS::ProgressLogger::NONE;
  };

  /// What happened while identifications were joined with spectra.
  struct JoinReport
  {
    std::size_t n_hits = 0;
    std::map<MatchStatus, std::size_t> hits;             ///< by status; sums to n_hits
    std::map<LookupMethod, std::size_t> identifications; ///< found, by method
    std::vector<std::string> notes;                      ///< sentences for the log
    std::vector<std::string> warnings;

    std::size_t scored() const;
    /// "no_spectrum 3, mass_mismatch 1"; empty when every hit is scored.
    std::string reasons() const;
  };

  /// Matches that can be scored, and for every identification and hit what became of it.
  struct JoinedMatches
  {
    MatchTable table;                             ///< only hits with status SCORED; Origin gives identification and hit
    std::vector<std::vector<MatchStatus>> status; ///< by identification and hit
    std::vector<std::string> native_id;           ///< by identification: of its spectrum, else its reference
    std::vector<double> retention_time;           ///< by identification: of its spectrum, in s; NaN without
    std::vector<Tolerance> fragment_tolerance;    ///< by run: what its spectra are matched with; unknown when unused
    JoinReport report;
  };

  /// Joins identifications with the spectra of their files.
  ///
  /// A sequence is converted once and a spectrum is kept once a run, however many hits they have. The fragment
  /// tolerance is that of the parameters, else of the search, else (absent, 0 or above 2 Da) estimated from the data.
  ///
  /// @param assignment  file and run of each identification, of resolveRuns()
  /// @param inputs      what the model takes: longest peptide, highest charge, residues
  /// @throws Error INVALID_INPUT when a file has no MS2 spectrum or only profile spectra, when none of its
  ///         identifications finds a spectrum, or when the precursors show that the wrong spectra were found; OPTION
  ///         when the fragment tolerance is neither known nor can be estimated; OpenMS's exceptions for unreadable
  ///         files
  JoinedMatches joinMatches(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                            const RunAssignment& assignment, const ModelInputs& inputs,
                            const JoinParameters& parameters);
}
