// SPDX-License-Identifier: BSD-3-Clause
// Gives OpenBLAS fast kernels where it has not recognised the processor.
//
// OpenBLAS chooses its kernels while it is loaded, by a list of processor models; on one that is newer than the list it
// falls back to SSE kernels from 2004 ("Prescott"), and matrix products take several times as long. The variable
// OPENBLAS_CORETYPE names a kernel instead, but OpenBLAS reads it before main() could set it. The function here runs
// before the libraries of the program are initialised, and lets OpenBLAS choose then; its own initialisation keeps a
// choice it finds. Nothing happens when the variable is set (also to an empty text), when OpenBLAS is not the library
// in use, or when it has recognised the processor. Needed by OpenBLAS 0.3.21 of Debian 12.
#if defined(__x86_64__) && defined(__linux__)

#include <cstring>
#include <string_view>
#include <unistd.h>

// Weak: null where the program runs with another BLAS.
// NOLINTBEGIN(readability-identifier-naming): the names are OpenBLAS's
extern "C"
{
  __attribute__((weak)) void gotoblas_dynamic_init(); // chooses, unless a choice was made
  __attribute__((weak)) void gotoblas_dynamic_quit(); // forgets the choice
  __attribute__((weak)) char* openblas_get_corename();
}
// NOLINTEND(readability-identifier-naming)

namespace
{
  bool namesKernel(char* const* environment)
  {
    constexpr std::string_view VARIABLE = "OPENBLAS_CORETYPE=";
    for (; *environment != nullptr; ++environment)
    {
      if (std::strncmp(*environment, VARIABLE.data(), VARIABLE.size()) == 0)
      {
        return true;
      }
    }
    return false;
  }

  /// The fastest kernels that need no instruction the processor lacks, as an environment; null for older processors.
  char* fastKernel()
  {
    static char skylake_x[] = "OPENBLAS_CORETYPE=SkylakeX";
    static char haswell[] = "OPENBLAS_CORETYPE=Haswell";
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    {
      return skylake_x;
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? haswell : nullptr;
  }

  void chooseKernel(int, char**, char** environment)
  {
    if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr || openblas_get_corename == nullptr ||
        namesKernel(environment))
    {
      return;
    }
    gotoblas_dynamic_init();
    char* const kernel = fastKernel();
    if (kernel == nullptr || std::strcmp(openblas_get_corename(), "Prescott") != 0)
    {
      return;
    }
    gotoblas_dynamic_quit();
    // getenv() reads `environ`, which the C library fills only after this function.
    char* only_kernel[] = {kernel, nullptr};
    environ = only_kernel;
    gotoblas_dynamic_init();
    environ = environment;
  }

  [[gnu::used, gnu::section(".preinit_array")]] void (*const before_libraries)(int, char**, char**) = chooseKernel;
}

#endif
