// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace psmformer::fuzz
{
  /// Writes the seeds into the corpus, the first argument of libFuzzer that is a folder.
  void writeSeeds(int argc, char** argv, const std::vector<std::string>& seeds);

  /// Ends the program with `what` unless the condition holds; libFuzzer then keeps the input.
  void expect(bool condition, const std::string& what);

  /// Whether a parser accepts its input. Errors of the `allowed` kinds are what bad input deserves; any other exception
  /// ends the program.
  template <typename Action> bool accepts(std::initializer_list<ErrorKind> allowed, const Action& action)
  {
    try
    {
      action();
      return true;
    }
    catch (const Error& error)
    {
      expect(std::find(allowed.begin(), allowed.end(), error.kind()) != allowed.end(), error.what());
      return false;
    }
  }
}
