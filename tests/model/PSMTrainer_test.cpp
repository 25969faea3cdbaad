// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/PSMTrainer.h>

#include "TrainingChecks.h"
#include "TrainingExamples.h"
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>

#include <gmock/gmock.h>
#include <torch/torch.h>

#include <cmath>
#include <memory>

namespace psmformer
{
  namespace
  {
    using test::TempDir;
    using test::TrainingData;

    /// Thrown by a test to stop a training, as a signal or a full disk would.
    const std::string INTERRUPTION = "interrupted by the test";

    TrainingParameters smallParameters()
    {
      TrainingParameters parameters;
      parameters.epochs = 3;
      parameters.spectra_per_batch = 8;
      parameters.accumulated_batches = 2;
      return parameters;
    }

    RuntimeOptions options(std::uint64_t seed, int threads = 1)
    {
      RuntimeOptions runtime;
      runtime.device = "cpu";
      runtime.seed = seed;
      runtime.threads = threads;
      return runtime;
    }

    std::vector<EpochRecord> fit(PSMTrainer& trainer, const TrainingData& data,
                                 const std::filesystem::path& checkpoint = {}, bool resume = false,
                                 const ProgressCallback& progress = {})
    {
      return trainer.fit(data.training, data.validation, data.pool, data.validation_pool, checkpoint, resume, {},
                         progress);
    }

    std::string modelBytes(const PSMTrainer& trainer)
    {
      const TempDir folder;
      trainer.save(folder / "model.safetensors");
      return readFile(folder / "model.safetensors");
    }

    std::string trainedBytes(std::uint64_t seed)
    {
      const TrainingData data(24, 8);
      TrainingParameters parameters = smallParameters();
      parameters.epochs = 1;
      PSMTrainer trainer(presetManifest("tiny"), parameters, options(seed));
      fit(trainer, data);
      return modelBytes(trainer);
    }

    TEST(PSMTrainer, ResumesAfterAnInterruptionWithTheSameBytes)
    {
      const TrainingData data(40, 10);
      TrainingParameters parameters = smallParameters();
      parameters.checkpoint_minutes = 0.0;
      const TempDir folder;
      for (const int threads : {1, 2})
      {
        PSMTrainer whole(presetManifest("tiny"), parameters, options(7, threads));
        const std::vector<EpochRecord> expected = fit(whole, data);

        const std::filesystem::path checkpoint = folder / ("state" + std::to_string(threads));
        PSMTrainer broken(presetManifest("tiny"), parameters, options(7, threads));
        const auto interrupt = [](std::size_t n_spectra)
        {
          // In the second epoch, after three of five batches: one of the two of a step is lost.
          require(n_spectra < 40 + 24, ErrorKind::INTERNAL, INTERRUPTION);
        };
        test::expectError(ErrorKind::INTERNAL, INTERRUPTION, [&] { fit(broken, data, checkpoint, true, interrupt); });

        PSMTrainer resumed(presetManifest("tiny"), parameters, options(7, threads));
        std::size_t first_progress = 0;
        const std::vector<EpochRecord> actual =
            fit(resumed, data, checkpoint, true,
                [&](std::size_t n_spectra) { first_progress = first_progress == 0 ? n_spectra : first_progress; });
        EXPECT_EQ(first_progress, 40U + 24U); // the lost batch is the first one again
        ASSERT_EQ(actual.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k)
        {
          EXPECT_EQ(actual[k].epoch, expected[k].epoch);
          EXPECT_EQ(actual[k].training_loss, expected[k].training_loss);
          EXPECT_EQ(actual[k].validation_loss, expected[k].validation_loss);
          EXPECT_EQ(actual[k].validation_top1, expected[k].validation_top1);
          EXPECT_EQ(actual[k].validation_cosine_auc, expected[k].validation_cosine_auc);
        }
        EXPECT_EQ(modelBytes(resumed), modelBytes(whole));
      }
    }

    TEST(PSMTrainer, OfAFinishedTrainingReturnsItsHistoryAndWeights)
    {
      const TrainingData data(16, 8);
      TrainingParameters parameters = smallParameters();
      parameters.epochs = 1;
      const TempDir folder;
      PSMTrainer first(presetManifest("tiny"), parameters, options(7));
      const std::vector<EpochRecord> history = fit(first, data, folder / "state");
      PSMTrainer again(presetManifest("tiny"), parameters, options(7));
      const std::vector<EpochRecord> read =
          fit(again, data, folder / "state", true, [](std::size_t) { FAIL() << "nothing was left to train"; });
      ASSERT_EQ(read.size(), 1U);
      EXPECT_EQ(read[0].validation_loss, history[0].validation_loss);
      EXPECT_EQ(modelBytes(again), modelBytes(first));
    }

    /// The same spectra but for one thing.
    std::vector<TrainingData> otherData(const TrainingData& data)
    {
      std::vector<TrainingData> changed(5, data);
      changed[0].training[3].spectrum.intensity[0] += 1.0F;
      changed[1].training[3].spectrum.precursor_mz += 0.01;
      changed[2].validation[0].peptide.modification_mass[0] += 15.994915;
      changed[3].training[3].other_candidates.push_back(data.training[4].peptide);
      changed[4].pool = PeptidePool({data.training[0].peptide.residues}, DataPart::TRAINING);
      return changed;
    }

    TEST(PSMTrainer, RefusesTheStateOfAnotherTrainingAndADamagedOne)
    {
      const TrainingData data(16, 8);
      TrainingParameters parameters = smallParameters();
      parameters.epochs = 1;
      const TempDir folder;
      PSMTrainer first(presetManifest("tiny"), parameters, options(7));
      fit(first, data, folder / "state");

      PSMTrainer other(presetManifest("tiny"), parameters, options(8));
      test::expectError(ErrorKind::INVALID_INPUT, "belongs to another network",
                        [&] { fit(other, data, folder / "state", true); });
      PSMTrainer same(presetManifest("tiny"), parameters, options(7));
      for (TrainingData& changed : otherData(data))
      {
        test::expectError(ErrorKind::INVALID_INPUT, "belongs to another network",
                          [&] { fit(same, changed, folder / "state", true); });
      }
      const std::string content = readFile(folder / "state");
      writeFileAtomically(folder / "state", content.substr(0, content.size() / 2));
      test::expectError(ErrorKind::DAMAGED_INPUT, "is damaged", [&] { fit(first, data, folder / "state", true); });
    }

    TEST(PSMTrainer, GivesTheSameBytesForASeedAndOthersForAnother)
    {
      const std::string bytes = trainedBytes(3);
      EXPECT_EQ(trainedBytes(3), bytes);
      EXPECT_NE(trainedBytes(4), bytes);
    }

    std::vector<EpochRecord> learn(bool right_labels)
    {
      const TrainingData data(96, 48, right_labels);
      TrainingParameters parameters = smallParameters();
      parameters.epochs = 8;
      parameters.patience = parameters.epochs;
      parameters.accumulated_batches = 1;
      parameters.learning_rate = 3e-3;
      PSMTrainer trainer(presetManifest("tiny"), parameters, options(1));
      return fit(trainer, data);
    }

    TEST(PSMTrainer, LearnsToTellTruePeptidesOnNoiselessSpectra)
    {
      const std::vector<EpochRecord> history = learn(true);
      EXPECT_GT(history.back().validation_top1, 0.9);
      EXPECT_LT(history.back().training_loss, history.front().training_loss);
      EXPECT_LT(history.back().validation_loss, history.front().validation_loss);
    }

    TEST(PSMTrainer, LearnsNothingFromWrongLabels)
    {
      EXPECT_LT(learn(false).back().validation_top1, 0.5);
    }

    TEST(PSMTrainer, StopsEarlyAndKeepsTheBestWeights)
    {
      const TrainingData data(16, 8);
      TrainingParameters parameters = smallParameters();
      parameters.epochs = 30;
      parameters.patience = 2;
      parameters.learning_rate = 0.5; // far too large: the loss jumps
      PSMTrainer trainer(presetManifest("tiny"), parameters, options(1));
      const std::vector<EpochRecord> history = fit(trainer, data);
      ASSERT_LT(history.size(), 30U);
      ASSERT_GT(history.size(), 2U);
      std::size_t best = 0;
      for (std::size_t k = 0; k < history.size(); ++k)
      {
        best = history[k].validation_loss < history[best].validation_loss ? k : best;
      }
      EXPECT_EQ(best + 1 + parameters.patience, history.size());
      EXPECT_EQ(trainer.manifest().training.validation_loss, history[best].validation_loss);
      EXPECT_EQ(trainer.manifest().training.n_epochs, history.size());
      EXPECT_EQ(trainer.manifest().training.n_spectra, 16U);
    }

    TEST(PSMTrainer, NamesTheBatchWhoseLossIsNotFinite)
    {
      const TrainingData data(16, 8);
      TrainingParameters parameters = smallParameters();
      parameters.accumulated_batches = 1;
      parameters.warmup_share = 0.0;
      parameters.learning_rate = 1e30;
      PSMTrainer trainer(presetManifest("tiny"), parameters, options(1));
      test::expectError(ErrorKind::INVALID_INPUT,
                        "not finite in the batch of epoch 1 with the spectra 'scan=", [&] { fit(trainer, data); });
    }

    /// A model that was trained for an epoch and saved.
    struct TrainedModel
    {
      TrainingData data{16, 8};
      TrainingParameters parameters = smallParameters();
      TempDir folder;
      std::filesystem::path file = folder / "first.safetensors";
      ModelManifest manifest;

      TrainedModel()
      {
        parameters.epochs = 1;
        PSMTrainer trainer(presetManifest("tiny"), parameters, options(1));
        fit(trainer, data);
        trainer.save(file);
        manifest = trainer.manifest();
      }
    };

    TEST(PSMTrainer, FineTunesWithTheArchitectureOfTheInitialModel)
    {
      const TrainedModel first;
      PSMTrainer second(presetManifest("base"), first.parameters, options(1), first.file);
      EXPECT_EQ(second.manifest().architecture.d_model, presetManifest("tiny").architecture.d_model);
      EXPECT_EQ(second.manifest().n_parameters, first.manifest.n_parameters);
      const std::vector<EpochRecord> history = fit(second, first.data);
      EXPECT_LT(history.back().validation_loss, first.manifest.training.validation_loss);
    }

    TEST(PSMTrainer, CheckingAModelFileLeavesTheNumberOfThreads)
    {
      const TrainedModel first; // saving checks the file
      EXPECT_EQ(at::get_num_threads(), 1);
      const PSMTrainer second(presetManifest("tiny"), first.parameters, options(1), first.file);
      EXPECT_EQ(at::get_num_threads(), 1);
    }

    TEST(PSMTrainer, RefusesEmptySetsAndBadParameters)
    {
      TrainingData data(8, 8);
      PSMTrainer trainer(presetManifest("tiny"), smallParameters(), options(1));
      data.validation.clear();
      test::expectError(ErrorKind::INVALID_INPUT, "no validation spectrum", [&] { fit(trainer, data); });
      data.training[3].spectrum.fragment_tolerance.value = 0.0;
      test::expectError(ErrorKind::INVALID_INPUT, "'scan=4'", [&] { fit(trainer, data); });
      TrainingParameters parameters = smallParameters();
      parameters.learning_rate = 0.0;
      test::expectError(ErrorKind::OPTION, "learning_rate",
                        [&] { PSMTrainer(presetManifest("tiny"), parameters, options(1)); });
    }

    TEST(TrainingChecks, ListsEachModificationOnce)
    {
      std::vector<TrainingExample> examples = test::syntheticExamples(3, DataPart::TRAINING, 1);
      examples[0].peptide.modification_mass[1] = 15.994915;
      examples[1].peptide.modification_mass[2] = 15.9949;
      examples[2].peptide.n_term_modification = 42.010565;
      EXPECT_THAT(addModifications({57.021464}, examples),
                  ::testing::ElementsAre(::testing::DoubleNear(15.994915, 1e-9), ::testing::DoubleNear(42.010565, 1e-9),
                                         ::testing::DoubleNear(57.021464, 1e-9)));
    }
  }
}
