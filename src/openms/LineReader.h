// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <OpenMS/FORMAT/GzipIfstream.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace psmformer
{
  /// Reads a text file line by line, plain or gzip-compressed (zlib tells them apart), without holding it in memory.
  class LineReader
  {
  public:
    /// @throws Error NOT_FOUND when the file does not exist, INVALID_INPUT when it cannot be opened
    explicit LineReader(const std::string& file);

    /// The next line without its end (LF or CR LF); false at the end of the file.
    /// @throws Error INVALID_INPUT when the compressed data are damaged
    bool next(std::string_view& line);

    /// Number of the last line, from 1.
    std::size_t lineNumber() const { return line_number_; }

    /// Throws Error INVALID_INPUT with file and line: "<what> in line 5 of 'a.mgf'; <remedy>."
    [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  private:
    bool fill();

    std::string file_;
    OpenMS::GzipIfstream stream_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::string line_;
    std::size_t line_number_ = 0;
  };
}
