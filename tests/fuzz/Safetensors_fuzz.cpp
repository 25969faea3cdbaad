// SPDX-License-Identifier: BSD-3-Clause
// parseSafetensors refuses damaged bytes with INVALID_MODEL; what it accepts survives writing and reading.
#include "FuzzTarget.h"

#include <PSMFormer/core/Safetensors.h>

#include <cstdint>

namespace
{
  using namespace psmformer;

  bool equal(const SafetensorsFile& a, const SafetensorsFile& b)
  {
    const auto same_tensor = [](const auto& x, const auto& y)
    {
      return x.first == y.first && x.second.type == y.second.type && x.second.shape == y.second.shape &&
             x.second.bytes == y.second.bytes;
    };
    return a.metadata == b.metadata &&
           std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(), same_tensor);
  }

  SafetensorsFile example()
  {
    SafetensorsFile content;
    content.metadata = {{"manifest", "{}"}};
    content.tensors["weight"] = {TensorType::FLOAT32, {2, 1}, std::vector<std::uint8_t>(8)};
    content.tensors["mass"] = {TensorType::FLOAT64, {}, std::vector<std::uint8_t>(8)};
    content.tensors["index"] = {TensorType::INT64, {0, 3}, {}};
    return content;
  }
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
  fuzz::writeSeeds(*argc, *argv, {serializeSafetensors(example()), serializeSafetensors({})});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string bytes(data, data + size);
  fuzz::accepts({ErrorKind::INVALID_MODEL},
                [&]
                {
                  const SafetensorsFile content = parseSafetensors(bytes, "fuzz");
                  fuzz::expect(equal(content, parseSafetensors(serializeSafetensors(content), "copy")),
                               "a written model file reads as another one");
                });
  return 0;
}
