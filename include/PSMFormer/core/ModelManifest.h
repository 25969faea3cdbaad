// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/Preprocessing.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace psmformer
{
  /// How an ordinal position becomes a vector (MODEL section "Encodings").
  enum class OrdinalEncoding
  {
    NONE,
    VASWANI,     ///< Vaswani et al. 2017, section 3.5
    WAVELENGTHS, ///< exact wavelengths between two given ones
    LEARNED
  };

  enum class NormOrder
  {
    POST, ///< sub-layer, residual, LayerNorm (Vaswani et al. 2017)
    PRE
  };

  enum class Pooling
  {
    MEAN,
    MAX,
    CLS
  };

  enum class FeedForwardActivation
  {
    RELU,
    GELU
  };

  /// Shape of the network. Everything here changes scores; nothing here changes only speed.
  struct Architecture
  {
    std::string type = "PSMTransformer";
    int revision = 1;          ///< which weight names and formulas the type has
    std::int64_t d_model = 64; ///< width, divisible by n_heads
    std::int64_t n_heads = 4;
    std::int64_t spectrum_layers = 2; ///< 0: the spectrum encoder is its embedding alone
    std::int64_t peptide_layers = 1;
    std::int64_t decoder_layers = 3;
    std::int64_t d_feedforward = 256;   ///< inner width, 4 d_model by default
    double dropout = 0.1;               ///< [0, 1); used in training only
    double min_mz_wavelength = 0.001;   ///< Th
    double max_mz_wavelength = 10000.0; ///< Th
    OrdinalEncoding peak_positions = OrdinalEncoding::VASWANI;
    OrdinalEncoding residue_positions = OrdinalEncoding::VASWANI; ///< from both termini; residues and cleavage sites
    double min_position_wavelength = 6.283185307179586;           ///< of WAVELENGTHS, in positions, >= 2
    double max_position_wavelength = 62831.85307179586;
    NormOrder norm_order = NormOrder::PRE;
    Pooling pooling = Pooling::MEAN;
    FeedForwardActivation activation = FeedForwardActivation::RELU;
    bool use_mz_encoding = true; ///< false only in ablations
    bool use_cross_attention = true;
    std::int64_t mz_bias_wavelengths = 0;   ///< of the attention bias from m/z differences; 0: no such bias
    std::int64_t attention_window = 0;      ///< neighbours on each side in local attention; 0: full attention
    std::int64_t local_attention_above = 0; ///< sequences longer than this use the window, when there is one
  };

  /// What the network is fed with.
  struct ModelInputs
  {
    PreprocessingParameters preprocessing;
    std::size_t max_residues = 100;
    int max_charge = 8;
    std::string vocabulary = "ACDEFGHIKLMNOPQRSTUVWY";
    std::vector<std::string> ions = {"b1", "b2", "y1", "y2", "b1-loss", "y1-loss", "c1", "z1"};
    /// Monoisotopic masses (Da) of the modifications seen in training; others are scored and flagged as extrapolated.
    std::vector<double> trained_modifications;
    /// Names (activationName) of the activations seen in training; spectra of others are shown to the network as
    /// UNKNOWN, and only their b and y ions are looked for. Empty: every activation is shown as it is.
    std::vector<std::string> trained_activations;
  };

  /// Whether spectra of this activation were seen in training, or the model does not say which were.
  bool isTrainedActivation(const ModelInputs& inputs, Activation activation);

  /// What makes logits of different spectra comparable (SpectrumNull.h).
  struct Calibration
  {
    /// The mean logit of shuffled candidates is multiplied by this before it is subtracted from a logit, [0, 2]. The
    /// default was chosen on held-out spectra with the program false_hits (share/doc/statistics.md).
    double null_weight = 0.5;
  };

  /// Where the weights come from; free text, except for the numbers.
  struct TrainingRecord
  {
    std::string program;
    std::string data;
    std::string date;
    std::uint64_t seed = 0;
    std::size_t n_spectra = 0;
    std::size_t n_epochs = 0;
    double validation_loss = 0.0;
  };

  /// Everything about a model but its weights. Stored as JSON in the `__metadata__` of the model file.
  struct ModelManifest
  {
    static constexpr int FORMAT_VERSION = 1; ///< how the file is laid out
    static constexpr int REVISION = 1;       ///< the newest architecture revision this program can build

    std::string name;
    std::string version; ///< SemVer of the trained weights
    Architecture architecture;
    ModelInputs inputs;
    Calibration calibration;
    FoldRule folds; ///< one set of weights for each fold, fitted without the fold's peptides
    TrainingRecord training;
    std::string license;
    std::string citation;
    std::size_t n_parameters = 0; ///< of one set of weights
  };

  /// The manifest as JSON text; reading it back gives an equal manifest.
  std::string writeManifest(const ModelManifest& manifest);

  /// Reads a manifest from JSON text and checks every value.
  /// @throws Error INVALID_MODEL for a missing, unknown or out-of-range key (named in the message), INCOMPATIBLE_MODEL
  /// when
  ///         format_version or revision is newer than this program
  ModelManifest parseManifest(const std::string& json);

  /// Checks ranges and relations between values, such as d_model being divisible by n_heads.
  /// @throws Error INVALID_MODEL naming the key, the value and what is allowed
  void validateManifest(const ModelManifest& manifest);

  /// A preset by name: "tiny" (tests), "base" (shipped), "medium", "large" (GPU).
  /// @throws Error OPTION listing the presets for any other name
  ModelManifest presetManifest(const std::string& preset);
}
