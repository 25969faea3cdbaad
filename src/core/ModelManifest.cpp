// SPDX-License-Identifier: BSD-3-Clause
#include "Json.h"
#include "ManifestJson.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelManifest.h>

#include <nlohmann/json.hpp>

namespace psmformer
{
  namespace
  {
    using manifest::fail;
    using manifest::Names;
    using manifest::Reader;
    using manifest::Writer;
    using nlohmann::ordered_json;

    constexpr const char* FORMAT = "psmformer-model";
    constexpr const char* WEIGHT_TYPE = "float32";
    constexpr std::size_t MAX_DEPTH = 4;

    const Names<OrdinalEncoding> ORDINAL_ENCODINGS = {{OrdinalEncoding::NONE, "none"},
                                                      {OrdinalEncoding::VASWANI, "vaswani"},
                                                      {OrdinalEncoding::WAVELENGTHS, "wavelengths"},
                                                      {OrdinalEncoding::LEARNED, "learned"}};
    const Names<NormOrder> NORM_ORDERS = {{NormOrder::POST, "post"}, {NormOrder::PRE, "pre"}};
    const Names<Pooling> POOLINGS = {{Pooling::MEAN, "mean"}, {Pooling::MAX, "max"}, {Pooling::CLS, "cls"}};
    const Names<FeedForwardActivation> ACTIVATIONS = {{FeedForwardActivation::RELU, "relu"},
                                                      {FeedForwardActivation::GELU, "gelu"}};

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
