// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/PeptidePool.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace psmformer
{
  namespace
  {
    constexpr double CARBAMIDOMETHYL = 57.021464;
    constexpr double PHOSPHO = 79.966331;

    std::vector<double> carbamidomethylOnC()
    {
      std::vector<double> fixed(26, 0.0);
      fixed['C' - 'A'] = CARBAMIDOMETHYL;
      return fixed;
    }

    /// Orders of one composition: all have one mass.
    std::vector<std::string> permutations(std::string residues)
    {
      std::sort(residues.begin(), residues.end());
      std::vector<std::string> all;
      do
      {
        all.push_back(residues);
      } while (std::next_permutation(residues.begin(), residues.end()));
      return all;
    }

    std::vector<std::string> ofPart(const std::vector<std::string>& sequences, DataPart part)
    {
      std::vector<std::string> kept;
      std::copy_if(sequences.begin(), sequences.end(), std::back_inserter(kept),
                   [&](const std::string& s) { return dataPart(peptideKey(s)) == part; });
      return kept;
    }

    std::vector<std::string> residuesOf(const std::vector<Peptide>& peptides)
    {
      std::vector<std::string> residues;
      for (const Peptide& peptide : peptides)
      {
        residues.push_back(peptide.residues);
      }
      return residues;
    }

    bool isTryptic(const std::string& residues)
    {
      return residues.back() == 'K' || residues.back() == 'R';
    }

    TEST(PeptidePool, HoldsThePeptidesOfItsPartWithKnownMasses)
    {
      std::vector<std::string> sequences = permutations("ADEFGK");
      const std::size_t n_training = ofPart(sequences, DataPart::TRAINING).size();
      sequences.insert(sequences.end(), {"AXK", "ABK", "", "peptide"});
      EXPECT_EQ(PeptidePool(sequences, DataPart::TRAINING).size(), n_training);
      EXPECT_EQ(PeptidePool(sequences, DataPart::TEST).size() + PeptidePool(sequences, DataPart::VALIDATION).size() +
                    n_training,
                720U);
      EXPECT_GT(n_training, 500U);
    }

    TEST(PeptidePool, DrawsDistinctPeptidesOfTheMassAndOfOtherKeys)
    {
      Random random(51);
      std::vector<std::string> sequences;
      for (int i = 0; i < 20000; ++i)
      {
        sequences.push_back(test::randomResidues(6 + random.below(4), random));
      }
      const PeptidePool pool(sequences, DataPart::TRAINING);
      std::size_t n_drawn = 0;
      for (int round = 0; round < 200; ++round)
      {
        const Peptide like = makePeptide(sequences[random.below(sequences.size())]);
        std::set<std::string> keys = {peptideKey(like.residues)};
        const std::vector<Peptide> drawn = pool.draw(like, 5, 0.05, random);
        ASSERT_LE(drawn.size(), 5U);
        n_drawn += drawn.size();
        for (const Peptide& peptide : drawn)
        {
          EXPECT_NEAR(monoisotopicMass(peptide), monoisotopicMass(like), 0.05 + 1e-9);
          EXPECT_TRUE(keys.insert(peptideKey(peptide.residues)).second) << peptide.residues;
          EXPECT_EQ(dataPart(peptideKey(peptide.residues)), DataPart::TRAINING);
        }
      }
      EXPECT_GT(n_drawn, 500U);
    }

    TEST(PeptidePool, FindsEveryPeptideOfTheWindow)
    {
      Random random(52);
      const std::vector<std::string> sequences = permutations("ADEFGK");
      const PeptidePool pool(sequences, DataPart::TRAINING);
      std::vector<std::string> drawn = residuesOf(pool.draw(makePeptide("NADEFK"), 1000, 57.1, random));
      const std::vector<std::string> others = residuesOf(pool.draw(makePeptide("KADEFN"), 1000, 57.1, random));
      EXPECT_TRUE(std::all_of(drawn.begin(), drawn.end(), isTryptic));
      EXPECT_TRUE(std::none_of(others.begin(), others.end(), isTryptic));
      drawn.insert(drawn.end(), others.begin(), others.end());
      std::sort(drawn.begin(), drawn.end());
      EXPECT_EQ(drawn, ofPart(sequences, DataPart::TRAINING));
      EXPECT_TRUE(pool.draw(makePeptide("NADEFK"), 1000, 56.9, random).empty());
      EXPECT_TRUE(pool.draw(makePeptide("ADEFGK"), 0, 1.0, random).empty());
      EXPECT_TRUE(PeptidePool({}, DataPart::TEST).draw(makePeptide("AK"), 3, 1.0, random).empty());
    }

    TEST(PeptidePool, DrawsOtherEndsOnlyWhereNoneIsAlike)
    {
      Random random(54);
      std::vector<std::string> sequences = ofPart(permutations("ADEFGK"), DataPart::TRAINING);
      sequences.erase(std::remove_if(sequences.begin(), sequences.end(), isTryptic), sequences.end());
      const PeptidePool pool(sequences, DataPart::TRAINING);
      EXPECT_EQ(pool.draw(makePeptide("NADEFK"), 1000, 57.1, random).size(), sequences.size());
    }

    TEST(PeptidePool, DrawsAnyEndWhenAsked)
    {
      Random random(55);
      const std::vector<std::string> sequences = permutations("ADEFGK");
      const PeptidePool pool(sequences, DataPart::TRAINING);
      const std::vector<Peptide> all = pool.draw(makePeptide("NADEFK"), 1000, 57.1, random, DrawnEnds::ANY);
      EXPECT_EQ(all.size(), ofPart(sequences, DataPart::TRAINING).size());
      const std::vector<std::string> some =
          residuesOf(pool.draw(makePeptide("NADEFK"), 30, 57.1, random, DrawnEnds::ANY));
      ASSERT_EQ(some.size(), 30U);
      const auto n_tryptic = std::count_if(some.begin(), some.end(), isTryptic); // 5 are expected
      EXPECT_GT(n_tryptic, 0);
      EXPECT_LT(n_tryptic, 15);
    }

    TEST(PeptidePool, DrawsEveryPeptideEquallyOften)
    {
      Random random(53);
      std::vector<std::string> sequences = ofPart(permutations("ADEFK"), DataPart::TRAINING);
      const PeptidePool pool(sequences, DataPart::TRAINING);
      sequences.erase(std::remove_if(sequences.begin(), sequences.end(), isTryptic), sequences.end());
      std::map<std::string, int> counts;
      const int n_rounds = 4000;
      for (int round = 0; round < n_rounds; ++round)
      {
        for (const std::string& residues : residuesOf(pool.draw(makePeptide("DAFEKGG"), 10, 120.0, random)))
        {
          ++counts[residues];
        }
      }
      const double expected = n_rounds * 10.0 / static_cast<double>(sequences.size());
      ASSERT_EQ(counts.size(), sequences.size());
      for (const auto& [residues, count] : counts)
      {
        EXPECT_NEAR(count, expected, 6.0 * std::sqrt(expected)) << residues;
      }
    }

    TEST(PeptidePool, FixedModificationsAreOnEveryLetter)
    {
      Random random(54);
      const PeptidePool pool(permutations("ACDCEK"), DataPart::TRAINING, carbamidomethylOnC());
      Peptide like = makePeptide("ACCDEK");
      like.modification_mass[1] = like.modification_mass[2] = CARBAMIDOMETHYL;
      const std::vector<Peptide> drawn = pool.draw(like, 20, 1e-6, random);
      ASSERT_EQ(drawn.size(), 20U);
      for (const Peptide& peptide : drawn)
      {
        for (std::size_t i = 0; i < peptide.length(); ++i)
        {
          EXPECT_EQ(peptide.modification_mass[i], peptide.residues[i] == 'C' ? CARBAMIDOMETHYL : 0.0);
        }
      }
    }

    TEST(PeptidePool, VariableModificationsArePlacedOnTheSameLetters)
    {
      Random random(55);
      const PeptidePool pool(permutations("ACSDSK"), DataPart::TRAINING, carbamidomethylOnC());
      Peptide like = makePeptide("ACDSSK");
      like.modification_mass[1] = CARBAMIDOMETHYL;
      like.modification_mass[3] = PHOSPHO;
      like.neutral_loss[3] = 97.976896;
      like.n_term_modification = 42.010565;
      like.c_term_modification = -0.984016;
      std::set<bool> on_first_serine;
      for (const Peptide& peptide : pool.draw(like, 100, 1e-6, random))
      {
        EXPECT_NEAR(monoisotopicMass(peptide), monoisotopicMass(like), 1e-6);
        EXPECT_EQ(peptide.n_term_modification, 42.010565);
        EXPECT_EQ(peptide.c_term_modification, -0.984016);
        const std::size_t first = peptide.residues.find('S');
        const std::size_t second = peptide.residues.find('S', first + 1);
        const bool on_first = peptide.modification_mass[first] != 0.0;
        on_first_serine.insert(on_first);
        const std::size_t modified = on_first ? first : second;
        EXPECT_NEAR(peptide.modification_mass[modified], PHOSPHO, 1e-9);
        EXPECT_EQ(peptide.neutral_loss[modified], 97.976896);
        EXPECT_EQ(peptide.modification_mass[on_first ? second : first], 0.0);
      }
      EXPECT_EQ(on_first_serine.size(), 2U);
    }

    TEST(PeptidePool, PeptidesWithoutTheLettersArePassedOver)
    {
      Random random(56);
      const std::vector<std::string> sequences = permutations("AADSK");
      const PeptidePool pool(sequences, DataPart::TRAINING);
      Peptide like = makePeptide("KSSA"); // two modified S: no peptide of the pool has two
      like.modification_mass[1] = like.modification_mass[2] = PHOSPHO;
      EXPECT_TRUE(pool.draw(like, 10, 200.0, random).empty());
      like.modification_mass[2] = 0.0;
      EXPECT_EQ(pool.draw(like, 10, 200.0, random).size(), 10U);
    }

    TEST(PeptidePool, OrderOfTheInputChangesNothing)
    {
      Random random(57);
      std::vector<std::string> sequences = permutations("ADEFK");
      const PeptidePool pool(sequences, DataPart::TRAINING);
      random.shuffle(sequences);
      const PeptidePool shuffled(sequences, DataPart::TRAINING);
      Random a(1);
      Random b(1);
      EXPECT_EQ(residuesOf(pool.draw(makePeptide("KFEDA"), 10, 0.1, a)),
                residuesOf(shuffled.draw(makePeptide("KFEDA"), 10, 0.1, b)));
    }

    TEST(PeptidePool, FixedMassesMustCoverTheAlphabet)
    {
      test::expectError(ErrorKind::INVALID_INPUT, "3 letters",
                        [] {
                          PeptidePool({"AK"}, DataPart::TEST, {1.0, 2.0, 3.0});
                        });
    }
  }
}
