// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace psmformer::test
{
  /// Starts a program; `prepare` runs in the new process.
  template <typename Prepare>
  pid_t start(const std::string& program, std::vector<std::string> arguments, const Prepare& prepare)
  {
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments)
    {
      argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0)
    {
      prepare();
      execv(program.c_str(), argv.data());
      _exit(127);
    }
    return process;
  }
}
