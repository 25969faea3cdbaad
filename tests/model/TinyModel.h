// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Checkpoint.h"

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace psmformer::test
{
  inline ModelManifest tinyManifest()
  {
    ModelManifest manifest = presetManifest("tiny");
    manifest.version = "0.0.1";
    manifest.training.program = "make_tiny_model";
    manifest.training.data = "none: random weights, for tests only";
    return manifest;
  }

  /// A network of random weights in eval mode.
  inline nn::PSMTransformer randomNetwork(const ModelManifest& manifest, std::uint64_t seed)
  {
    torch::manual_seed(seed);
    nn::PSMTransformer network(manifest);
    network->eval();
    return network;
  }

  /// Writes a small model of random weights.
  inline void saveTinyModel(const std::filesystem::path& model_file, std::uint64_t seed)
  {
    const ModelManifest manifest = tinyManifest();
    saveModel(model_file, manifest, {randomNetwork(manifest, seed)});
  }
}
