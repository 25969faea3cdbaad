// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExplainedIntensityScorer.h"

#include "support/Builders.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptideVariants.h>
#include <PSMFormer/core/SpectrumNull.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace psmformer
{
  namespace
  {
    std::vector<Peptide> peptides(const std::vector<std::string>& residues)
    {
      std::vector<Peptide> result;
      std::transform(residues.begin(), residues.end(), std::back_inserter(result), makePeptide);
      return result;
    }

    std::vector<std::string> allShuffles(const std::vector<std::string>& candidates, std::size_t at_least)
    {
      std::vector<std::string> result;
      for (const std::vector<Peptide>& of_one : shuffledCandidates(peptides(candidates), at_least))
      {
        std::transform(of_one.begin(), of_one.end(), std::back_inserter(result),
                       [](const Peptide& peptide) { return peptide.residues; });
      }
      std::sort(result.begin(), result.end());
      return result;
    }

    /// Matches of one spectrum of ADEFGHLK: identification i has the candidates of entry i.
    MatchTable tableOf(const std::vector<std::vector<std::string>>& candidates)
    {
      MatchTable table;
      table.spectra.push_back(test::noiselessSpectrum(makePeptide("ADEFGHLK"), 2));
      for (std::size_t i = 0; i < candidates.size(); ++i)
      {
        for (const std::string& residues : candidates[i])
        {
          PeptideSpectrumMatch match;
          match.peptide = table.peptides.size();
          match.charge = 2;
          match.origin = {i, table.matches.size()};
          table.peptides.push_back(makePeptide(residues));
          table.matches.push_back(match);
        }
      }
      return table;
    }

    TEST(SpectrumNull, ShufflesKeepTheResiduesAndTheLastOne)
    {
      const std::vector<Peptide> candidates = peptides({"ADEFGHLK", "PEPTLDER"});
      const std::vector<std::vector<Peptide>> shuffled = shuffledCandidates(candidates, 6);
      ASSERT_EQ(shuffled.size(), 2U);
      for (std::size_t c = 0; c < 2; ++c)
      {
        ASSERT_EQ(shuffled[c].size(), 3U);
        for (const Peptide& peptide : shuffled[c])
        {
          EXPECT_EQ(pairingKey(peptide.residues), pairingKey(candidates[c].residues));
          EXPECT_EQ(peptide.residues.back(), candidates[c].residues.back());
          EXPECT_NE(peptide.residues, candidates[c].residues);
        }
      }
    }

    TEST(SpectrumNull, ModificationsMoveWithTheirResidues)
    {
      Peptide peptide = makePeptide("AMDEFGK");
      peptide.modification_mass[1] = 15.9949;
      const std::vector<std::vector<Peptide>> all = shuffledCandidates({peptide}, 4);
      ASSERT_EQ(all.front().size(), 4U);
      for (const Peptide& shuffled : all.front())
      {
        EXPECT_EQ(shuffled.modification_mass[shuffled.residues.find('M')], 15.9949) << shuffled.residues;
      }
    }

    TEST(SpectrumNull, TheOrderOfCandidatesDoesNotMatter)
    {
      EXPECT_EQ(allShuffles({"ADEFGHLK", "PEPTLDER", "GASSTAK"}, 5),
                allShuffles({"GASSTAK", "ADEFGHLK", "PEPTLDER"}, 5));
    }

    TEST(SpectrumNull, NoShuffleIsACandidateOrThereTwice)
    {
      // AAG has three orders before its K; two of them are candidates.
      EXPECT_EQ(allShuffles({"AAGK", "AGAK"}, 40), std::vector<std::string>({"GAAK"}));
      EXPECT_EQ(allShuffles({"AIGK", "ALGK"}, 1).size(), allShuffles({"ALGK"}, 1).size()); // I and L weigh the same
    }

    TEST(SpectrumNull, PeptidesOfOneOrderAndNoCandidatesGiveNone)
    {
      EXPECT_TRUE(allShuffles({"AAAAAK"}, 5).empty());
      EXPECT_TRUE(shuffledCandidates({}, 5).empty());
      EXPECT_TRUE(shuffledCandidates({}, 0).empty());
    }

    TEST(SpectrumNull, IsTheMeanLogitOfTheShuffles)
    {
      const test::ExplainedIntensityScorer scorer;
      MatchTable table = tableOf({{"ADEFGHLK", "GDEFAHLK"}, {"ADEFGHLK"}});
      const MatchScores plain = scorer.score(table);
      std::size_t most_done = 0;
      const MatchScores scores =
          scoreWithNull(scorer, table, 4, [&](std::size_t done) { most_done = std::max(most_done, done); });
      EXPECT_EQ(scores.logit, plain.logit);
      EXPECT_EQ(scores.cosine, plain.cosine);
      EXPECT_EQ(scores.spectral_angle, plain.spectral_angle);
      EXPECT_EQ(most_done, 3U);
      EXPECT_EQ(table.matches.size(), 3U);
      EXPECT_EQ(table.peptides.size(), 3U);

      MatchTable shuffles = tableOf({allShuffles({"ADEFGHLK", "GDEFAHLK"}, 4), allShuffles({"ADEFGHLK"}, 4)});
      const std::vector<double> logit = scorer.score(shuffles).logit;
      ASSERT_EQ(logit.size(), 8U);
      const double first = std::accumulate(logit.begin(), logit.begin() + 4, 0.0) / 4.0;
      const double second = std::accumulate(logit.begin() + 4, logit.end(), 0.0) / 4.0;
      ASSERT_EQ(scores.null_logit.size(), 3U);
      EXPECT_NEAR(scores.null_logit[0], first, 1e-9);
      EXPECT_NEAR(scores.null_logit[1], first, 1e-9);
      EXPECT_NEAR(scores.null_logit[2], second, 1e-9);
      EXPECT_LT(first, plain.logit[0]);
    }

    TEST(SpectrumNull, WithoutShufflesThereIsTheMeanOfTheOthers)
    {
      const test::ExplainedIntensityScorer scorer;
      MatchTable table = tableOf({{"ADEFGHLK"}, {"AAAAAAAK"}, {"GDEFAHLK"}});
      const MatchScores scores = scoreWithNull(scorer, table, 4);
      EXPECT_NEAR(scores.null_logit[1], (scores.null_logit[0] + scores.null_logit[2]) / 2.0, 1e-9);
      MatchTable alone = tableOf({{"AAAAAAAK"}});
      EXPECT_EQ(scoreWithNull(scorer, alone, 4).null_logit, std::vector<double>({0.0}));
    }

    class FailingScorer : public test::ExplainedIntensityScorer
    {
    public:
      MatchScores score(const MatchTable&, const ProgressCallback&) const override
      {
        throw Error(ErrorKind::INTERNAL, "failed");
      }
    };

    TEST(SpectrumNull, TheTableIsAsBeforeWhenScoringFails)
    {
      MatchTable table = tableOf({{"ADEFGHLK", "GDEFAHLK"}, {"ADEFGHLK"}});
      EXPECT_THROW(scoreWithNull(FailingScorer(), table, 4), Error);
      EXPECT_EQ(table.matches.size(), 3U);
      EXPECT_EQ(table.peptides.size(), 3U);
    }

    TEST(SpectrumNull, NoneAreScoredWhenNoneAreAskedFor)
    {
      MatchTable table = tableOf({{"ADEFGHLK"}});
      EXPECT_TRUE(scoreWithNull(test::ExplainedIntensityScorer(), table, 0).null_logit.empty());
    }
  }
}
