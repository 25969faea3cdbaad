// SPDX-License-Identifier: BSD-3-Clause
#include "nn/Dropout.h"

#include "support/ExpectError.h"

#include <gmock/gmock.h>

#include <cmath>

namespace psmformer::nn
{
  namespace
  {
    TEST(Dropout, ZeroesTheStatedShareAndKeepsTheMean)
    {
      for (const double probability : {0.1, 0.5})
      {
        torch::manual_seed(1);
        Dropout dropout(probability);
        const at::Tensor out = dropout->forward(torch::ones({1000, 401}));
        const double n = static_cast<double>(out.numel());
        const double share = (out == 0.0).sum().item<double>() / n;
        EXPECT_NEAR(share, probability, 5.0 * std::sqrt(probability * (1.0 - probability) / n));
        EXPECT_NEAR(out.max().item<double>(), 1.0 / (1.0 - probability), 1e-4);
        EXPECT_NEAR(out.mean().item<double>(), 1.0, 0.01);
        // Each of the positions that share one random number is dropped as often as the others.
        for (std::int64_t k = 0; k < 4; ++k)
        {
          const at::Tensor part = out.flatten().slice(0, k, out.numel(), 4);
          EXPECT_NEAR((part == 0.0).to(torch::kFloat64).mean().item<double>(), probability, 0.01) << k;
        }
      }
    }

    TEST(Dropout, DrawsNeighboursIndependently)
    {
      torch::manual_seed(2);
      Dropout dropout(0.5);
      const at::Tensor kept = (dropout->forward(torch::ones({400000})) > 0.0).to(torch::kFloat64) - 0.5;
      for (const std::int64_t lag : {1, 2, 3, 4, 64})
      {
        const std::int64_t n = kept.numel() - lag;
        const double correlation = 4.0 * (kept.narrow(0, 0, n) * kept.narrow(0, lag, n)).mean().item<double>();
        EXPECT_NEAR(correlation, 0.0, 5.0 / std::sqrt(static_cast<double>(n))) << lag;
      }
    }

    TEST(Dropout, FollowsTheStateOfLibTorchsGenerator)
    {
      Dropout dropout(0.3);
      const at::Tensor x = torch::ones({37});
      torch::manual_seed(3);
      const at::Tensor first = dropout->forward(x);
      const at::Tensor second = dropout->forward(x);
      EXPECT_FALSE(at::equal(first, second));
      torch::manual_seed(3);
      EXPECT_TRUE(at::equal(dropout->forward(x), first));
      EXPECT_TRUE(at::equal(dropout->forward(x), second));
    }

    TEST(Dropout, PassesTheGradientWhereItPassesTheValue)
    {
      torch::manual_seed(4);
      Dropout dropout(0.4);
      const at::Tensor x = torch::full({3, 5, 7}, 2.0).requires_grad_();
      const at::Tensor out = dropout->forward(x);
      out.sum().backward();
      EXPECT_TRUE(at::allclose(out.detach(), 2.0 * x.grad()));
      EXPECT_GT((x.grad() == 0.0).sum().item<int>(), 0);
    }

    TEST(Dropout, DoesNothingOutsideOfTraining)
    {
      Dropout dropout(0.9);
      dropout->eval();
      const at::Tensor x = torch::rand({10});
      EXPECT_TRUE(at::equal(dropout->forward(x), x));
      EXPECT_EQ(dropout->forward(torch::zeros({0, 3})).numel(), 0);
    }

    TEST(Dropout, RefusesAProbabilityOfOne)
    {
      test::expectError(ErrorKind::INVALID_MODEL, "dropout", [] { Dropout dropout(1.0); });
    }
  }
}
