// SPDX-License-Identifier: BSD-3-Clause
#include "nn/TransformerEncoder.h"

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
    using test::largestDifference;
    using test::tensorNear;

    Architecture smallArchitecture(NormOrder order)
    {
      Architecture architecture;
      architecture.d_model = 8;
      architecture.n_heads = 2;
      architecture.d_feedforward = 20;
      architecture.norm_order = order;
      return architecture;
    }

    at::Tensor tokens(std::int64_t n_batch, std::int64_t n_tokens)
    {
      return torch::randn({n_batch, n_tokens, 8}, torch::kFloat64);
    }

    at::Tensor paddingAtEnd(std::int64_t n_batch, std::int64_t n_tokens, std::int64_t n_padded)
    {
      at::Tensor padding = torch::zeros({n_batch, n_tokens}, torch::kBool);
      padding.narrow(1, n_tokens - n_padded, n_padded).fill_(true);
      return padding;
    }

    /// LayerNorm without its scale and offset, which start as 1 and 0.
    at::Tensor normalised(const at::Tensor& x)
    {
      const at::Tensor centred = x - x.mean(-1, true);
      return centred / ((centred * centred).mean(-1, true) + 1e-5).sqrt();
    }

    at::Tensor linear(const torch::OrderedDict<std::string, at::Tensor>& weights, const std::string& name,
                      const at::Tensor& x)
    {
      return at::matmul(x, weights[name + ".weight"].t()) + weights[name + ".bias"];
    }

    class TransformerEncoderTest : public ::testing::TestWithParam<NormOrder>
    {
    protected:
      TransformerEncoderTest() { torch::manual_seed(21); }

      TransformerEncoder make(std::int64_t n_layers) const
      {
        TransformerEncoder encoder(smallArchitecture(GetParam()), n_layers);
        encoder->to(torch::kFloat64);
        encoder->eval();
        return encoder;
      }
    };

    INSTANTIATE_TEST_SUITE_P(Norm, TransformerEncoderTest, ::testing::Values(NormOrder::PRE, NormOrder::POST),
                             [](const auto& test) { return test.param == NormOrder::PRE ? "pre" : "post"; });

    TEST_P(TransformerEncoderTest, OneLayerIsTheFormulaOfItsNormOrder)
    {
      EncoderLayer layer(smallArchitecture(GetParam()));
      layer->to(torch::kFloat64);
      layer->eval();
      const auto weights = layer->named_parameters();
      MultiHeadAttention attention(8, 2, 0.0);
      attention->to(torch::kFloat64);
      {
        const at::NoGradGuard no_gradient;
        for (auto& parameter : attention->named_parameters())
        {
          parameter.value().copy_(weights["attention." + parameter.key()]);
        }
      }
      const at::Tensor padding = paddingAtEnd(2, 5, 1);
      const auto attend = [&](const at::Tensor& x)
      {
        return attention->forward(x, padding);
      };
      const auto feed_forward = [&](const at::Tensor& x)
      {
        return linear(weights, "feed_forward.outer", at::relu(linear(weights, "feed_forward.inner", x)));
      };

      const at::Tensor x = tokens(2, 5);
      at::Tensor expected;
      if (GetParam() == NormOrder::PRE)
      {
        const at::Tensor y = x + attend(normalised(x));
        expected = y + feed_forward(normalised(y));
      }
      else
      {
        const at::Tensor y = normalised(x + attend(x));
        expected = normalised(y + feed_forward(y));
      }
      EXPECT_TRUE(tensorNear(layer->forward(x, padding), expected, 1e-12));
    }

    TEST_P(TransformerEncoderTest, KeepsShapeAndType)
    {
      TransformerEncoder encoder = make(2);
      const at::Tensor encoded = encoder->forward(tokens(3, 6), paddingAtEnd(3, 6, 2));
      EXPECT_EQ(encoded.sizes(), at::IntArrayRef({3, 6, 8}));
      EXPECT_EQ(encoded.scalar_type(), torch::kFloat64);
      encoder->to(torch::kFloat32);
      const at::Tensor narrow = encoder->forward(tokens(3, 6).to(torch::kFloat32), paddingAtEnd(3, 6, 2));
      EXPECT_EQ(narrow.scalar_type(), torch::kFloat32);
    }

    TEST_P(TransformerEncoderTest, PaddingChangesNothing)
    {
      TransformerEncoder encoder = make(2);
      const at::Tensor x = tokens(2, 6);
      const at::Tensor longer = at::cat({x, 50.0 * tokens(2, 4)}, 1);
      EXPECT_TRUE(tensorNear(encoder->forward(longer, paddingAtEnd(2, 10, 4)).narrow(1, 0, 6),
                             encoder->forward(x, paddingAtEnd(2, 6, 0)), 1e-12));
    }

    TEST_P(TransformerEncoderTest, RowsOfABatchDoNotMix)
    {
      TransformerEncoder encoder = make(2);
      const at::Tensor x = tokens(4, 6);
      const at::Tensor padding = paddingAtEnd(4, 6, 2);
      const at::Tensor together = encoder->forward(x, padding);
      for (std::int64_t b = 0; b < 4; ++b)
      {
        EXPECT_TRUE(
            tensorNear(encoder->forward(x.narrow(0, b, 1), padding.narrow(0, b, 1)), together.narrow(0, b, 1), 1e-12));
      }
    }

    TEST_P(TransformerEncoderTest, OneTokenIsEncoded)
    {
      EXPECT_TRUE(test::allFinite(make(2)->forward(tokens(2, 1), paddingAtEnd(2, 1, 0))));
      EXPECT_TRUE(test::allFinite(make(2)->forward(tokens(2, 9), paddingAtEnd(2, 9, 8))));
    }

    TEST_P(TransformerEncoderTest, WithoutLayersItNormalises)
    {
      const at::Tensor x = tokens(2, 4);
      EXPECT_TRUE(tensorNear(make(0)->forward(x, paddingAtEnd(2, 4, 1)), normalised(x), 1e-12));
    }

    TEST_P(TransformerEncoderTest, TheLastThingIsANormOnceAStack)
    {
      TransformerEncoder encoder = make(2);
      EXPECT_EQ(encoder->named_parameters().contains("final_norm.weight"), GetParam() == NormOrder::PRE);
      const at::Tensor encoded = encoder->forward(tokens(2, 4), paddingAtEnd(2, 4, 0));
      EXPECT_TRUE(tensorNear(encoded, normalised(encoded), 1e-4));
    }

    TEST(TransformerEncoder, NamesItsWeightsAsTheFileDoes)
    {
      std::vector<std::string> names;
      for (const auto& parameter : TransformerEncoder(smallArchitecture(NormOrder::PRE), 1)->named_parameters())
      {
        names.push_back(parameter.key());
      }
      EXPECT_THAT(names, ::testing::UnorderedElementsAre(
                             "layers.0.attention.qkv.weight", "layers.0.attention.qkv.bias",
                             "layers.0.attention.output.weight", "layers.0.attention.output.bias",
                             "layers.0.feed_forward.inner.weight", "layers.0.feed_forward.inner.bias",
                             "layers.0.feed_forward.outer.weight", "layers.0.feed_forward.outer.bias",
                             "layers.0.attention_norm.weight", "layers.0.attention_norm.bias",
                             "layers.0.feed_forward_norm.weight", "layers.0.feed_forward_norm.bias",
                             "final_norm.weight", "final_norm.bias"));
    }

    TEST(FeedForward, TakesItsActivationFromTheManifest)
    {
      torch::manual_seed(22);
      Architecture architecture = smallArchitecture(NormOrder::PRE);
      for (const FeedForwardActivation activation : {FeedForwardActivation::RELU, FeedForwardActivation::GELU})
      {
        architecture.activation = activation;
        FeedForward feed_forward(architecture);
        feed_forward->to(torch::kFloat64);
        feed_forward->eval();
        const auto weights = feed_forward->named_parameters();
        const at::Tensor x = tokens(2, 3);
        const at::Tensor inner = linear(weights, "inner", x);
        const at::Tensor active = activation == FeedForwardActivation::RELU
                                      ? inner.clamp_min(0.0)
                                      : inner * 0.5 * (1.0 + at::erf(inner / std::sqrt(2.0)));
        EXPECT_TRUE(tensorNear(feed_forward->forward(x), linear(weights, "outer", active), 1e-12));
      }
    }

    TEST(Pool, LooksAtUnpaddedTokensOnly)
    {
      const at::Tensor x =
          torch::tensor({{{1.0, -5.0}, {3.0, -1.0}, {99.0, 99.0}}, {{2.0, 4.0}, {6.0, 0.0}, {7.0, 8.0}}});
      const at::Tensor padding = torch::tensor({{0, 0, 1}, {0, 0, 0}}, torch::kBool);
      EXPECT_TRUE(tensorNear(pool(x, padding, Pooling::MEAN), torch::tensor({{2.0, -3.0}, {5.0, 4.0}}), 1e-6));
      EXPECT_TRUE(tensorNear(pool(x, padding, Pooling::MAX), torch::tensor({{3.0, -1.0}, {7.0, 8.0}}), 0.0));
      EXPECT_TRUE(tensorNear(pool(x, padding, Pooling::CLS), torch::tensor({{1.0, -5.0}, {2.0, 4.0}}), 0.0));
    }

    TEST(EncoderLayer, UsesTheManifestsWindowAboveItsThreshold)
    {
      torch::manual_seed(23);
      Architecture architecture = smallArchitecture(NormOrder::PRE);
      architecture.attention_window = 2;
      architecture.local_attention_above = 10;
      EncoderLayer layer(architecture);
      layer->to(torch::kFloat64);
      layer->eval();
      const auto reach = [&](std::int64_t length)
      {
        const at::Tensor x = tokens(1, length);
        at::Tensor changed = x.clone();
        changed.select(1, length - 1).add_(tokens(1, 1).select(1, 0));
        const at::Tensor padding = paddingAtEnd(1, length, 0);
        return largestDifference(layer->forward(x, padding).select(1, 0),
                                 layer->forward(changed, padding).select(1, 0));
      };
      EXPECT_GT(reach(10), 1e-6);
      EXPECT_EQ(reach(11), 0.0);
    }
  }
}
