// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"

#include <PSMFormer/core/Vocabulary.h>

namespace psmformer
{
  using test::expectError;
  using ::testing::ElementsAre;

  TEST(Vocabulary, LettersGetTheirPositionAndPaddingIsZero)
  {
    const Vocabulary vocabulary("ACD");
    EXPECT_EQ(vocabulary.size(), 4);
    EXPECT_THAT(vocabulary.encode("DAC"), ElementsAre(3, 1, 2));
    EXPECT_EQ(Vocabulary::PADDING, 0);
  }

  TEST(Vocabulary, DefaultHoldsTheStandardResiduesAndSelenocysteine)
  {
    const Vocabulary vocabulary;
    for (const char letter : std::string("ACDEFGHIKLMNPQRSTVWYU"))
    {
      EXPECT_TRUE(vocabulary.contains(letter)) << letter;
    }
    for (const char letter : std::string("BJXZa*\0"))
    {
      EXPECT_FALSE(vocabulary.contains(letter)) << letter;
    }
  }

  TEST(Vocabulary, LeucineAndIsoleucineAreOne)
  {
    for (const std::string letters : {"ACDEFGHIKLMNOPQRSTUVWY", "ALG", "AIG"})
    {
      const Vocabulary vocabulary(letters);
      EXPECT_EQ(vocabulary.encode("AILG"), vocabulary.encode("ALIG")) << letters;
      EXPECT_NE(vocabulary.encode("A"), vocabulary.encode("L"));
    }
    EXPECT_FALSE(Vocabulary("AG").contains('I'));
  }

  TEST(Vocabulary, UnknownResidueIsNamed)
  {
    expectError(ErrorKind::INVALID_INPUT, "Residue 'B' of peptide 'PEBK'", [] { Vocabulary().encode("PEBK"); });
    expectError(ErrorKind::INVALID_INPUT, "not in the vocabulary", [] { Vocabulary().encode("PEp"); });
  }

  TEST(Vocabulary, ImpossibleLettersAreRejected)
  {
    expectError(ErrorKind::INVALID_MODEL, "empty", [] { Vocabulary(""); });
    expectError(ErrorKind::INVALID_MODEL, "at character 3", [] { Vocabulary("ACA"); });
    expectError(ErrorKind::INVALID_MODEL, "at character 2", [] { Vocabulary("Ac"); });
    expectError(ErrorKind::INVALID_MODEL, "at character 1", [] { Vocabulary("[A"); });
  }
}
