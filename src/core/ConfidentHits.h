// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "SpectrumCompetition.h"

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// The spectra of a training part, divided so that hits inside of it can be scored by models that have not seen them.
  struct TrainingDivisions
  {
    std::size_t n_divisions = 0;
    std::vector<std::size_t> division; ///< of each spectrum; n_divisions outside of the training part
  };

  struct ConfidentHit
  {
    std::size_t hit = 0; ///< of the table
    std::size_t division = 0;
  };

  /// Which best hits of a training part are believed.
  struct ConfidentHits
  {
    /// Targets at q <= 1 % (D / T), one for each peptidoform of a run, by falling score.
    std::vector<ConfidentHit> hits;
    /// Spectra of the training part whose best hit is not among the targets at q <= 1 %.
    SpectrumSet others;

    ConfidentHits(const RescoringTable& table, const CompetingSpectra& competition, const TrainingDivisions& divisions,
                  const std::vector<double>& score);
  };
}
