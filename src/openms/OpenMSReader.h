// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace psmformer
{
  /// Lets a reader of OpenMS read `file`, and says every problem of the file in one sentence. Damage that OpenMS has no
  /// exit code for, such as an unknown modification in an idXML, is reported as damage too.
  /// @throws Error NOT_FOUND, NOT_READABLE or DAMAGED_INPUT; OpenMS's FileEmpty and OutOfMemory
  void readWithOpenMS(const std::string& file, const std::function<void()>& read);
}
