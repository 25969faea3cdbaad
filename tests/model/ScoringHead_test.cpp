// SPDX-License-Identifier: BSD-3-Clause
#include "nn/ScoringHead.h"

#include "support/TensorNear.h"

#include <cmath>

namespace psmformer::nn
{
  namespace
  {
    using test::allFinite;
    using test::tensorNear;

    constexpr double PI = 3.14159265358979323846;

    at::Tensor noPadding(const at::Tensor& x_NSK)
    {
      return torch::zeros({x_NSK.size(0), x_NSK.size(1)}, torch::kBool);
    }

    TEST(SpectralAngle, EqualsItsFormula)
    {
      const at::Tensor predicted_NSK = torch::tensor({{{1.0, 2.0}, {0.0, 2.0}}});
      const at::Tensor measured_NSK = torch::tensor({{{2.0, 0.0}, {1.0, 2.0}}});
      const double cosine = 6.0 / (3.0 * 3.0);
      const at::Tensor expected_N = torch::tensor({1.0 - 2.0 * std::acos(cosine) / PI});
      EXPECT_TRUE(tensorNear(spectralAngle(predicted_NSK, measured_NSK, noPadding(predicted_NSK)), expected_N, 1e-6));
    }

    TEST(SpectralAngle, IsOneForProportionalAndZeroForUnrelatedIntensities)
    {
      const at::Tensor a_NSK = torch::tensor({{{1.0, 0.0}}, {{1.0, 0.0}}, {{0.5, 0.5}}});
      const at::Tensor b_NSK = torch::tensor({{{3.0, 0.0}}, {{0.0, 1.0}}, {{0.0, 0.0}}});
      // 1 within 1e-3: the cosine is kept a little away from 1, where acos has no slope.
      const at::Tensor angle_N = spectralAngle(a_NSK, b_NSK, noPadding(a_NSK));
      EXPECT_TRUE(tensorNear(angle_N, torch::tensor({1.0, 0.0, 0.0}), 1e-3));
      EXPECT_GE(angle_N.min().item<double>(), 0.0);
      EXPECT_LE(angle_N.max().item<double>(), 1.0);
    }

    TEST(SpectralAngle, LeavesPaddedSitesOut)
    {
      const at::Tensor measured_NSK = torch::tensor({{{1.0, 2.0}, {9.0, 9.0}}});
      const at::Tensor predicted_NSK = torch::tensor({{{2.0, 1.0}, {0.0, 7.0}}});
      const at::Tensor padding_NS = torch::tensor({{false, true}});
      const at::Tensor alone_N =
          spectralAngle(predicted_NSK.narrow(1, 0, 1), measured_NSK.narrow(1, 0, 1), padding_NS.narrow(1, 0, 1));
      EXPECT_TRUE(tensorNear(spectralAngle(predicted_NSK, measured_NSK, padding_NS), alone_N, 1e-7));
    }

    TEST(SpectralAngle, HasFiniteGradientsAtEqualAndAtZeroVectors)
    {
      at::Tensor predicted_NSK = torch::tensor({{{1.0, 2.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}, {{1.0, 1.0}}});
      predicted_NSK.set_requires_grad(true);
      const at::Tensor measured_NSK = torch::tensor({{{1.0, 2.0}}, {{1.0, 0.0}}, {{0.0, 0.0}}, {{0.0, 0.0}}});
      spectralAngle(predicted_NSK, measured_NSK, noPadding(measured_NSK)).sum().backward();
      EXPECT_TRUE(allFinite(predicted_NSK.grad()));
    }

    TEST(ScoringHead, PairsNeighbouringResidues)
    {
      const at::Tensor residue_NLD = torch::arange(6, torch::kFloat32).view({1, 3, 2});
      EXPECT_TRUE(
          tensorNear(pairNeighbours(residue_NLD), torch::tensor({{{0.0, 1.0, 2.0, 3.0}, {2.0, 3.0, 4.0, 5.0}}}), 0.0));
      EXPECT_TRUE(
          tensorNear(pairNeighbours(residue_NLD.narrow(1, 0, 1)), torch::tensor({{{0.0, 1.0, 0.0, 1.0}}}), 0.0));
    }

    TEST(ScoringHead, GivesOneLogitForEachMatch)
    {
      ScoringHead head(Architecture{});
      const at::Tensor logit_N = head(torch::randn({5, 64}));
      EXPECT_EQ(logit_N.sizes(), at::IntArrayRef({5}));
      logit_N.sum().backward();
      EXPECT_TRUE(test::everyParameterHasGradient(*head));
    }

    TEST(FragmentHead, PredictsIntensitiesThatAreNotNegative)
    {
      const ModelManifest manifest = presetManifest("tiny");
      FragmentHead head(manifest);
      // A charge beyond the model's is taken as its largest.
      const at::Tensor charge_N = torch::tensor({1, 8, 99}, torch::kInt64);
      const at::Tensor predicted_NSK =
          head(torch::randn({3, 7, 32}), charge_N, torch::tensor({0, 2, 4}, torch::kInt64));
      EXPECT_EQ(predicted_NSK.sizes(), at::IntArrayRef({3, 6, 8}));
      EXPECT_GE(predicted_NSK.min().item<double>(), 0.0);
    }
  }
}
