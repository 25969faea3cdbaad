// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>

#include <OpenMS/APPLICATIONS/TOPPBase.h>

#include <functional>

namespace psmformer
{
  /// The exit code of the TOPP tools for a kind of error.
  OpenMS::TOPPBase::ExitCodes exitCodeOf(ErrorKind kind);

  /// Runs a tool's work and turns every exception that TOPPBase does not know into one line in the log and an exit
  /// code.
  ///
  /// TOPPBase catches OpenMS's exceptions only; anything else would end in std::terminate. Parameter errors and errors
  /// of files pass through, TOPPBase has a sentence and an exit code for each.
  OpenMS::TOPPBase::ExitCodes runWithErrorBoundary(const std::function<OpenMS::TOPPBase::ExitCodes()>& work);
}
