// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace psmformer
{
  /// Starts the program once more with a fast OpenBLAS kernel where OpenBLAS has not recognised the processor.
  ///
  /// OpenBLAS chooses its kernels while it is loaded, by a list of processor models; on one that is newer than the list
  /// it falls back to SSE kernels from 2004, and everything takes twice as long. OPENBLAS_CORETYPE names a kernel
  /// instead, but must be there before the library is loaded. Does nothing when the variable is set already (also to an
  /// empty text), when OpenBLAS is not the library in use, or when it has recognised the processor. Needed by OpenBLAS
  /// 0.3.21 of Debian 12.
  ///
  /// @param argv  of main, ended by a null pointer
  void restartWithFastKernel(char* const* argv);
}
