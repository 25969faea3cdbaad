// SPDX-License-Identifier: BSD-3-Clause
// Gradients of every layer type against central differences in float64.
#include "nn/LocalAttention.h"
#include "nn/MatchDecoder.h"
#include "nn/MultiHeadAttention.h"
#include "nn/MzDifferenceBias.h"
#include "nn/PeakEmbedding.h"
#include "nn/PositionalEncoding.h"
#include "nn/ScoringHead.h"
#include "nn/TransformerEncoder.h"

#include "support/DecoderInputs.h"
#include "support/TensorNear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace psmformer::nn
{
  namespace
  {
    constexpr double STEP = 1e-5;
    constexpr double RELATIVE_TOLERANCE = 1e-6;
    constexpr std::int64_t CHECKED_PER_TENSOR = 40; ///< evenly spread over larger tensors

    using Leaves = std::vector<std::pair<std::string, at::Tensor>>;

    /// With GELU: a ReLU that stands within a step of its kink has no derivative to compare with. Only the tests of
    /// single ReLU layers keep it.
    ModelManifest smoothManifest()
    {
      ModelManifest manifest = test::smallManifest();
      manifest.architecture.activation = FeedForwardActivation::GELU;
      return manifest;
    }

    class Gradients : public ::testing::Test
    {
    protected:
      Gradients() { torch::manual_seed(51); }
    };

    at::Tensor input(at::IntArrayRef shape)
    {
      return torch::randn(shape, torch::dtype(torch::kFloat64).requires_grad(true));
    }

    at::Tensor somePadding(std::int64_t n_batch, std::int64_t n_tokens)
    {
      at::Tensor padding = torch::zeros({n_batch, n_tokens}, torch::kBool);
      padding[n_batch - 1].narrow(0, n_tokens - 2, 2).fill_(true);
      return padding;
    }

    /// Compares d loss / d x of one tensor, relative to its largest element.
    void compareWithDifferences(const std::string& name, at::Tensor leaf, const std::function<double()>& loss)
    {
      ASSERT_TRUE(leaf.grad().defined()) << name;
      const at::Tensor gradient = leaf.grad().contiguous();
      const double largest = gradient.abs().max().item<double>();
      EXPECT_GT(largest, 0.0) << name;
      double* value = leaf.data_ptr<double>();
      const std::int64_t n = leaf.numel();
      const std::int64_t n_checked = std::min(n, CHECKED_PER_TENSOR);
      for (std::int64_t k = 0; k < n_checked; ++k)
      {
        const std::int64_t i = k * n / n_checked;
        const double kept = value[i];
        value[i] = kept + STEP;
        const double above = loss();
        value[i] = kept - STEP;
        const double below = loss();
        value[i] = kept;
        EXPECT_NEAR(gradient.data_ptr<double>()[i], (above - below) / (2.0 * STEP), RELATIVE_TOLERANCE * largest)
            << name << ", element " << i << " of " << n;
      }
    }

    void expectGradients(const Leaves& leaves, const std::function<at::Tensor()>& output)
    {
      const at::Tensor weight = torch::randn_like(output()); // a plain sum is constant behind a LayerNorm
      (output() * weight).sum().backward();
      const auto loss = [&]
      {
        const at::NoGradGuard no_gradient;
        return (output() * weight).sum().item<double>();
      };
      for (const auto& [name, leaf] : leaves)
      {
        compareWithDifferences(name, leaf, loss);
      }
    }

    /// The module in float64, its dropout off, its biases not 0; its parameters and the given inputs as leaves.
    template <typename Module> Leaves leavesOf(Module& module, Leaves inputs = {})
    {
      module->to(torch::kFloat64);
      module->eval();
      for (auto& parameter : module->named_parameters())
      {
        const at::NoGradGuard no_gradient;
        parameter.value().add_(0.1 * torch::randn_like(parameter.value()));
        inputs.emplace_back(parameter.key(), parameter.value());
      }
      return inputs;
    }

    TEST_F(Gradients, LearnedPositionalEncoding)
    {
      PositionalEncoding encoding(OrdinalEncoding::LEARNED, 6, 5, 2.0, 10.0);
      const Leaves leaves = leavesOf(encoding);
      const at::Tensor positions = torch::tensor({{0, 1, 2, 3}, {4, 4, 0, 0}}, torch::kInt64);
      expectGradients(leaves, [&] { return encoding->forward(positions).pow(2) + encoding->matrix(4); });
    }

    TEST_F(Gradients, MultiHeadAttention)
    {
      MultiHeadAttention attention(8, 2, 0.1);
      const at::Tensor x = input({2, 5, 8});
      const Leaves leaves = leavesOf(attention, {{"x", x}});
      const at::Tensor padding = somePadding(2, 5);
      expectGradients(leaves, [&] { return attention->forward(x, padding); });
    }

    TEST_F(Gradients, MultiHeadAttentionWithAnMzDifferenceBias)
    {
      Architecture architecture = smoothManifest().architecture;
      architecture.mz_bias_wavelengths = 3;
      MultiHeadAttention attention(8, 2, 0.1);
      MzDifferenceBias bias(architecture);
      const at::Tensor x = input({2, 5, 8});
      Leaves leaves = leavesOf(attention, {{"x", x}});
      leaves = leavesOf(bias, leaves);
      const at::Tensor mz = 100.0 + 900.0 * torch::rand({2, 4}, torch::kFloat64);
      const at::Tensor encoding = MzDifferenceBiasImpl::encode(mz, architecture, torch::kFloat64);
      const at::Tensor padding = somePadding(2, 5);
      expectGradients(leaves, [&] { return attention->forward(x, padding, bias->forward(encoding)); });
    }

    TEST_F(Gradients, MultiHeadAttentionToAMemory)
    {
      MultiHeadAttention attention(8, 2, 0.1);
      const at::Tensor query = input({2, 3, 8});
      const at::Tensor memory = input({2, 6, 8});
      const Leaves leaves = leavesOf(attention, {{"query", query}, {"memory", memory}});
      const at::Tensor padding = somePadding(2, 6);
      expectGradients(leaves, [&] { return attention->attend(query, memory, padding); });
    }

    TEST_F(Gradients, MultiHeadAttentionWithAWindow)
    {
      MultiHeadAttention attention(8, 2, 0.1, 3, 10);
      const at::Tensor x = input({2, 40, 8});
      const Leaves leaves = leavesOf(attention, {{"x", x}});
      const at::Tensor padding = somePadding(2, 40);
      expectGradients(leaves, [&] { return attention->forward(x, padding); });
    }

    TEST_F(Gradients, LocalAttention)
    {
      const Leaves leaves = {
          {"query", input({2, 2, 37, 4})}, {"key", input({2, 2, 37, 4})}, {"value", input({2, 2, 37, 4})}};
      at::Tensor padding = somePadding(2, 37);
      padding[1].narrow(0, 10, 20).fill_(true); // some see nothing
      expectGradients(leaves,
                      [&] { return attendLocally(leaves[0].second, leaves[1].second, leaves[2].second, padding, 2); });
    }

    TEST_F(Gradients, FeedForward)
    {
      for (const FeedForwardActivation activation : {FeedForwardActivation::RELU, FeedForwardActivation::GELU})
      {
        Architecture architecture = smoothManifest().architecture;
        architecture.activation = activation;
        FeedForward feed_forward(architecture);
        const at::Tensor x = input({2, 3, 8});
        const Leaves leaves = leavesOf(feed_forward, {{"x", x}});
        expectGradients(leaves, [&] { return feed_forward->forward(x); });
      }
    }

    TEST_F(Gradients, EncoderLayerAndStack)
    {
      for (const NormOrder order : {NormOrder::PRE, NormOrder::POST})
      {
        Architecture architecture = smoothManifest().architecture;
        architecture.norm_order = order;
        const at::Tensor padding = somePadding(2, 5);
        const at::Tensor x = input({2, 5, 8});

        EncoderLayer layer(architecture);
        const Leaves layer_leaves = leavesOf(layer, {{"x", x}});
        expectGradients(layer_leaves, [&] { return layer->forward(x, padding); });

        for (const std::int64_t n_layers : {0, 2})
        {
          const at::Tensor tokens = input({2, 5, 8});
          TransformerEncoder encoder(architecture, n_layers);
          const Leaves leaves = leavesOf(encoder, {{"tokens", tokens}});
          expectGradients(leaves, [&] { return encoder->forward(tokens, padding); });
        }
      }
    }

    TEST_F(Gradients, Pooling)
    {
      const at::Tensor padding = somePadding(2, 5);
      for (const Pooling pooling : {Pooling::MEAN, Pooling::MAX, Pooling::CLS})
      {
        const at::Tensor x = input({2, 5, 8});
        expectGradients({{"x", x}}, [&] { return pool(x, padding, pooling); });
      }
    }

    TEST_F(Gradients, Embeddings)
    {
      const ModelManifest manifest = smoothManifest();
      const at::Tensor mz = torch::rand({2, 4}, torch::kFloat64) * 1000.0;
      const at::Tensor intensity = torch::rand({2, 4}, torch::dtype(torch::kFloat64).requires_grad(true));
      PeakEmbedding peaks(manifest);
      expectGradients(leavesOf(peaks, {{"intensity", intensity}}), [&] { return peaks->forward(mz, intensity); });

      const at::Tensor index = torch::tensor({1, 3}, torch::kInt64);
      const at::Tensor tolerance = input({2});
      PrecursorEmbedding precursor(manifest);
      expectGradients(leavesOf(precursor, {{"tolerance", tolerance}}),
                      [&] { return precursor->forward(mz.select(1, 0), index, index, tolerance); });

      const at::Tensor token = torch::tensor({{1, 5, 9, 2}, {3, 3, 0, 0}}, torch::kInt64);
      ModelManifest learned = manifest;
      learned.architecture.residue_positions = OrdinalEncoding::LEARNED;
      ResidueEmbedding residues(learned);
      expectGradients(leavesOf(residues), [&] { return residues->forward(token, mz, token == 0); });
    }

    TEST_F(Gradients, DecoderLayer)
    {
      for (const NormOrder order : {NormOrder::PRE, NormOrder::POST})
      {
        Architecture architecture = smoothManifest().architecture;
        architecture.norm_order = order;
        DecoderLayer layer(architecture);
        const at::Tensor x = input({4, 5, 8});
        const at::Tensor memory = input({2, 6, 8});
        const at::Tensor padding = somePadding(4, 5);
        const at::Tensor memory_padding = somePadding(2, 6);
        const Leaves leaves = leavesOf(layer, {{"x", x}, {"memory", memory}});
        expectGradients(leaves, [&] { return layer->forward(x, padding, memory, memory_padding); });
      }
    }

    TEST_F(Gradients, MatchDecoder)
    {
      ModelManifest manifest = smoothManifest();
      manifest.architecture.residue_positions = OrdinalEncoding::LEARNED;
      MatchDecoder decoder(manifest);
      test::DecoderInputs inputs = test::makeDecoderInputs(2, 2, 5, 6);
      Leaves leaves = {{"residue", inputs.residue_NLD},
                       {"evidence", inputs.evidence_NSE},
                       {"summary", inputs.summary_NG},
                       {"log_tolerance", inputs.log_tolerance_B},
                       {"memory", inputs.memory_BPD}};
      for (auto& leaf : leaves)
      {
        leaf.second.requires_grad_(true);
      }
      leaves = leavesOf(decoder, leaves);
      expectGradients(leaves, [&] { return inputs.decode(decoder); });
    }

    TEST_F(Gradients, Heads)
    {
      const ModelManifest manifest = smoothManifest();
      const at::Tensor cls = input({3, 8});
      ScoringHead scoring(manifest.architecture);
      expectGradients(leavesOf(scoring, {{"cls", cls}}), [&] { return scoring->forward(cls); });

      const at::Tensor residues = input({3, 5, 8});
      const at::Tensor index = torch::tensor({1, 3, 2}, torch::kInt64);
      FragmentHead fragments(manifest);
      expectGradients(leavesOf(fragments, {{"residues", residues}}),
                      [&] { return fragments->forward(residues, index, index); });
    }
  }
}
