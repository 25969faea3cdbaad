// SPDX-License-Identifier: BSD-3-Clause
#include "LinearAlgebraKernel.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace psmformer
{
  namespace
  {
    constexpr const char* KERNEL_VARIABLE = "OPENBLAS_CORETYPE";

    /// The kernel in use, such as "Haswell"; empty when OpenBLAS is not loaded.
    std::string kernelInUse()
    {
      using CoreName = char* (*)();
      const auto core_name = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
      return core_name == nullptr ? "" : core_name();
    }
  }

  void restartWithFastKernel(char* const* argv)
  {
#if defined(__x86_64__) && defined(__linux__)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (std::getenv(KERNEL_VARIABLE) != nullptr || !has_avx2 || kernelInUse() != "Prescott")
    {
      return;
    }
    // Haswell needs AVX2 and FMA, nothing newer.
    setenv(KERNEL_VARIABLE, "Haswell", 1);
    execv("/proc/self/exe", argv);
    unsetenv(KERNEL_VARIABLE); // not restarted: slower, but the same work
#else
    static_cast<void>(argv);
#endif
  }
}
