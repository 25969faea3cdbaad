// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/FlankingResidues.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  namespace
  {
    using Flanks = std::pair<char, char>;

    /// A hit at several places; each text holds the residues before and after.
    OpenMS::PeptideHit hitAt(const std::vector<std::string>& places)
    {
      OpenMS::PeptideHit hit;
      for (const std::string& place : places)
      {
        hit.addPeptideEvidence(OpenMS::PeptideEvidence("protein", 5, 12, place[0], place[1]));
      }
      return hit;
    }
  }

  TEST(FlankingResidues, OfOnePlaceAreItsOwn)
  {
    EXPECT_EQ(flankingResidues(hitAt({"KA"})), Flanks('K', 'A'));
    EXPECT_EQ(flankingResidues(hitAt({"[]"})), Flanks('[', ']'));
  }

  TEST(FlankingResidues, OfSeveralPlacesAreTheFirstWhateverTheirOrder)
  {
    EXPECT_EQ(flankingResidues(hitAt({"RA", "KD", "KC"})), Flanks('K', 'C'));
    EXPECT_EQ(flankingResidues(hitAt({"KC", "RA", "KD"})), Flanks('K', 'C'));
  }

  TEST(FlankingResidues, AreNotKnownWithoutPlaces)
  {
    EXPECT_EQ(flankingResidues(OpenMS::PeptideHit()), Flanks('X', 'X'));
    EXPECT_EQ(flankingResidues(hitAt({"XX"})), Flanks('X', 'X'));
    EXPECT_EQ(flankingResidues(hitAt({"XX", "[A"})), Flanks('[', 'A')) << "a place that is known comes before";
  }
}
