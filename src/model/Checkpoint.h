// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "nn/PSMTransformer.h"

#include <PSMFormer/core/ModelManifest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace psmformer
{
  /// Networks with the manifest they were built from.
  struct LoadedModel
  {
    ModelManifest manifest;
    std::vector<nn::PSMTransformer> networks; ///< one for each fold; without folds one
    std::string sha256;                       ///< of the file, 64 hexadecimal digits
  };

  /// Reads a model file: manifest, weights by name with exact shape and type both ways, golden values; networks in eval
  /// mode. With folds the names of weights start with "fold0.", "fold1." and so on.
  ///
  /// Golden inputs and outputs are tensors whose names start with "golden."; all others are weights.
  /// @throws Error NOT_FOUND, INVALID_MODEL (naming the tensor), INCOMPATIBLE_MODEL
  LoadedModel loadModel(const std::filesystem::path& model_file);

  /// Writes weights, manifest and golden values as one safetensors file, atomically; same weights, same bytes.
  ///
  /// @param networks  one for each fold of the manifest's rule, all of its architecture
  void saveModel(const std::filesystem::path& model_file, const ModelManifest& manifest,
                 const std::vector<nn::PSMTransformer>& networks);

  /// Scores the golden input of a model file and gives the largest difference to the golden logits.
  double goldenDifference(const std::filesystem::path& model_file);
}
