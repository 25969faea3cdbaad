// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ToolBase.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelLocator.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/model/RuntimeOptions.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/TrainerOptions.h>
#include <PSMFormer/openms/TrainingData.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  /// The options of PSMFormerTrainer and what they mean for a training.
  class TrainerToolBase : public ToolBase
  {
  protected:
    using StringList = OpenMS::StringList;

    TrainerToolBase()
        : ToolBase("PSMFormerTrainer",
                   "Trains or fine-tunes a model for PSMFormer on spectra whose peptides are known.")
    {
    }

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
      registerFlag_("resume", "Go on from the state in -checkpoint when that file exists.");
      registerIntOption_("seed", "<number>", 1, "Seed of the initial weights and of all that is drawn.", false);
      setMinInt_("seed", 0);
      registerStringOption_("device", "<device>", "auto",
                            "Where the network is trained: auto, cpu, cuda or cuda:N; auto falls back to the CPU.",
                            false);
      registerFullParam_(trainerDefaults());
    }

    std::filesystem::path initialModel() const
    {
      const std::string model(getStringOption_("init_model"));
      return model.empty() ? std::filesystem::path() : locateModel(model, modelFolders(executableFolder_()));
    }

    ModelManifest makeManifest(const std::string& out_model) const
    {
      ModelManifest manifest = overridePreset(presetManifest(std::string(getStringOption_("preset"))), options_);
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
        validateManifest(manifest);
      }
      catch (const Error& error)
      {
        throw Error(ErrorKind::OPTION, std::string("Choose another -model_name or -model_version. ") + error.what());
      }
      return manifest;
    }

    Tolerance fragmentTolerance() const
    {
      const bool is_ppm = getStringOption_("fragment_tolerance_unit") == "ppm";
      return {getDoubleOption_("fragment_tolerance"), is_ppm ? ToleranceUnit::PPM : ToleranceUnit::DA};
    }

    TrainingSources sources() const
    {
      TrainingSources sources;
      sources.annotated_files = toStrings(getStringList_("in_annotated"));
      sources.annotation_defaults.fragment_tolerance = fragmentTolerance();
      sources.annotation_defaults.activation = parseActivation(std::string(getStringOption_("activation")));
      sources.identification_files = toStrings(getStringList_("in"));
      sources.spectrum_files = toStrings(getStringList_("in_spectra"));
      sources.filter.max_q_value = getDoubleOption_("max_q_value");
      sources.filter.fragment_tolerance = fragmentTolerance();
      sources.filter.log_type = log_type_;
      sources.exclusion_file = std::string(getStringOption_("in_exclude"));
      sources.protein_files = toStrings(getStringList_("in_fasta"));
      sources.digestion = digestionParameters(options_);
      sources.digestion.seed = seed();
      return sources;
    }

    /// Reads the options of output files and checks that they can be written, hours before they are.
    std::string outputs() const
    {
      const std::string out_log(getStringOption_("out_log"));
      const std::string out_keys(getStringOption_("out_keys"));
      // Before OpenMS looks at it, which knows what is wrong with the name, not what to do.
      const std::string out_model(options_.getValue("out_model").toString());
      require(out_model.empty() || std::filesystem::path(out_model).extension() == ".safetensors", ErrorKind::OPTION,
              "-out_model '" + out_model + "' is not the name of a model file; let it end in .safetensors.");
      const std::string written(getStringOption_("out_model"));
      requireOutputs_(
          {{"out_model", written}, {"out_log", out_log}, {"out_keys", out_keys}, {"checkpoint", checkpoint()}},
          inputFiles());
      requireCheckpointFolder();
      return written;
    }

    std::uint64_t seed() const { return static_cast<std::uint64_t>(getIntOption_("seed")); }

    RuntimeOptions runtimeOptions() const
    {
      RuntimeOptions options;
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

    /// What the model card lists.
    std::vector<std::pair<std::string, std::string>> parameters() const
    {
      std::vector<std::pair<std::string, std::string>> values;
      for (const std::string name : {"preset", "init_model", "max_q_value", "fixed_modifications"})
      {
        values.emplace_back(name, std::string(options_.getValue(name).toString()));
      }
      const OpenMS::Param defaults = trainerDefaults();
      for (auto option = defaults.begin(); option != defaults.end(); ++option)
      {
        const std::string name(option.getName());
        values.emplace_back(name, std::string(options_.getValue(name).toString()));
      }
      return values;
    }

    static std::vector<std::string> toStrings(const StringList& list) { return {list.begin(), list.end()}; }

    OpenMS::Param options_; ///< all options, for the sections; set by runTool_()

  private:
    /// Files that are read and must stay; a fine-tuned model may take the place of the one it was made from.
    std::vector<OptionFile> inputFiles() const
    {
      std::vector<OptionFile> files = {{"in_exclude", std::string(getStringOption_("in_exclude"))}};
      for (const std::string option : {"in_annotated", "in", "in_spectra", "in_fasta"})
      {
        for (const std::string& file : toStrings(getStringList_(option)))
        {
          files.push_back({option, file});
        }
      }
      return files;
    }

    /// The checkpoint is not an output file to OpenMS, since it is read too.
    void requireCheckpointFolder() const
    {
      const std::filesystem::path file(checkpoint());
      if (file.empty())
      {
        return;
      }
      requireOutputs_({{"checkpoint", file.string()}}, {{"init_model", initialModel().string()}});
      outputFileWritable_(file.string(), "checkpoint");
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
      setValidFormats_("out_model", {"safetensors"}, false);
      registerOutputFile_("out_log", "<file>", "", "Loss curve, one line an epoch.", false);
      setValidFormats_("out_log", {"tsv"});
      registerOutputFile_("out_keys", "<file>", "",
                          "Keys (residues with I as L) of all peptides trained on and validated on.", false);
      setValidFormats_("out_keys", {"txt"});
      registerStringOption_("checkpoint", "<file>", "",
                            "State of the training, written after every epoch and every training:checkpoint_minutes, "
                            "for -resume.",
                            false);
    }

    /// Today, or the day that SOURCE_DATE_EPOCH gives for reproducible files (https://reproducible-builds.org).
    static std::string trainingDate()
    {
      const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
      const std::time_t time = epoch != nullptr ? static_cast<std::time_t>(std::atoll(epoch)) : std::time(nullptr);
      std::tm utc{};
      ::gmtime_r(&time, &utc);
      char text[16];
      std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
      return text;
    }
  };
}
