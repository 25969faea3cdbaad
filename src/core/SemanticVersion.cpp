// SPDX-License-Identifier: BSD-3-Clause
#include "SemanticVersion.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <vector>

namespace psmformer
{
  namespace
  {
    std::vector<std::string> split(const std::string& text, char separator)
    {
      std::vector<std::string> parts;
      std::istringstream stream(text);
      for (std::string part; std::getline(stream, part, separator);)
      {
        parts.push_back(part);
      }
      return parts;
    }

    bool isNumber(const std::string& text)
    {
      return text.find_first_not_of("0123456789") == std::string::npos;
    }

    /// Numbers by value (without leading zeros the longer one is larger) and before words; words by ASCII.
    bool isLowerIdentifier(const std::string& a, const std::string& b)
    {
      if (isNumber(a) != isNumber(b))
      {
        return isNumber(a);
      }
      return isNumber(a) && a.size() != b.size() ? a.size() < b.size() : a < b;
    }

    bool isLower(const std::vector<std::string>& a, const std::vector<std::string>& b)
    {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), isLowerIdentifier);
    }
  }

  bool isSemanticVersion(const std::string& text)
  {
    static const std::string number = "(0|[1-9][0-9]{0,8})";
    static const std::string identifier = "(0|[1-9][0-9]{0,8}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    static const std::regex pattern(number + "\\." + number + "\\." + number + "(-" + identifier + "(\\." + identifier +
                                    ")*)?");
    constexpr std::size_t MAX_LENGTH = 64; // std::regex recurses once a character
    return text.size() <= MAX_LENGTH && std::regex_match(text, pattern);
  }

  bool isOlderVersion(const std::string& a, const std::string& b)
  {
    const std::size_t dash_a = std::min(a.find('-'), a.size());
    const std::size_t dash_b = std::min(b.find('-'), b.size());
    const std::vector<std::string> core_a = split(a.substr(0, dash_a), '.');
    const std::vector<std::string> core_b = split(b.substr(0, dash_b), '.');
    if (core_a != core_b)
    {
      return isLower(core_a, core_b);
    }
    const bool released_a = dash_a == a.size();
    const bool released_b = dash_b == b.size();
    if (released_a || released_b)
    {
      return !released_a; // a pre-release comes before its release
    }
    return isLower(split(a.substr(dash_a + 1), '.'), split(b.substr(dash_b + 1), '.'));
  }
}
