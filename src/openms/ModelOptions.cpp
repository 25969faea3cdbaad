// SPDX-License-Identifier: BSD-3-Clause
#include "ModelOptions.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/TrainerOptions.h>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace psmformer
{
  namespace
  {
    using nlohmann::ordered_json;

    enum class ModelKeyKind
    {
      INTEGER,
      NUMBER,
      WORD,
      RANGE,
      WORDS
    };

    /// A key of the manifest that may differ from the preset.
    struct ModelKey
    {
      const char* section;
      const char* key;
      ModelKeyKind kind;
      const char* description;
    };

    const std::vector<ModelKey>& modelKeys()
    {
      static const std::vector<ModelKey> keys = {
          {"architecture", "d_model", ModelKeyKind::INTEGER, "Width, a multiple of n_heads."},
          {"architecture", "n_heads", ModelKeyKind::INTEGER, "Attention heads."},
          {"architecture", "spectrum_layers", ModelKeyKind::INTEGER,
           "Layers of the spectrum encoder; 0: its embedding alone."},
          {"architecture", "peptide_layers", ModelKeyKind::INTEGER, "Layers of the peptide encoder."},
          {"architecture", "decoder_layers", ModelKeyKind::INTEGER, "Layers of the match decoder."},
          {"architecture", "d_feedforward", ModelKeyKind::INTEGER, "Inner width of the feed-forward layers."},
          {"architecture", "dropout", ModelKeyKind::NUMBER, "Share of values dropped in training."},
          {"architecture", "mz_wavelength_th", ModelKeyKind::RANGE,
           "Smallest and largest wavelength of the m/z encoding (Th)."},
          {"architecture", "peak_positions", ModelKeyKind::WORD, "none, vaswani, wavelengths or learned."},
          {"architecture", "residue_positions", ModelKeyKind::WORD, "none, vaswani, wavelengths or learned."},
          {"architecture", "position_wavelength", ModelKeyKind::RANGE, "Smallest and largest wavelength in positions."},
          {"architecture", "norm_order", ModelKeyKind::WORD, "post or pre."},
          {"architecture", "pooling", ModelKeyKind::WORD, "mean, max or cls."},
          {"architecture", "activation", ModelKeyKind::WORD, "relu or gelu."},
          {"architecture", "use_mz_encoding", ModelKeyKind::WORD, "true or false (for ablations)."},
          {"architecture", "mz_bias_wavelengths", ModelKeyKind::INTEGER,
           "Wavelengths of an attention bias from m/z differences of peaks; 0: none."},
          {"architecture", "use_cross_attention", ModelKeyKind::WORD, "true or false (for ablations)."},
          {"architecture", "attention_window", ModelKeyKind::INTEGER,
           "Neighbours on each side in local attention; 0: full."},
          {"architecture", "local_attention_above", ModelKeyKind::INTEGER, "Longer sequences use the window."},
          {"inputs", "mz_range_th", ModelKeyKind::RANGE, "Peaks outside are dropped (Th)."},
          {"inputs", "precursor_removal_th", ModelKeyKind::NUMBER, "On each side of the precursor (Th); 0: off."},
          {"inputs", "max_peaks", ModelKeyKind::INTEGER, "The most intense peaks that are kept, up to 150."},
          {"inputs", "max_residues", ModelKeyKind::INTEGER, "Longest peptide."},
          {"inputs", "max_charge", ModelKeyKind::INTEGER, "Highest precursor charge."},
          {"inputs", "ions", ModelKeyKind::WORDS,
           "Fragments looked for, such as b1, y2, b1-loss, y1-H2O, y1-NH3, b1+1 (isotope), a1, c1, z1."},
          {"calibration", "null_weight", ModelKeyKind::NUMBER,
           "Weight of the mean logit of shuffled candidates in the calibrated logit."},
      };
      return keys;
    }

    std::string optionName(const ModelKey& key)
    {
      return std::string("model:") + key.key;
    }

    /// The JSON of a key that is set; discarded when it is not.
    ordered_json modelValue(const ModelKey& key, const OpenMS::Param& options)
    {
      const auto value = options.getValue(optionName(key));
      switch (key.kind)
      {
      case ModelKeyKind::INTEGER:
        return static_cast<OpenMS::Int>(value) < 0 ? ordered_json() : ordered_json(static_cast<OpenMS::Int>(value));
      case ModelKeyKind::NUMBER:
        return static_cast<double>(value) < 0.0 ? ordered_json() : ordered_json(static_cast<double>(value));
      case ModelKeyKind::RANGE:
      {
        const std::vector<double> numbers = value;
        return numbers.empty() ? ordered_json() : ordered_json(numbers);
      }
      case ModelKeyKind::WORDS:
      {
        const ParamStringList texts = value;
        return texts.empty() ? ordered_json() : ordered_json(std::vector<std::string>(texts.begin(), texts.end()));
      }
      case ModelKeyKind::WORD:
        break;
      }
      const std::string text(value.toString());
      if (text == "true" || text == "false")
      {
        return text == "true";
      }
      return text.empty() ? ordered_json() : ordered_json(text);
    }
  }

  void addModelDefaults(OpenMS::Param& options)
  {
    for (const ModelKey& key : modelKeys())
    {
      const std::string name = optionName(key);
      const std::string description = std::string(key.description) + " Not set: as the preset.";
      switch (key.kind)
      {
      case ModelKeyKind::INTEGER:
        options.setValue(name, -1, description, {"advanced"});
        options.setMinInt(name, -1);
        break;
      case ModelKeyKind::NUMBER:
        options.setValue(name, -1.0, description, {"advanced"});
        options.setMinFloat(name, -1.0);
        break;
      case ModelKeyKind::WORD:
        options.setValue(name, "", description, {"advanced"});
        break;
      case ModelKeyKind::RANGE:
        options.setValue(name, OpenMS::DoubleList(), description, {"advanced"});
        break;
      case ModelKeyKind::WORDS:
        options.setValue(name, ParamStringList(), description, {"advanced"});
        break;
      }
    }
    options.setSectionDescription("model", "What differs from the preset");
  }

  ModelManifest overridePreset(const ModelManifest& preset, const OpenMS::Param& options)
  {
    ordered_json object = ordered_json::parse(writeManifest(preset));
    for (const ModelKey& key : modelKeys())
    {
      const ordered_json value = modelValue(key, options);
      if (!value.is_null())
      {
        object[key.section][key.key] = value;
      }
    }
    try
    {
      return parseManifest(object.dump());
    }
    catch (const Error& error)
    {
      throw Error(ErrorKind::OPTION, std::string("The options of section model: do not make a model. ") + error.what());
    }
  }
}
