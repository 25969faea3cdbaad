// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace psmformer::test
{
  struct ToolResult
  {
    int exit_code = -1; ///< 128 + signal when a signal ended it
    std::string output; ///< stdout and stderr as they came

    bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
  };

  /// Runs a program and waits for it.
  ToolResult runProgram(const std::string& program, const std::vector<std::string>& arguments);
}
