// SPDX-License-Identifier: BSD-3-Clause
#include "nn/LocalAttention.h"
#include "nn/MultiHeadAttention.h"

#include "support/ExpectError.h"
#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::expectError;
    using test::largestDifference;
    using test::tensorNear;

    struct Projections
    {
      at::Tensor query;
      at::Tensor key;
      at::Tensor value;
      at::Tensor padding;
    };

    Projections someProjections(std::int64_t length, torch::Dtype dtype)
    {
      torch::manual_seed(5);
      const auto draw = [&]
      {
        return torch::randn({2, 3, length, 4}, dtype);
      };
      Projections x{draw(), draw(), draw(), torch::rand({2, length}) < 0.2};
      x.padding.select(1, 0).fill_(false);
      return x;
    }

    /// Full attention with everything outside the band masked, and zeros where nothing is left.
    at::Tensor bandedFullAttention(const Projections& x, std::int64_t window)
    {
      const std::int64_t length = x.query.size(2);
      const at::Tensor index = torch::arange(length);
      const at::Tensor far = (index.unsqueeze(0) - index.unsqueeze(1)).abs() > window;
      const at::Tensor hidden = at::logical_or(x.padding.view({x.padding.size(0), 1, 1, length}), far);
      const at::Tensor score = at::matmul(x.query, x.key.transpose(2, 3)) / std::sqrt(4.0);
      const at::Tensor weight = score.masked_fill(hidden, -std::numeric_limits<double>::infinity()).softmax(-1);
      return at::matmul(weight.masked_fill(hidden.all(-1, true), 0.0), x.value);
    }

    at::Tensor attend(const Projections& x, std::int64_t window)
    {
      return attendLocally(x.query, x.key, x.value, x.padding, window);
    }

    TEST(LocalAttention, EqualsBandedFullAttention)
    {
      for (const std::int64_t length : {1, 2, 31, 32, 33, 64, 100, 401})
      {
        for (const std::int64_t window : {1, 7, 15, 40})
        {
          const Projections x = someProjections(length, torch::kFloat32);
          EXPECT_TRUE(tensorNear(attend(x, window), bandedFullAttention(x, window), 1e-6))
              << "length " << length << ", window " << window;
        }
      }
    }

    TEST(LocalAttention, EqualsFullAttentionWhenTheWindowHoldsEverything)
    {
      const Projections x = someProjections(50, torch::kFloat64);
      EXPECT_TRUE(tensorNear(attend(x, 50), bandedFullAttention(x, 1000), 1e-12));
      EXPECT_GT(largestDifference(attend(x, 5), bandedFullAttention(x, 1000)), 1e-2);
    }

    TEST(LocalAttention, SeesWindowNeighboursOnEachSideAndNoMore)
    {
      const std::int64_t window = 7;
      Projections x = someProjections(100, torch::kFloat64);
      x.padding.fill_(false);
      const at::Tensor before = attend(x, window);
      x.value = x.value.clone();
      x.value.select(2, 50).add_(100.0);
      const at::Tensor moved = (attend(x, window) - before).abs().amax({0, 1, 3}) > 1e-9;
      for (std::int64_t i = 0; i < 100; ++i)
      {
        EXPECT_EQ(moved[i].item<bool>(), std::abs(i - 50) <= window) << i;
      }
    }

    TEST(LocalAttention, GivesZerosAndFiniteGradientsWhereAllIsPadding)
    {
      Projections x = someProjections(60, torch::kFloat64);
      x.padding.narrow(1, 20, 40).fill_(true);
      x.query.requires_grad_(true);
      x.key.requires_grad_(true);
      x.value.requires_grad_(true);
      const at::Tensor out = attend(x, 3);
      EXPECT_TRUE(tensorNear(out.narrow(2, 23, 37), torch::zeros({2, 3, 37, 4}), 0.0));
      out.sum().backward();
      for (const at::Tensor& input : {x.query, x.key, x.value})
      {
        EXPECT_TRUE(test::allFinite(input.grad()));
      }
      EXPECT_GT(x.value.grad().abs().max().item<double>(), 0.0);
    }

    TEST(LocalAttention, HandlesLongSequences)
    {
      const Projections x = someProjections(3200, torch::kFloat32);
      const at::Tensor out = attend(x, 15);
      EXPECT_EQ(out.sizes(), at::IntArrayRef({2, 3, 3200, 4}));
      EXPECT_TRUE(test::allFinite(out));
    }

    TEST(LocalAttention, RefusesAnEmptyWindow)
    {
      expectError(ErrorKind::INVALID_MODEL, "at least 1", [] { attend(someProjections(5, torch::kFloat32), 0); });
    }

    TEST(LocalAttention, IsTakenAboveTheThresholdOnly)
    {
      torch::manual_seed(9);
      MultiHeadAttention full(8, 2, 0.0);
      MultiHeadAttention local(8, 2, 0.0, 3, 20);
      {
        const at::NoGradGuard no_gradient;
        local->qkv->weight.copy_(full->qkv->weight);
        local->output->weight.copy_(full->output->weight);
      }
      const auto difference = [&](std::int64_t length)
      {
        const at::Tensor x = torch::randn({2, length, 8});
        const at::Tensor padding = torch::zeros({2, length}, torch::kBool);
        return largestDifference(full->forward(x, padding), local->forward(x, padding));
      };
      EXPECT_EQ(difference(20), 0.0);
      EXPECT_GT(difference(21), 1e-4);
      EXPECT_LT(difference(4), 1e-6);
    }
  }
}
