// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/PeptideLevel.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <gmock/gmock.h>

namespace psmformer
{
  namespace
  {
    using ::testing::ElementsAre;
    using ::testing::IsEmpty;

    TEST(PeptideLevel, PairKeyIsSharedByReversedAndShuffledSequences)
    {
      EXPECT_EQ(decoyPairKey("PEPTIDEK", {}), decoyPairKey("EDITPEPK", {}));
      EXPECT_EQ(decoyPairKey("PEPTIDEK", {}), decoyPairKey("PEPTLDEK", {0.0, 0.0})) << "I = L; 0: no modification";
      EXPECT_EQ(decoyPairKey("MMK", {15.994915, 0.0, 0.0}), decoyPairKey("MMK", {0.0, 15.994915, 0.0}));
      EXPECT_NE(decoyPairKey("MMK", {15.994915}), decoyPairKey("MMK", {}));
      EXPECT_NE(decoyPairKey("MMK", {15.994915}), decoyPairKey("MMK", {15.994915, 15.994915}));
    }

    TEST(PeptideLevel, TheLoserOfAPairLeavesTheList)
    {
      const std::vector<double> q_values =
          peptideQValues({{"a", 5.0, false}, {"a", 4.0, true}, {"b", 3.0, false}, {"c", 2.0, false}, {"c", 2.5, true}});
      // In the list: targets 5 and 3, decoy 2.5.
      EXPECT_THAT(q_values, ElementsAre(0.5, 1.0, 0.5, 1.0, 1.0));
    }

    TEST(PeptideLevel, ATieGoesToTheDecoy)
    {
      EXPECT_THAT(peptideQValues({{"a", 5.0, false}, {"a", 5.0, true}, {"b", 6.0, false}, {"d", 6.0, false}}),
                  ElementsAre(1.0, 1.0, 0.5, 0.5));
    }

    TEST(PeptideLevel, WhoseSeveralPartnersAreNotKnownCompetesAlone)
    {
      // Two targets of the same residues and one decoy: nobody knows whose it is.
      EXPECT_EQ(peptideQValues({{"a", 5.0, false}, {"a", 3.0, false}, {"a", 4.0, true}}),
                computeQValues({5.0, 3.0, 4.0}, {false, false, true}, 1));
    }

    TEST(PeptideLevel, EmptyAndOneSidedListsAreLegal)
    {
      EXPECT_THAT(peptideQValues({}), IsEmpty());
      EXPECT_THAT(peptideQValues({{"a", 1.0, true}}), ElementsAre(1.0));
      EXPECT_THAT(peptideQValues({{"a", 1.0, false}, {"b", 2.0, false}}), ElementsAre(0.5, 0.5));
    }

    TEST(PeptideLevel, FalseTargetsAreAsRareAsTheQValuesSay)
    {
      // Pairs of a target and its decoy; a third of the targets are there.
      constexpr int N_LISTS = 200;
      constexpr double LIMIT = 0.05;
      double share = 0.0;
      double n_accepted = 0.0;
      for (std::uint64_t list = 0; list < N_LISTS; ++list)
      {
        Random random(40 + list);
        std::vector<ScoredPeptidoform> peptidoforms;
        std::vector<bool> is_false;
        for (int p = 0; p < 600; ++p)
        {
          const bool is_true = random.below(3) == 0;
          peptidoforms.push_back({std::to_string(p), random.normal() + (is_true ? 4.0 : 0.0), false});
          peptidoforms.push_back({std::to_string(p), random.normal(), true});
          is_false.insert(is_false.end(), {!is_true, false});
        }
        const std::vector<double> q_values = peptideQValues(peptidoforms);
        double accepted = 0.0;
        double wrong = 0.0;
        for (std::size_t k = 0; k < q_values.size(); ++k)
        {
          if (!peptidoforms[k].is_decoy && q_values[k] <= LIMIT)
          {
            accepted += 1.0;
            wrong += is_false[k] ? 1.0 : 0.0;
          }
        }
        share += accepted > 0.0 ? wrong / accepted : 0.0;
        n_accepted += accepted;
      }
      EXPECT_LT(share / N_LISTS, LIMIT + 0.003) << "three standard errors of the mean";
      EXPECT_GT(share / N_LISTS, 0.5 * LIMIT) << "or else nothing is accepted";
      EXPECT_GT(n_accepted / N_LISTS, 150.0);
    }
  }
}
