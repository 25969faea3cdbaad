// SPDX-License-Identifier: BSD-3-Clause
#include "LineReader.h"

#include <PSMFormer/core/Error.h>

#include <OpenMS/CONCEPT/Exception.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t BUFFER_BYTES = std::size_t(1) << 18;
  }

  LineReader::LineReader(const std::string& file) : file_(file), buffer_(BUFFER_BYTES)
  {
    std::error_code ignored;
    require(std::filesystem::exists(file, ignored), ErrorKind::NOT_FOUND,
            "File '" + file + "' does not exist; check the path.");
    try
    {
      stream_.open(file.c_str());
    }
    catch (const OpenMS::Exception::BaseException&)
    {
      throw Error(ErrorKind::INVALID_INPUT, "File '" + file + "' cannot be read; check its permissions.");
    }
  }

  bool LineReader::fill()
  {
    if (!stream_.isOpen())
    {
      return false; // OpenMS closes the stream at the end of the file
    }
    try
    {
      begin_ = 0;
      end_ = stream_.read(buffer_.data(), buffer_.size());
    }
    catch (const OpenMS::Exception::BaseException&)
    {
      fail("Compressed data are damaged after the text", "fetch the file again");
    }
    return end_ > 0;
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
    line_number_ += found ? 1 : 0;
    line = line_;
    return found;
  }

  void LineReader::fail(const std::string& what, const std::string& remedy) const
  {
    throw Error(ErrorKind::INVALID_INPUT,
                what + " in line " + std::to_string(line_number_) + " of '" + file_ + "'; " + remedy + ".");
  }
}
