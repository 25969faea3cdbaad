// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace psmformer::test
{
  /// A folder of the real data that lie beside the project; tests skip where it is absent.
  inline std::filesystem::path sharedData(const std::string& folder)
  {
    const char* shared = std::getenv("PSMFORMER_SHARED");
    const std::filesystem::path root =
        shared != nullptr ? std::filesystem::path(shared) : std::filesystem::path(PSMFORMER_REPOSITORY) / "../shared";
    return root / "data" / folder;
  }
}
