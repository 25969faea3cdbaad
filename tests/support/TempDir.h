// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace psmformer::test
{
  /// An empty folder that is removed with everything in it at the end of the test.
  class TempDir
  {
  public:
    TempDir()
    {
      std::string pattern = (std::filesystem::temp_directory_path() / "psmformer-test-XXXXXX").string();
      if (::mkdtemp(pattern.data()) == nullptr)
      {
        throw std::runtime_error("no temporary folder can be made at " + pattern);
      }
      path_ = pattern;
    }
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
