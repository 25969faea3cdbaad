// SPDX-License-Identifier: BSD-3-Clause
#include "Json.h"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace psmformer
{
  namespace
  {
    using nlohmann::json;

    /// Listens to the events of the parser; false stops it.
    class FaultFinder : public nlohmann::json_sax<json>
    {
    public:
      explicit FaultFinder(std::size_t max_depth) : max_depth_(max_depth) {}

      const std::string& fault() const { return fault_; }

      bool null() override { return true; }
      bool boolean(bool) override { return true; }
      bool number_integer(number_integer_t) override { return true; }
      bool number_unsigned(number_unsigned_t) override { return true; }
      bool number_float(number_float_t, const string_t&) override { return true; }
      bool string(string_t&) override { return true; }
      bool binary(binary_t&) override { return true; }
      bool start_object(std::size_t) override { return open(); }
      bool end_object() override { return close(); }
      bool start_array(std::size_t) override { return open(); }
      bool end_array() override { return close(); }

      bool key(string_t& name) override
      {
        if (!names_.back().insert(name).second)
        {
          fault_ = "the name '" + name + "' occurs twice";
        }
        return fault_.empty();
      }

      bool parse_error(std::size_t position, const std::string&, const json::exception&) override
      {
        fault_ = "it is not JSON at byte " + std::to_string(position);
        return false;
      }

    private:
      bool open()
      {
        names_.emplace_back();
        if (names_.size() > max_depth_)
        {
          fault_ = "it is nested deeper than " + std::to_string(max_depth_) + " levels";
        }
        return fault_.empty();
      }

      bool close()
      {
        names_.pop_back();
        return true;
      }

      std::size_t max_depth_;
      std::vector<std::set<std::string>> names_; ///< of each open object
      std::string fault_;
    };
  }

  std::string jsonFault(const std::string& text, std::size_t max_depth)
  {
    FaultFinder finder(max_depth);
    json::sax_parse(text, &finder);
    return finder.fault();
  }
}
