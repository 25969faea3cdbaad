// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Files.h>
#include <PSMFormer/openms/AnnotatedSpectra.h>

#include <support/ExpectError.h>
#include <support/SharedData.h>
#include <support/TempDir.h>
#include <support/ToolRunner.h>

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::TempDir;
    using ::testing::DoubleNear;
    using ::testing::ElementsAre;

    // PEPTIDEK: 927.4549 Da, 464.7347 Th at charge 2
    const std::string ENTRY = "BEGIN IONS\n"
                              "TITLE=sample:7\n"
                              "PEPMASS=464.7347 1000\n"
                              "CHARGE=2+\n"
                              "RTINSECONDS=61.5\n"
                              "SEQ=PEPTIDEK\n"
                              "ITOL=20\n"
                              "ITOLU=ppm\n"
                              "ACTIVATION=HCD\n"
                              "200.5 3 2+\n"
                              "100.25\t10\n"
                              "END IONS\n";

    std::string replaced(std::string text, const std::string& from, const std::string& to)
    {
      const std::size_t position = text.find(from);
      EXPECT_NE(position, std::string::npos) << from;
      return text.replace(position, from.size(), to);
    }

    AnnotatedSpectra readText(const std::string& name, const std::string& text, const AnnotationDefaults& defaults = {})
    {
      const TempDir folder;
      writeFileAtomically(folder / name, text);
      return readAnnotatedSpectra((folder / name).string(), defaults);
    }

    void expectFault(ErrorKind kind, const std::string& message, const std::string& text,
                     const std::string& name = "a.mgf")
    {
      expectError(kind, message, [&] { readText(name, text); });
      expectError(kind, name, [&] { readText(name, text); });
    }

    void expectDamaged(const std::string& message, const std::string& text)
    {
      expectFault(ErrorKind::DAMAGED_INPUT, message, text);
    }

    void expectUnusable(const std::string& message, const std::string& text, const std::string& name = "a.mgf")
    {
      expectFault(ErrorKind::INVALID_INPUT, message, text, name);
    }

    AnnotationDefaults tolerance(double value)
    {
      AnnotationDefaults defaults;
      defaults.fragment_tolerance = {value, ToleranceUnit::DA};
      return defaults;
    }
  }

  TEST(AnnotatedSpectra, AllKeysOfAnMgfEntryAreRead)
  {
    const AnnotatedSpectra read = readText("a.mgf", ENTRY);
    ASSERT_EQ(read.examples.size(), 1u);
    const TrainingExample& example = read.examples[0];
    EXPECT_EQ(example.peptide.residues, "PEPTIDEK");
    EXPECT_EQ(example.charge, 2);
    EXPECT_EQ(example.source, "sample");
    EXPECT_EQ(example.spectrum.native_id, "sample:7");
    EXPECT_EQ(example.spectrum.precursor_mz, 464.7347);
    EXPECT_EQ(example.spectrum.precursor_charge, 2);
    EXPECT_EQ(example.spectrum.retention_time, 61.5);
    EXPECT_EQ(example.spectrum.fragment_tolerance.value, 20.0);
    EXPECT_EQ(example.spectrum.fragment_tolerance.unit, ToleranceUnit::PPM);
    EXPECT_EQ(example.spectrum.activation, Activation::HCD);
    EXPECT_THAT(example.spectrum.mz, ElementsAre(100.25, 200.5));
    EXPECT_THAT(example.spectrum.intensity, ElementsAre(10.0F, 3.0F));
  }

  TEST(AnnotatedSpectra, CompressedFileReadsLikeThePlainOne)
  {
    const TempDir folder;
    std::string text;
    for (int k = 0; k < 5000; ++k) // several buffers
    {
      text += replaced(ENTRY, "sample:7", "sample:" + std::to_string(k));
    }
    writeFileAtomically(folder / "a.mgf", text);
    ASSERT_EQ(test::runProgram("gzip", {"-k", (folder / "a.mgf").string()}).exit_code, 0);
    const AnnotatedSpectra plain = readAnnotatedSpectra((folder / "a.mgf").string());
    const AnnotatedSpectra compressed = readAnnotatedSpectra((folder / "a.mgf.gz").string());
    ASSERT_EQ(plain.examples.size(), 5000u);
    ASSERT_EQ(compressed.examples.size(), 5000u);
    for (std::size_t k = 0; k < 5000; ++k)
    {
      ASSERT_EQ(plain.examples[k].spectrum.native_id, "sample:" + std::to_string(k));
      ASSERT_EQ(compressed.examples[k].spectrum.native_id, plain.examples[k].spectrum.native_id);
      ASSERT_EQ(compressed.examples[k].spectrum.mz, plain.examples[k].spectrum.mz);
    }
  }

  TEST(AnnotatedSpectra, CompressedFileThatIsCutOffIsDamagedWhereverItEnds)
  {
    const TempDir folder;
    const std::string plain = (folder / "a.mgf").string();
    const std::string cut = (folder / "cut.mgf.gz").string();
    const auto expectDamagedFile = [&](const std::string& bytes, const std::string& text = "")
    {
      writeFileAtomically(cut, bytes);
      expectError(ErrorKind::DAMAGED_INPUT, "'" + cut + "'" + text, [&] { readAnnotatedSpectra(cut); });
    };
    writeFileAtomically(plain, ENTRY + ENTRY);
    ASSERT_EQ(test::runProgram("gzip", {"-k", plain}).exit_code, 0);
    const std::string whole = readFile(plain + ".gz");
    for (std::size_t length = 1; length < whole.size(); ++length) // from a bare signature to a lost check sum
    {
      SCOPED_TRACE(length);
      expectDamagedFile(whole.substr(0, length));
    }
    expectDamagedFile(whole.substr(0, whole.size() - 8),
                      " are damaged or cut off after line 24 (unexpected end of file); fetch");
    std::string flipped = whole;
    flipped[whole.size() - 6] = static_cast<char>(flipped[whole.size() - 6] ^ 1); // of the check sum
    expectDamagedFile(flipped);

    writeFileAtomically(cut, whole + whole); // as `cat` joins files
    EXPECT_EQ(readAnnotatedSpectra(cut).examples.size(), 4u);
  }

  TEST(AnnotatedSpectra, ModificationsKeepTheirMasses)
  {
    // C + 57.0215, M + 15.9949, N-terminal acetyl + 42.0106
    const std::string text =
        replaced(replaced(ENTRY, "PEPTIDEK", ".(Acetyl)AC(Carbamidomethyl)DM(Oxidation)K"), "464.7347", "340.6314");
    const AnnotatedSpectra read = readText("a.mgf", text);
    ASSERT_EQ(read.examples.size(), 1u) << read.n_mismatched;
    const Peptide& peptide = read.examples[0].peptide;
    EXPECT_EQ(peptide.residues, "ACDMK");
    EXPECT_THAT(peptide.modification_mass,
                ElementsAre(0.0, DoubleNear(57.021464, 1e-5), 0.0, DoubleNear(15.994915, 1e-5), 0.0));
    EXPECT_NEAR(peptide.n_term_modification, 42.010565, 1e-5);
  }

  TEST(AnnotatedSpectra, WindowsLinesCommentsAndCommonKeysAreUnderstood)
  {
    std::string text = "# a comment\nITOL=0.5\nITOLU=Da\nACTIVATION=ETD\nCHARGE=2+ and 3+\n\n";
    text += replaced(replaced(replaced(ENTRY, "ITOL=20\n", ""), "ITOLU=ppm\n", ""), "ACTIVATION=HCD\n", "SCANS=5\n");
    text += ENTRY;
    std::string windows;
    for (const char c : text)
    {
      windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    const AnnotatedSpectra read = readText("a.mgf", windows);
    ASSERT_EQ(read.examples.size(), 2u);
    EXPECT_EQ(read.examples[0].spectrum.fragment_tolerance.value, 0.5);
    EXPECT_EQ(read.examples[0].spectrum.fragment_tolerance.unit, ToleranceUnit::DA);
    EXPECT_EQ(read.examples[0].spectrum.activation, Activation::ETD);
    EXPECT_EQ(read.examples[1].spectrum.fragment_tolerance.value, 20.0);
    EXPECT_EQ(read.examples[1].spectrum.activation, Activation::HCD);
  }

  TEST(AnnotatedSpectra, MilliMassUnitsAreThousandthsOfADalton)
  {
    const AnnotatedSpectra read = readText("a.mgf", replaced(ENTRY, "ITOLU=ppm", "ITOLU=mmu"));
    EXPECT_DOUBLE_EQ(read.examples.at(0).spectrum.fragment_tolerance.value, 0.02);
  }

  TEST(AnnotatedSpectra, DefaultsFillWhatIsNotStated)
  {
    const std::string text = replaced(replaced(ENTRY, "ITOL=20\n", ""), "ACTIVATION=HCD\n", "");
    AnnotationDefaults defaults = tolerance(0.3);
    defaults.activation = Activation::CID;
    const AnnotatedSpectra read = readText("a.mgf", text + ENTRY, defaults);
    ASSERT_EQ(read.examples.size(), 2u);
    EXPECT_EQ(read.examples[0].spectrum.fragment_tolerance.value, 0.3);
    EXPECT_EQ(read.examples[0].spectrum.activation, Activation::CID);
    EXPECT_EQ(read.examples[1].spectrum.fragment_tolerance.value, 20.0);
    EXPECT_EQ(read.examples[1].spectrum.activation, Activation::HCD);
    expectUnusable("does not state its fragment tolerance in line 11", replaced(ENTRY, "ITOL=20\n", ""));
  }

  TEST(AnnotatedSpectra, UnusableEntriesAreLeftOutAndCounted)
  {
    const std::string text = ENTRY + replaced(ENTRY, "SEQ=PEPTIDEK\n", "") + replaced(ENTRY, "PEPTIDEK", "PEPTXDEK") +
                             replaced(ENTRY, "464.7347", "470.7347") + replaced(ENTRY, "464.7347", "465.2364");
    const AnnotatedSpectra read = readText("a.mgf", text);
    EXPECT_EQ(read.examples.size(), 2u); // the last is the first isotope peak
    EXPECT_EQ(read.n_unlabelled, 1u);
    EXPECT_EQ(read.n_ambiguous, 1u);
    EXPECT_EQ(read.n_mismatched, 1u);
  }

  TEST(AnnotatedSpectra, WhatDoesNotMatterIsNoFault)
  {
    const std::string unlabelled = replaced(ENTRY, "SEQ=PEPTIDEK\n", "");
    std::string text = "\xEF\xBB\xBF"
                       "CHARGE=2+,3+\n" +
                       ENTRY; // with a byte order mark
    for (const std::string charge : {"2+ and 3+", "0", "2-", "unknown"})
    {
      text += replaced(unlabelled, "CHARGE=2+", "CHARGE=" + charge);
    }
    for (const std::string time : {"-1.0", "61.5,62.5", "61.5-62.5", ""}) // the first is what OpenMS writes
    {
      text += replaced(ENTRY, "RTINSECONDS=61.5", "RTINSECONDS=" + time);
    }
    const AnnotatedSpectra read = readText("a.mgf", text);
    ASSERT_EQ(read.examples.size(), 5u);
    EXPECT_EQ(read.n_unlabelled, 4u);
    EXPECT_TRUE(std::isnan(read.examples[1].spectrum.retention_time));
    EXPECT_EQ(read.examples[2].spectrum.retention_time, 61.5);
    EXPECT_EQ(read.examples[3].spectrum.retention_time, 61.5);
    EXPECT_TRUE(std::isnan(read.examples[4].spectrum.retention_time));
  }

  TEST(AnnotatedSpectra, FaultsNameFileLineAndRemedy)
  {
    expectDamaged("PEPMASS 'heavy' is not a number in line 3", replaced(ENTRY, "464.7347 1000", "heavy"));
    expectDamaged("CHARGE '2+ and 3+' of the entry that ends is not one positive charge in line 12",
                  replaced(ENTRY, "CHARGE=2+", "CHARGE=2+ and 3+"));
    expectDamaged("CHARGE '0+' of the entry that ends is not one", replaced(ENTRY, "CHARGE=2+", "CHARGE=0+"));
    expectDamaged("Sequence 'PEPM(Oxidised)K'", replaced(ENTRY, "PEPTIDEK", "PEPM(Oxidised)K"));
    expectDamaged("ITOLU 'percent' is not a unit", replaced(ENTRY, "ppm", "percent"));
    expectDamaged("ACTIVATION 'UVPD' is not known", replaced(ENTRY, "HCD", "UVPD"));
    expectDamaged("The intensity of a peak, 'x' is not a number in line 10", replaced(ENTRY, "200.5 3", "200.5 x"));
    expectDamaged("is not a number in line 10", replaced(ENTRY, "200.5 3", "200.5 nan"));
    expectDamaged("intensity below 0", replaced(ENTRY, "200.5 3", "200.5 -3"));
    expectDamaged("or above 3.4e38 in line 10", replaced(ENTRY, "200.5 3", "200.5 1e39"));
    expectUnusable("is above 2 Da in line 11", replaced(ENTRY, "ITOLU=ppm\n", "")); // 20 Da
    expectUnusable("lacks a precursor m/z or a charge", replaced(ENTRY, "CHARGE=2+\n", ""));
    expectUnusable("lacks a precursor m/z or a charge", replaced(ENTRY, "PEPMASS=464.7347 1000\n", ""));
    expectDamaged("ends within an entry", replaced(ENTRY, "END IONS\n", ""));
    expectDamaged("stands within an entry", replaced(ENTRY, "END IONS\n", "BEGIN IONS\n"));
    expectDamaged("stands outside of an entry in line 13", ENTRY + "END IONS\n");
    expectDamaged("'scan 5' is neither a key, a peak nor a comment in line 2",
                  replaced(ENTRY, "TITLE=sample:7", "scan 5"));
    expectUnusable("has no spectrum with a known peptide", replaced(ENTRY, "SEQ=PEPTIDEK\n", ""));
    expectUnusable("has no spectrum with a known peptide (0 entries", "");
    expectUnusable("must end in .mgf, .msp", ENTRY, "a.txt");
    expectError(ErrorKind::NOT_FOUND, "missing.mgf", [] { readAnnotatedSpectra("missing.mgf"); });
  }

  TEST(AnnotatedSpectra, SourceIsTheFileWhenTheTitleHasNone)
  {
    EXPECT_EQ(readText("a.mgf", replaced(ENTRY, "sample:7", "seven")).examples.at(0).source, "a.mgf");
    EXPECT_EQ(readText("a.mgf", replaced(ENTRY, "sample:7", "lab:run:7")).examples.at(0).source, "lab:run");
  }

  TEST(AnnotatedSpectra, LibraryEntriesAreRead)
  {
    const std::string text = "Name: PEPTIDEK/2\n"
                             "MW: 929.47\n"
                             "Comment: Spec=Consensus Mods=0 Parent=464.7347 Inst=it Protein=\"some protein\"\n"
                             "Num peaks: 2\n"
                             "200.5\t3\t\"y1/0.1\"\n"
                             "100.25\t10\t\"? 2/5; 1\"\n"
                             "\n"
                             "Name: ACDMK/2_2(1,C,Carbamidomethyl)(3,M,Oxidation)_30eV\r\n"
                             "Comment: Mods=2(1,C,Carbamidomethyl)(3,M,Oxidation) HCD=30eV Parent=319.6261\n"
                             "Num Peaks: 3\n"
                             "100.5 1; 200.5 2 \"y1;b2\"; 300.5 3;\n"
                             "\n"
                             "Name: ACDMK/2\n"
                             "Comment: Parent=340.6314 Mods=3/0,A,Acetyl/1,C,Carbamidomethyl/3,M,Oxidation\n"
                             "Num peaks: 1\n"
                             "100.5 1\n";
    const AnnotatedSpectra read = readText("a.msp", text, tolerance(0.4));
    ASSERT_EQ(read.examples.size(), 3u) << read.n_mismatched;
    const TrainingExample& first = read.examples[0];
    EXPECT_EQ(first.peptide.residues, "PEPTIDEK");
    EXPECT_EQ(first.charge, 2);
    EXPECT_EQ(first.spectrum.activation, Activation::CID);
    EXPECT_THAT(first.spectrum.mz, ElementsAre(100.25, 200.5));
    const TrainingExample& second = read.examples[1];
    EXPECT_NEAR(second.peptide.modification_mass[1], 57.021464, 1e-5);
    EXPECT_NEAR(second.peptide.modification_mass[3], 15.994915, 1e-5);
    EXPECT_EQ(second.spectrum.activation, Activation::HCD);
    EXPECT_THAT(second.spectrum.mz, ElementsAre(100.5, 200.5, 300.5));
    EXPECT_NEAR(read.examples[2].peptide.n_term_modification, 42.010565, 1e-5);
  }

  TEST(AnnotatedSpectra, NamesOfNistAreThoseOfUnimod)
  {
    const std::string text =
        "Name: QDCK/1\nComment: Parent=533.202 Mods=2(0,Q,Pyro-glu)(2,C,CAM)\nNum peaks: 1\n100.5 1\n"
        "Name: EDK/1\nComment: Parent=373.171 Mods=1/0,E,Pyro_glu\nNum peaks: 1\n100.5 1\n"
        "Name: CDK/1\nComment: Parent=405.143 Mods=1/0,C,Pyro-cmC\nNum peaks: 1\n100.5 1\n";
    const AnnotatedSpectra read = readText("a.msp", text, tolerance(0.4));
    ASSERT_EQ(read.examples.size(), 3u) << read.n_mismatched;
    EXPECT_NEAR(read.examples[0].peptide.n_term_modification, -17.026549, 1e-5);
    EXPECT_NEAR(read.examples[0].peptide.modification_mass[2], 57.021464, 1e-5);
    EXPECT_NEAR(read.examples[1].peptide.n_term_modification, -18.010565, 1e-5);
    EXPECT_NEAR(read.examples[2].peptide.n_term_modification, 39.994915, 1e-5);
  }

  TEST(AnnotatedSpectra, FaultsOfLibrariesAreNamed)
  {
    const std::string text =
        "Name: PEPTIDEK/2\nComment: Mods=1/7,K,Acetyl Parent=485.74\nNum peaks: 2\n100.5 1\n200.5 2\n";
    EXPECT_EQ(readText("a.msp", text, tolerance(0.4)).examples.size(), 1u);
    const auto expectLibraryFault = [&](const std::string& message, const std::string& from, const std::string& to,
                                        ErrorKind kind = ErrorKind::DAMAGED_INPUT)
    {
      expectError(kind, message, [&] { readText("a.msp", replaced(text, from, to), tolerance(0.4)); });
    };
    expectLibraryFault("ends within an entry", "200.5 2\n", "");
    expectLibraryFault("behind the end of peptide 'PEPTIDEK' in line 5", "1/7,K", "1/8,K");
    expectLibraryFault("another number of modifications", "Mods=1/", "Mods=2/");
    expectLibraryFault("The charge in Name:", "/2", "/");
    expectLibraryFault("is not one that OpenMS knows", "7,K,Acetyl", "7,K,Mystery");
    expectLibraryFault("ends within an entry", "Num peaks: 2\n100.5 1\n200.5 2\n", "");
    expectLibraryFault("The entry before has no peaks in line 3", "Num peaks", "Name: AK/2\nNum peaks");
    expectLibraryFault("Peaks stand outside of an entry in line 2", "Name: PEPTIDEK/2\n", "");
    expectLibraryFault("Num peaks '-2' is not a whole number", "peaks: 2", "peaks: -2");
    expectLibraryFault("Num peaks '2e300' is not a whole number", "peaks: 2", "peaks: 2e300");
    expectLibraryFault("The position of a modification, '-1'", "1/7,K", "1/-1,K");
    expectLibraryFault("The charge in Name: '99999999999'", "/2", "/99999999999");
    expectLibraryFault("lacks a precursor m/z", " Parent=485.74", "", ErrorKind::INVALID_INPUT);
  }

  TEST(AnnotatedSpectra, ActivationsAreReadInAnyCase)
  {
    EXPECT_EQ(parseActivation("ethcd"), Activation::ETHCD);
    EXPECT_EQ(parseActivation("EThcD"), Activation::ETHCD);
    EXPECT_EQ(parseActivation(""), Activation::UNKNOWN);
    expectError(ErrorKind::INVALID_INPUT, "HCD, CID, ETD, EThcD", [] { parseActivation("PQD"); });
  }

  TEST(AnnotatedSpectra, RealFilesAreReadInFull)
  {
    const std::filesystem::path folder = test::sharedData("annotated");
    if (!std::filesystem::exists(folder))
    {
      GTEST_SKIP() << "SKIPPED: no ../shared";
    }
    const AnnotatedSpectra read = readAnnotatedSpectra((folder / "hcd.mgf.gz").string(), tolerance(0.02));
    EXPECT_EQ(read.examples.size(), 6239u);
    EXPECT_EQ(read.n_unlabelled + read.n_ambiguous + read.n_mismatched, 0u);
  }
}
