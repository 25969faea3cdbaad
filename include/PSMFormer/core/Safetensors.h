// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace psmformer
{
  /// Element types a model file may hold.
  enum class TensorType
  {
    FLOAT32,
    FLOAT64,
    INT64
  };

  std::size_t elementSize(TensorType type);

  /// A tensor as bytes: row-major, little endian.
  struct RawTensor
  {
    TensorType type = TensorType::FLOAT32;
    std::vector<std::int64_t> shape; ///< empty: a scalar
    std::vector<std::uint8_t> bytes;

    std::size_t elementCount() const;
  };

  /// The content of a safetensors file.
  struct SafetensorsFile
  {
    std::map<std::string, std::string> metadata; ///< the `__metadata__` entry
    std::map<std::string, RawTensor> tensors;
  };

  /// Limits on untrusted files.
  struct SafetensorsLimits
  {
    std::size_t max_header_bytes = 100'000'000;
    std::size_t max_file_bytes = 1'000'000'000;
    std::size_t max_elements = 1'000'000'000;
  };

  /// Parses the bytes of a safetensors file (https://huggingface.co/docs/safetensors), strictly.
  ///
  /// The header length must fit the file; names are unique; element types are known; shapes are not negative; offsets
  /// are contiguous from 0 to the end without gap or overlap and agree with shape and type.
  /// @throws Error INVALID_MODEL with one sentence that names `source` and the tensor
  SafetensorsFile parseSafetensors(const std::string& bytes, const std::string& source,
                                   const SafetensorsLimits& limits = {});

  /// The bytes of a safetensors file; the same content always gives the same bytes (names sorted, header padded to 8
  /// bytes).
  std::string serializeSafetensors(const SafetensorsFile& content);
}
