// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace psmformer
{
  /// What kind of thing went wrong; `src/openms/ErrorTranslation.cpp` maps each kind to one exit code of the TOPP
  /// tools.
  enum class ErrorKind
  {
    NOT_FOUND,          ///< a named file or model does not exist
    CANNOT_WRITE,       ///< an output cannot be written (permissions, disk full)
    INVALID_INPUT,      ///< data that were read do not fit together or are out of range
    INVALID_MODEL,      ///< a model file is damaged or breaks the rules of its format
    INCOMPATIBLE_MODEL, ///< a sound model file that this program version cannot use
    OPTION,             ///< a device or option value that is not possible
    INTERNAL,           ///< a bug in PSMFormer or in a library below it
    NOT_READABLE,       ///< a file is there and cannot be read (permissions, a folder, a failing disk)
    DAMAGED_INPUT       ///< a file of data is damaged or breaks the rules of its format
  };

  /// The only exception that leaves `core` and `model`.
  ///
  /// The message is one sentence for the person at the keyboard: what, where, what to do.
  class Error : public std::runtime_error
  {
  public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

    ErrorKind kind() const noexcept { return kind_; }

  private:
    ErrorKind kind_;
  };

  /// Throws Error of the given kind with `message` unless `condition` holds.
  inline void require(bool condition, ErrorKind kind, const std::string& message)
  {
    if (!condition)
    {
      throw Error(kind, message);
    }
  }
}
