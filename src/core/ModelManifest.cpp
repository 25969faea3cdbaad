// SPDX-License-Identifier: BSD-3-Clause
#include "Json.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelManifest.h>

#include <nlohmann/json.hpp>

#include <set>
#include <type_traits>
#include <utility>

namespace psmformer
{
  namespace
  {
    using nlohmann::ordered_json;

    constexpr const char* FORMAT = "psmformer-model";
    constexpr const char* WEIGHT_TYPE = "float32";
    constexpr std::size_t MAX_DEPTH = 4;

    template <typename T> using Names = std::vector<std::pair<T, std::string>>;

    const Names<OrdinalEncoding> ORDINAL_ENCODINGS = {{OrdinalEncoding::NONE, "none"},
                                                      {OrdinalEncoding::VASWANI, "vaswani"},
                                                      {OrdinalEncoding::WAVELENGTHS, "wavelengths"},
                                                      {OrdinalEncoding::LEARNED, "learned"}};
    const Names<NormOrder> NORM_ORDERS = {{NormOrder::POST, "post"}, {NormOrder::PRE, "pre"}};
    const Names<Pooling> POOLINGS = {{Pooling::MEAN, "mean"}, {Pooling::MAX, "max"}, {Pooling::CLS, "cls"}};
    const Names<FeedForwardActivation> ACTIVATIONS = {{FeedForwardActivation::RELU, "relu"},
                                                      {FeedForwardActivation::GELU, "gelu"}};

    [[noreturn]] void fail(const std::string& what)
    {
      throw Error(ErrorKind::INVALID_MODEL, "The model manifest is not valid: " + what + ".");
    }

    /// Writes the fields of one JSON object. Writer and Reader have the same functions, so that one description of the
    /// keys does for both directions.
    class Writer
    {
    public:
      template <typename T> void field(const char* key, const T& value) { object_[key] = value; }

      template <typename T> void optional(const char* key, const T& value) { field(key, value); }

      void range(const char* key, double low, double high) { object_[key] = {low, high}; }

      template <typename T> void choice(const char* key, T value, const Names<T>& names)
      {
        for (const auto& [known, name] : names)
        {
          if (known == value)
          {
            object_[key] = name;
          }
        }
      }

      template <typename Fields> void section(const char* key, const Fields& fields)
      {
        Writer writer;
        fields(writer);
        object_[key] = writer.object_;
      }

      template <typename Fields> void optionalSection(const char* key, const Fields& fields) { section(key, fields); }

      void constant(const char* key, const char* value) { field(key, value); }

      const ordered_json& object() const { return object_; }

    private:
      ordered_json object_ = ordered_json::object();
    };

    /// Reads the fields of one JSON object and remembers which keys there are.
    class Reader
    {
    public:
      Reader(const ordered_json& object, std::string path) : object_(object), path_(std::move(path))
      {
        if (!object.is_object())
        {
          fail("'" + path_ + "' must be an object");
        }
      }

      template <typename T> void field(const char* key, T& value) { value = read<T>(find(key), path(key)); }

      /// A key that older files lack; the value then stays what it is by default.
      template <typename T> void optional(const char* key, T& value)
      {
        keys_.insert(key);
        if (object_.contains(key))
        {
          field(key, value);
        }
      }

      void range(const char* key, double& low, double& high)
      {
        const auto values = read<std::vector<double>>(find(key), path(key));
        if (values.size() != 2)
        {
          fail("'" + path(key) + "' must hold two numbers");
        }
        low = values[0];
        high = values[1];
      }

      template <typename T> void choice(const char* key, T& value, const Names<T>& names)
      {
        const auto text = read<std::string>(find(key), path(key));
        std::string allowed;
        for (const auto& [known, name] : names)
        {
          if (name == text)
          {
            value = known;
            return;
          }
          allowed += (allowed.empty() ? "" : ", ") + name;
        }
        fail("'" + path(key) + "' is '" + text + "' but must be one of " + allowed);
      }

      template <typename Fields> void section(const char* key, const Fields& fields)
      {
        Reader reader(find(key), path(key));
        fields(reader);
        reader.rejectUnknownKeys();
      }

      /// A section that older files lack; the values then stay what they are by default.
      template <typename Fields> void optionalSection(const char* key, const Fields& fields)
      {
        keys_.insert(key);
        if (object_.contains(key))
        {
          section(key, fields);
        }
      }

      void constant(const char* key, const char* value)
      {
        const auto text = read<std::string>(find(key), path(key));
        if (text != value)
        {
          fail("'" + path(key) + "' is '" + text + "' but must be '" + value + "'");
        }
      }

      /// Typing errors must not become defaults.
      void rejectUnknownKeys() const
      {
        for (const auto& [key, value] : object_.items())
        {
          if (keys_.count(key) == 0)
          {
            fail("key '" + path(key) + "' is not known");
          }
        }
      }

    private:
      std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

      const ordered_json& find(const char* key)
      {
        keys_.insert(key);
        if (!object_.contains(key))
        {
          fail("key '" + path(key) + "' is missing");
        }
        return object_[key];
      }

      template <typename T> static T read(const ordered_json& value, const std::string& path)
      {
        if constexpr (std::is_same_v<T, bool>)
        {
          return value.is_boolean() ? value.get<bool>() : wrongType<T>(path, "true or false");
        }
        else if constexpr (std::is_same_v<T, std::string>)
        {
          return value.is_string() ? value.get<std::string>() : wrongType<T>(path, "a text");
        }
        else if constexpr (std::is_floating_point_v<T>)
        {
          return value.is_number() ? value.get<T>() : wrongType<T>(path, "a number");
        }
        else if constexpr (std::is_integral_v<T>)
        {
          return readInteger<T>(value, path);
        }
        else
        {
          return readList<T>(value, path);
        }
      }

      template <typename T> static T readInteger(const ordered_json& value, const std::string& path)
      {
        if (std::is_same_v<T, std::uint64_t> && value.is_number_unsigned())
        {
          return static_cast<T>(value.get<std::uint64_t>());
        }
        // Other integers of a manifest are small; 32 bits keep later arithmetic from overflowing.
        constexpr std::int64_t LIMIT = 2147483647;
        const std::int64_t smallest = std::is_signed_v<T> ? -LIMIT : 0;
        const bool possible = value.is_number_integer() &&
                              (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t(LIMIT)) &&
                              value.get<std::int64_t>() >= smallest;
        return possible ? static_cast<T>(value.get<std::int64_t>()) : wrongType<T>(path, "an integer of 32 bits");
      }

      template <typename T> static T readList(const ordered_json& value, const std::string& path)
      {
        if (!value.is_array())
        {
          return wrongType<T>(path, "a list");
        }
        T list;
        for (const ordered_json& entry : value)
        {
          list.push_back(read<typename T::value_type>(entry, path));
        }
        return list;
      }

      template <typename T> [[noreturn]] static T wrongType(const std::string& path, const std::string& expected)
      {
        fail("'" + path + "' must be " + expected);
      }

      const ordered_json& object_;
      std::string path_;
      std::set<std::string> keys_;
    };

    /// The keys of "architecture", once for reading and writing.
    template <typename Fields, typename Value> void describeArchitecture(Fields& fields, Value& architecture)
    {
      fields.field("type", architecture.type);
      fields.field("revision", architecture.revision);
      fields.field("d_model", architecture.d_model);
      fields.field("n_heads", architecture.n_heads);
      fields.field("spectrum_layers", architecture.spectrum_layers);
      fields.field("peptide_layers", architecture.peptide_layers);
      fields.field("decoder_layers", architecture.decoder_layers);
      fields.field("d_feedforward", architecture.d_feedforward);
      fields.field("dropout", architecture.dropout);
      fields.range("mz_wavelength_th", architecture.min_mz_wavelength, architecture.max_mz_wavelength);
      fields.choice("peak_positions", architecture.peak_positions, ORDINAL_ENCODINGS);
      fields.choice("residue_positions", architecture.residue_positions, ORDINAL_ENCODINGS);
      fields.range("position_wavelength", architecture.min_position_wavelength, architecture.max_position_wavelength);
      fields.choice("norm_order", architecture.norm_order, NORM_ORDERS);
      fields.choice("pooling", architecture.pooling, POOLINGS);
      fields.choice("activation", architecture.activation, ACTIVATIONS);
      fields.optional("use_mz_encoding", architecture.use_mz_encoding);
      fields.optional("use_cross_attention", architecture.use_cross_attention);
      fields.optional("mz_bias_wavelengths", architecture.mz_bias_wavelengths);
      fields.optional("attention_window", architecture.attention_window);
      fields.optional("local_attention_above", architecture.local_attention_above);
    }

    template <typename Fields, typename Value> void describeInputs(Fields& fields, Value& inputs)
    {
      auto& preprocessing = inputs.preprocessing;
      fields.range("mz_range_th", preprocessing.min_mz, preprocessing.max_mz);
      fields.field("precursor_removal_th", preprocessing.precursor_removal);
      fields.field("max_peaks", preprocessing.max_peaks);
      fields.field("max_residues", inputs.max_residues);
      fields.field("max_charge", inputs.max_charge);
      fields.field("vocabulary", inputs.vocabulary);
      fields.field("ions", inputs.ions);
      fields.field("trained_modifications_da", inputs.trained_modifications);
      fields.optional("trained_activations", inputs.trained_activations);
    }

    template <typename Fields, typename Value> void describeTraining(Fields& fields, Value& training)
    {
      fields.field("program", training.program);
      fields.field("data", training.data);
      fields.field("date", training.date);
      fields.field("seed", training.seed);
      fields.field("n_spectra", training.n_spectra);
      fields.field("n_epochs", training.n_epochs);
      fields.field("validation_loss", training.validation_loss);
    }

    template <typename Fields, typename Value> void describeManifest(Fields& fields, Value& manifest)
    {
      fields.field("name", manifest.name);
      fields.field("version", manifest.version);
      fields.section("architecture", [&](auto& section) { describeArchitecture(section, manifest.architecture); });
      fields.section("inputs", [&](auto& section) { describeInputs(section, manifest.inputs); });
      fields.section("weights",
                     [&](auto& section)
                     {
                       section.field("n_parameters", manifest.n_parameters);
                       section.constant("dtype", WEIGHT_TYPE);
                     });
      fields.optionalSection("folds",
                             [&](auto& section)
                             {
                               section.field("count", manifest.folds.count);
                               section.field("seed", manifest.folds.seed);
                             });
      fields.optionalSection("calibration",
                             [&](auto& section) { section.field("null_weight", manifest.calibration.null_weight); });
      fields.section("training", [&](auto& section) { describeTraining(section, manifest.training); });
      fields.field("license", manifest.license);
      fields.field("citation", manifest.citation);
    }

    /// Comes before anything else is read: a newer layout may have other keys.
    void requireKnownLayout(int format_version)
    {
      require(format_version <= ModelManifest::FORMAT_VERSION, ErrorKind::INCOMPATIBLE_MODEL,
              "The model has format version " + std::to_string(format_version) + " but this program reads up to " +
                  std::to_string(ModelManifest::FORMAT_VERSION) + "; install a newer PSMFormer.");
      if (format_version < 1)
      {
        fail("'format_version' is " + std::to_string(format_version) + " but must be at least 1");
      }
    }

    void requireKnownRevision(const ordered_json& object)
    {
      if (!object.contains("architecture"))
      {
        return; // reported as missing with the other keys
      }
      int revision = 0;
      Reader(object["architecture"], "architecture").field("revision", revision);
      require(revision <= ModelManifest::REVISION, ErrorKind::INCOMPATIBLE_MODEL,
              "The model has architecture revision " + std::to_string(revision) + " but this program builds up to " +
                  std::to_string(ModelManifest::REVISION) + "; install a newer PSMFormer.");
    }
  }

  std::string writeManifest(const ModelManifest& manifest)
  {
    Writer writer;
    writer.constant("format", FORMAT);
    writer.field("format_version", ModelManifest::FORMAT_VERSION);
    describeManifest(writer, manifest);
    return writer.object().dump(2);
  }

  ModelManifest parseManifest(const std::string& json)
  {
    const std::string fault = jsonFault(json, MAX_DEPTH);
    if (!fault.empty())
    {
      fail(fault);
    }
    const ordered_json object = ordered_json::parse(json);
    Reader reader(object, "");
    int format_version = 0;
    reader.constant("format", FORMAT);
    reader.field("format_version", format_version);
    requireKnownLayout(format_version);
    requireKnownRevision(object);
    ModelManifest manifest;
    describeManifest(reader, manifest);
    reader.rejectUnknownKeys();
    validateManifest(manifest);
    return manifest;
  }
}
