// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Paths.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace psmformer::test
{
  /// An empty folder that is removed with everything in it at the end of the test.
  class TempDir
  {
  public:
    TempDir() : path_(makeTemporaryFolder()) {}
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    ~TempDir()
    {
      std::error_code ignored;
      std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
  };
}
