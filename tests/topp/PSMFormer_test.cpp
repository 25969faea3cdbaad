// SPDX-License-Identifier: BSD-3-Clause
// The tool PSMFormer as users run it: results, exit codes and messages.
#include "Rescoring.h"

#include <PSMFormer/core/Files.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>

namespace psmformer::test
{
  namespace
  {
    using ::testing::HasSubstr;
    using ::testing::Not;

    constexpr int NOT_FOUND = 1;
    constexpr int NOT_READABLE = 2;
    constexpr int CORRUPT = 3;
    constexpr int EMPTY = 4;
    constexpr int CANNOT_WRITE = 5;
    constexpr int ILLEGAL_PARAMETER = 6;
    constexpr int MISSING_PARAMETER = 7;
    constexpr int INCOMPATIBLE = 11;

    /// A safetensors file of somebody else: one float, no manifest.
    std::string foreignModel()
    {
      const std::string header = R"({"weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
      std::string bytes;
      for (std::uint64_t size = header.size(), k = 0; k < 8; ++k, size >>= 8)
      {
        bytes += static_cast<char>(size & 0xFF);
      }
      return bytes + header + std::string(4, '\0');
    }

    class PSMFormerTool : public Rescoring
    {
    protected:
      /// One line says what is wrong, and there is no output, whole or partial.
      void expectFailure(const ToolResult& result, int exit_code, const std::string& text) const
      {
        EXPECT_EQ(result.exit_code, exit_code) << result.output;
        EXPECT_THAT(result.output, HasSubstr(text));
        EXPECT_THAT(result.output, Not(HasSubstr("terminate called")));
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        {
          EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("out."))) << result.output;
        }
      }
    };
  }

  TEST_F(PSMFormerTool, EveryHitComesOutWithItsScore)
  {
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("Hits: 80 scored + 0 unscored = 80."));
    EXPECT_THAT(result.output, HasSubstr("(D+1)/T"));
    const Identifications out = readIdentifications(path("out.idXML"));
    ASSERT_EQ(out.runs.size(), 1u);
    EXPECT_EQ(out.runs[0].getSearchEngine(), "Comet");
    EXPECT_EQ(countHits(out.identifications), 80u);
    EXPECT_EQ(countStatus(out.identifications, "scored"), 80u);
    for (const auto& identification : out.identifications)
    {
      EXPECT_EQ(identification.getScoreType(), "PSMFormer:score");
      for (const auto& hit : identification.getHits())
      {
        EXPECT_TRUE(hit.metaValueExists("expect"));
        EXPECT_TRUE(hit.metaValueExists("PSMFormer:q-value"));
      }
    }
    const auto& parameters = out.runs[0].getSearchParameters();
    EXPECT_EQ(std::string(parameters.getMetaValue("PSMFormer:model_sha256").toString()).size(), 64u);
    EXPECT_TRUE(parameters.metaValueExists("PSMFormer:version"));
  }

  TEST_F(PSMFormerTool, SameBytesForOneAndTwoThreads)
  {
    ASSERT_EQ(rescore({"-threads", "1", "-test"}).exit_code, 0);
    const std::string one = readFile(path("out.idXML"));
    ASSERT_EQ(rescore({"-threads", "2", "-test"}).exit_code, 0);
    EXPECT_EQ(readFile(path("out.idXML")), one);
  }

  TEST_F(PSMFormerTool, FeatureListNamesWhatIsWritten)
  {
    ASSERT_EQ(rescore({"-out_features", path("features.tsv")}).exit_code, 0);
    const std::string table = readFile(path("features.tsv"));
    const Identifications out = readIdentifications(path("out.idXML"));
    std::string expected = "feature_generator\tfeature_name\n";
    std::string list(out.runs[0].getSearchParameters().getMetaValue("extra_features").toString());
    std::replace(list.begin(), list.end(), ',', '\n');
    std::istringstream names(list);
    for (std::string name; std::getline(names, name);)
    {
      expected += "PSMFormer\t" + name + "\n";
      EXPECT_TRUE(out.identifications[0].getHits()[0].metaValueExists(name)) << name;
    }
    EXPECT_EQ(table, expected);
    EXPECT_THAT(table, HasSubstr("PSMFormer:spectral_angle"));
  }

  TEST_F(PSMFormerTool, MissingAndDamagedIdentifications)
  {
    expectFailure(rescore({"-in", path("no.idXML")}), NOT_FOUND, "no.idXML");
    std::filesystem::create_directory(folder_ / "folder.idXML");
    expectFailure(rescore({"-in", path("folder.idXML")}), NOT_READABLE, "folder.idXML' is a folder");
    writeFileAtomically(path("empty.idXML"), "");
    expectFailure(rescore({"-in", path("empty.idXML")}), EMPTY, "empty.idXML");
    const std::string whole = readFile(path("in.idXML"));
    writeFileAtomically(path("half.idXML"), whole.substr(0, whole.size() / 2));
    expectFailure(rescore({"-in", path("half.idXML")}), CORRUPT, "half.idXML' is damaged");
    writeFileAtomically(path("other.idXML"), readFile(path("run.mzML")));
    expectFailure(rescore({"-in", path("other.idXML")}), CORRUPT, "other.idXML' is no idXML");
    ASSERT_EQ(runProgram("gzip", {path("in.idXML")}).exit_code, 0);
    const std::string compressed = readFile(path("in.idXML.gz"));
    writeFileAtomically(path("half.idXML.gz"), compressed.substr(0, compressed.size() / 2));
    expectFailure(rescore({"-in", path("half.idXML.gz")}), CORRUPT, "half.idXML.gz' is damaged");
  }

  TEST_F(PSMFormerTool, MissingAndDamagedSpectra)
  {
    expectFailure(rescore({"-in_spectra", path("no.mzML")}), NOT_FOUND, "no.mzML");
    std::filesystem::create_directory(folder_ / "folder.mzML");
    expectFailure(rescore({"-in_spectra", path("folder.mzML")}), NOT_READABLE, "folder.mzML' is a folder");
    writeFileAtomically(path("empty.mzML"), "");
    expectFailure(rescore({"-in_spectra", path("empty.mzML")}), EMPTY, "empty.mzML");
    const std::string whole = readFile(path("run.mzML"));
    writeFileAtomically(path("half.mzML"), whole.substr(0, whole.size() / 2));
    expectFailure(rescore({"-in_spectra", path("half.mzML")}), CORRUPT, "half.mzML' is damaged");
    for (const auto& [program, extension] : {std::pair("gzip", ".gz"), std::pair("bzip2", ".bz2")})
    {
      ASSERT_EQ(runProgram(program, {"-k", path("run.mzML")}).exit_code, 0);
      const std::string compressed = readFile(path(std::string("run.mzML") + extension));
      const std::string half = path(std::string("half.mzML") + extension);
      writeFileAtomically(half, compressed.substr(0, compressed.size() / 2));
      expectFailure(rescore({"-in_spectra", half}), CORRUPT, half + "' is damaged");
    }
  }

  TEST_F(PSMFormerTool, OutputsThatCannotBeWritten)
  {
    expectFailure(rescore({"-out", path("out.mzML")}), ILLEGAL_PARAMETER, "out.mzML");
    expectFailure(rescore({"-out", path("no_folder/o.idXML")}), CANNOT_WRITE, "no_folder");
    std::filesystem::create_directory(folder_ / "folder.idXML");
    const ToolResult folder = rescore({"-out", path("folder.idXML")});
    expectFailure(folder, CANNOT_WRITE, "-out '" + path("folder.idXML") + "' is a folder");
    EXPECT_THAT(folder.output, Not(HasSubstr("Model "))) << "before the work";
    expectFailure(rescore({"-out_features", path("no_folder/f.tsv")}), CANNOT_WRITE, "no_folder");
    expectFailure(rescore({"-out_features", path("one.tsv"), "-out_pin", path("./one.tsv")}), ILLEGAL_PARAMETER,
                  "-out_pin and -out_features are both");
  }

  TEST_F(PSMFormerTool, FullDiskLeavesNoOutput)
  {
    const auto limited = [&](const std::vector<std::string>& arguments)
    {
      std::vector<std::string> all = {"-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "limited", PSMFORMER_TOOL};
      all.insert(all.end(), arguments.begin(), arguments.end());
      return runProgram("/bin/bash", all);
    };
    expectFailure(limited(arguments()), CANNOT_WRITE, "out.idXML");
  }

  TEST_F(PSMFormerTool, ModelsThatCannotBeUsed)
  {
    expectFailure(rescore({"-model", "no_such_model"}), NOT_FOUND, "no_such_model");
    expectFailure(rescore({"-model", path("no.safetensors")}), NOT_FOUND, "no.safetensors");
    std::string model = readFile(path("tiny.safetensors"));
    writeFileAtomically(path("short.safetensors"), model.substr(0, model.size() - 100));
    expectFailure(rescore({"-model", path("short.safetensors")}), CORRUPT, "short.safetensors");
    model[model.size() - 6] = static_cast<char>(model[model.size() - 6] ^ 0x10);
    writeFileAtomically(path("flipped.safetensors"), model);
    expectFailure(rescore({"-model", path("flipped.safetensors")}), CORRUPT, "flipped.safetensors");
    writeFileAtomically(path("text.safetensors"), "this is no model");
    expectFailure(rescore({"-model", path("text.safetensors")}), CORRUPT, "text.safetensors");
    writeFileAtomically(path("foreign.safetensors"), foreignModel());
    expectFailure(rescore({"-model", path("foreign.safetensors")}), CORRUPT, "foreign.safetensors");
  }

  TEST_F(PSMFormerTool, OptionsThatAreNotPossible)
  {
    expectFailure(rescore({"-precision", "bfloat16"}), ILLEGAL_PARAMETER, "bfloat16");
    expectFailure(rescore({"-device", "cuda:99"}), ILLEGAL_PARAMETER, "cuda");
    expectFailure(rescore({"-device", "abacus"}), ILLEGAL_PARAMETER, "abacus");
    expectFailure(rescore({"-unscored", "keep"}), ILLEGAL_PARAMETER, "-mode annotate");
    expectFailure(rescore({"-method", "guess"}), ILLEGAL_PARAMETER, "guess");
    for (const std::string tolerance : {"20", "inf", "nan"}) // 20 ppm was meant
    {
      expectFailure(rescore({"-fragment_tolerance", tolerance}), ILLEGAL_PARAMETER, "-fragment_tolerance_unit ppm");
    }
  }

  TEST_F(PSMFormerTool, OptionsThatAreMissing)
  {
    const ToolResult no_in = runProgram(PSMFORMER_TOOL, {"-in_spectra", path("run.mzML"), "-out", path("out.idXML"),
                                                         "-model", path("tiny.safetensors")});
    expectFailure(no_in, MISSING_PARAMETER, "'in'");
    const ToolResult no_spectra = runProgram(
        PSMFORMER_TOOL, {"-in", path("in.idXML"), "-out", path("out.idXML"), "-model", path("tiny.safetensors")});
    expectFailure(no_spectra, MISSING_PARAMETER, "'in_spectra'");
  }

  TEST_F(PSMFormerTool, StrictRefusesHitsThatCannotBeScored)
  {
    auto hits = run_.identifications[0].getHits();
    hits[1].setCharge(0);
    run_.identifications[0].setHits(hits);
    writeIdentifications({run_}, path("in.idXML"));
    expectFailure(rescore({"-strict"}), INCOMPATIBLE, "no_charge 1");
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.output, HasSubstr("Hits: 79 scored + 1 unscored = 80."));
  }

  TEST_F(PSMFormerTool, OldOutputStaysWhenTheToolFails)
  {
    writeFileAtomically(path("kept.idXML"), "an earlier result");
    EXPECT_EQ(rescore({"-out", path("kept.idXML"), "-precision", "bfloat16"}).exit_code, ILLEGAL_PARAMETER);
    EXPECT_EQ(readFile(path("kept.idXML")), "an earlier result");
  }

  TEST_F(PSMFormerTool, ModelOfTheTrainerIsAccepted)
  {
    writeFileAtomically(path("train.mgf"), toAnnotatedMgf(run_));
    const ToolResult trained = runProgram(
        PSMFORMER_TRAINER, {"-in_annotated", path("train.mgf"), "-out_model", path("own.safetensors"), "-preset",
                            "tiny", "-training:epochs", "1", "-model:max_peaks", "30", "-no_progress", "-test"});
    ASSERT_EQ(trained.exit_code, 0) << trained.output;
    const ToolResult result = rescore({"-model", path("own.safetensors")});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("Model own@0.1.0 on cpu."));
    EXPECT_EQ(countStatus(readIdentifications(path("out.idXML")).identifications, "scored"), 80u);
  }
}
