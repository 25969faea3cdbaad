// SPDX-License-Identifier: BSD-3-Clause
#include "OpenMSReader.h"

#include <PSMFormer/core/Error.h>

#include <OpenMS/CONCEPT/Exception.h>

#include <algorithm>
#include <filesystem>
#include <ios>
#include <system_error>

namespace psmformer
{
  namespace
  {
    /// " (<text of the exception>)", or nothing when that is only its place in the sources of OpenMS, as for some mzML.
    std::string reasonOf(const OpenMS::Exception::BaseException& error)
    {
      std::string reason = error.what();
      reason.erase(std::min(reason.rfind(" in: "), reason.size())); // the file, or nothing
      std::replace(reason.begin(), reason.end(), '\n', ' ');
      return reason.empty() || reason.rfind("- due to", 0) == 0 ? "" : " (" + reason + ")";
    }
  }

  void readWithOpenMS(const std::string& file, const std::function<void()>& read)
  {
    namespace Exception = OpenMS::Exception;
    std::error_code ignored;
    require(!std::filesystem::is_directory(file, ignored), ErrorKind::NOT_READABLE,
            "'" + file + "' is a folder; give the file in it.");
    try
    {
      read();
    }
    catch (const Exception::FileNotFound&)
    {
      throw Error(ErrorKind::NOT_FOUND, "File '" + file + "' does not exist; check the path.");
    }
    catch (const Exception::FileNotReadable&)
    {
      throw Error(ErrorKind::NOT_READABLE, "File '" + file + "' cannot be read; check its permissions.");
    }
    catch (const Exception::FileEmpty&)
    {
      throw;
    }
    catch (const Exception::OutOfMemory&)
    {
      throw;
    }
    catch (const std::ios_base::failure&)
    {
      throw Error(ErrorKind::NOT_READABLE, "File '" + file + "' cannot be read to its end; check the disk it is on.");
    }
    catch (const Exception::BaseException& error)
    {
      throw Error(ErrorKind::DAMAGED_INPUT,
                  "File '" + file + "' is damaged" + reasonOf(error) + "; make it again or fetch it again.");
    }
  }
}
