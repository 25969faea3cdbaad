// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"

#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/Safetensors.h>

#include <cstring>

namespace psmformer
{
  namespace
  {
    using test::expectError;

    template <typename T>
    RawTensor makeTensor(TensorType type, const std::vector<std::int64_t>& shape, const std::vector<T>& values)
    {
      RawTensor tensor{type, shape, {}};
      tensor.bytes.resize(values.size() * sizeof(T));
      if (!values.empty()) // memcpy takes no null pointer, not even for no bytes
      {
        std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
      }
      return tensor;
    }

    /// A file with any header, sound or not.
    std::string makeFile(const std::string& header, std::size_t data_bytes)
    {
      std::string bytes(8, '\0');
      for (std::size_t k = 0; k < 8; ++k)
      {
        bytes[k] = static_cast<char>(header.size() >> (8 * k) & 0xFF);
      }
      return bytes + header + std::string(data_bytes, '\1');
    }

    void expectDamaged(const std::string& bytes, const std::string& text, const SafetensorsLimits& limits = {})
    {
      expectError(ErrorKind::INVALID_MODEL, text, [&] { parseSafetensors(bytes, "m.safetensors", limits); });
      expectError(ErrorKind::INVALID_MODEL, "m.safetensors", [&] { parseSafetensors(bytes, "m.safetensors", limits); });
    }

    std::string entry(const std::string& type, const std::string& shape, const std::string& offsets)
    {
      return "{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
    }
  }

  TEST(Safetensors, ContentSurvivesWritingAndReading)
  {
    SafetensorsFile content;
    content.metadata = {{"manifest", "{\"a\": \"µ\"}"}, {"", "empty name"}};
    content.tensors["b.weight"] = makeTensor<float>(TensorType::FLOAT32, {2, 3}, {1, 2, 3, 4, 5, -6.5f});
    content.tensors["a"] = makeTensor<double>(TensorType::FLOAT64, {1}, {0.1});
    content.tensors["scalar"] = makeTensor<std::int64_t>(TensorType::INT64, {}, {-7});
    content.tensors["nothing"] = makeTensor<float>(TensorType::FLOAT32, {0, 4}, {});
    const std::string bytes = serializeSafetensors(content);
    const SafetensorsFile read = parseSafetensors(bytes, "m.safetensors");
    EXPECT_EQ(read.metadata, content.metadata);
    ASSERT_EQ(read.tensors.size(), 4u);
    for (const auto& [name, tensor] : content.tensors)
    {
      EXPECT_EQ(read.tensors.at(name).type, tensor.type) << name;
      EXPECT_EQ(read.tensors.at(name).shape, tensor.shape) << name;
      EXPECT_EQ(read.tensors.at(name).bytes, tensor.bytes) << name;
    }
    EXPECT_EQ(serializeSafetensors(read), bytes);
  }

  TEST(Safetensors, LayoutIsTheDocumentedOne)
  {
    SafetensorsFile content;
    content.tensors["w"] = makeTensor<float>(TensorType::FLOAT32, {1}, {1.0f});
    const std::string header = R"({"w":{"data_offsets":[0,4],"dtype":"F32","shape":[1]}}  )";
    ASSERT_EQ(header.size() % 8, 0u);
    EXPECT_EQ(serializeSafetensors(content),
              std::string("\x38\0\0\0\0\0\0\0", 8) + header + std::string("\0\0\x80\x3f", 4));
  }

  TEST(Safetensors, FileWithoutTensorsIsLegal)
  {
    const SafetensorsFile read = parseSafetensors(makeFile("{}", 0), "m.safetensors");
    EXPECT_TRUE(read.tensors.empty() && read.metadata.empty());
  }

  TEST(Safetensors, HeaderMustFit)
  {
    expectDamaged("", "too short");
    expectDamaged(std::string(8, '\0'), "too short");
    expectDamaged(std::string(9, '\0'), "does not start with '{'");
    expectDamaged(std::string(8, '\xff') + "{}", "header of 18446744073709551615 bytes does not fit");
    expectDamaged(makeFile("{}", 0).substr(0, 9), "does not fit");
    expectDamaged(makeFile(" {}", 0), "does not start with '{'");
    expectDamaged(makeFile("{\"a\":", 0), "not JSON");
    expectDamaged(makeFile("{}\n{}", 0), "not JSON");
    expectDamaged(makeFile("{\"\xff\":1}", 0), "not JSON");
    expectDamaged(makeFile("{\"a\":1}", 0), "tensor 'a'");
  }

  TEST(Safetensors, NamesMustBeUnique)
  {
    const std::string one = entry("F32", "[1]", "[0,4]");
    expectDamaged(makeFile("{\"w\":" + one + ",\"w\":" + one + "}", 4), "'w' occurs twice");
    expectDamaged(makeFile("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}", 0), "'a' occurs twice");
    expectDamaged(makeFile(R"({"w":{"dtype":"F32","shape":[1],"shape":[2],"data_offsets":[0,4]}})", 4),
                  "'shape' occurs twice");
    expectDamaged(makeFile(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"\u0077":1})", 4),
                  "'w' occurs twice");
  }

  TEST(Safetensors, NestingIsLimited)
  {
    expectDamaged(makeFile("{\"a\":" + std::string(1'000'000, '['), 0), "nested deeper than 3");
  }

  TEST(Safetensors, EntriesMustBeComplete)
  {
    expectDamaged(makeFile(R"({"w":{"dtype":"F32","shape":[1]}})", 4), "exactly dtype, shape and data_offsets");
    expectDamaged(makeFile(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}})", 4), "exactly");
    expectDamaged(makeFile("{\"w\":" + entry("BF16", "[2]", "[0,4]") + "}", 4), "dtype 'BF16'");
    expectDamaged(makeFile(R"({"w":{"dtype":3,"shape":[1],"data_offsets":[0,4]}})", 4), "not a text");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[-1]", "[0,4]") + "}", 4), "size in its shape");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[1.0]", "[0,4]") + "}", 4), "size in its shape");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "1", "[0,4]") + "}", 4), "not a list");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[1]", "[0]") + "}", 4), "two data_offsets");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[1]", "[-4,0]") + "}", 4), "two data_offsets");
    expectDamaged(makeFile(R"({"__metadata__":{"a":1}})", 0), "metadata entry 'a'");
    expectDamaged(makeFile(R"({"__metadata__":[]})", 0), "not an object");
  }

  TEST(Safetensors, OffsetsMustAgreeWithShapeAndFile)
  {
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[2]", "[0,4]") + "}", 4), "disagree");
    expectDamaged(makeFile("{\"w\":" + entry("F64", "[1]", "[0,4]") + "}", 4), "disagree");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[1]", "[4,0]") + "}", 4), "outside");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[2]", "[0,8]") + "}", 4), "outside");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[1]", "[18446744073709551612,18446744073709551616]") + "}", 4),
                  "data_offsets");
  }

  TEST(Safetensors, GapsAndOverlapsAreRejected)
  {
    const std::string first = "{\"a\":" + entry("F32", "[2]", "[0,8]") + ",\"b\":";
    expectDamaged(makeFile(first + entry("F32", "[1]", "[4,8]") + "}", 8), "starts at byte 4 of the data instead of 8");
    expectDamaged(makeFile(first + entry("F32", "[1]", "[12,16]") + "}", 16), "instead of 8");
    expectDamaged(makeFile(first + entry("F32", "[1]", "[8,12]") + "}", 13), "end at byte 12 of 13");
    EXPECT_EQ(parseSafetensors(makeFile(first + entry("F32", "[1]", "[8,12]") + "}", 12), "m").tensors.size(), 2u);
  }

  TEST(Safetensors, LimitsHold)
  {
    const std::string sound = makeFile("{\"w\":" + entry("F32", "[3]", "[0,12]") + "}", 12);
    SafetensorsLimits limits;
    limits.max_file_bytes = sound.size() - 1;
    expectDamaged(sound, "larger than", limits);
    limits = {};
    limits.max_header_bytes = 10;
    expectDamaged(sound, "does not fit", limits);
    limits = {};
    limits.max_elements = 2;
    expectDamaged(sound, "from 0 to 2", limits);
    // a product that overflows 64 bits
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[1000000000,1000000000,1000000000]", "[0,4]") + "}", 4),
                  "more than 1000000000 elements");
    expectDamaged(makeFile("{\"w\":" + entry("F32", "[0,18446744073709551615]", "[0,0]") + "}", 0),
                  "from 0 to 1000000000");
  }

  TEST(Safetensors, EveryTruncationAndEveryFlippedByteIsHandled)
  {
    SafetensorsFile content;
    content.metadata = {{"k", "v"}};
    content.tensors["a"] = makeTensor<float>(TensorType::FLOAT32, {2}, {1, 2});
    content.tensors["b"] = makeTensor<float>(TensorType::FLOAT32, {1, 2}, {3, 4});
    const std::string sound = serializeSafetensors(content);
    for (std::size_t length = 0; length < sound.size(); ++length)
    {
      EXPECT_THROW(parseSafetensors(sound.substr(0, length), "m"), Error) << length;
    }
    for (std::size_t position = 0; position < sound.size(); ++position)
    {
      for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128})
      {
        std::string damaged = sound;
        damaged[position] = static_cast<char>(damaged[position] ^ flip);
        try
        {
          parseSafetensors(damaged, "m"); // a changed name or value is still a legal file
        }
        catch (const Error& error)
        {
          EXPECT_EQ(error.kind(), ErrorKind::INVALID_MODEL);
        }
      }
    }
  }

  TEST(Safetensors, UnsoundContentIsNotWritten)
  {
    SafetensorsFile content;
    content.tensors["w"] = RawTensor{TensorType::FLOAT32, {2}, {0, 0, 0, 0}};
    expectError(ErrorKind::INTERNAL, "'w'", [&] { serializeSafetensors(content); });
    content.tensors.clear();
    content.tensors["__metadata__"] = RawTensor{TensorType::FLOAT32, {0}, {}};
    expectError(ErrorKind::INTERNAL, "'__metadata__'", [&] { serializeSafetensors(content); });
    content.tensors.clear();
    content.metadata["author"] = "\xff";
    expectError(ErrorKind::INVALID_INPUT, "not UTF-8", [&] { serializeSafetensors(content); });
  }
}
