// SPDX-License-Identifier: BSD-3-Clause
#include "ToolRunner.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <sys/wait.h>

namespace psmformer::test
{
  namespace
  {
    std::string quoted(const std::string& argument)
    {
      std::string text = "'";
      for (const char c : argument)
      {
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
      }
      return text + "'";
    }
  }

  ToolResult runProgram(const std::string& program, const std::vector<std::string>& arguments)
  {
    std::string command = "exec " + quoted(program);
    for (const std::string& argument : arguments)
    {
      command += " " + quoted(argument);
    }
    FILE* pipe = popen((command + " 2>&1 < /dev/null").c_str(), "r");
    if (pipe == nullptr)
    {
      throw std::runtime_error("cannot start " + command);
    }
    ToolResult result;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    {
      result.output.append(buffer.data(), n);
    }
    const int status = pclose(pipe);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
  }
}
