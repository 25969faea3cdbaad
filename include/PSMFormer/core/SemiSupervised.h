// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/LinearFitter.h>
#include <PSMFormer/core/RescoringTable.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// A score that a fold can be ranked by.
  enum class ScoreSource
  {
    LOGIT,
    LINEAR, ///< the linear model of the fold
    ENGINE
  };

  /// "logit", "linear" or "engine".
  std::string scoreSourceName(ScoreSource source);

  struct SemiSupervisedParameters
  {
    std::size_t n_folds = 3;
    std::uint64_t seed = 1;          ///< of the hash that divides peptides into folds
    std::size_t min_targets = 100;   ///< of each training part, at q <= 5 % (D / T)
    std::size_t min_decoys = 50;     ///< of each training part, best hits
    std::size_t max_iterations = 10; ///< of labelling and fitting
    std::size_t max_spectra = 50000; ///< of a training part; more do not change a plane of some fifty weights
    bool learns_termini = true;      ///< of the residues at the ends of confident peptides
  };

  /// Which score a fold is ranked by, and the accepted targets of its training part at 1 % FDR (D / T) that decided.
  struct FoldChoice
  {
    ScoreSource source = ScoreSource::LOGIT;
    std::array<std::size_t, 3> accepted = {0, 0, 0}; ///< by ScoreSource; LINEAR by models that had not seen the peptide
  };

  struct SemiSupervisedResult
  {
    bool is_trained = false;
    std::string reason;         ///< why it is not trained; a clause
    std::vector<double> scores; ///< by hit of the table, finite, of linear models rounded to 1e-6; empty unless trained
    std::vector<FoldChoice> folds;
  };

  /// Rescores hits by linear models that are trained on the targets and decoys of the same table, in folds.
  ///
  /// Kaell et al. 2007, doi:10.1038/nmeth1113; cross-validation: Granholm et al. 2012, doi:10.1186/1471-2105-13-S16-S3.
  /// A spectrum belongs to the fold of the pairing key of its best hit by logit, and is scored by what was learnt on
  /// the other folds; every formula is in share/doc/statistics.md. The order of hits and spectra does not matter.
  ///
  /// @param table   hits with at least one decoy among them, else the result is not trained
  /// @throws Error  INTERNAL when the parts of the table do not fit together
  SemiSupervisedResult rescoreSemiSupervised(const RescoringTable& table, const LinearFitter& fitter,
                                             const SemiSupervisedParameters& parameters = {});
}
