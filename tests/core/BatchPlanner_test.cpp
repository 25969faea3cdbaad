// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/BatchPlanner.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using testing::ElementsAre;

    MatchTable randomTable(std::size_t n_matches, Random& random)
    {
      MatchTable table;
      for (int i = 0; i < 20; ++i)
      {
        table.spectra.push_back(test::randomSpectrum(random.below(300), random));
        table.peptides.push_back(makePeptide(test::randomResidues(1 + random.below(60), random)));
      }
      for (std::size_t i = 0; i < n_matches; ++i)
      {
        // A skewed choice, so that some spectra have many candidates.
        const std::size_t spectrum = random.below(1 + random.below(20));
        table.matches.push_back({spectrum, random.below(20), 1 + static_cast<int>(random.below(3)), {0, i}});
      }
      return table;
    }

    std::size_t longestOf(const MatchTable& table, const BatchRow& row)
    {
      std::size_t longest = 0;
      for (const std::size_t match : row.matches)
      {
        longest = std::max(longest, table.peptides[table.matches[match].peptide].length());
      }
      return longest;
    }

    std::size_t paddedTokens(const MatchTable& table, const MatchBatch& batch, const BatchLimits& limits)
    {
      std::size_t peaks = 0;
      std::size_t candidates = 0;
      std::size_t longest = 2; // one site and the CLS token at least
      for (const BatchRow& row : batch.rows)
      {
        peaks = std::max(peaks, std::min(limits.max_peaks, table.spectra[row.spectrum].mz.size()) + 1);
        candidates = std::max(candidates, row.matches.size());
        longest = std::max(longest, longestOf(table, row));
      }
      return batch.rows.size() * (peaks + candidates * longest);
    }

    TEST(BatchPlanner, EveryMatchIsInExactlyOneRowOfItsSpectrumAndCharge)
    {
      Random random(31);
      for (int round = 0; round < 50; ++round)
      {
        const MatchTable table = randomTable(random.below(400), random);
        BatchLimits limits;
        limits.max_tokens = 1 + random.below(5000);
        limits.max_candidates = 1 + random.below(10);
        std::vector<int> seen(table.matches.size(), 0);
        for (const MatchBatch& batch : planBatches(table, limits))
        {
          ASSERT_FALSE(batch.rows.empty());
          ASSERT_TRUE(batch.rows.size() == 1 || paddedTokens(table, batch, limits) <= limits.max_tokens);
          for (const BatchRow& row : batch.rows)
          {
            ASSERT_GE(row.matches.size(), 1U);
            ASSERT_LE(row.matches.size(), limits.max_candidates);
            for (const std::size_t match : row.matches)
            {
              ++seen[match];
              ASSERT_EQ(table.matches[match].spectrum, row.spectrum);
              ASSERT_EQ(table.matches[match].charge, row.charge);
            }
          }
        }
        ASSERT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
      }
    }

    TEST(BatchPlanner, RowsComeLongestFirstThenByCandidatesThenByIndex)
    {
      Random random(32);
      const MatchTable table = randomTable(300, random);
      std::vector<std::tuple<std::size_t, std::size_t, long>> keys;
      for (const MatchBatch& batch : planBatches(table, {}))
      {
        for (const BatchRow& row : batch.rows)
        {
          keys.emplace_back(longestOf(table, row), row.matches.size(), -static_cast<long>(row.spectrum));
        }
      }
      EXPECT_TRUE(std::is_sorted(keys.rbegin(), keys.rend()));
    }

    TEST(BatchPlanner, ChargesOfOneSpectrumHaveRowsOfTheirOwn)
    {
      MatchTable table = test::makeMatchTable({test::makeSpectrum({{200.0, 1.0F}})},
                                              {makePeptide("PEPTIDE"), makePeptide("PEPTIDEK"), makePeptide("AK")});
      table.matches[1].charge = 3;
      const std::vector<MatchBatch> batches = planBatches(table, {});
      ASSERT_EQ(batches.size(), 1U);
      ASSERT_EQ(batches[0].rows.size(), 2U);
      EXPECT_EQ(batches[0].rows[0].charge, 3);
      EXPECT_THAT(batches[0].rows[0].matches, ElementsAre(1U));
      EXPECT_THAT(batches[0].rows[1].matches, ElementsAre(0U, 2U));
    }

    TEST(BatchPlanner, PeptidesOfABatchAreOfItsFold)
    {
      Random random(33);
      const MatchTable table = randomTable(400, random);
      const FoldRule rule{3, 5};
      std::size_t n_matches = 0;
      std::size_t last_fold = 0;
      for (const MatchBatch& batch : planBatches(table, {}, rule))
      {
        EXPECT_GE(batch.fold, last_fold);
        last_fold = batch.fold;
        for (const BatchRow& row : batch.rows)
        {
          n_matches += row.matches.size();
          for (const std::size_t match : row.matches)
          {
            ASSERT_EQ(rule.foldOf(table.peptides[table.matches[match].peptide].residues), batch.fold);
          }
        }
      }
      EXPECT_EQ(n_matches, table.matches.size());
      EXPECT_EQ(last_fold, 2U);
    }

    TEST(BatchPlanner, TokensAreCountedWithPadding)
    {
      // One row: 1 peak, the precursor token, 2 candidates of 7 tokens each (6 sites, CLS): 16 tokens.
      const MatchTable table = test::makeMatchTable(std::vector<Spectrum>(4, test::makeSpectrum({{200.0, 1.0F}})),
                                                    {makePeptide("PEPTIDE"), makePeptide("AK")});
      BatchLimits limits;
      limits.max_tokens = 32;
      EXPECT_EQ(planBatches(table, limits).size(), 2U);
      limits.max_tokens = 31;
      EXPECT_EQ(planBatches(table, limits).size(), 4U);
      limits.max_tokens = 64;
      EXPECT_EQ(planBatches(table, limits).size(), 1U);
    }

    TEST(BatchPlanner, ARowLargerThanTheLimitStandsAlone)
    {
      const MatchTable table =
          test::makeMatchTable({test::makeSpectrum({}), test::makeSpectrum({})}, {makePeptide(std::string(100, 'A'))});
      BatchLimits limits;
      limits.max_tokens = 1;
      EXPECT_EQ(planBatches(table, limits).size(), 2U);
    }

    TEST(BatchPlanner, EmptyTablesGiveNoBatchAndWrongIndicesAnError)
    {
      EXPECT_TRUE(planBatches({}, {}).empty());
      MatchTable table = test::makeMatchTable({test::makeSpectrum({})}, {makePeptide("AK")});
      table.matches[0].peptide = 1;
      expectError(ErrorKind::INVALID_INPUT, "Match 0", [&] { planBatches(table, {}); });
      table.matches[0] = {0, 0, 0, {}};
      expectError(ErrorKind::INVALID_INPUT, "Match 0", [&] { planBatches(table, {}); });
      BatchLimits limits;
      limits.max_candidates = 0;
      expectError(ErrorKind::INVALID_INPUT, "limits", [&] { planBatches({}, limits); });
    }
  }
}
