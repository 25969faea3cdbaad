// SPDX-License-Identifier: BSD-3-Clause
#include "SemanticVersion.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/Vocabulary.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace psmformer
{
  namespace
  {
    // Bounds that no sensible model comes near; they keep a damaged or hostile file from asking for all memory.
    constexpr std::int64_t MAX_WIDTH = 65536;
    constexpr std::int64_t MAX_LAYERS = 256;
    constexpr std::size_t MAX_RESIDUES = 1000;
    constexpr int MAX_CHARGE = 100;
    constexpr std::size_t MAX_PEAKS = 150;
    constexpr std::size_t MAX_FOLDS = 20;
    constexpr double MAX_NULL_WEIGHT = 2.0;
    constexpr std::size_t MAX_PARAMETERS = 1'000'000'000;
    constexpr std::size_t MAX_NAME_LENGTH = 100;

    void demand(bool condition, const std::string& key, const std::string& value, const std::string& allowed)
    {
      require(condition, ErrorKind::INVALID_MODEL,
              "The model manifest is not valid: '" + key + "' is " + value + " but must be " + allowed + ".");
    }

    template <typename T> std::string show(const T& value)
    {
      std::ostringstream text;
      text << value;
      return text.str();
    }

    template <typename T> void demandWithin(const std::string& key, T value, T low, T high)
    {
      demand(value >= low && value <= high, key, show(value), "from " + show(low) + " to " + show(high));
    }

    void demandRange(const std::string& key, double low, double high, double smallest)
    {
      demand(std::isfinite(high) && low >= smallest && low < high, key, show(low) + " to " + show(high),
             "two ascending numbers of at least " + show(smallest));
    }

    void checkArchitecture(const Architecture& architecture)
    {
      const std::string path = "architecture.";
      require(architecture.type == Architecture().type && architecture.revision <= ModelManifest::REVISION,
              ErrorKind::INCOMPATIBLE_MODEL,
              "The model has architecture '" + architecture.type + "' revision " + show(architecture.revision) +
                  " but this program builds '" + Architecture().type + "' up to revision " +
                  show(ModelManifest::REVISION) + "; install a newer PSMFormer.");
      demandWithin(path + "revision", architecture.revision, 1, int(ModelManifest::REVISION));
      demandWithin(path + "d_model", architecture.d_model, std::int64_t(2), MAX_WIDTH);
      demand(architecture.n_heads >= 1 && architecture.d_model % architecture.n_heads == 0, path + "n_heads",
             show(architecture.n_heads), "a divisor of d_model (" + show(architecture.d_model) + ")");
      demandWithin(path + "spectrum_layers", architecture.spectrum_layers, std::int64_t(0), MAX_LAYERS);
      demandWithin(path + "peptide_layers", architecture.peptide_layers, std::int64_t(0), MAX_LAYERS);
      demandWithin(path + "decoder_layers", architecture.decoder_layers, std::int64_t(0), MAX_LAYERS);
      demandWithin(path + "d_feedforward", architecture.d_feedforward, std::int64_t(1), 4 * MAX_WIDTH);
      demand(architecture.dropout >= 0.0 && architecture.dropout < 1.0, path + "dropout", show(architecture.dropout),
             "at least 0 and below 1");
      demand(architecture.min_mz_wavelength > 0.0, path + "mz_wavelength_th", show(architecture.min_mz_wavelength),
             "above 0");
      demandRange(path + "mz_wavelength_th", architecture.min_mz_wavelength, architecture.max_mz_wavelength, 0.0);
      demandRange(path + "position_wavelength", architecture.min_position_wavelength,
                  architecture.max_position_wavelength, 2.0);
      demandWithin(path + "mz_bias_wavelengths", architecture.mz_bias_wavelengths, std::int64_t(0), MAX_WIDTH);
      demand(architecture.mz_bias_wavelengths == 0 || architecture.attention_window == 0, path + "attention_window",
             show(architecture.attention_window), "0 with mz_bias_wavelengths, since local attention has no such bias");
      demandWithin(path + "attention_window", architecture.attention_window, std::int64_t(0), MAX_WIDTH);
      demandWithin(path + "local_attention_above", architecture.local_attention_above, std::int64_t(0), MAX_WIDTH);
    }

    void checkIons(const std::vector<std::string>& ions)
    {
      demand(!ions.empty(), "inputs.ions", "empty", "a list of ion channels");
      std::set<std::string> known;
      for (const std::string& ion : ions)
      {
        bool valid = known.insert(ion).second;
        try
        {
          parseIonChannel(ion);
        }
        catch (const Error&)
        {
          valid = false;
        }
        demand(valid, "inputs.ions", "'" + ion + "'", "a list of distinct ion channels such as b1, y2 or b1-loss");
      }
    }

    constexpr Activation ACTIVATIONS[] = {Activation::CID, Activation::HCD, Activation::ETD, Activation::ETHCD};

    void checkInputs(const ModelInputs& inputs)
    {
      const PreprocessingParameters& preprocessing = inputs.preprocessing;
      demandRange("inputs.mz_range_th", preprocessing.min_mz, preprocessing.max_mz, 0.0);
      demand(std::isfinite(preprocessing.precursor_removal) && preprocessing.precursor_removal >= 0.0,
             "inputs.precursor_removal_th", show(preprocessing.precursor_removal), "a number of at least 0");
      demandWithin("inputs.max_peaks", preprocessing.max_peaks, std::size_t(1), MAX_PEAKS);
      demandWithin("inputs.max_residues", inputs.max_residues, std::size_t(2), MAX_RESIDUES);
      demandWithin("inputs.max_charge", inputs.max_charge, 1, MAX_CHARGE);
      const Vocabulary checked_letters(inputs.vocabulary);
      checkIons(inputs.ions);
      for (const double mass : inputs.trained_modifications)
      {
        demand(std::isfinite(mass), "inputs.trained_modifications_da", show(mass), "a list of finite masses");
      }
      for (const std::string& name : inputs.trained_activations)
      {
        const bool known = std::any_of(std::begin(ACTIVATIONS), std::end(ACTIVATIONS),
                                       [&](Activation activation) { return activationName(activation) == name; });
        demand(known, "inputs.trained_activations", name, "a list of CID, HCD, ETD and EThcD");
      }
    }

    /// A name is part of a path and of the text name@version.
    bool isModelName(const std::string& name)
    {
      const auto allowed = [](char c)
      {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
      };
      return !name.empty() && name.size() <= MAX_NAME_LENGTH && std::all_of(name.begin(), name.end(), allowed);
    }
  }

  bool isTrainedActivation(const ModelInputs& inputs, Activation activation)
  {
    const std::vector<std::string>& trained = inputs.trained_activations;
    return trained.empty() || std::find(trained.begin(), trained.end(), activationName(activation)) != trained.end();
  }

  void validateManifest(const ModelManifest& manifest)
  {
    checkArchitecture(manifest.architecture);
    checkInputs(manifest.inputs);
    demand(isModelName(manifest.name), "name", "'" + manifest.name + "'",
           "1 to " + show(MAX_NAME_LENGTH) + " letters, digits, '_' and '-'");
    demand(isSemanticVersion(manifest.version), "version", "'" + manifest.version + "'",
           "a semantic version such as 1.0.0");
    demand(manifest.calibration.null_weight >= 0.0 && manifest.calibration.null_weight <= MAX_NULL_WEIGHT,
           "calibration.null_weight", show(manifest.calibration.null_weight), "0 to " + show(MAX_NULL_WEIGHT));
    demandWithin("folds.count", manifest.folds.count, std::size_t(1), MAX_FOLDS);
    demandWithin("weights.n_parameters", manifest.n_parameters, std::size_t(0), MAX_PARAMETERS);
    demand(std::isfinite(manifest.training.validation_loss), "training.validation_loss",
           show(manifest.training.validation_loss), "a finite number");
  }
}
