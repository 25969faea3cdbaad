// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nn/PositionalEncoding.h>

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace psmformer::test
{
  /// Reals in [-5000, 5000].
  inline at::Tensor someNumbers(std::int64_t n)
  {
    torch::manual_seed(7);
    return (torch::rand({n}, torch::kFloat64) * 2.0 - 1.0) * 5000.0;
  }

  /// Wavelengths of all features in the split layout, sines first.
  inline std::vector<double> splitWavelengths(std::int64_t width, double min_wavelength, double max_wavelength)
  {
    const std::int64_t n_sines = (width + 1) / 2;
    std::vector<double> wavelengths = nn::sinusoidWavelengths(n_sines, min_wavelength, max_wavelength);
    for (const double wavelength : nn::sinusoidWavelengths(width - n_sines, min_wavelength, max_wavelength))
    {
      wavelengths.push_back(wavelength);
    }
    return wavelengths;
  }
}
