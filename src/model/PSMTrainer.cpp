// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/PSMTrainer.h>

#include "BatchQueue.h"
#include "Checkpoint.h"
#include "LearningRateSchedule.h"
#include "Optimizer.h"
#include "TorchRuntime.h"
#include "TrainingChecks.h"
#include "TrainingObjective.h"
#include "TrainingState.h"
#include "Validation.h"

#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace psmformer
{
  namespace
  {
    constexpr double SMALLEST_TEMPERATURE = 0.01;
    constexpr std::size_t BATCHES_AHEAD = 3;

    using Clock = std::chrono::steady_clock;

    double secondsSince(Clock::time_point start)
    {
      return std::chrono::duration<double>(Clock::now() - start).count();
    }
  }

  struct PSMTrainer::Impl
  {
    Impl(ModelManifest given_manifest, const TrainingParameters& given_parameters, const RuntimeOptions& given_options,
         const std::filesystem::path& initial_model)
        : manifest(std::move(given_manifest)), parameters(given_parameters), options(given_options)
    {
      checkParameters(parameters);
      state.device = TorchRuntime::prepare(options);
      TorchRuntime::translateErrors([&] { makeNetwork(initial_model); });
    }

    void makeNetwork(const std::filesystem::path& initial_model)
    {
      if (initial_model.empty())
      {
        validateManifest(manifest);
        state.network = nn::PSMTransformer(manifest);
      }
      else
      {
        LoadedModel loaded = loadModel(initial_model);
        require(loaded.networks.size() == 1, ErrorKind::OPTION,
                "Model '" + initial_model.string() +
                    "' has a set of weights for each fold of its peptides; fine-tune the model it was made from.");
        manifest.architecture = loaded.manifest.architecture;
        manifest.inputs = loaded.manifest.inputs;
        state.network = loaded.networks.front();
      }
      state.network->to(state.device);
      manifest.n_parameters = static_cast<std::size_t>(state.network->parameterCount());
    }

    /// A new optimiser and a progress of zero; the weights stay.
    void start()
    {
      state.progress = {};
      state.best.clear();
      state.log_temperature =
          torch::full({}, std::log(parameters.initial_temperature),
                      torch::TensorOptions().dtype(torch::kFloat32).device(state.device).requires_grad(true));
      optimizer = makeOptimizer(state.network, state.log_temperature, parameters);
      state.optimizer = optimizer.get();
    }

    at::Tensor temperature() const { return state.log_temperature.exp().clamp_min(SMALLEST_TEMPERATURE); }

    bool isFinished() const
    {
      return state.progress.epoch > parameters.epochs || state.progress.stale_epochs >= parameters.patience;
    }

    void trainEpoch(const TrainingRowMaker& rows, const std::vector<TrainingExample>& examples,
                    const std::filesystem::path& checkpoint, const ProgressCallback& progress);
    void trainBatch(const TrainingBatch& made, std::size_t n_accumulated, const std::vector<TrainingExample>& examples);
    void step(std::size_t n_batches);
    void finishEpoch(const Validation& validation);
    void save(const std::filesystem::path& checkpoint)
    {
      if (!checkpoint.empty())
      {
        saveTrainingState(checkpoint, fingerprint, state);
      }
    }

    ModelManifest manifest;
    TrainingParameters parameters;
    RuntimeOptions options;
    TrainingState state;
    std::unique_ptr<torch::optim::AdamW> optimizer;
    std::string fingerprint;
  };

  void PSMTrainer::Impl::trainEpoch(const TrainingRowMaker& rows, const std::vector<TrainingExample>& examples,
                                    const std::filesystem::path& checkpoint, const ProgressCallback& progress)
  {
    TrainingProgress& done = state.progress;
    const EpochPlan plan = planEpoch(rows.masses(), parameters, options.seed, done.epoch);
    const std::size_t n_batches = plan.batches.size();
    const std::size_t epoch = done.epoch;
    BatchQueue queue([&rows, &plan, epoch](std::size_t k)
                     { return rows.makeBatch(epoch, plan.batches[k], plan.kinds); },
                     done.next_batch, n_batches, options.threads > 1 ? BATCHES_AHEAD : 0);
    state.network->train();
    auto last_time = Clock::now();
    double seconds_unsaved = 0.0;
    for (std::size_t k = done.next_batch; k < n_batches; ++k)
    {
      const std::size_t group = k / parameters.accumulated_batches * parameters.accumulated_batches;
      const std::size_t n_accumulated = std::min(parameters.accumulated_batches, n_batches - group);
      TorchRuntime::translateErrors([&] { trainBatch(queue.next(), n_accumulated, examples); });
      const bool steps = k + 1 == group + n_accumulated;
      if (steps)
      {
        TorchRuntime::translateErrors([&] { step(n_batches); });
        done.next_batch = k + 1;
      }
      const double seconds = secondsSince(last_time);
      last_time = Clock::now();
      done.epoch_seconds += seconds;
      seconds_unsaved += seconds;
      if (steps && k + 1 < n_batches && seconds_unsaved >= 60.0 * parameters.checkpoint_minutes)
      {
        save(checkpoint);
        seconds_unsaved = 0.0;
      }
      if (progress)
      {
        progress(done.total_spectra);
      }
    }
  }

  void PSMTrainer::Impl::trainBatch(const TrainingBatch& made, std::size_t n_accumulated,
                                    const std::vector<TrainingExample>& examples)
  {
    const TrainingBatch batch = toDevice(made, state.device);
    const nn::MatchOutput output = state.network->forward(batch.tensors);
    const LossTerms terms = trainingLoss(output, batch, parameters, temperature());
    const double loss = terms.total.item<double>();
    require(std::isfinite(loss), ErrorKind::INVALID_INPUT,
            "The training loss is not finite in " + describeBatch(state.progress.epoch, batch.rows, examples) +
                "; check these spectra or lower the learning rate.");
    (terms.total / static_cast<double>(n_accumulated)).backward();
    const auto n_spectra = static_cast<std::size_t>(batch.spectrumCount());
    state.progress.loss_sum += loss * static_cast<double>(n_spectra);
    state.progress.epoch_spectra += n_spectra;
    state.progress.total_spectra += n_spectra;
  }

  void PSMTrainer::Impl::step(std::size_t n_batches)
  {
    const std::size_t steps_per_epoch =
        (n_batches + parameters.accumulated_batches - 1) / parameters.accumulated_batches;
    const LearningRateSchedule schedule{parameters.learning_rate, parameters.warmup_share,
                                        steps_per_epoch * parameters.epochs};
    setLearningRate(*optimizer, schedule.rate(state.progress.step));
    const std::vector<at::Tensor> tensors = optimizedTensors(*optimizer);
    const double norm = torch::nn::utils::clip_grad_norm_(tensors, parameters.max_gradient_norm);
    require(std::isfinite(norm), ErrorKind::INVALID_INPUT,
            "The gradient is not finite in step " + std::to_string(state.progress.step + 1) + " (epoch " +
                std::to_string(state.progress.epoch) + "); lower the learning rate.");
    optimizer->step();
    dropGradients(tensors);
    const torch::NoGradGuard no_gradients;
    state.log_temperature.clamp_min_(std::log(SMALLEST_TEMPERATURE));
    ++state.progress.step;
  }

  void PSMTrainer::Impl::finishEpoch(const Validation& validation)
  {
    TrainingProgress& done = state.progress;
    const ValidationResult result = validation.evaluate(state.network, temperature(), state.device);
    require(std::isfinite(result.loss), ErrorKind::INVALID_INPUT,
            "The validation loss of epoch " + std::to_string(done.epoch) +
                " is not finite; lower the learning rate or check the validation spectra.");
    const auto n_spectra = static_cast<double>(done.epoch_spectra);
    done.history.push_back({done.epoch, done.loss_sum / n_spectra, result.loss, result.top1, result.cosine_auc,
                            n_spectra / std::max(done.epoch_seconds, 1e-9)});
    ++done.stale_epochs;
    if (result.loss < done.best_loss)
    {
      done.best_loss = result.loss;
      done.stale_epochs = 0;
      state.best = copyParameters(state.network);
    }
    ++done.epoch;
    done.next_batch = 0;
    done.loss_sum = 0.0;
    done.epoch_spectra = 0;
    done.epoch_seconds = 0.0;
  }

  PSMTrainer::PSMTrainer(ModelManifest manifest, const TrainingParameters& parameters, const RuntimeOptions& options,
                         const std::filesystem::path& initial_model)
      : impl_(std::make_unique<Impl>(std::move(manifest), parameters, options, initial_model))
  {
  }

  PSMTrainer::~PSMTrainer() = default;
  PSMTrainer::PSMTrainer(PSMTrainer&&) noexcept = default;
  PSMTrainer& PSMTrainer::operator=(PSMTrainer&&) noexcept = default;

  std::vector<EpochRecord> PSMTrainer::fit(const std::vector<TrainingExample>& training,
                                           const std::vector<TrainingExample>& validation, const PeptidePool& pool,
                                           const PeptidePool& validation_pool, const std::filesystem::path& checkpoint,
                                           bool resume, const std::function<void(const EpochRecord&)>& on_epoch,
                                           const ProgressCallback& progress)
  {
    Impl& impl = *impl_;
    checkExamples(training, "training", impl.manifest.inputs);
    checkExamples(validation, "validation", impl.manifest.inputs);
    impl.manifest.inputs.trained_modifications = addModifications(impl.manifest.inputs.trained_modifications, training);
    impl.manifest.inputs.trained_activations = addActivations(impl.manifest.inputs.trained_activations, training);
    impl.fingerprint = trainingFingerprint(impl.manifest, impl.parameters, impl.options.seed, training, validation,
                                           {pool.fingerprint(), validation_pool.fingerprint()});

    const TrainingRowMaker rows(training, pool, impl.manifest.inputs, impl.parameters, impl.options.seed, true);
    const TrainingRowMaker validation_rows(validation, validation_pool, impl.manifest.inputs, impl.parameters,
                                           impl.options.seed, false);
    TrainingProgress& done = impl.state.progress;
    TorchRuntime::translateErrors(
        [&]
        {
          impl.start();
          if (resume && !checkpoint.empty() && std::filesystem::exists(checkpoint))
          {
            loadTrainingState(checkpoint, impl.fingerprint, impl.state);
          }
        });
    if (!impl.isFinished())
    {
      const Validation validator(validation_rows, impl.parameters, impl.options.seed);
      while (!impl.isFinished())
      {
        impl.trainEpoch(rows, training, checkpoint, progress);
        TorchRuntime::translateErrors([&] { impl.finishEpoch(validator); });
        impl.save(checkpoint);
        if (on_epoch)
        {
          on_epoch(done.history.back());
        }
      }
    }
    restoreParameters(impl.state.network, impl.state.best);
    impl.manifest.training.seed = impl.options.seed;
    impl.manifest.training.n_spectra = training.size();
    impl.manifest.training.n_epochs = done.history.size();
    impl.manifest.training.validation_loss = done.best_loss;
    return done.history;
  }

  void PSMTrainer::save(const std::filesystem::path& model_file) const
  {
    TorchRuntime::translateErrors(
        [&]
        {
          impl_->state.network->eval();
          saveModel(model_file, impl_->manifest, {impl_->state.network});
        });
  }

  ModelManifest PSMTrainer::saveFolds(const std::filesystem::path& model_file, const std::vector<PSMTrainer>& trainers,
                                      std::uint64_t fold_seed)
  {
    require(!trainers.empty(), ErrorKind::INTERNAL, "A model without folds was to be saved; please report it.");
    ModelManifest manifest = trainers.front().manifest();
    manifest.folds = {trainers.size(), fold_seed};
    manifest.training.validation_loss = 0.0;
    std::vector<nn::PSMTransformer> networks;
    for (const PSMTrainer& trainer : trainers)
    {
      const ModelManifest& fold = trainer.manifest();
      manifest.training.n_spectra = std::max(manifest.training.n_spectra, fold.training.n_spectra);
      manifest.training.n_epochs = std::max(manifest.training.n_epochs, fold.training.n_epochs);
      manifest.training.validation_loss += fold.training.validation_loss / static_cast<double>(trainers.size());
      addSeen(manifest.inputs, fold.inputs);
      networks.push_back(trainer.impl_->state.network);
      networks.back()->eval();
    }
    TorchRuntime::translateErrors([&] { saveModel(model_file, manifest, networks); });
    return manifest;
  }

  const ModelManifest& PSMTrainer::manifest() const
  {
    return impl_->manifest;
  }
}
