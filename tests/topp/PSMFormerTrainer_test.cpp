// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/Safetensors.h>
#include <PSMFormer/openms/TrainingReader.h>

#include <support/ChangeHits.h>
#include <support/TempDir.h>
#include <support/TestRun.h>
#include <support/ToolRunner.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>

namespace psmformer
{
  namespace
  {
    using test::TempDir;
    using test::ToolResult;
    using ::testing::HasSubstr;
    using ::testing::Not;

    using Arguments = std::vector<std::string>;

    class Trainer : public ::testing::Test
    {
    protected:
      Trainer()
      {
        test::TestRunOptions options;
        options.n_spectra = 120;
        options.n_unidentifiable = 0;
        run_ = test::makeTestRun(options);
        writeFileAtomically(folder_ / "train.mgf", test::toAnnotatedMgf(run_));
      }

      std::string path(const std::string& name) const { return (folder_ / name).string(); }

      static ToolResult runTool(const Arguments& arguments) { return test::runProgram(PSMFORMER_TRAINER, arguments); }

      /// The command of a short training of a small network; OpenMS takes an option where it stands first.
      Arguments trainingArguments(const std::string& out_model, const Arguments& more) const
      {
        Arguments arguments = more;
        arguments.insert(arguments.end(),
                         {"-out_model", path(out_model), "-preset", "tiny", "-training:epochs", "2",
                          "-training:max_validation_spectra", "20", "-model:max_peaks", "30", "-no_progress", "-test"});
        return arguments;
      }

      ToolResult train(const std::string& out_model, const Arguments& more) const
      {
        return runTool(trainingArguments(out_model, more));
      }

      ToolResult trainAnnotated(const std::string& out_model, const Arguments& more = {}) const
      {
        Arguments arguments = {"-in_annotated", path("train.mgf")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return train(out_model, arguments);
      }

      SafetensorsFile load(const std::string& model) const { return parseSafetensors(readFile(path(model)), model); }

      TempDir folder_;
      test::TestRun run_;
    };

    void expectFailure(const ToolResult& result, int exit_code, const std::string& text)
    {
      EXPECT_EQ(result.exit_code, exit_code) << result.output;
      EXPECT_THAT(result.output, HasSubstr(text));
    }
  }

  TEST_F(Trainer, MakesModelCardCurveAndKeys)
  {
    const std::string excluded(run_.identifications[0].getHits()[0].getSequence().toUnmodifiedString());
    writeFileAtomically(folder_ / "exclude.txt", excluded + "\n");
    const ToolResult result =
        trainAnnotated("small.safetensors", {"-out_log", path("loss.tsv"), "-out_keys", path("keys.txt"), "-in_exclude",
                                             path("exclude.txt"), "-model_version", "1.2.3", "-seed", "7"});
    ASSERT_EQ(result.exit_code, 0) << result.output;

    const SafetensorsFile model = load("small.safetensors");
    ASSERT_EQ(model.metadata.count("psmformer"), 1u);
    const ModelManifest manifest = parseManifest(model.metadata.at("psmformer"));
    EXPECT_EQ(manifest.name, "small");
    EXPECT_EQ(manifest.version, "1.2.3");
    EXPECT_EQ(manifest.architecture.d_model, presetManifest("tiny").architecture.d_model);
    EXPECT_EQ(manifest.inputs.preprocessing.max_peaks, 30u);
    EXPECT_EQ(manifest.training.data, "train.mgf");
    EXPECT_EQ(manifest.training.seed, 7u);
    EXPECT_EQ(manifest.training.n_epochs, 2u);
    EXPECT_GT(manifest.training.n_spectra, 50u);

    const std::string curve = readFile(folder_ / "loss.tsv");
    EXPECT_EQ(std::count(curve.begin(), curve.end(), '\n'), 3);
    const std::set<std::string> keys = readPeptideKeys(path("keys.txt"));
    EXPECT_EQ(keys.count(peptideKey(excluded)), 0u);
    EXPECT_GE(keys.size(), 50u);
    for (const std::string& key : keys)
    {
      EXPECT_NE(dataPart(key), DataPart::TEST);
    }
    EXPECT_THAT(readFile(folder_ / "MODEL_CARD.md"), HasSubstr("# Model small 1.2.3"));
  }

  TEST_F(Trainer, SameSeedSameBytesAndResumptionTheSame)
  {
    ASSERT_EQ(trainAnnotated("a.safetensors", {"-model_name", "m"}).exit_code, 0);
    ASSERT_EQ(trainAnnotated("b.safetensors", {"-model_name", "m"}).exit_code, 0);
    EXPECT_EQ(readFile(folder_ / "a.safetensors"), readFile(folder_ / "b.safetensors"));

    const Arguments resumable = {"-model_name", "m",        "-checkpoint",   path("state"),
                                 "-resume",     "-out_log", path("loss.tsv")};
    ASSERT_EQ(trainAnnotated("c.safetensors", resumable).exit_code, 0);
    ASSERT_TRUE(std::filesystem::exists(folder_ / "state"));
    const std::string curve = readFile(folder_ / "loss.tsv");
    ASSERT_EQ(trainAnnotated("d.safetensors", resumable).exit_code, 0);
    EXPECT_EQ(readFile(folder_ / "c.safetensors"), readFile(folder_ / "a.safetensors"));
    EXPECT_EQ(readFile(folder_ / "d.safetensors"), readFile(folder_ / "a.safetensors"));
    EXPECT_EQ(readFile(folder_ / "loss.tsv"), curve);
  }

  TEST_F(Trainer, KilledTrainingGoesOnToTheSameBytes)
  {
    const Arguments once = {
        "-in_annotated", path("train.mgf"), "-model_name", "m", "-training:epochs", "4", "-training:patience", "4"};
    ASSERT_EQ(train("once.safetensors", once).exit_code, 0);

    Arguments resumable = once;
    resumable.insert(resumable.end(), {"-checkpoint", path("state"), "-resume", "-out_log", path("loss.tsv"),
                                       "-training:checkpoint_minutes", "0"});
    // The state is written after every step, the curve after every epoch: when the state is newer, the training is
    // within an epoch, and not in the first one.
    Arguments command = {"-c",
                         "\"$@\" & training=$!; cd \"$0\"\n"
                         "until [ -e loss.tsv ] && [ state -nt loss.tsv ]; do\n"
                         "  kill -0 $training && sleep 0.01 || exit 1\n"
                         "done\n"
                         "kill -KILL $training; wait $training",
                         folder_.path().string(), PSMFORMER_TRAINER};
    const Arguments arguments = trainingArguments("m.safetensors", resumable);
    command.insert(command.end(), arguments.begin(), arguments.end());
    const ToolResult killed = test::runProgram("/bin/bash", command);
    ASSERT_EQ(killed.exit_code, 128 + SIGKILL) << killed.output;
    ASSERT_FALSE(std::filesystem::exists(folder_ / "m.safetensors"));

    const ToolResult resumed = train("m.safetensors", resumable);
    ASSERT_EQ(resumed.exit_code, 0) << resumed.output;
    EXPECT_THAT(resumed.output, HasSubstr("epoch 4: "));
    EXPECT_THAT(resumed.output, Not(HasSubstr("epoch 1: "))) << "it went on, it did not start again";
    EXPECT_EQ(readFile(folder_ / "m.safetensors"), readFile(folder_ / "once.safetensors"));
  }

  TEST_F(Trainer, FineTunesFromIdentificationsAndProteins)
  {
    ASSERT_EQ(trainAnnotated("first.safetensors").exit_code, 0);
    test::changeHits(run_, [](auto& hit) { hit.setMetaValue("q-value", 0.0); });
    const std::string spectra = test::writeSpectra(run_, folder_.path());
    const std::string identifications = test::writeIdentifications({run_}, folder_ / "run.idXML");
    std::string proteins;
    for (const auto& identification : run_.identifications)
    {
      proteins += ">p\n" + std::string(identification.getHits()[0].getSequence().toUnmodifiedString()) + "\n";
    }
    writeFileAtomically(folder_ / "p.fasta", proteins);
    const ToolResult result =
        train("second.safetensors", {"-in", identifications, "-in_spectra", spectra, "-in_fasta", path("p.fasta"),
                                     "-init_model", path("first.safetensors"), "-model:d_model", "64"});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const ModelManifest manifest = parseManifest(load("second.safetensors").metadata.at("psmformer"));
    EXPECT_EQ(manifest.name, "second");
    EXPECT_EQ(manifest.architecture.d_model, presetManifest("tiny").architecture.d_model);
    EXPECT_EQ(manifest.inputs.preprocessing.max_peaks, 30u);
    EXPECT_NE(readFile(folder_ / "second.safetensors"), readFile(folder_ / "first.safetensors"));
  }

  class LargerPresets : public Trainer
  {
  };

  TEST_F(LargerPresets, TrainAndScore)
  {
    constexpr std::size_t N_SPECTRA = 24;
    run_.identifications.resize(N_SPECTRA);
    writeFileAtomically(folder_ / "train.mgf", test::toAnnotatedMgf(run_));
    const std::string spectra = test::writeSpectra(run_, folder_.path());
    const std::string identifications = test::writeIdentifications({run_}, folder_ / "run.idXML");
    for (const std::string preset : {"medium", "large"})
    {
      const std::string model = preset + ".safetensors";
      const ToolResult result = trainAnnotated(model, {"-preset", preset, "-training:epochs", "1", "-model:max_peaks",
                                                       "150", "-training:spectra_per_batch", "4", "-threads", "2"});
      ASSERT_EQ(result.exit_code, 0) << result.output;
      const ModelManifest manifest = parseManifest(load(model).metadata.at("psmformer"));
      EXPECT_EQ(manifest.architecture.d_model, presetManifest(preset).architecture.d_model);
      const ToolResult scored = test::runProgram(PSMFORMER_TOOL, {"-in", identifications, "-in_spectra", spectra,
                                                                  "-out", path("scored.idXML"), "-model", path(model)});
      ASSERT_EQ(scored.exit_code, 0) << scored.output;
      EXPECT_THAT(scored.output, HasSubstr(" scored + 0 unscored"));
    }
  }

  TEST_F(Trainer, FoldsGiveOneFileWithASetOfWeightsForEach)
  {
    const Arguments options = {"-folds", "2", "-out_log", path("folds.tsv")};
    const ToolResult result = trainAnnotated("folds.safetensors", options);
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("Fold 2 of 2 is left out"));
    const SafetensorsFile content = load("folds.safetensors");
    const ModelManifest manifest = parseManifest(content.metadata.at("psmformer"));
    EXPECT_EQ(manifest.folds.count, 2u);
    const RawTensor& first = content.tensors.at("fold0.scoring_head.logit.weight");
    EXPECT_NE(first.bytes, content.tensors.at("fold1.scoring_head.logit.weight").bytes);
    EXPECT_THAT(readFile(folder_ / "folds.tsv"), testing::StartsWith("fold\tepoch\t"));
    EXPECT_THAT(readFile(folder_ / "MODEL_CARD.md"), HasSubstr("each of 2 sets of weights"));
    const ToolResult again = trainAnnotated("again.safetensors", {"-init_model", path("folds.safetensors")});
    expectFailure(again, 6, "fine-tune the model it was made from");
  }

  TEST_F(Trainer, BadInputEndsWithOneSentenceAndAnExitCode)
  {
    const int not_found = 1;
    const int illegal_parameter = 6;
    expectFailure(train("m.safetensors", {}), illegal_parameter, "There is nothing to train on");
    expectFailure(train("m.safetensors", {"-in_annotated", path("no.mgf")}), not_found, "no.mgf");
    writeFileAtomically(folder_ / "short.fasta", ">protein\nAAK\n");
    expectFailure(trainAnnotated("m.safetensors", {"-in_fasta", path("short.fasta")}), 11, "give no peptide");
    for (const std::string name : {"m.bin", "m.txt", "m"}) // OpenMS knows the second ending
    {
      expectFailure(trainAnnotated(name), illegal_parameter, "let it end in .safetensors");
    }
    expectFailure(trainAnnotated("m.safetensors", {"-model:n_heads", "5"}), illegal_parameter, "n_heads");
    expectFailure(trainAnnotated("m.safetensors", {"-model_version", "one"}), illegal_parameter, "semantic version");
    expectFailure(trainAnnotated("m.safetensors", {"-fragment_tolerance", "20"}), illegal_parameter, "unit ppm");
    expectFailure(trainAnnotated("m.safetensors", {"-resume"}), illegal_parameter, "-resume needs a file");
    expectFailure(trainAnnotated("m.safetensors", {"-init_model", path("no.safetensors")}), not_found,
                  "no.safetensors");
    expectFailure(trainAnnotated("m.safetensors", {"-device", "cuda:99"}), illegal_parameter, "cuda");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "m.safetensors"));
  }

  TEST_F(Trainer, OutputsThatCannotBeWrittenAreRefusedBeforeTraining)
  {
    const int cannot_write = 5;
    const int illegal_parameter = 6;
    std::filesystem::create_directory(folder_ / "folder");
    const auto expectRefused = [this](const Arguments& more, int exit_code, const std::string& text)
    {
      const ToolResult result = trainAnnotated("m.safetensors", more);
      expectFailure(result, exit_code, text);
      EXPECT_THAT(result.output, Not(HasSubstr("epoch 1"))) << "hours later";
    };
    expectRefused({"-checkpoint", path("no_folder/state")}, cannot_write, "no_folder/state");
    expectRefused({"-checkpoint", path("folder")}, cannot_write, "is a folder");
    expectRefused({"-out_log", path("folder")}, cannot_write, "is a folder");
    expectRefused({"-checkpoint", path("m.safetensors")}, illegal_parameter, "-checkpoint and -out_model are both");
    writeFileAtomically(folder_ / "keys.txt", "PEPTIDEK\n");
    expectRefused({"-in_exclude", path("keys.txt"), "-out_keys", path("keys.txt")}, illegal_parameter,
                  "-out_keys and -in_exclude are both");
    ASSERT_EQ(test::runProgram("cp", {PSMFORMER_TINY_MODEL, path("given.safetensors")}).exit_code, 0);
    const std::string given = readFile(folder_ / "given.safetensors");
    expectRefused({"-init_model", path("given.safetensors"), "-checkpoint", path("given.safetensors")},
                  illegal_parameter, "-checkpoint and -init_model are both");
    EXPECT_EQ(readFile(folder_ / "given.safetensors"), given);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "m.safetensors"));
  }

  TEST_F(Trainer, DamagedInputEndsWithExitCode3)
  {
    const auto expectDamaged = [this](const std::string& option, const std::string& name, const std::string& content,
                                      const std::string& text, const Arguments& more = {})
    {
      writeFileAtomically(folder_ / name, content);
      Arguments arguments = {option, path(name)};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const ToolResult result =
          option == "-in_annotated" ? train("m.safetensors", arguments) : trainAnnotated("m.safetensors", arguments);
      expectFailure(result, 3, text);
      EXPECT_THAT(result.output, HasSubstr("'" + path(name) + "'"));
      EXPECT_FALSE(std::filesystem::exists(folder_ / "m.safetensors"));
    };
    const std::string whole = readFile(folder_ / "train.mgf");
    const std::string first_entry = whole.substr(0, whole.find("END IONS"));
    expectDamaged("-in_annotated", "number.mgf", first_entry + "300.5 many\nEND IONS\n",
                  "'many' is not a number in line");
    expectDamaged("-in_annotated", "begin.mgf", first_entry + whole, "BEGIN IONS stands within an entry in line");
    expectDamaged("-in_annotated", "peaks.msp", "Name: PEPTIDEK/2\nNum peaks: two\n",
                  "'two' is not a number in line 2");
    ASSERT_EQ(test::runProgram("gzip", {path("train.mgf"), "-k"}).exit_code, 0);
    const std::string compressed = readFile(folder_ / "train.mgf.gz");
    expectDamaged("-in_annotated", "sum.mgf.gz", compressed.substr(0, compressed.size() - 8), "unexpected end of file");

    expectDamaged("-in_exclude", "e.txt", "PEPTIDEK\nP3\n", "in line 2");
    expectDamaged("-in_fasta", "p.fasta", "PEPTIDEK\n", "make it again or fetch it again");
    expectDamaged("-init_model", "i.safetensors", "this is no model", "train the model again");
    const Arguments spectra = {"-in_spectra", test::writeSpectra(run_, folder_.path())};
    std::string identifications = readFile(test::writeIdentifications({run_}, folder_ / "in.idXML"));
    const std::string sequence = " sequence=\"";
    const std::size_t at = identifications.find(sequence, identifications.find("<PeptideHit "));
    expectDamaged("-in", "name.idXML", identifications.insert(at + sequence.size(), "C(Mystery)"), "Mystery", spectra);
  }
}
