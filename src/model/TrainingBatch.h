// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Batch.h"
#include "EpochPlan.h"

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/model/PSMTrainer.h>

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace psmformer
{
  /// A training spectrum with its true peptide (candidate 0) and the negatives drawn for it.
  ///
  /// In a foreign row no candidate is true: its precursor was moved to the mass of another peptide, which is candidate
  /// 0, and perhaps to another charge.
  struct TrainingRow
  {
    std::vector<Peptide> peptides; ///< what `prepared` points at; moving the row keeps them in place
    PreparedRow prepared;
    RowKind kind =
        RowKind::REAL; ///< what the spectrum became; relocation and another precursor are not always possible
    std::size_t example = 0;
  };

  /// Training rows as tensors; slot (b, c) is candidate c of spectrum b, candidate 0 the true one
  /// except in foreign rows.
  struct TrainingBatch
  {
    MatchTensors tensors;
    at::Tensor positive_B;         ///< int64, index of candidate 0 into the PeptideBatch
    at::Tensor allowed_BQ;         ///< bool, peptides of equal mass and another key than the true one; foreign: none
    at::Tensor relocated_B;        ///< bool
    at::Tensor foreign_B;          ///< bool
    std::vector<std::size_t> rows; ///< the example of each spectrum

    std::int64_t spectrumCount() const { return positive_B.size(0); }
  };

  /// Makes training rows; each is a function of (seed, epoch, index of the example) alone.
  class TrainingRowMaker
  {
  public:
    /// The references must outlive this object.
    /// @param augmented  false for validation: no augmentation, no change of the fragment tolerance
    TrainingRowMaker(const std::vector<TrainingExample>& examples, const PeptidePool& pool, const ModelInputs& inputs,
                     const TrainingParameters& parameters, std::uint64_t seed, bool augmented);

    /// Draws one row: relocation or another precursor if asked for and possible, augmentation, preprocessing,
    /// negatives, matched ions.
    TrainingRow makeRow(std::size_t epoch, std::size_t index, RowKind kind) const;

    /// The rows of some examples as one batch.
    TrainingBatch makeBatch(std::size_t epoch, const std::vector<std::size_t>& indices,
                            const std::vector<RowKind>& kinds) const;

    /// Masses of the true peptides, Da.
    std::vector<double> masses() const;

  private:
    std::optional<Peptide> drawUnnatural(const Peptide& peptide, Random& random) const;
    /// An example of another mass and the same charge, or of another charge and about the same m/z; nullptr: none.
    const TrainingExample* drawStranger(const TrainingExample& own, Random& random) const;
    const TrainingExample* drawRecharged(const TrainingExample& own, Random& random) const;
    /// Both change the spectrum and the peptide of an example, or leave them and return false when that is not
    /// possible.
    bool relocate(Spectrum& spectrum, Peptide& peptide, int charge, Random& random) const;
    bool makeForeign(Spectrum& spectrum, Peptide& peptide, int& charge, Random& random,
                     const TrainingExample& own) const;
    Spectrum augmentSpectrum(const Spectrum& spectrum, Random& random) const;
    std::vector<Peptide> candidates(const PreprocessedSpectrum& spectrum, const Peptide& positive,
                                    const std::vector<Peptide>& others, Random& random) const;

    const std::vector<TrainingExample>& examples_;
    const PeptidePool& pool_;
    const ModelInputs& inputs_;
    const TrainingParameters& parameters_;
    std::uint64_t seed_;
    bool augmented_;
    std::vector<IonChannel> channels_;
    std::vector<std::size_t> coarse_; ///< examples with a low-resolution fragment tolerance: noise for each other
    std::vector<std::size_t> fine_;   ///< the other examples
    std::map<std::pair<bool, int>, std::vector<std::size_t>> of_charge_; ///< examples by (is coarse, charge)
  };

  /// Collates rows and works out which peptides are negatives of which spectra in InfoNCE.
  /// @param same_mass_ppm  peptides within this of the true peptide's mass are of equal mass
  TrainingBatch collateTraining(std::vector<TrainingRow> rows, const ModelInputs& inputs, double same_mass_ppm);
}
