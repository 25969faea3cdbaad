// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace psmformer
{
  /// SHA-256 of a byte string, 32 bytes.
  std::vector<std::uint8_t> sha256(const std::string& bytes);

  /// SHA-256 of a byte string, 64 lower-case hexadecimal digits.
  std::string sha256Hex(const std::string& bytes);

  /// Reads a whole file as bytes.
  /// @throws Error NOT_FOUND when it does not exist, NOT_READABLE when it cannot be read
  std::string readFile(const std::filesystem::path& file);

  /// Writes a file so that it is there in full or not at all: written beside, synchronised, renamed.
  /// @throws Error CANNOT_WRITE naming the file and the reason; nothing is left behind then
  void writeFileAtomically(const std::filesystem::path& file, const std::string& content);

  /// Lets `write` store a file under a temporary name in the folder of `file`, then renames it to `file`.
  ///
  /// For writers that take a file name, such as OpenMS's. The temporary name ends like `file`, since such writers look
  /// at the extension. Nothing is left behind when `write` throws.
  /// @throws Error CANNOT_WRITE when the result is missing, incomplete or cannot be renamed; whatever `write` throws
  void writeThroughTemporary(const std::filesystem::path& file,
                             const std::function<void(const std::filesystem::path&)>& write);
}
