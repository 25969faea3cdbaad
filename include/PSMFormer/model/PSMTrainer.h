// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Augmentation.h>
#include <PSMFormer/core/CandidateSampler.h>
#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/model/RuntimeOptions.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace psmformer
{
  /// A spectrum whose peptide is known.
  struct TrainingExample
  {
    Spectrum spectrum;
    Peptide peptide;
    int charge = 0;
    std::vector<Peptide> other_candidates; ///< lower-ranked candidates of a search; may be empty
    std::string source;                    ///< where it comes from, for the counts in the model card
  };

  /// How a network is fitted; the loss and its weights are those of the model specification.
  struct TrainingParameters
  {
    std::size_t epochs = 8;
    std::size_t spectra_per_batch = 16;
    std::size_t accumulated_batches = 2; ///< gradients of this many batches make one step
    double learning_rate = 1e-3;         ///< the largest, after warm-up
    double weight_decay = 0.01;
    double warmup_share = 0.1; ///< of all steps; then a cosine down to 1 % of the largest
    double max_gradient_norm = 1.0;
    double listwise_weight = 1.0; ///< softmax over the candidates of a spectrum
    double match_weight = 1.0;    ///< binary cross-entropy on the logit
    double positive_weight = 4.0; ///< of positives in the binary cross-entropy
    double spectral_angle_weight = 0.2;
    double contrastive_weight = 0.1;   ///< InfoNCE between spectrum and peptide vectors
    double initial_temperature = 0.07; ///< of InfoNCE; learnt, at least 0.01
    double relocated_share = 0.34;     ///< of the spectra are peak relocations; at least one per two real ones
    double foreign_share = 0.25;       ///< of the others get another precursor mass, so that no candidate is true
    double recharged_share = 0.0;      ///< of those get another charge too, so that their mass is far from theirs
    double unexplained_share = 0.5;    ///< of the foreign ones lose the peaks that their own peptide explains
    double same_mass_ppm = 20.0;       ///< peptides within this are of equal mass: InfoNCE, AUC of the cosine
    double mass_jitter = 1.0;          ///< Da, standard deviation added to the masses that batches are sorted by
    double min_tolerance_factor = 0.7; ///< the fragment tolerance of a training spectrum is multiplied by a factor
    double max_tolerance_factor = 1.5; ///< between these (log-uniform), so that the network meets many tolerances
    std::size_t patience = 3;          ///< epochs without a better validation loss before stopping, >= 1
    std::size_t max_validation_spectra = 1500; ///< a seeded choice of them when there are more
    double checkpoint_minutes = 5.0;           ///< within an epoch; the state is also written after each epoch
    NegativeMix negatives;
    Augmentation augmentation;
  };

  /// One line of the loss curve.
  struct EpochRecord
  {
    std::size_t epoch = 0; ///< from 1
    double training_loss = 0.0;
    double validation_loss = 0.0;
    double validation_top1 = 0.0;       ///< share of validation spectra whose true peptide has the best logit
    double validation_cosine_auc = 0.0; ///< true peptide against equal-mass candidates of its spectrum
    double spectra_per_second = 0.0;
  };

  /// Fits a network to annotated spectra and saves it as one model file.
  class PSMTrainer
  {
  public:
    /// @param initial_model  file to fine-tune from, whose architecture and inputs then hold; empty: new weights from
    /// the seed
    PSMTrainer(ModelManifest manifest, const TrainingParameters& parameters, const RuntimeOptions& options,
               const std::filesystem::path& initial_model = {});
    ~PSMTrainer();
    PSMTrainer(PSMTrainer&&) noexcept;
    PSMTrainer& operator=(PSMTrainer&&) noexcept;

    /// Trains until the last epoch or until the validation loss has not improved for `patience` epochs.
    ///
    /// After every epoch, and every few minutes within one, the state (weights, optimiser, random generators, best
    /// weights) is written to `checkpoint` (an empty path: nowhere). When the file exists and `resume` is true,
    /// training goes on from there and ends with the same weights, bit for bit, as an uninterrupted run at equal
    /// threads.
    /// @param pool        natural peptides for negatives of training spectra
    /// @param on_epoch    called after each epoch
    /// @param progress    called after each batch with the number of training spectra done, over all epochs
    /// @throws Error INVALID_INPUT for an empty set, a checkpoint of another training, or a loss that is not finite
    ///         (names the batch)
    std::vector<EpochRecord> fit(const std::vector<TrainingExample>& training,
                                 const std::vector<TrainingExample>& validation, const PeptidePool& pool,
                                 const PeptidePool& validation_pool, const std::filesystem::path& checkpoint,
                                 bool resume, const std::function<void(const EpochRecord&)>& on_epoch = {},
                                 const ProgressCallback& progress = {});

    /// Saves the best weights and the manifest as one model file.
    void save(const std::filesystem::path& model_file) const;

    /// Saves the best weights of trainings that each left out one fold as one model file: trainer k the peptides of
    /// fold k by the rule of `fold_seed`.
    ///
    /// @param trainers  all started from the same manifest
    /// @return the manifest of the file; its validation loss is the mean over the folds
    static ModelManifest saveFolds(const std::filesystem::path& model_file, const std::vector<PSMTrainer>& trainers,
                                   std::uint64_t fold_seed);

    const ModelManifest& manifest() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
}
