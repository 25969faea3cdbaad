// SPDX-License-Identifier: BSD-3-Clause
#include "nn/MzDifferenceBias.h"

#include "TinyModel.h"
#include "nn/MultiHeadAttention.h"
#include "nn/PositionalEncoding.h"
#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::tensorNear;

    constexpr double PI = 3.14159265358979323846;
    constexpr std::int64_t WAVES = 5;

    Architecture makeArchitecture()
    {
      Architecture architecture;
      architecture.n_heads = 2;
      architecture.mz_bias_wavelengths = WAVES;
      return architecture;
    }

    class MzDifferenceBiasTest : public ::testing::Test
    {
    protected:
      MzDifferenceBiasTest()
      {
        torch::manual_seed(21);
        bias_->to(torch::kFloat64);
      }

      void randomise()
      {
        const at::NoGradGuard no_gradient;
        for (at::Tensor& parameter : bias_->parameters())
        {
          parameter.normal_();
        }
      }

      /// (B H) (P + 1) (P + 1)
      at::Tensor biasOf(const at::Tensor& mz_BP)
      {
        return bias_->forward(MzDifferenceBiasImpl::encode(mz_BP, architecture_, torch::kFloat64));
      }

      Architecture architecture_ = makeArchitecture();
      MzDifferenceBias bias_{architecture_};
      at::Tensor mz_BP_ = torch::tensor({{101.07, 175.119, 800.4}, {147.113, 504.25, 1200.7}}, torch::kFloat64);
    };

    TEST_F(MzDifferenceBiasTest, IsTheSumOfSinusoidsOfTheDifference)
    {
      randomise();
      const at::Tensor bias = biasOf(mz_BP_);
      ASSERT_EQ(bias.sizes(), (std::vector<std::int64_t>{4, 4, 4}));
      const std::vector<double> wavelengths =
          sinusoidWavelengths(WAVES, architecture_.min_mz_wavelength, architecture_.max_mz_wavelength);
      const auto parameters = bias_->named_parameters();
      for (std::int64_t a = 0; a < 4; ++a)
      {
        for (std::int64_t i = 0; i < 3; ++i)
        {
          for (std::int64_t j = 0; j < 3; ++j)
          {
            const double difference = (mz_BP_[a / 2][i] - mz_BP_[a / 2][j]).item<double>();
            double expected = 0.0;
            for (std::int64_t k = 0; k < WAVES; ++k)
            {
              const double phase = 2.0 * PI * difference / wavelengths[static_cast<std::size_t>(k)];
              expected += parameters["cosine"][a % 2][k].item<double>() * std::cos(phase) +
                          parameters["sine"][a % 2][k].item<double>() * std::sin(phase);
            }
            EXPECT_NEAR(bias[a][i + 1][j + 1].item<double>(), expected, 1e-6) << a << i << j;
          }
        }
        EXPECT_EQ(bias[a][0].abs().sum().item<double>(), 0.0) << "the precursor token has no bias";
        EXPECT_EQ(bias[a].select(1, 0).abs().sum().item<double>(), 0.0);
      }
    }

    TEST_F(MzDifferenceBiasTest, DoesNotChangeWhenAllPeaksAreShifted)
    {
      randomise();
      EXPECT_TRUE(tensorNear(biasOf(mz_BP_ + 123.456), biasOf(mz_BP_), 1e-6));
      at::Tensor moved = mz_BP_.clone();
      moved[0][1] += 0.3;
      EXPECT_FALSE(tensorNear(biasOf(moved), biasOf(mz_BP_), 1e-3));
    }

    TEST_F(MzDifferenceBiasTest, StartsWithoutEffectAndIsAddedToTheScores)
    {
      MultiHeadAttention attention(8, 2, 0.0);
      attention->to(torch::kFloat64);
      const at::Tensor x = torch::randn({2, 4, 8}, torch::kFloat64);
      const at::Tensor padding = torch::zeros({2, 4}, torch::kBool);
      EXPECT_TRUE(at::equal(attention->forward(x, padding, biasOf(mz_BP_)), attention->forward(x, padding)));
      // A bias that leaves one key makes attention its value.
      at::Tensor one_key = torch::full({4, 4, 4}, -1e9, torch::kFloat64);
      one_key.select(2, 1).fill_(0.0);
      const at::Tensor value = attention->qkv->forward(x).narrow(2, 16, 8).select(1, 1);
      EXPECT_TRUE(tensorNear(attention->forward(x, padding, one_key),
                             attention->output->forward(value).unsqueeze(1).expand({2, 4, 8}), 1e-12));
    }

    TEST(MzDifferenceBiasModel, HasWeightsInEveryLayerOfTheSpectrumEncoderAlone)
    {
      ModelManifest manifest = test::tinyManifest();
      manifest.architecture.spectrum_layers = 2;
      manifest.architecture.mz_bias_wavelengths = 4;
      const PSMTransformer network = test::randomNetwork(manifest, 1);
      int n_biases = 0;
      for (const auto& item : network->named_parameters())
      {
        if (item.key().find("mz_bias") != std::string::npos)
        {
          ++n_biases;
          EXPECT_EQ(item.key().rfind("spectrum_encoder.", 0), 0U) << item.key();
        }
      }
      EXPECT_EQ(n_biases, 4);
    }
  }
}
