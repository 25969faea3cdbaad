// SPDX-License-Identifier: BSD-3-Clause
#include "MzDifferenceBias.h"

#include "PositionalEncoding.h"

namespace psmformer::nn
{
  MzDifferenceBiasImpl::MzDifferenceBiasImpl(const Architecture& architecture) : n_heads_(architecture.n_heads)
  {
    // Zeros: a new network starts as one without the bias.
    const std::int64_t n_waves = architecture.mz_bias_wavelengths;
    cosine_HK_ = register_parameter("cosine", torch::zeros({n_heads_, n_waves}));
    sine_HK_ = register_parameter("sine", torch::zeros({n_heads_, n_waves}));
  }

  at::Tensor MzDifferenceBiasImpl::encode(const at::Tensor& mz_BP, const Architecture& architecture, torch::Dtype dtype)
  {
    const std::int64_t n_waves = architecture.mz_bias_wavelengths;
    const at::Tensor sines_cosines_BPF =
        encodeSinusoidal(mz_BP, 2 * n_waves, architecture.min_mz_wavelength, architecture.max_mz_wavelength).to(dtype);
    const at::Tensor cosines_sines_BPF =
        at::cat({sines_cosines_BPF.narrow(2, n_waves, n_waves), sines_cosines_BPF.narrow(2, 0, n_waves)}, 2);
    return at::constant_pad_nd(cosines_sines_BPF, {0, 0, 1, 0});
  }

  at::Tensor MzDifferenceBiasImpl::forward(const at::Tensor& encoding_BPF)
  {
    const std::int64_t n_waves = cosine_HK_.size(1);
    const at::Tensor encoding_B1PF = encoding_BPF.unsqueeze(1);
    const at::Tensor cosine_B1PK = encoding_B1PF.narrow(3, 0, n_waves);
    const at::Tensor sine_B1PK = encoding_B1PF.narrow(3, n_waves, n_waves);
    const at::Tensor a_H1K = cosine_HK_.unsqueeze(1);
    const at::Tensor b_H1K = sine_HK_.unsqueeze(1);
    // a cos(x - y) + b sin(x - y) = (a cos x + b sin x) cos y + (a sin x - b cos x) sin y
    const at::Tensor left_BHPF =
        at::cat({a_H1K * cosine_B1PK + b_H1K * sine_B1PK, a_H1K * sine_B1PK - b_H1K * cosine_B1PK}, 3);
    return at::matmul(left_BHPF, encoding_B1PF.transpose(2, 3)).flatten(0, 1);
  }
}
