// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/model/PSMTrainer.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psmformer
{
  /// What becomes of an example in an epoch.
  enum class RowKind
  {
    REAL,
    RELOCATED,
    FOREIGN
  };

  /// Which examples share a batch in an epoch, and what becomes of each.
  struct EpochPlan
  {
    std::vector<std::vector<std::size_t>> batches; ///< indices of examples, each once
    std::vector<RowKind> kinds;                    ///< by example
  };

  /// Sorts examples by jittered peptide mass, cuts them into batches and shuffles the batches, all from (seed, epoch).
  ///
  /// Batches of mass neighbours: otherwise the precursor mass alone would tell the peptides of a batch apart. Exactly
  /// the share of TrainingParameters::relocated_share (rounded down) is marked for relocation, and that of
  /// foreign_share of the others becomes foreign.
  /// @param masses  Da, of the true peptide of each example
  EpochPlan planEpoch(const std::vector<double>& masses, const TrainingParameters& parameters, std::uint64_t seed,
                      std::size_t epoch);
}
