// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace psmformer
{
  /// The number of a reference `index=N`; -1 for others.
  long positionReference(const std::string& text);
}
