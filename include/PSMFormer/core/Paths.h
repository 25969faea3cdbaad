// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace psmformer
{
  /// Whether two paths lead to one file, so that writing to the one replaces the other; never for devices and pipes.
  bool isSameFile(const std::filesystem::path& first, const std::filesystem::path& second);

  /// Makes a folder of its own below that for temporary files ($TMPDIR, else /tmp); the caller removes it.
  /// @throws Error CANNOT_WRITE
  std::filesystem::path makeTemporaryFolder();

  /// A name in a URI as it is on disk: "%20" is a blank.
  std::string percentDecoded(const std::string& text);
}
