// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer::test
{
  /// "[2, 0, 5]" for the position of a number in a contiguous tensor of the given shape.
  inline std::string indexText(std::int64_t position, at::IntArrayRef shape)
  {
    std::vector<std::string> digits;
    for (std::size_t k = shape.size(); k-- > 0;)
    {
      digits.insert(digits.begin(), std::to_string(position % shape[k]));
      position /= shape[k];
    }
    std::string text = "[";
    for (std::size_t k = 0; k < digits.size(); ++k)
    {
      text += (k == 0 ? "" : ", ") + digits[k];
    }
    return text + "]";
  }

  /// Equal shapes, and no number further away than `tolerance`; NaN is near nothing. A failure names the first index
  /// that differs.
  inline ::testing::AssertionResult tensorNear(const at::Tensor& actual, const at::Tensor& expected, double tolerance)
  {
    if (actual.sizes() != expected.sizes())
    {
      return ::testing::AssertionFailure() << "shape " << actual.sizes() << " instead of " << expected.sizes();
    }
    const at::Tensor is = actual.detach().to(torch::kCPU, torch::kFloat64).contiguous();
    const at::Tensor should_be = expected.detach().to(torch::kCPU, torch::kFloat64).contiguous();
    for (std::int64_t i = 0; i < is.numel(); ++i)
    {
      const double a = is.data_ptr<double>()[i];
      const double b = should_be.data_ptr<double>()[i];
      if (!(std::abs(a - b) <= tolerance))
      {
        return ::testing::AssertionFailure() << "first difference at " << indexText(i, is.sizes()) << ": " << a
                                             << " instead of " << b << ", tolerance " << tolerance;
      }
    }
    return ::testing::AssertionSuccess();
  }

  /// The largest absolute difference between two tensors of one shape.
  inline double largestDifference(const at::Tensor& a, const at::Tensor& b)
  {
    return (a.detach() - b.detach()).abs().max().item<double>();
  }

  inline bool allFinite(const at::Tensor& x)
  {
    return torch::isfinite(x).all().item<bool>();
  }

  /// Every parameter of the module has a gradient that is finite and not 0 everywhere.
  inline ::testing::AssertionResult everyParameterHasGradient(const torch::nn::Module& module)
  {
    for (const auto& parameter : module.named_parameters())
    {
      const at::Tensor& gradient = parameter.value().grad();
      if (!gradient.defined() || !allFinite(gradient) || gradient.abs().max().item<double>() == 0.0)
      {
        return ::testing::AssertionFailure() << parameter.key() << " has no gradient, or one that is 0 or not finite";
      }
    }
    return ::testing::AssertionSuccess();
  }
}
