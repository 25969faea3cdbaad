// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"

#include <PSMFormer/core/CandidateSampler.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace psmformer
{
  namespace
  {
    const std::vector<IonChannel> IONS = {{IonType::B, 1}, {IonType::Y, 1}};
    const char* const POSITIVE = "ADEFGHK";

    NegativeMix nothing()
    {
      NegativeMix mix;
      mix.natural_drawn = mix.natural_hardest = mix.natural_random = 0;
      mix.shuffled = mix.swapped = mix.reversed = mix.substituted = 0;
      return mix;
    }

    /// All orders of the positive's residues that keep its last one: a pool of one mass.
    PeptidePool permutedPool()
    {
      std::string residues = POSITIVE;
      const char last = residues.back();
      residues.pop_back();
      std::sort(residues.begin(), residues.end());
      std::vector<std::string> all;
      do
      {
        all.push_back(residues + last);
      } while (std::next_permutation(residues.begin(), residues.end()));
      return PeptidePool(all, DataPart::TRAINING);
    }

    std::vector<Peptide> draw(const NegativeMix& mix, const PeptidePool& pool, std::uint64_t seed,
                              const std::vector<Peptide>& others = {}, const char* positive = POSITIVE)
    {
      const Peptide peptide = makePeptide(positive);
      Random random(seed);
      const PreprocessedSpectrum spectrum = preprocess(test::noiselessSpectrum(peptide, 2), 2, {});
      return drawNegatives(spectrum, peptide, others, pool, mix, IONS, 120, random);
    }

    float explained(const Peptide& candidate)
    {
      const PreprocessedSpectrum spectrum = preprocess(test::noiselessSpectrum(makePeptide(POSITIVE), 2), 2, {});
      return matchIons(spectrum, candidate, IONS, 120).summary.front();
    }

    TEST(CandidateSampler, GivesTheMixThatIsAskedFor)
    {
      const std::vector<Peptide> negatives = draw({}, permutedPool(), 1);
      EXPECT_GE(negatives.size(), 6U); // variants may coincide with natural ones
      EXPECT_LE(negatives.size(), 8U);
      for (std::size_t i = 0; i < negatives.size(); ++i)
      {
        EXPECT_FALSE(indistinguishable(negatives[i], makePeptide(POSITIVE)));
        for (std::size_t j = 0; j < i; ++j)
        {
          EXPECT_FALSE(indistinguishable(negatives[i], negatives[j]));
        }
      }
    }

    TEST(CandidateSampler, HardestExplainMostOfTheSpectrum)
    {
      const PeptidePool pool = permutedPool();
      NegativeMix mix = nothing();
      mix.natural_drawn = mix.natural_hardest = 5000; // all that there are
      std::vector<float> all;
      for (const Peptide& peptide : draw(mix, pool, 2))
      {
        all.push_back(explained(peptide));
      }
      ASSERT_GT(all.size(), 400U);
      EXPECT_TRUE(std::is_sorted(all.rbegin(), all.rend()));
      mix.natural_hardest = 3;
      std::vector<float> hardest;
      for (const Peptide& peptide : draw(mix, pool, 3))
      {
        hardest.push_back(explained(peptide));
      }
      EXPECT_EQ(hardest, std::vector<float>(all.begin(), all.begin() + 3));
    }

    TEST(CandidateSampler, RandomNaturalOnesAreNotTheHardest)
    {
      NegativeMix mix = nothing();
      mix.natural_drawn = 100;
      mix.natural_hardest = 1;
      mix.natural_random = 20;
      const std::vector<Peptide> negatives = draw(mix, permutedPool(), 4);
      ASSERT_EQ(negatives.size(), 21U);
      std::set<float> shares;
      for (std::size_t i = 1; i < negatives.size(); ++i)
      {
        EXPECT_LE(explained(negatives[i]), explained(negatives[0]));
        shares.insert(explained(negatives[i]));
      }
      EXPECT_GT(shares.size(), 2U); // easy and hard ones
    }

    TEST(CandidateSampler, NaturalOnesEndAnywhereInTheShareAskedFor)
    {
      const PeptidePool pool({"DAEFGKH", "DAEFKGH", "DAEGFKH", "DAFEGHK", "DAFGEHK", "DGFAEHK"}, DataPart::TRAINING);
      NegativeMix mix = nothing();
      mix.natural_drawn = mix.natural_random = 100;
      const auto countOfTrials = [&](double share)
      {
        mix.any_end_share = share;
        int n_any = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed)
        {
          const std::vector<Peptide> negatives = draw(mix, pool, seed);
          n_any += static_cast<int>(std::any_of(negatives.begin(), negatives.end(),
                                                [](const Peptide& p) { return p.residues.back() == 'H'; }));
        }
        return n_any;
      };
      EXPECT_EQ(countOfTrials(0.0), 0);
      EXPECT_NEAR(countOfTrials(0.5), 50, 20);
      EXPECT_EQ(countOfTrials(1.0), 100);
    }

    TEST(CandidateSampler, OtherCandidatesAreTakenUnlessTheyCannotBeToldApart)
    {
      const std::vector<Peptide> others = {makePeptide("GGGGGK"), makePeptide("AIDEK"), makePeptide("WWWWK")};
      const std::vector<Peptide> negatives = draw(nothing(), PeptidePool({}, DataPart::TEST), 5, others, "ALDEK");
      ASSERT_EQ(negatives.size(), 2U);
      EXPECT_EQ(negatives[0].residues, "GGGGGK");
      EXPECT_EQ(negatives[1].residues, "WWWWK");
    }

    TEST(CandidateSampler, EachClassCanBeDrawnAlone)
    {
      const PeptidePool empty({}, DataPart::TRAINING);
      NegativeMix mix = nothing();
      mix.reversed = 1;
      ASSERT_EQ(draw(mix, empty, 6).size(), 1U);
      EXPECT_THAT(draw(mix, empty, 6)[0].residues, testing::AnyOf("AHGFEDK", "HGFEDAK"));
      mix = nothing();
      mix.swapped = 1;
      ASSERT_EQ(draw(mix, empty, 7).size(), 1U);
      mix = nothing();
      mix.shuffled = 2;
      EXPECT_EQ(draw(mix, empty, 8).size(), 2U);
      mix = nothing();
      mix.substituted = 1;
      ASSERT_EQ(draw(mix, empty, 9).size(), 1U);
      EXPECT_NEAR(monoisotopicMass(draw(mix, empty, 9)[0]), monoisotopicMass(makePeptide(POSITIVE)), 0.05);
    }

    TEST(CandidateSampler, ClassesWithoutMembersAreLeftOut)
    {
      EXPECT_TRUE(draw({}, PeptidePool({}, DataPart::TRAINING), 10, {}, "AK").empty());
    }

    TEST(CandidateSampler, TheSameRandomStateGivesTheSameNegatives)
    {
      const PeptidePool pool = permutedPool();
      const auto names = [&](std::uint64_t seed)
      {
        std::vector<std::string> residues;
        for (const Peptide& peptide : draw({}, pool, seed))
        {
          residues.push_back(peptide.residues);
        }
        return residues;
      };
      EXPECT_EQ(names(11), names(11));
      EXPECT_NE(names(11), names(12));
    }
  }
}
