// SPDX-License-Identifier: BSD-3-Clause
// Tells whether OpenBLAS uses the kernels given by name, or ("fast") any but those it falls back to.
// A program of its own: the choice is made before main().
#include <torch/torch.h>

#include <dlfcn.h>
#include <iostream>
#include <string>

int main(int argc, char** argv)
{
  using CoreName = char* (*)();
  const std::string expected = argc > 1 ? argv[1] : "";
  const auto product = torch::ones({2, 2}).mm(torch::ones({2, 2})); // the library is linked, and computes
  const auto core_name = reinterpret_cast<CoreName>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (core_name == nullptr)
  {
    std::cout << "SKIPPED: OpenBLAS is not the library in use\n";
    return 0;
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0)
  {
    std::cout << "SKIPPED: the processor has none of the faster instructions\n";
    return 0;
  }
#endif
  const std::string kernel = core_name();
  std::cout << "kernels of " << kernel << ", expected: " << expected << "\n";
  const bool as_expected = expected == "fast" ? kernel != "Prescott" : kernel == expected;
  return as_expected && product.sum().item<float>() == 8 ? 0 : 1;
}
