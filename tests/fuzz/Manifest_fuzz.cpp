// SPDX-License-Identifier: BSD-3-Clause
// parseManifest refuses bad texts with INVALID_MODEL or INCOMPATIBLE_MODEL; what it accepts survives writing and
// reading.
#include "FuzzTarget.h"

#include <PSMFormer/core/ModelManifest.h>

#include <cstdint>

namespace
{
  using namespace psmformer;

  std::string example()
  {
    ModelManifest manifest = presetManifest("tiny");
    manifest.name = "tiny";
    manifest.version = "1.0.0-rc.1";
    manifest.inputs.trained_modifications = {57.021464};
    manifest.inputs.trained_activations = {"HCD"};
    return writeManifest(manifest);
  }
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
  fuzz::writeSeeds(*argc, *argv, {example()});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string text(data, data + size);
  fuzz::accepts({ErrorKind::INVALID_MODEL, ErrorKind::INCOMPATIBLE_MODEL},
                [&]
                {
                  const std::string written = writeManifest(parseManifest(text));
                  fuzz::expect(writeManifest(parseManifest(written)) == written,
                               "a written manifest reads as another one");
                });
  return 0;
}
