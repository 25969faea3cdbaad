// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/PSMScorer.h>

#include "TinyModel.h"
#include "TorchRuntime.h"
#include "support/Builders.h"
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <new>
#include <numeric>

namespace psmformer
{
  namespace
  {
    using test::expectError;

    constexpr double BATCH_TOLERANCE = 1e-5; ///< what the tools promise for another order or batch size

    class Scorer : public ::testing::Test
    {
    protected:
      Scorer() { test::saveTinyModel(model_file_, 1); }

      static RuntimeOptions options(int threads, std::size_t batch_tokens)
      {
        RuntimeOptions result;
        result.device = "cpu";
        result.threads = threads;
        result.batch_tokens = batch_tokens;
        return result;
      }

      MatchScores score(const MatchTable& table, int threads = 1, std::size_t batch_tokens = 1000) const
      {
        return PSMScorer(model_file_, options(threads, batch_tokens)).score(table);
      }

      test::TempDir folder_;
      std::filesystem::path model_file_ = folder_ / "tiny.safetensors";
    };

    MatchTable randomTable(std::size_t n_spectra)
    {
      Random random(17);
      MatchTable table;
      for (std::size_t s = 0; s < n_spectra; ++s)
      {
        table.spectra.push_back(test::randomSpectrum(random.below(150), random));
        const std::size_t n_candidates = 1 + random.below(4);
        for (std::size_t c = 0; c < n_candidates; ++c)
        {
          table.matches.push_back({s, table.peptides.size(), 1 + static_cast<int>(random.below(4)), {s, c}});
          table.peptides.push_back(test::randomModifiedPeptide(1 + random.below(40), random));
        }
      }
      return table;
    }

    double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
    {
      EXPECT_EQ(a.size(), b.size());
      return std::inner_product(
          a.begin(), a.end(), b.begin(), 0.0, [](double x, double y) { return std::max(x, y); },
          [](double x, double y) { return std::abs(x - y); });
    }

    TEST_F(Scorer, GivesTheSameBytesForAnyNumberOfThreads)
    {
      const MatchTable table = randomTable(60);
      const MatchScores one = score(table, 1);
      for (const int threads : {2, 3})
      {
        const MatchScores several = score(table, threads);
        EXPECT_EQ(several.logit, one.logit) << threads;
        EXPECT_EQ(several.cosine, one.cosine) << threads;
        EXPECT_EQ(several.spectral_angle, one.spectral_angle) << threads;
      }
    }

    TEST_F(Scorer, ScorersWithOtherThreadsDoNotDisturbEachOther)
    {
      const MatchTable table = randomTable(30);
      const PSMScorer one(model_file_, options(1, 1000));
      const MatchScores before = one.score(table);
      const PSMScorer two(model_file_, options(2, 1000));
      EXPECT_EQ(two.score(table).logit, before.logit);
      EXPECT_EQ(one.score(table).logit, before.logit);
    }

    TEST_F(Scorer, DoesNotDependOnTheSizeOfBatches)
    {
      const MatchTable table = randomTable(60);
      const MatchScores small = score(table, 1, 1);
      for (const std::size_t batch_tokens : {500U, 100'000U})
      {
        const MatchScores large = score(table, 2, batch_tokens);
        EXPECT_LE(largestDifference(small.logit, large.logit), BATCH_TOLERANCE);
        EXPECT_LE(largestDifference(small.cosine, large.cosine), BATCH_TOLERANCE);
        EXPECT_LE(largestDifference(small.spectral_angle, large.spectral_angle), 1e-4);
      }
    }

    TEST_F(Scorer, DoesNotDependOnTheOrderOfMatches)
    {
      const MatchTable table = randomTable(40);
      std::vector<std::size_t> order(table.matches.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      Random(23).shuffle(order);
      MatchTable shuffled = table;
      for (std::size_t i = 0; i < order.size(); ++i)
      {
        shuffled.matches[i] = table.matches[order[i]];
      }
      const MatchScores expected = score(table);
      const MatchScores scores = score(shuffled);
      for (std::size_t i = 0; i < order.size(); ++i)
      {
        EXPECT_NEAR(scores.logit[i], expected.logit[order[i]], BATCH_TOLERANCE);
      }
    }

    TEST_F(Scorer, ScoresEveryKindOfMatch)
    {
      Random random(2);
      const MatchTable table =
          test::makeMatchTable({test::makeSpectrum({}, 500.0, 2), test::makeSpectrum({{300.0, 1.0F}}, 500.0, 2),
                                test::makeSpectrum({{300.0, 1.0F}}, 0.0, 20), test::randomSpectrum(2000, random)},
                               {makePeptide("K"), makePeptide("AK"), test::randomModifiedPeptide(100, random)});
      const MatchScores scores = score(table);
      ASSERT_EQ(scores.logit.size(), table.matches.size());
      for (std::size_t i = 0; i < table.matches.size(); ++i)
      {
        EXPECT_TRUE(std::isfinite(scores.logit[i])) << i;
        EXPECT_LE(std::abs(scores.cosine[i]), 1.0) << i;
        EXPECT_GE(scores.spectral_angle[i], 0.0) << i;
        EXPECT_LE(scores.spectral_angle[i], 1.0) << i;
      }
    }

    TEST_F(Scorer, ScoresEachPeptideWithTheWeightsOfItsFold)
    {
      ModelManifest manifest = test::tinyManifest();
      manifest.folds = {2, 3};
      saveModel(folder_ / "folds.safetensors", manifest,
                {test::randomNetwork(manifest, 1), test::randomNetwork(manifest, 2)});
      test::saveTinyModel(folder_ / "other.safetensors", 2);
      const MatchTable table = randomTable(60);
      const std::vector<MatchScores> by_fold = {
          score(table), PSMScorer(folder_ / "other.safetensors", options(1, 1000)).score(table)};
      const MatchScores folded = PSMScorer(folder_ / "folds.safetensors", options(2, 1000)).score(table);
      std::vector<std::size_t> n_of_fold(2);
      for (std::size_t i = 0; i < table.matches.size(); ++i)
      {
        const std::size_t fold = manifest.folds.foldOf(table.peptides[table.matches[i].peptide].residues);
        ++n_of_fold[fold];
        EXPECT_NEAR(folded.logit[i], by_fold[fold].logit[i], BATCH_TOLERANCE) << i;
        EXPECT_GT(std::abs(folded.logit[i] - by_fold[1 - fold].logit[i]), 10 * BATCH_TOLERANCE) << i;
      }
      EXPECT_GT(n_of_fold[0], 10U);
      EXPECT_GT(n_of_fold[1], 10U);
    }

    TEST_F(Scorer, ScoresNothingOfAnEmptyTable)
    {
      EXPECT_TRUE(score(MatchTable{}).logit.empty());
      EXPECT_TRUE(score(MatchTable{}, 2).logit.empty());
    }

    TEST_F(Scorer, ReportsProgressUpToTheLastMatch)
    {
      const MatchTable table = randomTable(20);
      std::vector<std::size_t> reported;
      PSMScorer(model_file_, options(2, 500)).score(table, [&](std::size_t done) { reported.push_back(done); });
      ASSERT_FALSE(reported.empty());
      EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
      EXPECT_EQ(reported.back(), table.matches.size());
    }

    TEST_F(Scorer, RefusesPeptidesTheModelCannotRead)
    {
      for (const int threads : {1, 2})
      {
        MatchTable table = randomTable(10);
        table.peptides[3] = makePeptide(std::string(101, 'G'));
        expectError(ErrorKind::INVALID_INPUT, "101 residues", [&] { score(table, threads); });
        table.peptides[3] = makePeptide("GGG");
        table.peptides[3].residues = "GXG";
        expectError(ErrorKind::INVALID_INPUT, "X", [&] { score(table, threads); });
      }
    }

    TEST_F(Scorer, NamesItsModelAndDevice)
    {
      const PSMScorer scorer(model_file_, options(1, 1000));
      EXPECT_EQ(scorer.manifest().name, "tiny");
      EXPECT_EQ(scorer.modelHash().size(), 64U);
      EXPECT_EQ(scorer.device(), "cpu");
    }

    TEST_F(Scorer, OneThreadUsesOneCore)
    {
      const MatchTable table = randomTable(200);
      const PSMScorer scorer(model_file_, options(1, 16384));
      const auto wall_start = std::chrono::steady_clock::now();
      const std::clock_t cpu_start = std::clock();
      scorer.score(table);
      const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
      const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_start).count();
      EXPECT_LE(cpu, 1.2 * wall);
    }

    TEST(TorchRuntime, RefusesDevicesThatAreNotThere)
    {
      RuntimeOptions options;
      for (const char* device : {"gpu", "", "cuda:", "cuda:x", "cuda:-1", "CPU", "cuda:0000000000001"})
      {
        options.device = device;
        expectError(ErrorKind::OPTION, "auto, cpu, cuda or cuda:N", [&] { TorchRuntime::prepare(options); });
      }
      options.device = "cuda:99";
      expectError(ErrorKind::OPTION, "is not there", [&] { TorchRuntime::prepare(options); });
      options.device = "cpu";
      options.threads = 0;
      expectError(ErrorKind::OPTION, "number of threads is 0", [&] { TorchRuntime::prepare(options); });
    }

    TEST(TorchRuntime, TakesTheGpuWhenThereIsOne)
    {
      const RuntimeOptions options;
      EXPECT_EQ(TorchRuntime::prepare(options).is_cuda(), torch::cuda::is_available());
    }

    TEST(TorchRuntime, TranslatesErrorsOfTheLibrary)
    {
      expectError(ErrorKind::INTERNAL, "LibTorch reports",
                  [] { TorchRuntime::translateErrors([] { torch::ones({2}).add(torch::ones({3})); }); });
      expectError(ErrorKind::INTERNAL, "did not expect: lost",
                  [] { TorchRuntime::translateErrors([] { throw std::runtime_error("lost"); }); });
      expectError(ErrorKind::NOT_FOUND, "ours",
                  [] { TorchRuntime::translateErrors([] { throw Error(ErrorKind::NOT_FOUND, "ours"); }); });
      EXPECT_THROW(TorchRuntime::translateErrors([] { torch::empty({std::int64_t{1} << 55}, torch::kInt8); }),
                   std::bad_alloc);
    }
  }
}
