// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ResidueTokens.h>

#include <PSMFormer/core/Chemistry.h>

#include <OpenMS/CHEMISTRY/AASequence.h>
#include <OpenMS/CHEMISTRY/Residue.h>
#include <OpenMS/CHEMISTRY/ResidueDB.h>

#include <gmock/gmock.h>

namespace psmformer
{
  namespace
  {
    using OpenMS::AASequence;

    TEST(ResidueTokens, ResidueMassesOfCoreAreThoseOfOpenMS)
    {
      for (const char letter : std::string("ACDEFGHIKLMNOPQRSTVWY"))
      {
        const auto* residue = OpenMS::ResidueDB::getInstance()->getResidue(static_cast<unsigned char>(letter));
        ASSERT_NE(residue, nullptr) << letter;
        ASSERT_TRUE(residueMass(letter)) << letter;
        EXPECT_NEAR(*residueMass(letter), residue->getMonoWeight(OpenMS::Residue::Internal), 1e-6) << letter;
      }
    }

    TEST(ResidueTokens, SelenocysteineHasTheMostAbundantSelenium)
    {
      const auto peptide = toPeptide(AASequence::fromString("PEUK"));
      ASSERT_TRUE(peptide);
      EXPECT_NEAR(peptide->residue_mass[2], 150.953636, 1e-5) << "80Se; Unimod, and search engines";
    }

    TEST(ResidueTokens, MassIsThatOfOpenMS)
    {
      for (const char* text :
           {"PEPTIDEK", "PEPT(Phospho)IDE", ".(Acetyl)M(Oxidation)PEPC(Carbamidomethyl)K", "PEPTIDEK.(Amidated)",
            "K(Label:13C(6)15N(2))EPOK", "PEPT[+1234.567]K", "S(Phospho)PEPT[-18.010565]K", "C[39.9950]PEPK"})
      {
        const AASequence sequence = AASequence::fromString(text);
        const auto peptide = toPeptide(sequence);
        ASSERT_TRUE(peptide) << text;
        EXPECT_NEAR(monoisotopicMass(*peptide), sequence.getMonoWeight(), 1e-4) << text;
      }
    }

    TEST(ResidueTokens, ModificationsSitOnTheirResidueAndTerminus)
    {
      const auto peptide = toPeptide(AASequence::fromString(".(Acetyl)S(Phospho)PEC(Carbamidomethyl)K"));
      ASSERT_TRUE(peptide);
      EXPECT_EQ(peptide->residues, "SPECK");
      EXPECT_NEAR(peptide->n_term_modification, 42.010565, 1e-5);
      EXPECT_NEAR(peptide->modification_mass[0], 79.966331, 1e-5);
      EXPECT_NEAR(peptide->modification_mass[3], 57.021464, 1e-5);
      EXPECT_EQ(peptide->modification_mass[1], 0.0);
    }

    TEST(ResidueTokens, NeutralLossIsThatOfTheModification)
    {
      const auto peptide = toPeptide(AASequence::fromString("S(Phospho)PEC(Carbamidomethyl)Y(Phospho)M(Oxidation)K"));
      ASSERT_TRUE(peptide);
      EXPECT_NEAR(peptide->neutral_loss[0], 97.976896, 1e-4);
      EXPECT_EQ(peptide->neutral_loss[3], 0.0);
      EXPECT_EQ(peptide->neutral_loss[4], 0.0) << "phosphotyrosine keeps its phosphate";
      EXPECT_NEAR(peptide->neutral_loss[5], 63.998286, 1e-4);
      EXPECT_EQ(peptide->neutral_loss[1], 0.0) << "unmodified residues have no entry";
    }

    TEST(ResidueTokens, BareMassShiftIsTakenAsGiven)
    {
      const auto peptide = toPeptide(AASequence::fromString("PEPT[+1234.567]K"));
      ASSERT_TRUE(peptide);
      EXPECT_NEAR(peptide->modification_mass[3], 1234.567, 1e-4);
    }

    TEST(ResidueTokens, AmbiguousResiduesAndEmptySequencesHaveNoPeptide)
    {
      for (const char* text : {"PEPXK", "PEPBK", "PEPZK", "PEPJK", "PEPX[123.4]K"})
      {
        EXPECT_FALSE(toPeptide(AASequence::fromString(text))) << text;
      }
      EXPECT_FALSE(toPeptide(AASequence()));
    }
  }
}
