// SPDX-License-Identifier: BSD-3-Clause
// Semi-supervised rescoring of simulated spectra with two hits and 42 features each: time grows no faster than with the
// number of spectra, and from 75,000 on, where training parts are thinned, more slowly.
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/model/LogisticRegression.h>

#include <support/SimulatedTable.h>

#include <benchmark/benchmark.h>

namespace psmformer
{
  namespace
  {
    void rescore(benchmark::State& state)
    {
      test::TableOptions options;
      options.n_spectra = static_cast<std::size_t>(state.range(0));
      options.n_noise = 40;
      const RescoringTable table = test::simulateTable(options).table;
      const LogisticRegression fitter;
      for ([[maybe_unused]] const auto iteration : state)
      {
        benchmark::DoNotOptimize(rescoreSemiSupervised(table, fitter));
      }
      state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(table.hits.size()));
    }

    BENCHMARK(rescore)->Arg(1000)->Arg(10000)->Arg(50000)->Unit(benchmark::kMillisecond);
  }
}
