// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <torch/torch.h>

namespace psmformer::nn
{
  /// Sets values to 0 at random in training and scales the others by 1 / (1 - p); Srivastava et al. 2014,
  /// http://jmlr.org/papers/v15/srivastava14a.html.
  ///
  /// Like torch::nn::Dropout, which on CPUs draws each value from one sequential Mersenne Twister (LibTorch 1.13): a
  /// third to a half of the time of a training step. Here one draw of LibTorch's generator seeds a counter-based one
  /// (SplitMix64; Steele, Lea & Flood 2014, doi:10.1145/2714064.2660195) for the whole tensor, so that the generator's
  /// state still determines every mask. Other devices use LibTorch's own.
  class DropoutImpl : public torch::nn::Module
  {
  public:
    /// @param probability  of a value to become 0, [0, 1); kept to within 1/65536
    explicit DropoutImpl(double probability);

    /// @return the shape of x; x itself outside of training
    at::Tensor forward(const at::Tensor& x);

  private:
    double probability_;
  };
  TORCH_MODULE(Dropout);
}
