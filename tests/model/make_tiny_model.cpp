// SPDX-License-Identifier: BSD-3-Clause
// Writes a small model of random weights, for tests of what is around the network; its scores mean nothing.
#include "TinyModel.h"

#include <exception>
#include <iostream>
#include <string>

int main(int argc, char** argv)
{
  if (argc < 2)
  {
    std::cerr << "Usage: make_tiny_model <file.safetensors> [<seed> [<trained activation>...]]\n";
    return 1;
  }
  try
  {
    psmformer::ModelManifest manifest = psmformer::test::tinyManifest();
    for (int i = 3; i < argc; ++i)
    {
      manifest.inputs.trained_activations.emplace_back(argv[i]);
    }
    const auto network = psmformer::test::randomNetwork(manifest, argc > 2 ? std::stoull(argv[2]) : 1);
    psmformer::saveModel(argv[1], manifest, {network});
  }
  catch (const std::exception& error)
  {
    std::cerr << "make_tiny_model: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
