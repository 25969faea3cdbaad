// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ErrorTranslation.h>

#include <OpenMS/CONCEPT/LogStream.h>

#include <exception>
#include <new>
#include <string>

namespace psmformer
{
  namespace
  {
    using Tool = OpenMS::TOPPBase;

    Tool::ExitCodes fail(Tool::ExitCodes code, const std::string& message)
    {
      using namespace OpenMS; // the macro names an object of that namespace, another one in each version
      OPENMS_LOG_ERROR << "Error: " << message << std::endl;
      return code;
    }

    Tool::ExitCodes failForMemory()
    {
      return fail(Tool::UNEXPECTED_RESULT,
                  "not enough memory; use a machine with more, a smaller -batch_tokens (PSMFormer) or "
                  "-training:spectra_per_batch (PSMFormerTrainer), or fewer files at a time.");
    }
  }

  Tool::ExitCodes exitCodeOf(ErrorKind kind)
  {
    switch (kind)
    {
    case ErrorKind::NOT_FOUND:
      return Tool::INPUT_FILE_NOT_FOUND;
    case ErrorKind::NOT_READABLE:
      return Tool::INPUT_FILE_NOT_READABLE;
    case ErrorKind::CANNOT_WRITE:
      return Tool::CANNOT_WRITE_OUTPUT_FILE;
    case ErrorKind::DAMAGED_INPUT:
    case ErrorKind::INVALID_MODEL:
      return Tool::INPUT_FILE_CORRUPT;
    case ErrorKind::INVALID_INPUT:
    case ErrorKind::INCOMPATIBLE_MODEL:
      return Tool::INCOMPATIBLE_INPUT_DATA;
    case ErrorKind::OPTION:
      return Tool::ILLEGAL_PARAMETERS;
    case ErrorKind::INTERNAL:
      break;
    }
    return Tool::INTERNAL_ERROR;
  }

  Tool::ExitCodes runWithErrorBoundary(const std::function<Tool::ExitCodes()>& work)
  {
    try
    {
      return work();
    }
    catch (const Error& error)
    {
      return fail(exitCodeOf(error.kind()), error.what());
    }
    catch (const OpenMS::Exception::OutOfMemory&)
    {
      return failForMemory();
    }
    catch (const OpenMS::Exception::BaseException&)
    {
      throw;
    }
    catch (const std::bad_alloc&)
    {
      return failForMemory();
    }
    catch (const std::exception& error)
    {
      return fail(Tool::INTERNAL_ERROR,
                  std::string("unexpected: ") + error.what() + "; please report this with the command line.");
    }
    catch (...)
    {
      return fail(Tool::INTERNAL_ERROR, "unexpected, without a message; please report this with the command line.");
    }
  }
}
