// SPDX-License-Identifier: BSD-3-Clause
#include "FuzzTarget.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace psmformer::fuzz
{
  void writeSeeds(int argc, char** argv, const std::vector<std::string>& seeds)
  {
    const auto corpus =
        std::find_if(argv + 1, argv + argc, [](const char* text) { return std::filesystem::is_directory(text); });
    for (std::size_t k = 0; corpus != argv + argc && k < seeds.size(); ++k)
    {
      std::ofstream(std::filesystem::path(*corpus) / ("seed_" + std::to_string(k)), std::ios::binary) << seeds[k];
    }
  }

  void expect(bool condition, const std::string& what)
  {
    if (!condition)
    {
      std::fprintf(stderr, "Not as promised: %s\n", what.c_str());
      std::abort();
    }
  }
}
