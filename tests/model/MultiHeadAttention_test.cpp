// SPDX-License-Identifier: BSD-3-Clause
#include "nn/MultiHeadAttention.h"

#include "support/ExpectError.h"
#include "support/TensorNear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    using test::expectError;
    using test::largestDifference;
    using test::tensorNear;

    constexpr std::int64_t WIDTH = 12;
    constexpr std::int64_t HEADS = 3;

    class MultiHeadAttentionTest : public ::testing::Test
    {
    protected:
      MultiHeadAttentionTest()
      {
        torch::manual_seed(11);
        attention = MultiHeadAttention(WIDTH, HEADS, 0.1);
        const at::NoGradGuard no_gradient;
        attention->qkv->bias.normal_(); // zeros would hide a mistake
        attention->output->bias.normal_();
        attention->to(torch::kFloat64);
        attention->eval();
      }

      MultiHeadAttention attention{nullptr};
    };

    at::Tensor tokens(std::int64_t n_batch, std::int64_t n_tokens)
    {
      return torch::randn({n_batch, n_tokens, WIDTH}, torch::kFloat64);
    }

    /// The last `n_padded` tokens of every row are padding.
    at::Tensor paddingAtEnd(std::int64_t n_batch, std::int64_t n_tokens, std::int64_t n_padded)
    {
      at::Tensor padding = torch::zeros({n_batch, n_tokens}, torch::kBool);
      padding.narrow(1, n_tokens - n_padded, n_padded).fill_(true);
      return padding;
    }

    /// row of a linear layer: bias_j + sum_k weight_jk x_k
    double project(const torch::nn::Linear& layer, std::int64_t j, const at::Tensor& x)
    {
      double sum = layer->bias[j].item<double>();
      for (std::int64_t k = 0; k < WIDTH; ++k)
      {
        sum += layer->weight[j][k].item<double>() * x[k].item<double>();
      }
      return sum;
    }

    /// Concatenated heads of one query, before the output projection: Vaswani et al. 2017, equation 1, in loops.
    at::Tensor headsInLoops(const MultiHeadAttention& attention, const at::Tensor& query_D, const at::Tensor& memory_PD,
                            const at::Tensor& padding_P)
    {
      const std::int64_t d_head = WIDTH / HEADS;
      at::Tensor heads_D = torch::zeros({WIDTH}, torch::kFloat64);
      for (std::int64_t h = 0; h < HEADS; ++h)
      {
        std::vector<double> weight;
        double total = 0.0;
        for (std::int64_t p = 0; p < memory_PD.size(0); ++p)
        {
          double dot = 0.0;
          for (std::int64_t k = h * d_head; k < (h + 1) * d_head; ++k)
          {
            dot += project(attention->qkv, k, query_D) * project(attention->qkv, WIDTH + k, memory_PD[p]);
          }
          const double scaled = dot / std::sqrt(static_cast<double>(d_head));
          weight.push_back(padding_P[p].item<bool>() ? 0.0 : std::exp(scaled));
          total += weight.back();
        }
        for (std::int64_t k = h * d_head; k < (h + 1) * d_head; ++k)
        {
          double sum = 0.0;
          for (std::int64_t p = 0; p < memory_PD.size(0); ++p)
          {
            sum += weight[static_cast<std::size_t>(p)] / total * project(attention->qkv, 2 * WIDTH + k, memory_PD[p]);
          }
          heads_D[k] = sum;
        }
      }
      return heads_D;
    }

    at::Tensor attentionInLoops(const MultiHeadAttention& attention, const at::Tensor& query_BTD,
                                const at::Tensor& memory_BPD, const at::Tensor& padding_BP)
    {
      const at::NoGradGuard no_gradient;
      at::Tensor result_BTD = torch::zeros_like(query_BTD);
      for (std::int64_t b = 0; b < query_BTD.size(0); ++b)
      {
        for (std::int64_t t = 0; t < query_BTD.size(1); ++t)
        {
          const at::Tensor heads_D = headsInLoops(attention, query_BTD[b][t], memory_BPD[b], padding_BP[b]);
          for (std::int64_t j = 0; j < WIDTH; ++j)
          {
            result_BTD[b][t][j] = project(attention->output, j, heads_D);
          }
        }
      }
      return result_BTD;
    }

    TEST_F(MultiHeadAttentionTest, SelfAttentionAgreesWithLoops)
    {
      const at::Tensor x = tokens(2, 4);
      const at::Tensor padding = torch::tensor({{0, 0, 0, 1}, {0, 1, 0, 0}}, torch::kBool);
      EXPECT_TRUE(tensorNear(attention->forward(x, padding), attentionInLoops(attention, x, x, padding), 1e-12));
    }

    TEST_F(MultiHeadAttentionTest, AttentionToAMemoryAgreesWithLoops)
    {
      const at::Tensor query = tokens(2, 3);
      const at::Tensor memory = tokens(2, 5);
      const at::Tensor padding = torch::tensor({{0, 0, 0, 0, 0}, {0, 0, 1, 1, 1}}, torch::kBool);
      EXPECT_TRUE(tensorNear(attention->attend(query, memory, padding),
                             attentionInLoops(attention, query, memory, padding), 1e-12));
    }

    TEST_F(MultiHeadAttentionTest, SelfAttentionIsAttentionToOneself)
    {
      const at::Tensor x = tokens(3, 7);
      const at::Tensor padding = paddingAtEnd(3, 7, 2);
      EXPECT_TRUE(tensorNear(attention->attend(x, x, padding), attention->forward(x, padding), 1e-13));
    }

    TEST_F(MultiHeadAttentionTest, PaddingChangesNothing)
    {
      const at::Tensor x = tokens(2, 6);
      const at::Tensor expected = attention->forward(x, paddingAtEnd(2, 6, 0));
      const at::Tensor longer = at::cat({x, 1e3 * tokens(2, 5)}, 1);
      EXPECT_TRUE(tensorNear(attention->forward(longer, paddingAtEnd(2, 11, 5)).narrow(1, 0, 6), expected, 1e-12));
      EXPECT_GT(largestDifference(attention->forward(longer, paddingAtEnd(2, 11, 0)).narrow(1, 0, 6), expected), 1e-3);
    }

    TEST_F(MultiHeadAttentionTest, RowsOfABatchDoNotMix)
    {
      const at::Tensor x = tokens(5, 6);
      const at::Tensor padding = paddingAtEnd(5, 6, 1);
      const at::Tensor together = attention->forward(x, padding);
      for (std::int64_t b = 0; b < 5; ++b)
      {
        const at::Tensor alone = attention->forward(x.narrow(0, b, 1), padding.narrow(0, b, 1));
        EXPECT_TRUE(tensorNear(alone, together.narrow(0, b, 1), 1e-12)) << b;
      }
    }

    TEST_F(MultiHeadAttentionTest, TokensInAnotherOrderGiveTheirResultsInThatOrder)
    {
      const at::Tensor x = tokens(2, 6);
      const at::Tensor order = torch::tensor({3, 0, 5, 1, 4, 2}, torch::kInt64);
      const at::Tensor padding = paddingAtEnd(2, 6, 2);
      EXPECT_TRUE(tensorNear(attention->forward(x.index_select(1, order), padding.index_select(1, order)),
                             attention->forward(x, padding).index_select(1, order), 1e-12));
    }

    TEST_F(MultiHeadAttentionTest, TheOrderOfTheMemoryDoesNotMatter)
    {
      const at::Tensor query = tokens(2, 3);
      const at::Tensor memory = tokens(2, 6);
      const at::Tensor order = torch::tensor({3, 0, 5, 1, 4, 2}, torch::kInt64);
      const at::Tensor padding = paddingAtEnd(2, 6, 2);
      EXPECT_TRUE(tensorNear(attention->attend(query, memory.index_select(1, order), padding.index_select(1, order)),
                             attention->attend(query, memory, padding), 1e-12));
    }

    TEST_F(MultiHeadAttentionTest, WorksInFloat32)
    {
      const at::Tensor x = tokens(2, 6);
      const at::Tensor padding = paddingAtEnd(2, 6, 2);
      const at::Tensor expected = attention->forward(x, padding);
      attention->to(torch::kFloat32);
      const at::Tensor narrow = attention->forward(x.to(torch::kFloat32), padding);
      EXPECT_EQ(narrow.scalar_type(), torch::kFloat32);
      EXPECT_TRUE(tensorNear(narrow, expected, 1e-5));
    }

    TEST_F(MultiHeadAttentionTest, OnlyTheCurrentModeDropsWeights)
    {
      const at::Tensor x = tokens(2, 6);
      const at::Tensor padding = paddingAtEnd(2, 6, 0);
      EXPECT_TRUE(tensorNear(attention->forward(x, padding), attention->forward(x, padding), 0.0));
      attention->train();
      EXPECT_GT(largestDifference(attention->forward(x, padding), attention->forward(x, padding)), 1e-6);
    }

    TEST(MultiHeadAttention, StartsEachProjectionFromItsOwnXavierRange)
    {
      torch::manual_seed(3);
      const std::int64_t width = 64;
      MultiHeadAttention attention(width, 4, 0.0);
      const double limit = std::sqrt(6.0 / static_cast<double>(width + width));
      const std::vector<at::Tensor> parts = {
          attention->qkv->weight.narrow(0, 0, width), attention->qkv->weight.narrow(0, width, width),
          attention->qkv->weight.narrow(0, 2 * width, width), attention->output->weight};
      for (const at::Tensor& part : parts)
      {
        // 4096 uniform numbers come within 1 % of the limit; a fused initialisation would stay below 0.71 of it.
        EXPECT_LE(part.abs().max().item<double>(), limit);
        EXPECT_GT(part.abs().max().item<double>(), 0.99 * limit);
      }
      EXPECT_EQ(attention->qkv->bias.abs().max().item<double>(), 0.0);
      EXPECT_EQ(attention->output->bias.abs().max().item<double>(), 0.0);
    }

    TEST(MultiHeadAttention, NamesItsWeightsAsTheFileDoes)
    {
      std::vector<std::string> names;
      for (const auto& parameter : MultiHeadAttention(8, 2, 0.0)->named_parameters())
      {
        names.push_back(parameter.key());
      }
      EXPECT_THAT(names, ::testing::ElementsAre("qkv.weight", "qkv.bias", "output.weight", "output.bias"));
    }

    TEST(MultiHeadAttention, RefusesAWidthThatHeadsDoNotDivide)
    {
      expectError(ErrorKind::INVALID_MODEL, "d_model 10", [] { MultiHeadAttention(10, 4, 0.0); });
    }
  }
}
