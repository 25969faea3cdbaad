// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

namespace psmformer
{
  namespace
  {
    using Unit = std::tuple<char, double, double, double>;

    std::vector<Unit> unitsOf(const Peptide& peptide)
    {
      std::vector<Unit> units;
      for (std::size_t i = 0; i < peptide.length(); ++i)
      {
        units.emplace_back(peptide.residues[i], peptide.residue_mass[i], peptide.modification_mass[i],
                           peptide.neutral_loss[i]);
      }
      return units;
    }

    std::vector<Unit> sortedUnits(const Peptide& peptide)
    {
      std::vector<Unit> units = unitsOf(peptide);
      std::sort(units.begin(), units.end());
      return units;
    }

    /// What holds for every reordering: the same residues with their modifications, the same ends, other fragments.
    void expectReordering(const Peptide& variant, const Peptide& peptide)
    {
      ASSERT_EQ(variant.length(), peptide.length());
      EXPECT_EQ(sortedUnits(variant), sortedUnits(peptide));
      EXPECT_EQ(unitsOf(variant).front(), unitsOf(peptide).front());
      EXPECT_EQ(unitsOf(variant).back(), unitsOf(peptide).back());
      EXPECT_EQ(variant.n_term_modification, peptide.n_term_modification);
      EXPECT_EQ(variant.c_term_modification, peptide.c_term_modification);
      EXPECT_FALSE(indistinguishable(variant, peptide));
      EXPECT_NEAR(monoisotopicMass(variant), monoisotopicMass(peptide), 1e-9);
    }

    TEST(PeptideVariants, LeucineAndIsoleucineAreIndistinguishable)
    {
      EXPECT_TRUE(indistinguishable(makePeptide("ALIK"), makePeptide("AILK")));
      EXPECT_FALSE(indistinguishable(makePeptide("AVGK"), makePeptide("AGVK")));
      EXPECT_FALSE(indistinguishable(makePeptide("AGGK"), makePeptide("ANK")));
      Peptide modified = makePeptide("ASTK");
      modified.modification_mass[1] = 79.966331;
      Peptide moved = makePeptide("ASTK");
      moved.modification_mass[2] = 79.966331;
      EXPECT_FALSE(indistinguishable(modified, moved));
      Peptide with_loss = modified;
      with_loss.neutral_loss[1] = 97.976896;
      EXPECT_FALSE(indistinguishable(modified, with_loss));
      Peptide acetylated = modified;
      acetylated.n_term_modification = 42.010565;
      EXPECT_FALSE(indistinguishable(modified, acetylated));
    }

    TEST(PeptideVariants, ReorderingsKeepEndsAndResiduesOfRandomPeptides)
    {
      Random random(41);
      int n_variants = 0;
      for (int round = 0; round < 300; ++round)
      {
        const Peptide peptide = test::randomModifiedPeptide(random.below(25), random);
        for (const std::optional<Peptide>& variant :
             {shuffleResidues(peptide, random), reverseResidues(peptide), swapNeighbours(peptide, random)})
        {
          if (variant)
          {
            ++n_variants;
            expectReordering(*variant, peptide);
          }
        }
      }
      EXPECT_GT(n_variants, 600);
    }

    TEST(PeptideVariants, TheFirstResidueMovesWhenItIsFree)
    {
      Random random(46);
      const Peptide peptide = makePeptide("EWGGK");
      EXPECT_EQ(reverseResidues(peptide, FreeResidues::ALL_BUT_C_TERMINAL)->residues, "GGWEK");
      std::set<std::string> swapped;
      std::set<std::string> shuffled;
      for (int i = 0; i < 200; ++i)
      {
        swapped.insert(swapNeighbours(peptide, random, FreeResidues::ALL_BUT_C_TERMINAL)->residues);
        shuffled.insert(shuffleResidues(peptide, random, FreeResidues::ALL_BUT_C_TERMINAL)->residues);
      }
      EXPECT_EQ(swapped, (std::set<std::string>{"WEGGK", "EGWGK"}));
      EXPECT_EQ(shuffled.size(), 11U); // 4! / 2! orders of E, W, G, G without the peptide itself
      for (const std::string& residues : shuffled)
      {
        EXPECT_EQ(residues.back(), 'K');
      }
      EXPECT_FALSE(shuffleResidues(makePeptide("AK"), random, FreeResidues::ALL_BUT_C_TERMINAL));
      EXPECT_FALSE(reverseResidues(makePeptide(""), FreeResidues::ALL_BUT_C_TERMINAL));
    }

    TEST(PeptideVariants, NothingIsGivenWhenNoOtherOrderExists)
    {
      Random random(42);
      for (const char* residues : {"", "K", "AK", "AGK", "AGGK", "AGGGGK", "ALIK", "AILLIK"})
      {
        const Peptide peptide = makePeptide(residues);
        EXPECT_FALSE(shuffleResidues(peptide, random)) << residues;
        EXPECT_FALSE(reverseResidues(peptide)) << residues;
        EXPECT_FALSE(swapNeighbours(peptide, random)) << residues;
      }
      EXPECT_FALSE(reverseResidues(makePeptide("ADEDK"))); // a palindrome inside can still be shuffled
      EXPECT_TRUE(shuffleResidues(makePeptide("ADEDK"), random));
    }

    TEST(PeptideVariants, ShuffleReachesAllOtherOrders)
    {
      Random random(43);
      std::set<std::string> orders;
      for (int i = 0; i < 300; ++i)
      {
        orders.insert(shuffleResidues(makePeptide("ADEFK"), random)->residues);
      }
      EXPECT_EQ(orders, (std::set<std::string>{"ADFEK", "AEDFK", "AEFDK", "AFDEK", "AFEDK"}));
    }

    TEST(PeptideVariants, ModificationsMoveWithTheirResidue)
    {
      Peptide peptide = makePeptide("ASDFK");
      peptide.modification_mass[1] = 79.966331;
      peptide.neutral_loss[1] = 97.976896;
      const std::optional<Peptide> reversed = reverseResidues(peptide);
      ASSERT_TRUE(reversed);
      EXPECT_EQ(reversed->residues, "AFDSK");
      EXPECT_THAT(reversed->modification_mass, testing::ElementsAre(0.0, 0.0, 0.0, 79.966331, 0.0));
      EXPECT_THAT(reversed->neutral_loss, testing::ElementsAre(0.0, 0.0, 0.0, 97.976896, 0.0));
      EXPECT_EQ(reversed->residue_mass[3], *residueMass('S'));
    }

    TEST(PeptideVariants, SwapChangesExactlyOneFragmentOfEachSeries)
    {
      Random random(44);
      for (int round = 0; round < 100; ++round)
      {
        const Peptide peptide = makePeptide(test::randomResidues(4 + random.below(20), random));
        const std::optional<Peptide> swapped = swapNeighbours(peptide, random);
        if (!swapped)
        {
          continue;
        }
        int n_changed = 0;
        for (std::size_t s = 0; s + 1 < peptide.length(); ++s)
        {
          const IonChannel b1;
          n_changed += std::abs(fragmentMz(peptide, s, b1) - fragmentMz(*swapped, s, b1)) > 1e-3 ? 1 : 0;
        }
        EXPECT_EQ(n_changed, 1) << peptide.residues << " " << swapped->residues;
      }
    }

    TEST(PeptideVariants, SubstitutionsIncludeTheKnownOnes)
    {
      Random random(45);
      const auto allOf = [&](const std::string& residues)
      {
        std::set<std::string> found;
        for (int i = 0; i < 400; ++i)
        {
          const std::optional<Peptide> variant = substituteNearIsobaric(makePeptide(residues), 0.04, random);
          found.insert(variant ? variant->residues : "nothing");
        }
        return found;
      };
      using testing::IsSupersetOf;
      EXPECT_THAT(allOf("AKA"), IsSupersetOf({"AQA", "AAGA", "AGAA"}));
      EXPECT_THAT(allOf("AQA"), IsSupersetOf({"AKA", "AAGA", "AGAA"}));
      EXPECT_THAT(allOf("ANA"), testing::ElementsAre("AGGA"));
      EXPECT_THAT(allOf("AGGA"), testing::ElementsAre("ANA"));
      EXPECT_THAT(allOf("AAGA"), IsSupersetOf({"AKA", "AQA"}));
      EXPECT_THAT(allOf("AFA"), testing::ElementsAre("AMA")); // the oxidised one, as its mass shows
      EXPECT_THAT(allOf("ADA"), testing::ElementsAre("nothing"));
    }

    TEST(PeptideVariants, OxidisedMethionineTakesPartInSubstitutions)
    {
      Random random(46);
      const std::optional<Peptide> oxidised = substituteNearIsobaric(makePeptide("AFA"), 0.04, random);
      ASSERT_TRUE(oxidised);
      EXPECT_NEAR(oxidised->modification_mass[1], 15.994915, 1e-6);
      EXPECT_NEAR(monoisotopicMass(*oxidised), monoisotopicMass(makePeptide("AFA")), 0.04);
      const std::optional<Peptide> back = substituteNearIsobaric(*oxidised, 0.04, random);
      ASSERT_TRUE(back);
      EXPECT_EQ(back->residues, "AFA");
      EXPECT_EQ(back->modification_mass[1], 0.0);
      EXPECT_EQ(back->neutral_loss[1], 0.0);
    }

    TEST(PeptideVariants, SubstitutionsKeepMassEndsAndModifiedResidues)
    {
      Random random(47);
      int n_variants = 0;
      for (int round = 0; round < 200; ++round)
      {
        const Peptide peptide = test::randomModifiedPeptide(random.below(20), random);
        const std::optional<Peptide> variant = substituteNearIsobaric(peptide, 0.05, random);
        if (!variant)
        {
          continue;
        }
        ++n_variants;
        ASSERT_EQ(variant->residue_mass.size(), variant->length());
        ASSERT_EQ(variant->modification_mass.size(), variant->length());
        ASSERT_EQ(variant->neutral_loss.size(), variant->length());
        EXPECT_LT(std::abs(monoisotopicMass(*variant) - monoisotopicMass(peptide)), 0.05);
        EXPECT_FALSE(indistinguishable(*variant, peptide));
        EXPECT_EQ(unitsOf(*variant).front(), unitsOf(peptide).front());
        EXPECT_EQ(unitsOf(*variant).back(), unitsOf(peptide).back());
        const std::vector<Unit> kept = unitsOf(*variant);
        for (const Unit& unit : unitsOf(peptide))
        {
          const bool modified = std::get<2>(unit) != 0.0;
          EXPECT_TRUE(!modified || std::count(kept.begin(), kept.end(), unit) == 1) << std::get<0>(unit);
        }
      }
      EXPECT_GT(n_variants, 100);
    }
  }
}
