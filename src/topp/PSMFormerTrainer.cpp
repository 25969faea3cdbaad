// SPDX-License-Identifier: BSD-3-Clause
#include "ToolBase.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/ModelLocator.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/openms/AnnotatedSpectra.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/ModelCard.h>
#include <PSMFormer/openms/TrainerOptions.h>
#include <PSMFormer/openms/TrainingReader.h>

#include <OpenMS/CONCEPT/LogStream.h>
#include <OpenMS/SYSTEM/File.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>

using namespace OpenMS;

namespace
{
  using psmformer::Error;
  using psmformer::ErrorKind;
  using psmformer::require;

  std::vector<std::string> toStrings(const StringList& list)
  {
    return {list.begin(), list.end()};
  }

  /// Today, or the day that SOURCE_DATE_EPOCH gives for reproducible files (https://reproducible-builds.org).
  std::string trainingDate()
  {
    const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
    const std::time_t time = epoch != nullptr ? static_cast<std::time_t>(std::atoll(epoch)) : std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&time, &utc);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
    return text;
  }

  class TOPPPSMFormerTrainer : public psmformer::ToolBase
  {
  public:
    TOPPPSMFormerTrainer()
        : ToolBase("PSMFormerTrainer",
                   "Trains or fine-tunes a model for PSMFormer on spectra whose peptides are known.")
    {
    }

  protected:
    void registerOptionsAndFlags_() override
    {
      registerInputs();
      registerOutputs();
      registerStringOption_("preset", "<preset>", "base", "Size of a new network.", false);
      setValidStrings_("preset", {"tiny", "base", "medium", "large"});
      registerStringOption_("init_model", "<model>", "",
                            "A model file or the name of an installed model to fine-tune; its architecture and inputs "
                            "then hold instead of -preset and -model.",
                            false);
      registerStringOption_("model_name", "<name>", "", "Name of the model; by default that of the output file.",
                            false);
      registerStringOption_("model_version", "<version>", "0.1.0", "Semantic version of the trained weights.", false);
      registerStringOption_("license", "<license>", "CC-BY-4.0", "License of the weights (SPDX).", false);
      registerStringOption_("citation", "<text>", "", "What users of the model should cite.", false, true);
      registerFlag_("resume", "Go on from -checkpoint when the file exists.");
      registerIntOption_("seed", "<number>", 1, "Of the initial weights and of all that is drawn.", false);
      registerStringOption_("device", "<device>", "auto",
                            "Where the network is trained: auto, cpu, cuda or cuda:N; auto falls back to the CPU.",
                            false);
      registerFullParam_(psmformer::trainerDefaults());
    }

    ExitCodes runTool_() override
    {
      const std::string out_model(getStringOption_("out_model"));
      options_ = getParam_();
      const std::filesystem::path initial_model = initialModel();
      psmformer::ModelManifest manifest = makeManifest(out_model);
      const std::set<std::string> excluded = excludedKeys();
      psmformer::ModelCardContent card;
      card.split = psmformer::splitExamples(readExamples(manifest), excluded, manifest.inputs);
      card.n_training = card.split.training.size();
      card.n_validation = card.split.validation.size();
      logSplit(card.split);
      writeKeys(card.split);

      const std::vector<std::string> natural = psmformer::withoutKeys(naturalPeptides(card.split), excluded);
      const std::vector<double> fixed =
          psmformer::fixedModificationMasses(toStrings(getStringList_("fixed_modifications")));
      const psmformer::PeptidePool pool(natural, psmformer::DataPart::TRAINING, fixed);
      const psmformer::PeptidePool validation_pool(natural, psmformer::DataPart::VALIDATION, fixed);
      card.n_pool = pool.size();
      OPENMS_LOG_INFO << pool.size() << " natural peptides for negatives of training, " << validation_pool.size()
                      << " of validation spectra." << std::endl;

      psmformer::PSMTrainer trainer(manifest, psmformer::trainingParameters(options_), runtimeOptions(), initial_model);
      card.history = fit(trainer, card.split, pool, validation_pool);
      trainer.save(out_model);
      writeCard(out_model, trainer.manifest(), card);
      OPENMS_LOG_INFO << "Model " << manifest.name << "@" << manifest.version << " with "
                      << trainer.manifest().n_parameters << " parameters written to '" << out_model << "'."
                      << std::endl;
      return EXECUTION_OK;
    }

  private:
    void registerInputs()
    {
      registerInputFileList_("in_annotated", "<files>", StringList(),
                             "Annotated spectra: MGF with SEQ= in OpenMS notation or NIST MSP, also gzip-compressed.",
                             false);
      setValidFormats_("in_annotated", {"mgf", "msp"});
      registerInputFileList_("in", "<files>", StringList(), "Identifications with q-values; needs -in_spectra.", false);
      setValidFormats_("in", {"idXML"});
      registerInputFileList_("in_spectra", "<files>", StringList(), "Spectra of the identifications.", false);
      setValidFormats_("in_spectra", {"mzML"});
      registerInputFileList_("in_fasta", "<files>", StringList(),
                             "Proteins whose peptides are drawn as negatives; by default the peptides of the training "
                             "spectra themselves.",
                             false);
      setValidFormats_("in_fasta", {"fasta"});
      registerInputFile_("in_exclude", "<file>", "",
                         "Peptides, one a line, that are neither trained on nor validated on (I and L are the same).",
                         false);
      setValidFormats_("in_exclude", {"txt"});
      registerDoubleOption_("max_q_value", "<share>", 0.01, "Identifications of -in up to this q-value are used.",
                            false);
      setMinFloat_("max_q_value", 0.0);
      setMaxFloat_("max_q_value", 1.0);
      registerDoubleOption_("fragment_tolerance", "<tolerance>", 0.0,
                            "How closely fragments are matched in spectra that do not say it (ITOL of MGF); for "
                            "identifications, instead of the search parameters; 0: not known.",
                            false);
      setMinFloat_("fragment_tolerance", 0.0);
      registerStringOption_("fragment_tolerance_unit", "<unit>", "Da", "Unit of -fragment_tolerance.", false);
      setValidStrings_("fragment_tolerance_unit", {"Da", "ppm"});
      registerStringOption_("activation", "<method>", "", "Activation of annotated spectra that do not say it.", false);
      setValidStrings_("activation", {"", "HCD", "CID", "ETD", "EThcD"});
      registerStringList_("fixed_modifications", "<names>", {"Carbamidomethyl (C)"},
                          "Modifications that every peptide of the data carries; natural peptides get them too.",
                          false);
    }

    void registerOutputs()
    {
      registerOutputFile_("out_model", "<file>", "",
                          "The model: weights and manifest in one file (.safetensors); "
                          "MODEL_CARD.md is written beside it.");
      registerOutputFile_("out_log", "<file>", "", "Loss curve, one line an epoch.", false);
      setValidFormats_("out_log", {"tsv"});
      registerOutputFile_("out_keys", "<file>", "",
                          "Keys (residues with I as L) of all peptides trained on and validated on.", false);
      setValidFormats_("out_keys", {"txt"});
      registerStringOption_("checkpoint", "<file>", "", "State of the training, written after every epoch.", false);
    }

    std::filesystem::path initialModel() const
    {
      const std::string model(getStringOption_("init_model"));
      const std::filesystem::path executable_folder(std::string(File::getExecutablePath()));
      return model.empty() ? std::filesystem::path()
                           : psmformer::locateModel(model, psmformer::modelFolders(executable_folder));
    }

    psmformer::ModelManifest makeManifest(const std::string& out_model) const
    {
      psmformer::ModelManifest manifest =
          psmformer::overridePreset(psmformer::presetManifest(std::string(getStringOption_("preset"))), options_);
      const std::string name(getStringOption_("model_name"));
      manifest.name = name.empty() ? std::filesystem::path(out_model).stem().string() : name;
      manifest.version = std::string(getStringOption_("model_version"));
      manifest.license = std::string(getStringOption_("license"));
      manifest.citation = std::string(getStringOption_("citation"));
      manifest.training.program = "PSMFormerTrainer " + std::string(version_);
      manifest.training.date = test_mode_ ? "" : trainingDate();
      manifest.training.data = describeData();
      try
      {
        psmformer::validateManifest(manifest);
      }
      catch (const Error& error)
      {
        throw Error(ErrorKind::OPTION, std::string("Choose another -model_name or -model_version. ") + error.what());
      }
      return manifest;
    }

    /// Base names alone: the model file must not depend on where the data lie.
    std::string describeData() const
    {
      std::string text;
      for (const std::string option : {"in_annotated", "in", "in_spectra", "in_fasta"})
      {
        for (const std::string& file : toStrings(getStringList_(option)))
        {
          text += (text.empty() ? "" : ", ") + std::filesystem::path(file).filename().string();
        }
      }
      return text;
    }

    psmformer::Tolerance fragmentTolerance() const
    {
      const bool is_ppm = getStringOption_("fragment_tolerance_unit") == "ppm";
      return {getDoubleOption_("fragment_tolerance"),
              is_ppm ? psmformer::ToleranceUnit::PPM : psmformer::ToleranceUnit::DA};
    }

    std::set<std::string> excludedKeys() const
    {
      const std::string file(getStringOption_("in_exclude"));
      return file.empty() ? std::set<std::string>() : psmformer::readPeptideKeys(file);
    }

    std::vector<psmformer::TrainingExample> readExamples(const psmformer::ModelManifest& manifest)
    {
      const std::vector<std::string> annotated = toStrings(getStringList_("in_annotated"));
      const std::vector<std::string> identifications = toStrings(getStringList_("in"));
      require(!annotated.empty() || !identifications.empty(), ErrorKind::OPTION,
              "There is nothing to train on; give -in_annotated, or -in with -in_spectra.");
      std::vector<psmformer::TrainingExample> examples;
      psmformer::AnnotationDefaults defaults;
      defaults.fragment_tolerance = fragmentTolerance();
      defaults.activation = psmformer::parseActivation(std::string(getStringOption_("activation")));
      for (const std::string& file : annotated)
      {
        psmformer::AnnotatedSpectra read = psmformer::readAnnotatedSpectra(file, defaults);
        OPENMS_LOG_INFO << file << ": " << read.examples.size() << " annotated spectra; left out: " << read.n_unlabelled
                        << " without sequence, " << read.n_ambiguous << " with an ambiguous residue, "
                        << read.n_mismatched << " of another mass." << std::endl;
        std::move(read.examples.begin(), read.examples.end(), std::back_inserter(examples));
      }
      if (!identifications.empty())
      {
        addIdentified(identifications, manifest.inputs, examples);
      }
      return examples;
    }

    void addIdentified(const std::vector<std::string>& files, const psmformer::ModelInputs& inputs,
                       std::vector<psmformer::TrainingExample>& examples)
    {
      psmformer::IdentificationFilter filter;
      filter.max_q_value = getDoubleOption_("max_q_value");
      filter.fragment_tolerance = fragmentTolerance();
      filter.log_type = log_type_;
      psmformer::IdentifiedSpectra read =
          psmformer::readIdentifiedSpectra(files, toStrings(getStringList_("in_spectra")), inputs, filter);
      for (const std::string& warning : read.warnings)
      {
        OPENMS_LOG_WARN << "Warning: " << warning << std::endl;
      }
      OPENMS_LOG_INFO << read.n_identifications << " identifications: " << read.examples.size()
                      << " used; left out: " << read.n_above_threshold << " above the q-value threshold or decoys, "
                      << read.n_not_scorable << " that cannot be scored." << std::endl;
      std::move(read.examples.begin(), read.examples.end(), std::back_inserter(examples));
    }

    static void logSplit(const psmformer::TrainingSplit& split)
    {
      OPENMS_LOG_INFO << split.training.size() << " training and " << split.validation.size()
                      << " validation spectra; left out: " << split.n_test << " of the test part, " << split.n_excluded
                      << " of excluded peptides, " << split.n_unsupported << " that the model does not take."
                      << std::endl;
    }

    void writeKeys(const psmformer::TrainingSplit& split) const
    {
      const std::string file(getStringOption_("out_keys"));
      if (file.empty())
      {
        return;
      }
      std::string text;
      for (const std::string& key : split.keys)
      {
        text += key + "\n";
      }
      psmformer::writeFileAtomically(file, text);
    }

    std::set<std::string> naturalPeptides(const psmformer::TrainingSplit& split) const
    {
      const std::vector<std::string> files = toStrings(getStringList_("in_fasta"));
      if (!files.empty())
      {
        psmformer::DigestionParameters parameters = psmformer::digestionParameters(options_);
        parameters.seed = seed();
        return psmformer::digestProteins(files, parameters);
      }
      OPENMS_LOG_WARN << "Warning: without -in_fasta negatives of equal mass come from the training peptides alone."
                      << std::endl;
      std::set<std::string> peptides;
      for (const auto* examples : {&split.training, &split.validation})
      {
        for (const auto& example : *examples)
        {
          peptides.insert(example.peptide.residues);
        }
      }
      return peptides;
    }

    std::uint64_t seed() const { return static_cast<std::uint64_t>(getIntOption_("seed")); }

    psmformer::RuntimeOptions runtimeOptions() const
    {
      psmformer::RuntimeOptions options;
      options.device = std::string(getStringOption_("device"));
      options.threads = std::max(1, static_cast<int>(getIntOption_("threads")));
      options.seed = seed();
      return options;
    }

    std::vector<psmformer::EpochRecord> fit(psmformer::PSMTrainer& trainer, const psmformer::TrainingSplit& split,
                                            const psmformer::PeptidePool& pool,
                                            const psmformer::PeptidePool& validation_pool)
    {
      const std::string checkpoint(getStringOption_("checkpoint"));
      const bool resume = getFlag_("resume");
      require(!resume || !checkpoint.empty(), ErrorKind::OPTION,
              "-resume needs a file to go on from; give -checkpoint.");
      const std::size_t n_spectra = split.training.size() * psmformer::trainingParameters(options_).epochs;
      ProgressLogger progress;
      progress.setLogType(log_type_);
      progress.startProgress(0, static_cast<SignedSize>(n_spectra), "training (spectra, all epochs)");
      const auto logEpoch = [](const psmformer::EpochRecord& record)
      {
        OPENMS_LOG_INFO << "epoch " << record.epoch << ": training loss " << record.training_loss
                        << ", validation loss " << record.validation_loss << ", true peptide first "
                        << 100.0 * record.validation_top1 << " %, AUC of the cosine " << record.validation_cosine_auc
                        << ", " << record.spectra_per_second << " spectra/s" << std::endl;
      };
      const auto history =
          trainer.fit(split.training, split.validation, pool, validation_pool, checkpoint, resume, logEpoch,
                      [&](std::size_t done) { progress.setProgress(static_cast<SignedSize>(done)); });
      progress.endProgress();
      return history;
    }

    void writeCard(const std::string& out_model, const psmformer::ModelManifest& manifest,
                   psmformer::ModelCardContent& card) const
    {
      const Param defaults = psmformer::trainerDefaults();
      for (auto option = defaults.begin(); option != defaults.end(); ++option)
      {
        const std::string name(option.getName());
        card.parameters.emplace_back(name, std::string(options_.getValue(name).toString()));
      }
      psmformer::writeFileAtomically(std::filesystem::path(out_model).replace_filename("MODEL_CARD.md"),
                                     psmformer::writeModelCard(manifest, card));
      if (const std::string file(getStringOption_("out_log")); !file.empty())
      {
        psmformer::writeFileAtomically(file, psmformer::writeLossCurve(card.history));
      }
    }

    Param options_; ///< all options, for the sections
  };
}

int main(int argc, const char** argv)
{
  return psmformer::runTool<TOPPPSMFormerTrainer>("PSMFormerTrainer", argc, argv);
}
