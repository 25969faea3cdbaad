// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Paths.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace fs = std::filesystem;

namespace psmformer
{
  bool isSameFile(const fs::path& first, const fs::path& second)
  {
    const auto resolved = [](const fs::path& path)
    {
      std::error_code error;
      const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
      return error ? path : whole;
    };
    std::error_code ignored;
    return !fs::is_other(first, ignored) && resolved(first) == resolved(second);
  }

  fs::path makeTemporaryFolder()
  {
    std::error_code error;
    const fs::path folder = fs::temp_directory_path(error);
    std::string pattern = (folder / "psmformer-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr)
    {
      const char* const chosen = std::getenv("TMPDIR");
      throw Error(ErrorKind::CANNOT_WRITE, std::string("No temporary file can be made in the folder '") +
                                               (chosen == nullptr ? "/tmp" : chosen) +
                                               "'; set TMPDIR to one that is writable and has space.");
    }
    return pattern;
  }
}
