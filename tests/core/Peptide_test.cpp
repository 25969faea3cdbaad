// SPDX-License-Identifier: BSD-3-Clause
#include "support/Builders.h"
#include "support/ExpectError.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Peptide.h>

#include <gmock/gmock.h>

namespace psmformer
{
  namespace
  {
    using test::expectError;

    TEST(Chemistry, KnowsTheTwentyTwoResiduesAndNoOther)
    {
      const std::string known = "ACDEFGHIKLMNOPQRSTUVWY";
      for (int code = 0; code < 128; ++code)
      {
        const char letter = static_cast<char>(code);
        const bool is_known = code != 0 && known.find(letter) != std::string::npos;
        EXPECT_EQ(residueMass(letter).has_value(), is_known) << "letter code " << code;
      }
    }

    TEST(Chemistry, ResidueMassesFollowFromElements)
    {
      // Atomic masses: AME2003 (C, H, N, O, S, 80Se), rounded to 1e-6 Da.
      const double c = 12.0, h = 1.007825, n = 14.003074, o = 15.994915, s = 31.972071, se = 79.916521;
      EXPECT_NEAR(*residueMass('G'), 2 * c + 3 * h + n + o, 2e-6);
      EXPECT_NEAR(*residueMass('M'), 5 * c + 9 * h + n + o + s, 2e-6);
      EXPECT_NEAR(*residueMass('W'), 11 * c + 10 * h + 2 * n + o, 2e-6);
      EXPECT_NEAR(*residueMass('R'), 6 * c + 12 * h + 4 * n + o, 2e-6);
      EXPECT_NEAR(*residueMass('U'), 3 * c + 5 * h + n + o + se, 2e-6);
      EXPECT_NEAR(*residueMass('O'), 12 * c + 19 * h + 3 * n + 2 * o, 2e-6);
      EXPECT_EQ(*residueMass('I'), *residueMass('L'));
      EXPECT_NEAR(*residueMass('N'), 2 * *residueMass('G'), 2e-6);
    }

    TEST(Peptide, MassOfPeptideIsTheKnownOne)
    {
      const Peptide peptide = makePeptide("PEPTIDE");
      EXPECT_EQ(peptide.length(), 7U);
      EXPECT_NEAR(monoisotopicMass(peptide), 799.35997, 1e-5);
      EXPECT_NEAR(massToCharge(peptide, 1), 800.36724, 1e-5);
      EXPECT_NEAR(massToCharge(peptide, 2), 400.68726, 1e-5);
    }

    TEST(Peptide, AllModificationsCountInTheMass)
    {
      Peptide peptide = makePeptide("PEPTIDE");
      const double unmodified = monoisotopicMass(peptide);
      peptide.modification_mass[3] = 79.966331;
      peptide.n_term_modification = 42.010565;
      peptide.c_term_modification = -0.984016;
      peptide.neutral_loss[3] = 97.976896; // lost by fragments only
      EXPECT_NEAR(monoisotopicMass(peptide), unmodified + 79.966331 + 42.010565 - 0.984016, 1e-9);
    }

    TEST(Peptide, EmptyPeptideIsWater)
    {
      EXPECT_DOUBLE_EQ(monoisotopicMass(makePeptide("")), WATER_MASS);
    }

    TEST(Peptide, LettersWithoutMassAreNamed)
    {
      for (const char letter : std::string("BJXZ*a-"))
      {
        const std::string residues = std::string("PE") + letter;
        expectError(ErrorKind::INVALID_INPUT, "'" + std::string(1, letter) + "'", [&] { makePeptide(residues); });
      }
      expectError(ErrorKind::INVALID_INPUT, "at least 1", [] { massToCharge(makePeptide("AK"), 0); });
    }
  }
}
