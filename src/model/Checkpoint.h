// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "nn/PSMTransformer.h"

#include <PSMFormer/core/ModelManifest.h>

#include <filesystem>
#include <string>

namespace psmformer
{
  /// A network with the manifest it was built from.
  struct LoadedModel
  {
    ModelManifest manifest;
    nn::PSMTransformer network{nullptr};
    std::string sha256; ///< of the file, 64 hexadecimal digits
  };

  /// Reads a model file: manifest, weights by name with exact shape and type both ways, golden values; network in eval
  /// mode.
  ///
  /// Golden inputs and outputs are tensors whose names start with "golden."; all others are weights.
  /// @throws Error NOT_FOUND, INVALID_MODEL (naming the tensor), INCOMPATIBLE_MODEL
  LoadedModel loadModel(const std::filesystem::path& model_file);

  /// Writes weights, manifest and golden values as one safetensors file, atomically; same weights, same bytes.
  void saveModel(const std::filesystem::path& model_file, const ModelManifest& manifest, nn::PSMTransformer network);

  /// Scores the golden input of a model file and gives the largest difference to the golden logits.
  double goldenDifference(const std::filesystem::path& model_file);
}
