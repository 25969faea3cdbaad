// SPDX-License-Identifier: BSD-3-Clause
#include "PositionalEncoding.h"

#include <PSMFormer/core/Error.h>

#include <cmath>
#include <string>

namespace psmformer::nn
{
  namespace
  {
    constexpr double TWO_PI = 6.283185307179586;

    /// Of the learned table: small against the tokens it is added to (Devlin et al. 2019, arXiv:1810.04805).
    constexpr double LEARNED_DEVIATION = 0.02;

    void requireWidth(std::int64_t width)
    {
      require(width >= 2, ErrorKind::INVALID_MODEL,
              "A sinusoidal encoding needs at least 2 features, but the model's d_model is " + std::to_string(width) +
                  "; choose a larger one.");
    }

    void requireWavelengths(double min_wavelength, double max_wavelength, double smallest)
    {
      // Written so that NaN fails too.
      const bool in_range = min_wavelength > 0.0 && min_wavelength >= smallest && min_wavelength < max_wavelength &&
                            std::isfinite(max_wavelength);
      require(in_range, ErrorKind::INVALID_MODEL,
              "The wavelengths of a sinusoidal encoding are " + std::to_string(min_wavelength) + " to " +
                  std::to_string(max_wavelength) + ", but the first must be positive, at least " +
                  std::to_string(smallest) + " and smaller than the second; correct the model's manifest.");
    }

    at::Tensor phases(const at::Tensor& values, const std::vector<double>& wavelengths)
    {
      const at::Tensor wavelengths_D = torch::tensor(wavelengths, torch::kFloat64).to(values.device());
      return values.to(torch::kFloat64).unsqueeze(-1) * (TWO_PI / wavelengths_D);
    }
  }

  std::vector<double> sinusoidWavelengths(std::int64_t n, double min_wavelength, double max_wavelength)
  {
    require(n >= 1, ErrorKind::INVALID_MODEL,
            "A sinusoidal encoding needs at least one wavelength, not " + std::to_string(n) + ".");
    requireWavelengths(min_wavelength, max_wavelength, 0.0);
    std::vector<double> wavelengths(static_cast<std::size_t>(n), min_wavelength);
    for (std::int64_t i = 1; i + 1 < n; ++i)
    {
      const double exponent = static_cast<double>(i) / static_cast<double>(n - 1);
      wavelengths[static_cast<std::size_t>(i)] = min_wavelength * std::pow(max_wavelength / min_wavelength, exponent);
    }
    if (n > 1)
    {
      // Assigned, because min (max / min)^1 may miss max in the last digit.
      wavelengths.back() = max_wavelength;
    }
    return wavelengths;
  }

  at::Tensor encodeSinusoidal(const at::Tensor& values, std::int64_t width, double min_wavelength,
                              double max_wavelength)
  {
    requireWidth(width);
    const std::int64_t n_sines = (width + 1) / 2;
    const at::Tensor sines = phases(values, sinusoidWavelengths(n_sines, min_wavelength, max_wavelength)).sin();
    const at::Tensor cosines =
        phases(values, sinusoidWavelengths(width - n_sines, min_wavelength, max_wavelength)).cos();
    return at::cat({sines, cosines}, -1);
  }

  at::Tensor encodeVaswani(std::int64_t length, std::int64_t width)
  {
    requireWidth(width);
    require(length >= 0, ErrorKind::INVALID_INPUT, "There is no encoding of " + std::to_string(length) + " positions.");
    std::vector<double> wavelengths;
    for (std::int64_t even = 0; even < width; even += 2)
    {
      const double exponent = static_cast<double>(even) / static_cast<double>(width);
      wavelengths.push_back(TWO_PI * std::pow(10000.0, exponent));
    }
    const at::Tensor phase_LI = phases(torch::arange(length, torch::kFloat64), wavelengths);
    // L I -> L I 2 -> L 2I, of which an odd width drops the last cosine.
    return at::stack({phase_LI.sin(), phase_LI.cos()}, -1).flatten(1).narrow(1, 0, width).contiguous();
  }

  PositionalEncodingImpl::PositionalEncodingImpl(OrdinalEncoding mode, std::int64_t width, std::int64_t max_length,
                                                 double min_wavelength, double max_wavelength)
      : mode_(mode), width_(width), max_length_(max_length), min_wavelength_(min_wavelength),
        max_wavelength_(max_wavelength), dtype_(c10::typeMetaToScalarType(torch::get_default_dtype())),
        device_(torch::kCPU)
  {
    requireWidth(width);
    require(max_length >= 1, ErrorKind::INVALID_MODEL,
            "A positional encoding is made for at least one position, not for " + std::to_string(max_length) + ".");
    if (mode == OrdinalEncoding::WAVELENGTHS)
    {
      // Shorter than two positions, a wave cannot be told from a longer one (sampling theorem).
      requireWavelengths(min_wavelength, max_wavelength, 2.0);
    }
    if (mode == OrdinalEncoding::LEARNED)
    {
      learned_ = register_parameter("learned", torch::randn({max_length, width}) * LEARNED_DEVIATION);
    }
    else
    {
      makeTable(max_length);
    }
  }

  at::Tensor PositionalEncodingImpl::forward(const at::Tensor& positions)
  {
    if (positions.numel() == 0)
    {
      return at::embedding(matrix(1), positions);
    }
    const std::int64_t first = positions.min().item<std::int64_t>();
    require(first >= 0, ErrorKind::INVALID_INPUT,
            "Position " + std::to_string(first) + " is negative; positions are counted from 0.");
    return at::embedding(matrix(positions.max().item<std::int64_t>() + 1), positions);
  }

  at::Tensor PositionalEncodingImpl::matrix(std::int64_t length)
  {
    require(length >= 0, ErrorKind::INVALID_INPUT, "There is no encoding of " + std::to_string(length) + " positions.");
    if (mode_ == OrdinalEncoding::LEARNED)
    {
      require(length <= max_length_, ErrorKind::INVALID_INPUT,
              "The model has learned " + std::to_string(max_length_) + " positions, but a sequence has " +
                  std::to_string(length) + "; leave it out or use a model with a computed encoding.");
      return learned_.narrow(0, 0, length);
    }
    const std::lock_guard<std::mutex> lock(table_mutex_);
    if (table_.size(0) < length)
    {
      TORCH_WARN_ONCE("Positions beyond the ", max_length_,
                      " seen in training are encoded; scores may be less reliable.");
      makeTable(length);
    }
    return table_.narrow(0, 0, length);
  }

  void PositionalEncodingImpl::makeTable(std::int64_t length)
  {
    // A table made while scoring must remain usable in training: it may not be an inference tensor.
    const c10::InferenceMode normal_mode(false);
    const at::NoGradGuard no_gradient;
    at::Tensor table_LD = torch::zeros({length, width_}, torch::kFloat64);
    if (mode_ == OrdinalEncoding::VASWANI)
    {
      table_LD = encodeVaswani(length, width_);
    }
    else if (mode_ == OrdinalEncoding::WAVELENGTHS)
    {
      table_LD = encodeSinusoidal(torch::arange(length, torch::kFloat64), width_, min_wavelength_, max_wavelength_);
    }
    table_ = table_LD.to(device_, dtype_);
  }

  void PositionalEncodingImpl::to(torch::Device device, torch::Dtype dtype, bool non_blocking)
  {
    device_ = device;
    to(dtype, non_blocking);
    Module::to(device, non_blocking);
  }

  void PositionalEncodingImpl::to(torch::Dtype dtype, bool non_blocking)
  {
    Module::to(dtype, non_blocking);
    dtype_ = dtype;
    if (table_.defined())
    {
      const std::lock_guard<std::mutex> lock(table_mutex_);
      makeTable(table_.size(0));
    }
  }

  void PositionalEncodingImpl::to(torch::Device device, bool non_blocking)
  {
    Module::to(device, non_blocking);
    device_ = device;
    if (table_.defined())
    {
      const std::lock_guard<std::mutex> lock(table_mutex_);
      makeTable(table_.size(0));
    }
  }

  PositionalEncoding makePositionalEncoding(OrdinalEncoding mode, const Architecture& architecture,
                                            std::int64_t max_length)
  {
    return PositionalEncoding(mode, architecture.d_model, max_length, architecture.min_position_wavelength,
                              architecture.max_position_wavelength);
  }
}
