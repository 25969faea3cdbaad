// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s; // of zlib

namespace psmformer
{
  /// Reads a text file line by line, plain or gzip-compressed (zlib tells them apart), without holding it in memory.
  class LineReader
  {
  public:
    /// @throws Error NOT_FOUND when the file does not exist, NOT_READABLE when it cannot be opened
    explicit LineReader(const std::string& file);

    /// The next line without its end (LF or CR LF); false at the end of the file.
    /// @throws Error DAMAGED_INPUT when compressed data are damaged or end too early, NOT_READABLE when the disk fails
    bool next(std::string_view& line);

    /// Throws an Error with file and line: "<what> in line 5 of 'a.mgf'; <remedy>."
    [[noreturn]] void fail(const std::string& what, const std::string& remedy,
                           ErrorKind kind = ErrorKind::DAMAGED_INPUT) const;

  private:
    bool fill();

    std::string file_;
    std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> stream_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::string line_;
    std::size_t line_number_ = 0; ///< of the last line, from 1
  };
}
