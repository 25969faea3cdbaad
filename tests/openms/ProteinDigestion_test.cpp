// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Files.h>
#include <PSMFormer/openms/ProteinDigestion.h>

#include <support/ExpectError.h>
#include <support/TempDir.h>
#include <support/ToolRunner.h>

#include <gmock/gmock.h>

#include <algorithm>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::TempDir;
    using ::testing::UnorderedElementsAre;

    class ProteinDigestion : public ::testing::Test
    {
    protected:
      ProteinDigestion()
      {
        writeFileAtomically(file_, ">one\nAAKCCR\nDDPK\n>two some protein\nAAKEEKPFF*\n");
        parameters_.missed_cleavages = 0;
        parameters_.min_length = 3;
        parameters_.max_length = 10;
      }

      std::set<std::string> digest() const { return digestProteins({file_}, parameters_); }

      TempDir folder_;
      std::string file_ = (folder_ / "a.fasta").string();
      DigestionParameters parameters_;
    };
  }

  TEST_F(ProteinDigestion, TrypsinCutsBehindKAndRButNotBeforeP)
  {
    EXPECT_THAT(digest(), UnorderedElementsAre("AAK", "CCR", "DDPK", "EEKPFF"));
  }

  TEST_F(ProteinDigestion, SmallLettersAreResidues)
  {
    const std::set<std::string> peptides = digest();
    writeFileAtomically(file_, ">one\nAAKccr\nddpk\n>two some protein\naakEEKPFF*\n"); // as masked regions are written
    EXPECT_EQ(digest(), peptides);
  }

  TEST_F(ProteinDigestion, MissedCleavagesAndLengthsCount)
  {
    parameters_.missed_cleavages = 1;
    EXPECT_THAT(digest(), UnorderedElementsAre("AAK", "CCR", "DDPK", "EEKPFF", "AAKCCR", "CCRDDPK", "AAKEEKPFF"));
    parameters_.min_length = 6;
    parameters_.max_length = 7;
    EXPECT_THAT(digest(), UnorderedElementsAre("EEKPFF", "AAKCCR", "CCRDDPK"));
  }

  TEST_F(ProteinDigestion, SemiSpecificPeptidesHaveOneFreeEnd)
  {
    parameters_.specificity = CleavageSpecificity::SEMI;
    parameters_.max_length = 4;
    EXPECT_THAT(digest(), UnorderedElementsAre("AAK", "CCR", "DDP", "DPK", "DDPK", "EEK", "EEKP", "PFF", "KPFF"));
  }

  TEST_F(ProteinDigestion, UnspecificPeptidesAreDrawnFromTheProteins)
  {
    parameters_.specificity = CleavageSpecificity::NONE;
    parameters_.max_peptides = 2000;
    const std::set<std::string> peptides = digest();
    EXPECT_EQ(peptides, digest());
    for (const std::string& peptide : peptides)
    {
      EXPECT_TRUE(std::string("AAKCCRDDPK|AAKEEKPFF").find(peptide) != std::string::npos) << peptide;
      EXPECT_EQ(peptide.find('|'), std::string::npos);
    }
    // 8 + 7 + ... + 1 of 10 residues, 7 + 6 + ... + 1 of 9, the shared AAK counted once; with 2,000 draws all occur
    EXPECT_EQ(peptides.size(), 36u + 28u - 1u);
    parameters_.seed = 2;
    parameters_.max_peptides = 10;
    EXPECT_LE(digest().size(), 10u);
  }

  TEST_F(ProteinDigestion, UnspecificPeptidesComeBesideThoseOfTheEnzyme)
  {
    const std::set<std::string> cleaved = digest();
    parameters_.unspecific_draws = 2000;
    const std::set<std::string> both = digest();
    EXPECT_EQ(both.size(), 36u + 28u - 1u);
    EXPECT_TRUE(std::includes(both.begin(), both.end(), cleaved.begin(), cleaved.end()));
    parameters_.unspecific_draws = 1;
    EXPECT_LE(digest().size(), cleaved.size() + 1);
  }

  TEST_F(ProteinDigestion, LimitIsASeededDraw)
  {
    parameters_.max_peptides = 2;
    const std::set<std::string> some = digest();
    EXPECT_EQ(some.size(), 2u);
    EXPECT_EQ(some, digest());
    std::set<std::string> all;
    for (parameters_.seed = 1; parameters_.seed <= 50; ++parameters_.seed)
    {
      all.merge(digest());
    }
    EXPECT_EQ(all.size(), 4u);
  }

  TEST_F(ProteinDigestion, CompressedFileGivesTheSame)
  {
    const std::set<std::string> plain = digest();
    ASSERT_EQ(test::runProgram("gzip", {file_}).exit_code, 0);
    EXPECT_EQ(digestProteins({file_ + ".gz"}, parameters_), plain);
  }

  TEST_F(ProteinDigestion, FilesAreJoined)
  {
    const std::string other = (folder_ / "b.fasta").string();
    writeFileAtomically(other, ">three\nWWWK\n");
    EXPECT_EQ(digestProteins({file_, other}, parameters_).count("WWWK"), 1u);
    EXPECT_EQ(digestProteins({file_, other}, parameters_).size(), 5u);
  }

  TEST_F(ProteinDigestion, FaultsAreNamed)
  {
    expectError(ErrorKind::NOT_FOUND, "missing.fasta", [&] { digestProteins({"missing.fasta"}, parameters_); });
    parameters_.enzyme = "Trypsine";
    expectError(ErrorKind::OPTION, "Trypsin", [&] { digest(); });
    parameters_ = {};
    parameters_.min_length = 50;
    expectError(ErrorKind::OPTION, "50 residues", [&] { digest(); });
    parameters_ = {};
    writeFileAtomically(file_, "");
    expectError(ErrorKind::INVALID_INPUT, "a.fasta", [&] { digest(); });
    writeFileAtomically(file_, "no header\n");
    expectError(ErrorKind::DAMAGED_INPUT, "a.fasta", [&] { digest(); });
    writeFileAtomically(file_, ">one\nAAKCC\x02R\n");
    expectError(ErrorKind::DAMAGED_INPUT, "Protein 'one'", [&] { digest(); });
    writeFileAtomically(file_, ">one\nAAK\n");
    ASSERT_EQ(test::runProgram("gzip", {file_}).exit_code, 0);
    const std::string whole = readFile(file_ + ".gz");
    writeFileAtomically(file_ + ".gz", whole.substr(0, whole.size() - 8));
    expectError(ErrorKind::DAMAGED_INPUT, "a.fasta.gz", [&] { digestProteins({file_ + ".gz"}, parameters_); });
  }
}
