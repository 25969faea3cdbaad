// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>

#include <torch/torch.h>

#include <cstdint>
#include <mutex>
#include <vector>

namespace psmformer::nn
{
  /// Wavelengths from `min_wavelength` to `max_wavelength`, evenly spaced in their logarithm:
  /// w(i, n) = min (max / min)^(i / (n - 1)) for n > 1, w(0, 1) = min. Both ends are exact.
  std::vector<double> sinusoidWavelengths(std::int64_t n, double min_wavelength, double max_wavelength);

  /// Sinusoidal encoding of real numbers (m/z in Th, masses in Da, positions) with exact wavelengths.
  ///
  /// The first ceil(D / 2) features are sines, the others cosines: sin(2 pi m / w(i, D_sin)), cos(2 pi m / w(i,
  /// D_cos)). Phases are computed in float64, since at a wavelength of 0.001 Th a float32 m/z moves the sine by about
  /// 0.1. Source: depthcharge (Wilburn lab), pull request 28, second form.
  ///
  /// @param values          any shape, float64
  /// @param width           D >= 2
  /// @param min_wavelength  > 0
  /// @param max_wavelength  > min_wavelength
  /// @return shape of values + (D,), float64, in [-1, 1]
  /// @throws Error INVALID_MODEL when width or wavelengths are out of range
  at::Tensor encodeSinusoidal(const at::Tensor& values, std::int64_t width, double min_wavelength,
                              double max_wavelength);

  /// The ordinal encoding of Vaswani et al. 2017, section 3.5 (arXiv:1706.03762):
  /// PE(pos, 2i) = sin(pos / 10000^(2i / D)), PE(pos, 2i + 1) = cos(pos / 10000^(2i / D)).
  /// An odd D ends with a sine.
  /// @return (length, D), float64, in [-1, 1]
  /// @throws Error INVALID_MODEL when width < 2, INVALID_INPUT when length < 0
  at::Tensor encodeVaswani(std::int64_t length, std::int64_t width);

  /// Vectors for ordinal positions, by one of the modes of the manifest; added to tokens before the first attention
  /// layer.
  ///
  /// The table is made for `max_length` positions and grows on demand for the modes with a formula; a learned table
  /// that is too short is an error.
  class PositionalEncodingImpl : public torch::nn::Module
  {
  public:
    /// @param max_length      positions seen in training; >= 1
    /// @param min_wavelength, max_wavelength  of mode WAVELENGTHS, in positions; 2 <= min < max
    /// @throws Error INVALID_MODEL when a number is out of range
    PositionalEncodingImpl(OrdinalEncoding mode, std::int64_t width, std::int64_t max_length, double min_wavelength,
                           double max_wavelength);

    /// @param positions  any shape, int64, >= 0
    /// @return shape of positions + (D,), in the floating type of the module; zeros for mode NONE
    /// @throws Error INVALID_INPUT for a negative position, or one beyond a learned table
    at::Tensor forward(const at::Tensor& positions);

    /// The encodings of positions 0 .. length - 1 as (length, D), on the device and in the floating type of the module.
    /// @throws Error INVALID_INPUT when a learned table is shorter than that
    at::Tensor matrix(std::int64_t length);

    /// The table is no weight, so that the module itself has to keep it on the device and in the type of its parents.
    void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false) override;
    void to(torch::Dtype dtype, bool non_blocking = false) override;
    void to(torch::Device device, bool non_blocking = false) override;

  private:
    /// Recomputes the table in float64 and casts it.
    void makeTable(std::int64_t length);

    OrdinalEncoding mode_;
    std::int64_t width_;
    std::int64_t max_length_; ///< positions seen in training
    double min_wavelength_;
    double max_wavelength_;
    torch::Dtype dtype_;
    torch::Device device_;
    std::mutex table_mutex_;
    at::Tensor table_;   ///< not a weight: recomputed, never stored; guarded by table_mutex_
    at::Tensor learned_; ///< registered parameter of mode LEARNED
  };
  TORCH_MODULE(PositionalEncoding);

  /// Reads the mode and its numbers from the manifest.
  PositionalEncoding makePositionalEncoding(OrdinalEncoding mode, const Architecture& architecture,
                                            std::int64_t max_length);
}
