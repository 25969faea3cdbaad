// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/ModelManifest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>

namespace psmformer
{
  namespace
  {
    using nlohmann::json;
    using test::expectError;

    ModelManifest makeManifest()
    {
      ModelManifest manifest = presetManifest("tiny");
      manifest.version = "1.2.3";
      manifest.architecture.peak_positions = OrdinalEncoding::WAVELENGTHS;
      manifest.architecture.residue_positions = OrdinalEncoding::LEARNED;
      manifest.architecture.norm_order = NormOrder::POST;
      manifest.architecture.pooling = Pooling::CLS;
      manifest.architecture.activation = FeedForwardActivation::GELU;
      manifest.architecture.use_mz_encoding = false;
      manifest.architecture.attention_window = 7;
      manifest.inputs.trained_modifications = {15.994915, 57.021464};
      manifest.inputs.trained_activations = {"CID", "HCD"};
      manifest.training = {
          "PSMFormerTrainer 0.1.0", "simulated \"data\"", "2024-01-31", 18446744073709551615u, 12, 3, 0.1};
      manifest.citation = "none";
      manifest.folds = {3, 18446744073709551615u};
      manifest.calibration.null_weight = 0.25;
      manifest.n_parameters = 12345;
      return manifest;
    }

    /// The manifest of a change to the sound JSON.
    ModelManifest parseChanged(const std::function<void(json&)>& change)
    {
      json object = json::parse(writeManifest(makeManifest()));
      change(object);
      return parseManifest(object.dump());
    }

    void expectInvalid(const std::string& text, const std::function<void(json&)>& change)
    {
      expectError(ErrorKind::INVALID_MODEL, text, [&] { parseChanged(change); });
    }

    void expectInvalidValue(const std::string& pointer, const json& value)
    {
      const std::string key = pointer.substr(pointer.rfind('/') + 1);
      expectInvalid(key, [&](json& object) { object[json::json_pointer(pointer)] = value; });
    }

    /// Pointers of all objects below a JSON value, its own first.
    std::vector<std::string> objectPointers(const json& object)
    {
      std::vector<std::string> pointers = {""};
      for (const auto& [key, value] : object.items())
      {
        if (value.is_object())
        {
          pointers.push_back("/" + key);
        }
      }
      return pointers;
    }

    json schema()
    {
      return json::parse(readFile(std::string(PSMFORMER_REPOSITORY) + "/share/PSMFormer/manifest.schema.json"));
    }

    std::set<std::string> keysOf(const json& object)
    {
      std::set<std::string> keys;
      for (const auto& [key, value] : object.items())
      {
        keys.insert(key);
      }
      return keys;
    }
  }

  TEST(ModelManifest, ReadingGivesWhatWasWritten)
  {
    const ModelManifest manifest = makeManifest();
    const std::string text = writeManifest(manifest);
    const ModelManifest read = parseManifest(text);
    EXPECT_EQ(writeManifest(read), text);
    EXPECT_EQ(read.training.seed, manifest.training.seed);
    EXPECT_EQ(read.folds.count, 3u);
    EXPECT_EQ(read.folds.seed, manifest.folds.seed);
    EXPECT_EQ(read.calibration.null_weight, 0.25);
    EXPECT_EQ(read.architecture.pooling, Pooling::CLS);
    EXPECT_EQ(read.inputs.trained_modifications, manifest.inputs.trained_modifications);
    EXPECT_EQ(read.inputs.trained_activations, manifest.inputs.trained_activations);
    EXPECT_EQ(read.architecture.min_position_wavelength, manifest.architecture.min_position_wavelength);
    EXPECT_EQ(read.inputs.preprocessing.max_peaks, 60u);
  }

  TEST(ModelManifest, LayoutOfTheJson)
  {
    const json object = json::parse(writeManifest(makeManifest()));
    EXPECT_EQ(keysOf(object),
              (std::set<std::string>{"format", "format_version", "name", "version", "architecture", "inputs", "folds",
                                     "calibration", "weights", "training", "license", "citation"}));
    EXPECT_EQ(object["format"], "psmformer-model");
    EXPECT_EQ(object["format_version"], 1);
    EXPECT_EQ(object["weights"], json::parse(R"({"n_parameters": 12345, "dtype": "float32"})"));
    EXPECT_EQ(object["architecture"]["norm_order"], "post");
    EXPECT_EQ(object["architecture"]["activation"], "gelu");
    EXPECT_EQ(object["architecture"]["peak_positions"], "wavelengths");
    EXPECT_EQ(object["inputs"]["mz_range_th"], json::parse("[50.0, 2500.0]"));
  }

  TEST(ModelManifest, SchemaNamesTheKeysThatAreWritten)
  {
    const json object = json::parse(writeManifest(makeManifest()));
    const json properties = schema().at("properties");
    EXPECT_EQ(keysOf(properties), keysOf(object));
    for (const std::string section : {"architecture", "inputs", "folds", "calibration", "weights", "training"})
    {
      EXPECT_EQ(keysOf(properties.at(section).at("properties")), keysOf(object.at(section))) << section;
      EXPECT_EQ(properties.at(section).at("additionalProperties"), false) << section;
    }
  }

  TEST(ModelManifest, KeyWithoutADefaultInTheSchemaIsRequired)
  {
    const json object = json::parse(writeManifest(makeManifest()));
    for (const std::string& pointer : objectPointers(object))
    {
      const json section = pointer.empty() ? schema() : schema().at("properties").at(pointer.substr(1));
      const json& required = section.at("required");
      for (const std::string& key : keysOf(object.at(json::json_pointer(pointer))))
      {
        const bool has_default = section.at("properties").at(key).contains("default");
        EXPECT_NE(std::count(required.begin(), required.end(), key) == 1, has_default) << pointer << "/" << key;
        const auto removeKey = [&](json& changed)
        {
          changed.at(json::json_pointer(pointer)).erase(key);
        };
        if (has_default)
        {
          const json written = json::parse(writeManifest(parseChanged(removeKey)));
          EXPECT_EQ(written.at(json::json_pointer(pointer)).at(key), section.at("properties").at(key).at("default"));
        }
        else
        {
          expectInvalid(key + "' is missing", removeKey);
        }
      }
    }
  }

  TEST(ModelManifest, UnknownKeyIsNamed)
  {
    for (const std::string& pointer : objectPointers(json::parse(writeManifest(makeManifest()))))
    {
      expectInvalid("surprise' is not known",
                    [&](json& object) { object.at(json::json_pointer(pointer))["surprise"] = 1; });
    }
  }

  TEST(ModelManifest, ValueOfAnotherTypeIsNamed)
  {
    const json object = json::parse(writeManifest(makeManifest()));
    for (const std::string& pointer : objectPointers(object))
    {
      for (const std::string& key : keysOf(object.at(json::json_pointer(pointer))))
      {
        expectInvalidValue(pointer + "/" + key, nullptr);
        expectInvalidValue(pointer + "/" + key, json::array({json::array()}));
      }
    }
    expectInvalidValue("/architecture/d_model", 64.5);
    expectInvalid("0 with mz_bias_wavelengths",
                  [](json& object) { object["architecture"]["mz_bias_wavelengths"] = 2; }); // beside a window of 7
    expectInvalidValue("/calibration/null_weight", -0.01);
    expectInvalidValue("/calibration/null_weight", 2.01);
    expectInvalidValue("/architecture/d_model", "64");
    expectInvalidValue("/architecture/use_mz_encoding", 1);
    expectInvalidValue("/inputs/max_peaks", -1);
    expectInvalidValue("/inputs/max_peaks", 4294967297);
    expectInvalidValue("/inputs/max_charge", 9223372036854775807);
    expectInvalidValue("/inputs/max_charge", 18446744073709551615u);
    expectInvalidValue("/inputs/mz_range_th", json::array({50.0}));
  }

  TEST(ModelManifest, ValueOutOfRangeIsNamed)
  {
    expectInvalidValue("/architecture/n_heads", 5);
    expectInvalidValue("/architecture/n_heads", 0);
    expectInvalidValue("/architecture/d_model", 0);
    expectInvalidValue("/architecture/revision", 0);
    expectInvalidValue("/architecture/spectrum_layers", -1);
    expectInvalidValue("/architecture/decoder_layers", 1000000);
    expectInvalidValue("/architecture/d_feedforward", 0);
    expectInvalidValue("/architecture/dropout", 1.0);
    expectInvalidValue("/architecture/mz_wavelength_th", json::array({0.0, 10000.0}));
    expectInvalidValue("/architecture/mz_wavelength_th", json::array({10.0, 10.0}));
    expectInvalidValue("/architecture/position_wavelength", json::array({1.9, 100.0}));
    expectInvalidValue("/architecture/peak_positions", "sinusoidal");
    expectInvalidValue("/architecture/attention_window", -1);
    expectInvalidValue("/inputs/mz_range_th", json::array({100.0, 50.0}));
    expectInvalidValue("/inputs/precursor_removal_th", -0.1);
    expectInvalidValue("/inputs/max_peaks", 0);
    expectInvalidValue("/inputs/max_peaks", 151);
    expectInvalidValue("/inputs/max_residues", 0);
    expectInvalidValue("/inputs/max_charge", 0);
    expectInvalidValue("/inputs/ions", json::array());
    expectInvalidValue("/inputs/ions", json::array({"b1", "b1"}));
    expectInvalidValue("/inputs/ions", json::array({"q1"}));
    expectInvalid("vocabulary 'AA'", [](json& object) { object["inputs"]["vocabulary"] = "AA"; });
    expectInvalidValue("/name", "../base");
    expectInvalidValue("/name", "");
    expectInvalidValue("/version", "1.0");
    expectInvalidValue("/weights/n_parameters", 1000000001);
    expectInvalidValue("/weights/dtype", "float16");
    expectInvalidValue("/format", "another");
    expectInvalidValue("/format_version", 0);
  }

  TEST(ModelManifest, NewerModelIsIncompatibleNotDamaged)
  {
    const auto expectNewer = [](const std::string& text, const std::function<void(json&)>& change)
    {
      expectError(ErrorKind::INCOMPATIBLE_MODEL, text, [&] { parseChanged(change); });
    };
    expectNewer("format version 2 but this program reads up to 1",
                [](json& object)
                {
                  object["format_version"] = 2;
                  object["layout"] = "unknown";
                });
    expectNewer("revision 2 but this program builds up to 1",
                [](json& object)
                {
                  object["architecture"]["revision"] = 2;
                  object["architecture"]["new_key"] = true;
                });
    expectNewer("architecture 'Mamba'", [](json& object) { object["architecture"]["type"] = "Mamba"; });
  }

  TEST(ModelManifest, TextThatIsNoManifestIsRejected)
  {
    expectError(ErrorKind::INVALID_MODEL, "not JSON", [] { parseManifest("{"); });
    expectError(ErrorKind::INVALID_MODEL, "must be an object", [] { parseManifest("[]"); });
    expectError(ErrorKind::INVALID_MODEL, "format' is missing", [] { parseManifest("{}"); });
    expectError(ErrorKind::INVALID_MODEL, "'format' occurs twice",
                [] { parseManifest(R"({"format": "psmformer-model", "format": "psmformer-model"})"); });
    expectError(ErrorKind::INVALID_MODEL, "architecture' must be an object",
                [] { parseManifest(R"({"format": "psmformer-model", "format_version": 1, "architecture": 3})"); });
  }

  TEST(ModelManifest, ValidationRejectsNumbersThatAreNotFinite)
  {
    ModelManifest manifest = makeManifest();
    manifest.training.validation_loss = std::numeric_limits<double>::quiet_NaN();
    expectError(ErrorKind::INVALID_MODEL, "validation_loss", [&] { validateManifest(manifest); });
    manifest = makeManifest();
    manifest.architecture.dropout = std::numeric_limits<double>::quiet_NaN();
    expectError(ErrorKind::INVALID_MODEL, "dropout", [&] { validateManifest(manifest); });
    manifest = makeManifest();
    manifest.architecture.max_mz_wavelength = std::numeric_limits<double>::infinity();
    expectError(ErrorKind::INVALID_MODEL, "mz_wavelength_th", [&] { validateManifest(manifest); });
    manifest = makeManifest();
    manifest.inputs.trained_activations = {"PQD"};
    expectError(ErrorKind::INVALID_MODEL, "trained_activations", [&] { validateManifest(manifest); });
    manifest.inputs.trained_activations = {};
    manifest.inputs.trained_modifications = {std::numeric_limits<double>::infinity()};
    expectError(ErrorKind::INVALID_MODEL, "trained_modifications_da", [&] { validateManifest(manifest); });
  }

  TEST(ModelPresets, AreValidAndGrow)
  {
    std::int64_t width = 0;
    for (const std::string name : {"tiny", "base", "medium", "large"})
    {
      const ModelManifest manifest = presetManifest(name);
      EXPECT_EQ(manifest.name, name);
      EXPECT_NO_THROW(validateManifest(manifest));
      EXPECT_GT(manifest.architecture.d_model, width);
      EXPECT_EQ(manifest.architecture.d_feedforward, 4 * manifest.architecture.d_model);
      width = manifest.architecture.d_model;
    }
    EXPECT_EQ(presetManifest("base").architecture.decoder_layers, 3);
    EXPECT_EQ(presetManifest("base").inputs.preprocessing.max_peaks, 120u);
    EXPECT_EQ(presetManifest("large").architecture.spectrum_layers, 6);
  }

  TEST(ModelPresets, UnknownNameListsThePresets)
  {
    expectError(ErrorKind::OPTION, "tiny, base, medium, large", [] { presetManifest("huge"); });
  }
}
