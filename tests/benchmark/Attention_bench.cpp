// SPDX-License-Identifier: BSD-3-Clause
// Self-attention over L tokens, full and in a window of 10 neighbours: the time of the second grows with L, not L^2.
#include "TorchRuntime.h"
#include "nn/MultiHeadAttention.h"

#include <benchmark/benchmark.h>

namespace psmformer
{
  namespace
  {
    void attend(benchmark::State& state, std::int64_t window)
    {
      constexpr std::int64_t WIDTH = 64;
      constexpr std::int64_t HEADS = 4;
      TorchRuntime::prepare(RuntimeOptions{});
      nn::MultiHeadAttention attention(WIDTH, HEADS, 0.0, window, 0);
      attention->eval();
      const at::Tensor x_BSD = torch::randn({1, state.range(0), WIDTH});
      const at::Tensor padding_BS = torch::zeros({1, state.range(0)}, torch::kBool);
      const c10::InferenceMode inference;
      for ([[maybe_unused]] const auto iteration : state)
      {
        benchmark::DoNotOptimize(attention(x_BSD, padding_BS));
      }
      state.SetComplexityN(state.range(0));
    }

    void fullAttention(benchmark::State& state)
    {
      attend(state, 0);
    }

    void localAttention(benchmark::State& state)
    {
      attend(state, 10);
    }

    BENCHMARK(fullAttention)->RangeMultiplier(2)->Range(400, 3200)->Complexity()->Unit(benchmark::kMillisecond);
    BENCHMARK(localAttention)->RangeMultiplier(2)->Range(400, 3200)->Complexity()->Unit(benchmark::kMillisecond);
  }
}
