// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Safetensors.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace psmformer
{
  template <typename T> constexpr TensorType tensorTypeOf();
  template <> constexpr TensorType tensorTypeOf<float>()
  {
    return TensorType::FLOAT32;
  }
  template <> constexpr TensorType tensorTypeOf<double>()
  {
    return TensorType::FLOAT64;
  }
  template <> constexpr TensorType tensorTypeOf<std::int64_t>()
  {
    return TensorType::INT64;
  }

  /// A one-dimensional tensor with these values.
  template <typename T> RawTensor toRawTensor(const std::vector<T>& values)
  {
    RawTensor tensor;
    tensor.type = tensorTypeOf<T>();
    tensor.shape = {static_cast<std::int64_t>(values.size())};
    tensor.bytes.resize(values.size() * sizeof(T));
    if (!values.empty())
    {
      std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    }
    return tensor;
  }

  /// The values of a tensor of this type, row-major.
  template <typename T> std::vector<T> fromRawTensor(const RawTensor& tensor)
  {
    std::vector<T> values(tensor.elementCount());
    if (!values.empty())
    {
      std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
    }
    return values;
  }

  /// "float32 (64, 32)", as it appears in messages.
  inline std::string describeTensor(TensorType type, const std::vector<std::int64_t>& shape)
  {
    std::string text = type == TensorType::FLOAT32   ? "float32 ("
                       : type == TensorType::FLOAT64 ? "float64 ("
                                                     : "int64 (";
    for (std::size_t i = 0; i < shape.size(); ++i)
    {
      text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + ")";
  }
}
