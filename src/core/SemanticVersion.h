// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace psmformer
{
  /// Whether a text is a version such as "1.0.0" or "1.2.0-rc.1" (https://semver.org, 2.0.0; without build metadata).
  bool isSemanticVersion(const std::string& text);

  /// Whether version `a` comes before version `b`; both must be semantic versions.
  bool isOlderVersion(const std::string& a, const std::string& b);
}
