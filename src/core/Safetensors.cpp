// SPDX-License-Identifier: BSD-3-Clause
#include "Json.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Safetensors.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace psmformer
{
  namespace
  {
    using nlohmann::json;

    constexpr std::size_t LENGTH_BYTES = 8;
    constexpr std::size_t ALIGNMENT = 8;
    constexpr std::size_t MAX_DEPTH = 3; ///< header, tensor, shape
    const std::string METADATA = "__metadata__";

    const std::vector<std::pair<TensorType, std::string>>& typeNames()
    {
      static const std::vector<std::pair<TensorType, std::string>> names = {
          {TensorType::FLOAT32, "F32"}, {TensorType::FLOAT64, "F64"}, {TensorType::INT64, "I64"}};
      return names;
    }

    /// Where a tensor lies in the data that follow the header.
    struct Extent
    {
      std::size_t begin = 0;
      std::size_t end = 0;
      std::string name;
    };

    /// Reads one file; keeps what every message needs.
    class Parser
    {
    public:
      Parser(const std::string& bytes, const std::string& source, const SafetensorsLimits& limits)
          : bytes_(bytes), source_(source), limits_(limits)
      {
      }

      SafetensorsFile parse()
      {
        const json header = readHeader();
        SafetensorsFile content;
        std::vector<Extent> extents;
        for (const auto& [name, entry] : header.items())
        {
          if (name == METADATA)
          {
            content.metadata = readMetadata(entry);
          }
          else
          {
            extents.push_back(readEntry(name, entry, content.tensors[name]));
          }
        }
        checkContiguous(extents);
        for (const Extent& extent : extents)
        {
          const auto data = bytes_.begin() + static_cast<std::ptrdiff_t>(data_begin_);
          content.tensors[extent.name].bytes.assign(data + static_cast<std::ptrdiff_t>(extent.begin),
                                                    data + static_cast<std::ptrdiff_t>(extent.end));
        }
        return content;
      }

    private:
      [[noreturn]] void fail(const std::string& what) const
      {
        throw Error(ErrorKind::INVALID_MODEL,
                    "Model file '" + source_ + "' is damaged: " + what + "; fetch or train the model again.");
      }

      void check(bool condition, const std::string& what) const
      {
        if (!condition)
        {
          fail(what);
        }
      }

      json readHeader()
      {
        check(bytes_.size() <= limits_.max_file_bytes,
              "it is larger than " + std::to_string(limits_.max_file_bytes) + " bytes");
        check(bytes_.size() > LENGTH_BYTES, "it is too short to have a header");
        std::uint64_t length = 0;
        for (std::size_t k = LENGTH_BYTES; k > 0; --k)
        {
          length = length << 8U | static_cast<std::uint8_t>(bytes_[k - 1]);
        }
        check(length <= limits_.max_header_bytes && length <= bytes_.size() - LENGTH_BYTES,
              "its header of " + std::to_string(length) + " bytes does not fit");
        data_begin_ = LENGTH_BYTES + static_cast<std::size_t>(length);
        const std::string text = bytes_.substr(LENGTH_BYTES, static_cast<std::size_t>(length));
        check(!text.empty() && text.front() == '{', "its header does not start with '{'");
        const std::string fault = jsonFault(text, MAX_DEPTH);
        check(fault.empty(), "of its header, " + fault);
        return json::parse(text);
      }

      std::map<std::string, std::string> readMetadata(const json& entry) const
      {
        check(entry.is_object(), "its '" + METADATA + "' is not an object");
        std::map<std::string, std::string> metadata;
        for (const auto& [name, value] : entry.items())
        {
          check(value.is_string(), "the metadata entry '" + name + "' is not a text");
          metadata[name] = value.get<std::string>();
        }
        return metadata;
      }

      Extent readEntry(const std::string& name, const json& entry, RawTensor& tensor) const
      {
        const std::string where = "tensor '" + name + "' ";
        check(entry.is_object() && entry.size() == 3 && entry.contains("dtype") && entry.contains("shape") &&
                  entry.contains("data_offsets"),
              where + "does not have exactly dtype, shape and data_offsets");
        tensor.type = readType(entry["dtype"], where);
        tensor.shape = readShape(entry["shape"], where);
        const json& offsets = entry["data_offsets"];
        check(offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned() &&
                  offsets[1].is_number_unsigned(),
              where + "does not have two data_offsets");
        Extent extent{offsets[0].get<std::size_t>(), offsets[1].get<std::size_t>(), name};
        check(extent.begin <= extent.end && extent.end <= bytes_.size() - data_begin_,
              where + "lies outside of the file");
        check(tensor.elementCount() * elementSize(tensor.type) == extent.end - extent.begin,
              where + "has data_offsets that disagree with its shape and dtype");
        return extent;
      }

      TensorType readType(const json& entry, const std::string& where) const
      {
        check(entry.is_string(), where + "has a dtype that is not a text");
        for (const auto& [type, name] : typeNames())
        {
          if (entry == name)
          {
            return type;
          }
        }
        fail(where + "has dtype '" + entry.get<std::string>() + "', which is not one of F32, F64, I64");
      }

      std::vector<std::int64_t> readShape(const json& entry, const std::string& where) const
      {
        check(entry.is_array(), where + "has a shape that is not a list");
        std::vector<std::int64_t> shape;
        std::size_t n_elements = 1;
        for (const json& size : entry)
        {
          check(size.is_number_unsigned() && size.get<std::size_t>() <= limits_.max_elements,
                where + "has a size in its shape that is not a number from 0 to " +
                    std::to_string(limits_.max_elements));
          const auto length = size.get<std::size_t>();
          check(length == 0 || n_elements <= limits_.max_elements / length,
                where + "has more than " + std::to_string(limits_.max_elements) + " elements");
          n_elements *= length;
          shape.push_back(static_cast<std::int64_t>(length));
        }
        return shape;
      }

      void checkContiguous(std::vector<Extent>& extents) const
      {
        std::sort(extents.begin(), extents.end(),
                  [](const Extent& a, const Extent& b)
                  { return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name); });
        std::size_t position = 0;
        for (const Extent& extent : extents)
        {
          check(extent.begin == position, "tensor '" + extent.name + "' starts at byte " +
                                              std::to_string(extent.begin) + " of the data instead of " +
                                              std::to_string(position));
          position = extent.end;
        }
        check(position == bytes_.size() - data_begin_, "its tensors end at byte " + std::to_string(position) + " of " +
                                                           std::to_string(bytes_.size() - data_begin_) +
                                                           " bytes of data");
      }

      const std::string& bytes_;
      const std::string& source_;
      const SafetensorsLimits& limits_;
      std::size_t data_begin_ = 0;
    };

    /// Names in the order of their data: wider types first, so that each tensor is aligned to its own element size.
    std::vector<std::string> dataOrder(const SafetensorsFile& content)
    {
      std::vector<std::string> names;
      for (const auto& [name, tensor] : content.tensors)
      {
        names.push_back(name);
      }
      std::stable_sort(names.begin(), names.end(),
                       [&](const std::string& a, const std::string& b)
                       { return elementSize(content.tensors.at(a).type) > elementSize(content.tensors.at(b).type); });
      return names;
    }

    std::string typeName(TensorType type)
    {
      for (const auto& [known, name] : typeNames())
      {
        if (known == type)
        {
          return name;
        }
      }
      throw Error(ErrorKind::INTERNAL, "A tensor type has no name; please report this.");
    }

    std::string dumpHeader(const json& header)
    {
      try
      {
        return header.dump();
      }
      catch (const json::exception& error)
      {
        throw Error(ErrorKind::INVALID_INPUT,
                    std::string("A name or text of the model is not UTF-8 (") + error.what() + "); correct it.");
      }
    }
  }

  std::size_t elementSize(TensorType type)
  {
    return type == TensorType::FLOAT32 ? 4 : 8;
  }

  std::size_t RawTensor::elementCount() const
  {
    std::size_t count = 1;
    for (const std::int64_t size : shape)
    {
      count *= static_cast<std::size_t>(size);
    }
    return count;
  }

  SafetensorsFile parseSafetensors(const std::string& bytes, const std::string& source, const SafetensorsLimits& limits)
  {
    return Parser(bytes, source, limits).parse();
  }

  std::string serializeSafetensors(const SafetensorsFile& content)
  {
    json header = json::object();
    if (!content.metadata.empty())
    {
      header[METADATA] = content.metadata;
    }
    std::string data;
    for (const std::string& name : dataOrder(content))
    {
      const RawTensor& tensor = content.tensors.at(name);
      require(name != METADATA && tensor.bytes.size() == tensor.elementCount() * elementSize(tensor.type),
              ErrorKind::INTERNAL, "Tensor '" + name + "' has a reserved name or bytes that disagree with its shape.");
      const std::size_t begin = data.size();
      data.append(tensor.bytes.begin(), tensor.bytes.end());
      header[name] = {
          {"dtype", typeName(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
    }
    std::string text = dumpHeader(header);
    text.append((ALIGNMENT - text.size() % ALIGNMENT) % ALIGNMENT, ' ');
    std::string bytes;
    for (std::size_t k = 0; k < LENGTH_BYTES; ++k)
    {
      bytes += static_cast<char>(text.size() >> (8 * k) & 0xFFU);
    }
    return bytes + text + data;
  }
}
