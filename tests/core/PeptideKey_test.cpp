// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/PeptideKey.h>

#include <gmock/gmock.h>

#include <map>

namespace psmformer
{
  namespace
  {
    TEST(PeptideKey, TakesIsoleucineForLeucine)
    {
      EXPECT_EQ(peptideKey("PEPTIDEIK"), "PEPTLDELK");
      EXPECT_EQ(peptideKey("PEPTLDELK"), "PEPTLDELK");
      EXPECT_EQ(peptideKey(""), "");
    }

    TEST(PeptideKey, PairingKeyIsThatOfReversedAndShuffledPeptides)
    {
      EXPECT_EQ(pairingKey("PEPTIDEK"), "DEEKLPPT");
      EXPECT_EQ(pairingKey("PEPTIDEK"), pairingKey("KEDLTPEP"));
      EXPECT_NE(pairingKey("PEPTIDEK"), pairingKey("PEPTIDER"));
    }

    TEST(PeptideKey, PartIsTheFirstByteOfTheHashModuloTen)
    {
      // First bytes of SHA-256 as `printf PEPTLDE | sha256sum` prints them.
      EXPECT_EQ(dataPart("PEPTLDE"), DataPart::TRAINING);   // 0x7e = 126
      EXPECT_EQ(dataPart("YEASTK"), DataPart::TEST);        // 0xa0 = 160
      EXPECT_EQ(dataPart("ENTRAPK"), DataPart::VALIDATION); // 0x1f = 31
      EXPECT_EQ(dataPart("AAAK"), DataPart::TRAINING);      // 0xa8 = 168
    }

    TEST(PeptideKey, PartsHaveTheirShares)
    {
      Random random(7);
      std::map<DataPart, int> counts;
      for (int i = 0; i < 10000; ++i)
      {
        ++counts[dataPart(peptideKey(test::randomResidues(12, random)))];
      }
      // A byte modulo 10 gives 26 of 256 values to 0 and 1.
      EXPECT_NEAR(counts[DataPart::TEST], 1016, 150);
      EXPECT_NEAR(counts[DataPart::VALIDATION], 1016, 150);
    }

    TEST(FoldRule, PutsAPeptideAndItsDecoysIntoOneFold)
    {
      Random random(8);
      const FoldRule rule{3, 11};
      std::map<std::size_t, int> counts;
      bool seed_matters = false;
      for (int i = 0; i < 3000; ++i)
      {
        const std::string residues = test::randomResidues(12, random);
        const std::size_t fold = rule.foldOf(residues);
        EXPECT_EQ(rule.foldOf(std::string(residues.rbegin(), residues.rend())), fold);
        ++counts[fold];
        seed_matters = seed_matters || FoldRule{3, 12}.foldOf(residues) != fold;
      }
      EXPECT_TRUE(seed_matters);
      ASSERT_EQ(counts.size(), 3U);
      for (const auto& [fold, count] : counts)
      {
        EXPECT_NEAR(count, 1000, 130) << fold; // five standard deviations
      }
      EXPECT_EQ(rule.foldOf("PEPTIDEK"), rule.foldOf("KEDLTPEP")); // I as L
      EXPECT_EQ(FoldRule().foldOf("PEPTIDEK"), 0U);
    }

    TEST(PeptideKey, SeededHashIsTheStartOfSha256)
    {
      // printf '0:' | sha256sum and printf '42:scan=1' | sha256sum
      EXPECT_EQ(seededHash("", 0), 0xba768b331fd86cecULL);
      EXPECT_EQ(seededHash("scan=1", 42), 0xe2447b6167d54ff8ULL);
      EXPECT_NE(seededHash("scan=1", 42), seededHash("scan=1", 43));
    }
  }
}
