// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/ModelCard.h>
#include <PSMFormer/openms/TrainerOptions.h>

#include <support/ExpectError.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using ::testing::ElementsAre;
    using ::testing::HasSubstr;
  }

  TEST(TrainerOptions, DefaultsAreThoseOfTheStructs)
  {
    const OpenMS::Param options = trainerDefaults();
    const TrainingParameters read = trainingParameters(options);
    const TrainingParameters expected;
    EXPECT_EQ(read.epochs, expected.epochs);
    EXPECT_EQ(read.learning_rate, expected.learning_rate);
    EXPECT_EQ(read.patience, expected.patience);
    EXPECT_EQ(read.negatives.natural_drawn, expected.negatives.natural_drawn);
    EXPECT_EQ(read.augmentation.mz_offset, expected.augmentation.mz_offset);
    EXPECT_EQ(digestionParameters(options).missed_cleavages, 2u);
    EXPECT_EQ(digestionParameters(options).specificity, CleavageSpecificity::FULL);
    EXPECT_EQ(writeManifest(overridePreset(presetManifest("base"), options)), writeManifest(presetManifest("base")));
  }

  TEST(TrainerOptions, EveryTrainingOptionChangesItsOwnField)
  {
    const OpenMS::Param defaults = trainerDefaults();
    std::size_t n_options = 0;
    for (auto option = defaults.begin(); option != defaults.end(); ++option)
    {
      const std::string name(option.getName());
      if (name.rfind("training:", 0) != 0)
      {
        continue;
      }
      ++n_options;
      OpenMS::Param changed = defaults;
      const bool is_integer = option->value.valueType() == std::decay_t<decltype(option->value)>::INT_VALUE;
      if (is_integer)
      {
        changed.setValue(name, 77);
      }
      else
      {
        changed.setValue(name, 0.777);
      }
      const TrainingParameters parameters = trainingParameters(changed);
      const TrainingParameters unchanged = trainingParameters(defaults);
      const auto* a = reinterpret_cast<const unsigned char*>(&parameters);
      const auto* b = reinterpret_cast<const unsigned char*>(&unchanged);
      std::size_t n_words = 0;
      for (std::size_t k = 0; k < sizeof(TrainingParameters); k += 8)
      {
        n_words += std::equal(a + k, a + k + 8, b + k) ? 0 : 1;
      }
      EXPECT_EQ(n_words, 1u) << name;
    }
    // every field is 8 bytes wide, so none is forgotten
    EXPECT_EQ(n_options, sizeof(TrainingParameters) / 8);
  }

  TEST(TrainerOptions, ModelOptionsOverrideThePreset)
  {
    OpenMS::Param options = trainerDefaults();
    options.setValue("model:d_model", 96);
    options.setValue("model:spectrum_layers", 0);
    options.setValue("model:dropout", 0.0);
    options.setValue("model:norm_order", "post");
    options.setValue("model:use_mz_encoding", "false");
    options.setValue("model:mz_range_th", OpenMS::DoubleList{100.0, 2000.0});
    options.setValue("model:ions", ParamStringList{"b1", "y1"});
    const ModelManifest manifest = overridePreset(presetManifest("tiny"), options);
    EXPECT_EQ(manifest.architecture.d_model, 96);
    EXPECT_EQ(manifest.architecture.spectrum_layers, 0);
    EXPECT_EQ(manifest.architecture.peptide_layers, 1);
    EXPECT_EQ(manifest.architecture.dropout, 0.0);
    EXPECT_EQ(manifest.architecture.norm_order, NormOrder::POST);
    EXPECT_FALSE(manifest.architecture.use_mz_encoding);
    EXPECT_EQ(manifest.inputs.preprocessing.min_mz, 100.0);
    EXPECT_THAT(manifest.inputs.ions, ElementsAre("b1", "y1"));
    EXPECT_EQ(manifest.inputs.preprocessing.max_peaks, 60u);
  }

  TEST(TrainerOptions, ImpossibleModelIsAnErrorOfOptions)
  {
    OpenMS::Param options = trainerDefaults();
    options.setValue("model:n_heads", 5);
    expectError(ErrorKind::OPTION, "'architecture.n_heads' is 5",
                [&] { overridePreset(presetManifest("tiny"), options); });
    options = trainerDefaults();
    options.setValue("model:pooling", "median");
    expectError(ErrorKind::OPTION, "mean, max, cls", [&] { overridePreset(presetManifest("tiny"), options); });
  }

  TEST(TrainerOptions, FixedModificationsAreMassesOfLetters)
  {
    const std::vector<double> masses = fixedModificationMasses({"Carbamidomethyl (C)"});
    ASSERT_EQ(masses.size(), 26u);
    EXPECT_NEAR(masses['C' - 'A'], 57.021464, 1e-5);
    EXPECT_EQ(masses['M' - 'A'], 0.0);
    expectError(ErrorKind::OPTION, "not one of a residue", [] { fixedModificationMasses({"Acetyl (N-term)"}); });
    expectError(ErrorKind::OPTION, "'Mystery (C)' is not known", [] { fixedModificationMasses({"Mystery (C)"}); });
  }

  TEST(ModelCard, SaysWhatTheModelWasTrainedOn)
  {
    ModelManifest manifest = presetManifest("tiny");
    manifest.training.program = "PSMFormerTrainer 0.1.0";
    manifest.inputs.trained_modifications = {15.995};
    ModelCardContent content;
    TrainingSplit split;
    split.sources = {{"a|b", {30, 4}}};
    split.n_test = 5;
    split.training.resize(30);
    split.validation.resize(4);
    content.n_pool = 99;
    content.parameters = {{"training:epochs", "2"}};
    content.curves = {{{1, 1.5, 1.25, 0.5, 0.75, 100.0}}};
    const std::string card = writeModelCard(manifest, split, content);
    EXPECT_THAT(card, HasSubstr("# Model tiny 0.0.0"));
    EXPECT_THAT(card, HasSubstr("| a\\|b | 30 | 4 |"));
    EXPECT_THAT(card, HasSubstr("Left out: 5 spectra of the test part"));
    EXPECT_THAT(card, HasSubstr("15.995 Da"));
    EXPECT_THAT(card, HasSubstr("99 natural peptides"));
    EXPECT_THAT(card, HasSubstr("| training:epochs | 2 |"));
    EXPECT_THAT(card, HasSubstr("| 1 | 1.50000 | 1.25000 | 0.5000 | 0.7500 | 100.0 |"));
    EXPECT_THAT(card, HasSubstr("\"format\": \"psmformer-model\""));
    EXPECT_EQ(writeLossCurves(content.curves),
              "epoch\ttraining_loss\tvalidation_loss\tvalidation_top1\tvalidation_cosine_auc\tspectra_per_second\n"
              "1\t1.50000\t1.25000\t0.5000\t0.7500\t100.0\n");
  }
}
