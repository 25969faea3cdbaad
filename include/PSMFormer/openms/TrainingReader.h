// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/model/PSMTrainer.h>

#include <OpenMS/CONCEPT/ProgressLogger.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  /// Which identifications count as known peptides.
  struct IdentificationFilter
  {
    double max_q_value = 0.01;
    Tolerance fragment_tolerance;         ///< overrides the search parameters when known
    std::size_t max_other_candidates = 9; ///< ranks 2 to 10
    OpenMS::ProgressLogger::LogType log_type = OpenMS::ProgressLogger::NONE;
  };

  /// Training examples of identifications, and what became of the others.
  struct IdentifiedSpectra
  {
    std::vector<TrainingExample> examples; ///< `source` is the name of the spectrum file
    std::size_t n_identifications = 0;
    std::size_t n_above_threshold = 0; ///< q-value above the threshold, or the best hit a decoy
    std::size_t n_not_scorable = 0;    ///< the join with the spectrum failed, by the reasons of MatchStatus
    std::vector<std::string> warnings;
  };

  /// Reads confident PSMs of target-decoy searches and their spectra.
  ///
  /// The q-value of a hit is its main score when that is a q-value, else its meta value "PSMFormer:q-value" or
  /// "q-value". The best hit of an identification is the positive; target hits of rank 2 to 10 are its other
  /// candidates. Decoys never become candidates: the network must not meet decoys of an evaluation database.
  ///
  /// @param identification_files  idXML
  /// @param spectrum_files        mzML; matched to runs by `spectra_data`
  /// @param inputs                limits of the model
  /// @throws Error INVALID_INPUT when a file has no q-values or no confident PSM; those of joinMatches and resolveRuns
  IdentifiedSpectra readIdentifiedSpectra(const std::vector<std::string>& identification_files,
                                          const std::vector<std::string>& spectrum_files, const ModelInputs& inputs,
                                          const IdentificationFilter& filter);

  /// Training and validation examples, and how many were left out why.
  struct TrainingSplit
  {
    std::vector<TrainingExample> training;
    std::vector<TrainingExample> validation;
    std::size_t n_test = 0;        ///< peptides of the test part
    std::size_t n_excluded = 0;    ///< peptides of the list of exclusions
    std::size_t n_unsupported = 0; ///< too short or long, charge too high, or a residue the model does not know
    /// By source: numbers of training and validation spectra.
    std::map<std::string, std::pair<std::size_t, std::size_t>> sources;
    std::set<std::string> keys; ///< peptide keys of all training and validation examples
  };

  /// Splits examples by the part of their peptide key; excluded keys are neither trained on nor validated on, also not
  /// as other candidates.
  TrainingSplit splitExamples(std::vector<TrainingExample> examples, const std::set<std::string>& excluded_keys,
                              const ModelInputs& inputs);

  /// Reads a text file with one peptide a line as a set of keys; blank lines and lines that start with '#' are skipped.
  /// @throws Error NOT_FOUND, NOT_READABLE, or DAMAGED_INPUT with the line that is not a peptide
  std::set<std::string> readPeptideKeys(const std::string& file);

  /// Peptides whose key is not excluded.
  std::vector<std::string> withoutKeys(const std::set<std::string>& peptides,
                                       const std::set<std::string>& excluded_keys);
}
