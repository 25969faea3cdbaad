// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace psmformer::manifest
{
  /// Values of an enumeration and their names in JSON.
  template <typename T> using Names = std::vector<std::pair<T, std::string>>;

  [[noreturn]] inline void fail(const std::string& what)
  {
    throw Error(ErrorKind::INVALID_MODEL, "The model manifest is not valid: " + what + ".");
  }

  /// Writes the fields of one JSON object. Writer and Reader have the same functions, so that one description of the
  /// keys does for both directions.
  class Writer
  {
  public:
    template <typename T> void field(const char* key, const T& value) { object_[key] = value; }

    template <typename T> void optional(const char* key, const T& value) { field(key, value); }

    void range(const char* key, double low, double high) { object_[key] = {low, high}; }

    template <typename T> void choice(const char* key, T value, const Names<T>& names)
    {
      for (const auto& [known, name] : names)
      {
        if (known == value)
        {
          object_[key] = name;
        }
      }
    }

    template <typename Fields> void section(const char* key, const Fields& fields)
    {
      Writer writer;
      fields(writer);
      object_[key] = writer.object_;
    }

    template <typename Fields> void optionalSection(const char* key, const Fields& fields) { section(key, fields); }

    void constant(const char* key, const char* value) { field(key, value); }

    const nlohmann::ordered_json& object() const { return object_; }

  private:
    nlohmann::ordered_json object_ = nlohmann::ordered_json::object();
  };

  /// Reads the fields of one JSON object and remembers which keys there are.
  class Reader
  {
  public:
    Reader(const nlohmann::ordered_json& object, std::string path) : object_(object), path_(std::move(path))
    {
      if (!object.is_object())
      {
        fail("'" + path_ + "' must be an object");
      }
    }

    template <typename T> void field(const char* key, T& value) { value = read<T>(find(key), path(key)); }

    /// A key that older files lack; the value then stays what it is by default.
    template <typename T> void optional(const char* key, T& value)
    {
      keys_.insert(key);
      if (object_.contains(key))
      {
        field(key, value);
      }
    }

    void range(const char* key, double& low, double& high)
    {
      const auto values = read<std::vector<double>>(find(key), path(key));
      if (values.size() != 2)
      {
        fail("'" + path(key) + "' must hold two numbers");
      }
      low = values[0];
      high = values[1];
    }

    template <typename T> void choice(const char* key, T& value, const Names<T>& names)
    {
      const auto text = read<std::string>(find(key), path(key));
      std::string allowed;
      for (const auto& [known, name] : names)
      {
        if (name == text)
        {
          value = known;
          return;
        }
        allowed += (allowed.empty() ? "" : ", ") + name;
      }
      fail("'" + path(key) + "' is '" + text + "' but must be one of " + allowed);
    }

    template <typename Fields> void section(const char* key, const Fields& fields)
    {
      Reader reader(find(key), path(key));
      fields(reader);
      reader.rejectUnknownKeys();
    }

    /// A section that older files lack; the values then stay what they are by default.
    template <typename Fields> void optionalSection(const char* key, const Fields& fields)
    {
      keys_.insert(key);
      if (object_.contains(key))
      {
        section(key, fields);
      }
    }

    void constant(const char* key, const char* value)
    {
      const auto text = read<std::string>(find(key), path(key));
      if (text != value)
      {
        fail("'" + path(key) + "' is '" + text + "' but must be '" + value + "'");
      }
    }

    /// Typing errors must not become defaults.
    void rejectUnknownKeys() const
    {
      for (const auto& [key, value] : object_.items())
      {
        if (keys_.count(key) == 0)
        {
          fail("key '" + path(key) + "' is not known");
        }
      }
    }

  private:
    std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

    const nlohmann::ordered_json& find(const char* key)
    {
      keys_.insert(key);
      if (!object_.contains(key))
      {
        fail("key '" + path(key) + "' is missing");
      }
      return object_[key];
    }

    template <typename T> static T read(const nlohmann::ordered_json& value, const std::string& path)
    {
      if constexpr (std::is_same_v<T, bool>)
      {
        return value.is_boolean() ? value.get<bool>() : wrongType<T>(path, "true or false");
      }
      else if constexpr (std::is_same_v<T, std::string>)
      {
        return value.is_string() ? value.get<std::string>() : wrongType<T>(path, "a text");
      }
      else if constexpr (std::is_floating_point_v<T>)
      {
        return value.is_number() ? value.get<T>() : wrongType<T>(path, "a number");
      }
      else if constexpr (std::is_integral_v<T>)
      {
        return readInteger<T>(value, path);
      }
      else
      {
        return readList<T>(value, path);
      }
    }

    template <typename T> static T readInteger(const nlohmann::ordered_json& value, const std::string& path)
    {
      if (std::is_same_v<T, std::uint64_t> && value.is_number_unsigned())
      {
        return static_cast<T>(value.get<std::uint64_t>());
      }
      // Other integers of a manifest are small; 32 bits keep later arithmetic from overflowing.
      constexpr std::int64_t LIMIT = 2147483647;
      const std::int64_t smallest = std::is_signed_v<T> ? -LIMIT : 0;
      const bool possible = value.is_number_integer() &&
                            (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t(LIMIT)) &&
                            value.get<std::int64_t>() >= smallest;
      return possible ? static_cast<T>(value.get<std::int64_t>()) : wrongType<T>(path, "an integer of 32 bits");
    }

    template <typename T> static T readList(const nlohmann::ordered_json& value, const std::string& path)
    {
      if (!value.is_array())
      {
        return wrongType<T>(path, "a list");
      }
      T list;
      for (const nlohmann::ordered_json& entry : value)
      {
        list.push_back(read<typename T::value_type>(entry, path));
      }
      return list;
    }

    template <typename T> [[noreturn]] static T wrongType(const std::string& path, const std::string& expected)
    {
      fail("'" + path + "' must be " + expected);
    }

    const nlohmann::ordered_json& object_;
    std::string path_;
    std::set<std::string> keys_;
  };
}
