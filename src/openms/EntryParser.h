// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "AnnotationCollector.h"

#include <string_view>
#include <utility>

namespace psmformer
{
  /// What the parsers of both formats share: the walk through the lines, and the entry that is being read.
  class EntryParser
  {
  public:
    EntryParser(LineReader& reader, AnnotationCollector& collector) : reader_(reader), collector_(collector) {}
    EntryParser(const EntryParser&) = delete;
    EntryParser& operator=(const EntryParser&) = delete;
    virtual ~EntryParser() = default;

    void parse()
    {
      for (std::string_view line; reader_.next(line);)
      {
        if (line = trim(line); !line.empty())
        {
          readLine(line);
        }
      }
      if (inside_)
      {
        reader_.fail("The file ends within an entry", "it is truncated; fetch it again");
      }
    }

  protected:
    /// Takes a line without blanks around it; never an empty one.
    virtual void readLine(std::string_view line) = 0;

    void beginEntry(const AnnotatedEntry& common)
    {
      inside_ = true;
      entry_ = common;
    }

    void endEntry()
    {
      inside_ = false;
      collector_.add(std::exchange(entry_, {}), reader_);
    }

    bool inside() const { return inside_; }

    LineReader& reader_;
    AnnotatedEntry entry_; ///< the one being read

  private:
    AnnotationCollector& collector_;
    bool inside_ = false;
  };
}
