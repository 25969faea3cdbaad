// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace psmformer
{
  /// What makes a text unfit as JSON from an untrusted file: a syntax error, a name that occurs twice in one object, or
  /// arrays and objects nested deeper than `max_depth`.
  ///
  /// A JSON parser may keep either of two members of one name, so that two programs could read different things.
  /// @return half a sentence; empty when the text is sound
  std::string jsonFault(const std::string& text, std::size_t max_depth);
}
