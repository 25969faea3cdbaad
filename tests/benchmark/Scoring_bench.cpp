// SPDX-License-Identifier: BSD-3-Clause
// What scoring costs: the base network with random weights, spectra of 300 random peaks, peptides of 7 to 25 residues.
#include "Batch.h"
#include "Inference.h"
#include "TorchRuntime.h"
#include "nn/PSMTransformer.h"
#include "support/Builders.h"

#include <benchmark/benchmark.h>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t SPECTRA = 500;
    constexpr std::size_t CANDIDATES = 5;

    MatchTable syntheticTable(std::size_t candidates)
    {
      Random random(1);
      MatchTable table;
      for (std::size_t s = 0; s < SPECTRA; ++s)
      {
        table.spectra.push_back(test::randomSpectrum(300, random));
        for (std::size_t c = 0; c < candidates; ++c)
        {
          table.matches.push_back({s, table.peptides.size(), 2, {s, c}});
          table.peptides.push_back(test::randomModifiedPeptide(7 + random.below(19), random));
        }
      }
      return table;
    }

    torch::Device prepareThreads(std::int64_t threads)
    {
      RuntimeOptions options;
      options.device = "cpu";
      options.threads = static_cast<int>(threads);
      return TorchRuntime::prepare(options);
    }

    /// Arguments: threads, candidates a spectrum, tokens a batch.
    void scoreMatches(benchmark::State& state)
    {
      const torch::Device device = prepareThreads(state.range(0));
      const ModelManifest manifest = presetManifest("base");
      std::vector<nn::PSMTransformer> networks = {nn::PSMTransformer(manifest)};
      networks.front()->eval();
      const MatchTable table = syntheticTable(static_cast<std::size_t>(state.range(1)));
      BatchLimits limits;
      limits.max_tokens = static_cast<std::size_t>(state.range(2));
      limits.max_peaks = manifest.inputs.preprocessing.max_peaks;
      for ([[maybe_unused]] const auto iteration : state)
      {
        benchmark::DoNotOptimize(
            psmformer::scoreMatches(networks, manifest, table, limits, device, static_cast<int>(state.range(0))));
      }
      const auto n_matches = static_cast<double>(table.matches.size());
      state.counters["PSMs/s"] = benchmark::Counter(n_matches, benchmark::Counter::kIsIterationInvariantRate);
      state.counters["spectra/s"] =
          benchmark::Counter(static_cast<double>(SPECTRA), benchmark::Counter::kIsIterationInvariantRate);
    }

    std::vector<MatchBatch> oneBatch(const MatchTable& table, const ModelInputs& inputs)
    {
      BatchLimits limits;
      limits.max_peaks = inputs.preprocessing.max_peaks;
      return planBatches(table, limits);
    }

    void prepareBatch(benchmark::State& state)
    {
      const ModelInputs inputs = presetManifest("base").inputs;
      const MatchTable table = syntheticTable(CANDIDATES);
      const MatchBatch batch = oneBatch(table, inputs).front();
      for ([[maybe_unused]] const auto iteration : state)
      {
        benchmark::DoNotOptimize(prepareRows(table, batch, inputs, 1));
      }
      const auto n_matches = static_cast<double>(batch.rows.size() * CANDIDATES);
      state.counters["PSMs/s"] = benchmark::Counter(n_matches, benchmark::Counter::kIsIterationInvariantRate);
    }

    void collateBatch(benchmark::State& state)
    {
      const ModelInputs inputs = presetManifest("base").inputs;
      const MatchTable table = syntheticTable(CANDIDATES);
      const MatchBatch batch = oneBatch(table, inputs).front();
      const std::vector<PreparedRow> rows = prepareRows(table, batch, inputs, 1);
      for ([[maybe_unused]] const auto iteration : state)
      {
        benchmark::DoNotOptimize(collate(rows, inputs));
      }
      const auto n_matches = static_cast<double>(rows.size() * CANDIDATES);
      state.counters["PSMs/s"] = benchmark::Counter(n_matches, benchmark::Counter::kIsIterationInvariantRate);
    }

    /// Peak embedding and spectrum encoder alone.
    void encodeSpectra(benchmark::State& state)
    {
      prepareThreads(1);
      const ModelManifest manifest = presetManifest("base");
      nn::PeakEmbedding embedding(manifest);
      nn::TransformerEncoder encoder(manifest.architecture, manifest.architecture.spectrum_layers);
      embedding->eval();
      encoder->eval();
      const MatchTable table = syntheticTable(CANDIDATES);
      const MatchBatch batch = oneBatch(table, manifest.inputs).front();
      const SpectrumBatch spectra = collate(prepareRows(table, batch, manifest.inputs, 1), manifest.inputs).spectra;
      const c10::InferenceMode inference;
      for ([[maybe_unused]] const auto iteration : state)
      {
        benchmark::DoNotOptimize(encoder(embedding(spectra.mz_BP, spectra.intensity_BP), spectra.peak_padding_BP));
      }
      const auto n_spectra = static_cast<double>(batch.rows.size());
      state.counters["spectra/s"] = benchmark::Counter(n_spectra, benchmark::Counter::kIsIterationInvariantRate);
    }

    BENCHMARK(prepareBatch)->Unit(benchmark::kMillisecond);
    BENCHMARK(collateBatch)->Unit(benchmark::kMillisecond);
    BENCHMARK(encodeSpectra)->Unit(benchmark::kMillisecond);
    BENCHMARK(scoreMatches)
        ->ArgNames({"threads", "candidates", "tokens"})
        ->ArgsProduct({{1, 2}, {1, CANDIDATES}, {4096, 16384}})
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}
