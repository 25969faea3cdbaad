// SPDX-License-Identifier: BSD-3-Clause
#include "ToolBase.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/ModelLocator.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/ModelCard.h>
#include <PSMFormer/openms/TrainerOptions.h>
#include <PSMFormer/openms/TrainingData.h>

#include <OpenMS/CONCEPT/LogStream.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <utility>

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
      registerIntOption_(
          "folds", "<number>", 1,
          "Sets of weights, each fitted without one fold of the peptides; PSMFormer scores a peptide with "
          "the set that has not seen it. For training on the PSMs that are rescored; 1: no folds.",
          false);
      setMinInt_("folds", 1);
      setMaxInt_("folds", 20);
      registerFlag_("resume", "Go on from -checkpoint when the file exists.");
      registerIntOption_("seed", "<number>", 1, "Of the initial weights and of all that is drawn.", false);
      setMinInt_("seed", 0);
      registerStringOption_("device", "<device>", "auto",
                            "Where the network is trained: auto, cpu, cuda or cuda:N; auto falls back to the CPU.",
                            false);
      registerFullParam_(psmformer::trainerDefaults());
    }

    ExitCodes runTool_() override
    {
      options_ = getParam_();
      const std::string out_model = outputs();
      // Before the data are read, so that an impossible model or device shows at once.
      std::vector<psmformer::PSMTrainer> trainers;
      trainers.push_back(makeTrainer(out_model));
      const psmformer::TrainingData data = readTrainingData(sources(), trainers.front().manifest().inputs);
      log(data);
      writeKeys(data.split);

      const psmformer::FoldRule folds{static_cast<std::size_t>(getIntOption_("folds")), seed()};
      psmformer::ModelCardContent card;
      if (folds.count == 1)
      {
        fit(trainers.front(), data, checkpoint(), card);
      }
      else
      {
        fitFolds(trainers, out_model, data, folds, card);
      }
      card.parameters = parameters();
      const psmformer::ModelManifest manifest = save(out_model, trainers, folds.seed);
      psmformer::writeFileAtomically(std::filesystem::path(out_model).replace_filename("MODEL_CARD.md"),
                                     psmformer::writeModelCard(manifest, data.split, card));
      OPENMS_LOG_INFO << "Model " << manifest.name << "@" << manifest.version << " with " << manifest.n_parameters
                      << " parameters" << (folds.count > 1 ? " in each of " + String(folds.count) + " folds" : String())
                      << " written to '" << out_model << "'." << std::endl;
      return EXECUTION_OK;
    }

  private:
    psmformer::PSMTrainer makeTrainer(const std::string& out_model) const
    {
      return {makeManifest(out_model), psmformer::trainingParameters(options_), runtimeOptions(), initialModel()};
    }

    static psmformer::ModelManifest save(const std::string& out_model,
                                         const std::vector<psmformer::PSMTrainer>& trainers, std::uint64_t fold_seed)
    {
      if (trainers.size() > 1)
      {
        return psmformer::PSMTrainer::saveFolds(out_model, trainers, fold_seed);
      }
      trainers.front().save(out_model);
      return trainers.front().manifest();
    }

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

    /// Reads the options of output files: OpenMS then checks that they can be written, hours before they are.
    std::string outputs() const
    {
      getStringOption_("out_log");
      getStringOption_("out_keys");
      std::string out_model(getStringOption_("out_model"));
      require(std::filesystem::path(out_model).extension() == ".safetensors", ErrorKind::OPTION,
              "-out_model '" + out_model + "' is not the name of a model file; let it end in .safetensors.");
      return out_model;
    }

    std::filesystem::path initialModel() const
    {
      const std::string model(getStringOption_("init_model"));
      return model.empty() ? std::filesystem::path()
                           : psmformer::locateModel(model, psmformer::modelFolders(executableFolder_()));
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
      manifest.training.data = describeSources(sources());
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

    psmformer::Tolerance fragmentTolerance() const
    {
      const bool is_ppm = getStringOption_("fragment_tolerance_unit") == "ppm";
      return {getDoubleOption_("fragment_tolerance"),
              is_ppm ? psmformer::ToleranceUnit::PPM : psmformer::ToleranceUnit::DA};
    }

    psmformer::TrainingSources sources() const
    {
      psmformer::TrainingSources sources;
      sources.annotated_files = toStrings(getStringList_("in_annotated"));
      sources.annotation_defaults.fragment_tolerance = fragmentTolerance();
      sources.annotation_defaults.activation = psmformer::parseActivation(std::string(getStringOption_("activation")));
      sources.identification_files = toStrings(getStringList_("in"));
      sources.spectrum_files = toStrings(getStringList_("in_spectra"));
      sources.filter.max_q_value = getDoubleOption_("max_q_value");
      sources.filter.fragment_tolerance = fragmentTolerance();
      sources.filter.log_type = log_type_;
      sources.exclusion_file = std::string(getStringOption_("in_exclude"));
      sources.protein_files = toStrings(getStringList_("in_fasta"));
      sources.digestion = psmformer::digestionParameters(options_);
      sources.digestion.seed = seed();
      return sources;
    }

    static void log(const psmformer::TrainingData& data)
    {
      for (const std::string& note : data.notes)
      {
        OPENMS_LOG_INFO << note << std::endl;
      }
      for (const std::string& warning : data.warnings)
      {
        OPENMS_LOG_WARN << "Warning: " << warning << std::endl;
      }
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

    std::uint64_t seed() const { return static_cast<std::uint64_t>(getIntOption_("seed")); }

    psmformer::RuntimeOptions runtimeOptions() const
    {
      psmformer::RuntimeOptions options;
      options.device = std::string(getStringOption_("device"));
      options.threads = std::max(1, static_cast<int>(getIntOption_("threads")));
      options.seed = seed();
      return options;
    }

    /// File of the training's state; empty: none is kept.
    std::string checkpoint(const std::string& suffix = "") const
    {
      const std::string file(getStringOption_("checkpoint"));
      require(!getFlag_("resume") || !file.empty(), ErrorKind::OPTION,
              "-resume needs a file to go on from; give -checkpoint.");
      return file.empty() ? file : file + suffix;
    }

    /// A training without each of the folds.
    void fitFolds(std::vector<psmformer::PSMTrainer>& trainers, const std::string& out_model,
                  const psmformer::TrainingData& data, const psmformer::FoldRule& folds,
                  psmformer::ModelCardContent& card) const
    {
      for (std::size_t fold = 0; fold < folds.count; ++fold)
      {
        if (fold == trainers.size())
        {
          trainers.push_back(makeTrainer(out_model));
        }
        const psmformer::TrainingData others = withoutFold(data, folds, fold);
        OPENMS_LOG_INFO << "Fold " << fold + 1 << " of " << folds.count
                        << " is left out: " << others.split.training.size() << " training and "
                        << others.split.validation.size() << " validation spectra." << std::endl;
        fit(trainers.back(), others, checkpoint(".fold" + std::to_string(fold + 1)), card);
      }
    }

    /// Trains, and adds the loss curve to the card.
    void fit(psmformer::PSMTrainer& trainer, const psmformer::TrainingData& data, const std::string& checkpoint,
             psmformer::ModelCardContent& card) const
    {
      const std::vector<double> fixed =
          psmformer::fixedModificationMasses(toStrings(getStringList_("fixed_modifications")));
      const psmformer::PeptidePool pool(data.natural_peptides, psmformer::DataPart::TRAINING, fixed);
      const psmformer::PeptidePool validation_pool(data.natural_peptides, psmformer::DataPart::VALIDATION, fixed);
      card.n_pool = std::max(card.n_pool, pool.size());
      OPENMS_LOG_INFO << pool.size() << " natural peptides for negatives of training, " << validation_pool.size()
                      << " of validation spectra." << std::endl;
      const std::size_t n_spectra = data.split.training.size() * psmformer::trainingParameters(options_).epochs;
      ProgressLogger progress;
      progress.setLogType(log_type_);
      progress.startProgress(0, static_cast<SignedSize>(n_spectra), "training (spectra, all epochs)");
      card.curves.emplace_back();
      const auto log_epoch = [&](const psmformer::EpochRecord& record)
      {
        OPENMS_LOG_INFO << "epoch " << record.epoch << ": training loss " << record.training_loss
                        << ", validation loss " << record.validation_loss << ", true peptide first "
                        << 100.0 * record.validation_top1 << " %, AUC of the cosine " << record.validation_cosine_auc
                        << ", " << record.spectra_per_second << " spectra/s" << std::endl;
        card.curves.back().push_back(record);
        writeLog(card.curves);
      };
      card.curves.back() =
          trainer.fit(data.split.training, data.split.validation, pool, validation_pool, checkpoint, getFlag_("resume"),
                      log_epoch, [&](std::size_t done) { progress.setProgress(static_cast<SignedSize>(done)); });
      progress.endProgress();
      writeLog(card.curves); // with the epochs before a resumption
    }

    void writeLog(const psmformer::LossCurves& curves) const
    {
      if (const std::string file(getStringOption_("out_log")); !file.empty())
      {
        psmformer::writeFileAtomically(file, psmformer::writeLossCurves(curves));
      }
    }

    /// What the model card lists.
    std::vector<std::pair<std::string, std::string>> parameters() const
    {
      std::vector<std::pair<std::string, std::string>> values;
      for (const std::string name : {"preset", "init_model", "max_q_value", "fixed_modifications"})
      {
        values.emplace_back(name, std::string(options_.getValue(name).toString()));
      }
      const Param defaults = psmformer::trainerDefaults();
      for (auto option = defaults.begin(); option != defaults.end(); ++option)
      {
        const std::string name(option.getName());
        values.emplace_back(name, std::string(options_.getValue(name).toString()));
      }
      return values;
    }

    Param options_; ///< all options, for the sections
  };
}

int main(int argc, const char** argv)
{
  return psmformer::runTool<TOPPPSMFormerTrainer>("PSMFormerTrainer", argc, argv);
}
