// SPDX-License-Identifier: BSD-3-Clause
#include "LineReader.h"

#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t BUFFER_BYTES = std::size_t(1) << 18;
    constexpr std::string_view BYTE_ORDER_MARK = "\xEF\xBB\xBF"; // of UTF-8
  }

  LineReader::LineReader(const std::string& file) : file_(file), stream_(nullptr, &gzclose_r), buffer_(BUFFER_BYTES)
  {
    std::error_code ignored;
    require(std::filesystem::exists(file, ignored), ErrorKind::NOT_FOUND,
            "File '" + file + "' does not exist; check the path.");
    stream_.reset(std::filesystem::is_directory(file, ignored) ? nullptr : gzopen(file.c_str(), "rb"));
    require(stream_ != nullptr, ErrorKind::NOT_READABLE,
            "File '" + file + "' cannot be read; check that it is a file and its permissions.");
  }

  /// OpenMS's reader of compressed files is not used: it takes data that end too early for complete ones.
  bool LineReader::fill()
  {
    begin_ = 0;
    const int n_bytes = gzread(stream_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
    end_ = static_cast<std::size_t>(std::max(n_bytes, 0));
    if (end_ > 0)
    {
      return true; // what is there comes before the complaint, which then names the right line
    }
    int code = Z_OK;
    std::string reason = gzerror(stream_.get(), &code); // with the path before it
    reason.erase(0, reason.rfind(file_ + ": ", 0) == 0 ? file_.size() + 2 : 0);
    require(code != Z_ERRNO, ErrorKind::NOT_READABLE,
            "File '" + file_ + "' cannot be read to its end; check the disk it is on.");
    require(code == Z_OK, ErrorKind::DAMAGED_INPUT,
            "The compressed data of '" + file_ + "' are damaged or cut off after line " + std::to_string(line_number_) +
                " (" + reason + "); fetch the file again.");
    return false;
  }

  bool LineReader::next(std::string_view& line)
  {
    line_.clear();
    bool found = false;
    while (begin_ < end_ || fill())
    {
      found = true;
      const auto first = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_);
      const auto last = buffer_.begin() + static_cast<std::ptrdiff_t>(end_);
      const auto line_end = std::find(first, last, '\n');
      line_.append(first, line_end);
      begin_ = static_cast<std::size_t>(line_end - buffer_.begin());
      if (line_end != last)
      {
        ++begin_;
        break;
      }
    }
    if (!line_.empty() && line_.back() == '\r')
    {
      line_.pop_back();
    }
    if (line_number_ == 0 && line_.rfind(BYTE_ORDER_MARK, 0) == 0)
    {
      line_.erase(0, BYTE_ORDER_MARK.size()); // some editors put it before a text
    }
    line_number_ += found ? 1 : 0;
    line = line_;
    return found;
  }

  void LineReader::fail(const std::string& what, const std::string& remedy, ErrorKind kind) const
  {
    throw Error(kind, what + " in line " + std::to_string(line_number_) + " of '" + file_ + "'; " + remedy + ".");
  }
}
