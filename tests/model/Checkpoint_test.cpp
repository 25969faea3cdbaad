// SPDX-License-Identifier: BSD-3-Clause
#include "Checkpoint.h"

#include "RawTensors.h"
#include "TinyModel.h"
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/Safetensors.h>

#include <functional>
#include <limits>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::saveTinyModel;

    const std::string WEIGHT = "scoring_head.hidden.weight";

    /// A sound model file and copies of it with one damage each.
    class Checkpoint : public ::testing::Test
    {
    protected:
      Checkpoint() { saveTinyModel(model_file_, 1); }

      std::filesystem::path damaged(const std::function<void(SafetensorsFile&)>& damage) const
      {
        SafetensorsFile content = parseSafetensors(readFile(model_file_), "test");
        damage(content);
        writeFileAtomically(folder_ / "damaged.safetensors", serializeSafetensors(content));
        return folder_ / "damaged.safetensors";
      }

      void expectRefused(ErrorKind kind, const std::string& text,
                         const std::function<void(SafetensorsFile&)>& damage) const
      {
        const std::filesystem::path file = damaged(damage);
        expectError(kind, text, [&] { loadModel(file); });
      }

      test::TempDir folder_;
      std::filesystem::path model_file_ = folder_ / "tiny.safetensors";
    };

    TEST_F(Checkpoint, GivesBackTheSameWeightsAndManifest)
    {
      const nn::PSMTransformer saved = test::randomNetwork(test::tinyManifest(), 1);
      LoadedModel loaded = loadModel(model_file_);
      ASSERT_EQ(loaded.networks.front()->named_parameters().size(), saved->named_parameters().size());
      for (const auto& item : saved->named_parameters())
      {
        EXPECT_TRUE(torch::equal(loaded.networks.front()->named_parameters()[item.key()], item.value())) << item.key();
      }
      EXPECT_FALSE(loaded.networks.front()->is_training());
      EXPECT_EQ(loaded.manifest.version, "0.0.1");
      EXPECT_EQ(loaded.manifest.n_parameters, static_cast<std::size_t>(saved->parameterCount()));
      EXPECT_EQ(loaded.sha256, sha256Hex(readFile(model_file_)));
    }

    TEST_F(Checkpoint, WritesTheSameBytesForTheSameWeights)
    {
      LoadedModel loaded = loadModel(model_file_);
      loaded.networks.front()->train();
      saveModel(folder_ / "again.safetensors", loaded.manifest, loaded.networks);
      EXPECT_TRUE(loaded.networks.front()->is_training()) << "saving left the network as it was";
      EXPECT_EQ(readFile(folder_ / "again.safetensors"), readFile(model_file_));
      saveTinyModel(folder_ / "other.safetensors", 2);
      EXPECT_NE(readFile(folder_ / "other.safetensors"), readFile(model_file_));
    }

    TEST_F(Checkpoint, HoldsOneSetOfWeightsForEachFold)
    {
      ModelManifest manifest = test::tinyManifest();
      manifest.folds = {3, 5};
      const std::vector<nn::PSMTransformer> saved = {test::randomNetwork(manifest, 1), test::randomNetwork(manifest, 2),
                                                     test::randomNetwork(manifest, 3)};
      const std::filesystem::path file = folder_ / "folds.safetensors";
      saveModel(file, manifest, saved);
      LoadedModel loaded = loadModel(file);
      ASSERT_EQ(loaded.networks.size(), 3U);
      EXPECT_EQ(loaded.manifest.folds.seed, 5U);
      EXPECT_EQ(loaded.manifest.n_parameters, static_cast<std::size_t>(saved[0]->parameterCount()));
      for (std::size_t fold = 0; fold < 3; ++fold)
      {
        for (const auto& item : saved[fold]->named_parameters())
        {
          EXPECT_TRUE(torch::equal(loaded.networks[fold]->named_parameters()[item.key()], item.value())) << item.key();
        }
      }
      saveModel(folder_ / "again.safetensors", loaded.manifest, loaded.networks);
      EXPECT_EQ(readFile(folder_ / "again.safetensors"), readFile(file));
      expectError(ErrorKind::INTERNAL, "3 folds", [&] { saveModel(file, manifest, {saved[0]}); });
    }

    TEST_F(Checkpoint, DoesNotTouchTheRandomNumbersOfATraining)
    {
      const nn::PSMTransformer network = test::randomNetwork(test::tinyManifest(), 1);
      torch::manual_seed(7);
      const at::Tensor expected = torch::rand({3});
      torch::manual_seed(7);
      saveModel(folder_ / "again.safetensors", test::tinyManifest(), {network});
      loadModel(model_file_);
      EXPECT_TRUE(torch::equal(torch::rand({3}), expected));
    }

    TEST_F(Checkpoint, ReproducesItsGoldenLogits)
    {
      EXPECT_LE(goldenDifference(model_file_), 1e-5);
    }

    TEST_F(Checkpoint, RefusesAMissingTensor)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "'" + WEIGHT + "' that its manifest asks for is missing",
                    [](SafetensorsFile& content) { content.tensors.erase(WEIGHT); });
    }

    TEST_F(Checkpoint, RefusesAnExtraTensor)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "'scoring_head.more' is none that its manifest asks for",
                    [](SafetensorsFile& content)
                    { content.tensors["scoring_head.more"] = toRawTensor(std::vector<float>{1.0F}); });
    }

    TEST_F(Checkpoint, RefusesAWrongShape)
    {
      expectRefused(ErrorKind::INVALID_MODEL,
                    "'" + WEIGHT + "' is float32 (16, 64) where its manifest asks for float32 (32, 32)",
                    [](SafetensorsFile& content) {
                      content.tensors[WEIGHT].shape = {16, 64};
                    });
    }

    TEST_F(Checkpoint, RefusesAWrongType)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "'" + WEIGHT + "' is float64 (32, 32)",
                    [](SafetensorsFile& content)
                    {
                      content.tensors[WEIGHT] = toRawTensor(std::vector<double>(32 * 32));
                      content.tensors[WEIGHT].shape = {32, 32};
                    });
    }

    TEST_F(Checkpoint, RefusesWeightsThatAreNotFinite)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "'scoring_head.logit.bias' holds a value that is not finite",
                    [](SafetensorsFile& content)
                    {
                      content.tensors["scoring_head.logit.bias"] =
                          toRawTensor(std::vector<float>{std::numeric_limits<float>::quiet_NaN()});
                    });
    }

    TEST_F(Checkpoint, RefusesAlteredWeights)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "SHA-256",
                    [](SafetensorsFile& content) { content.tensors[WEIGHT].bytes[0] ^= 1U; });
    }

    TEST_F(Checkpoint, RefusesATruncatedFile)
    {
      const std::string bytes = readFile(model_file_);
      for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{1000}, bytes.size() - 1})
      {
        writeFileAtomically(folder_ / "short.safetensors", bytes.substr(0, length));
        expectError(ErrorKind::INVALID_MODEL, "short.safetensors", [&] { loadModel(folder_ / "short.safetensors"); });
      }
    }

    TEST_F(Checkpoint, RefusesANewerFormat)
    {
      expectRefused(ErrorKind::INCOMPATIBLE_MODEL, "",
                    [](SafetensorsFile& content)
                    {
                      std::string& manifest = content.metadata["psmformer"];
                      const std::size_t key = manifest.find("\"format_version\"");
                      manifest.replace(manifest.find('1', key), 1, "999");
                    });
    }

    TEST_F(Checkpoint, RefusesAFileWithoutManifest)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "no 'psmformer' entry",
                    [](SafetensorsFile& content) { content.metadata.erase("psmformer"); });
    }

    TEST_F(Checkpoint, RefusesAWrongParameterCount)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "parameters instead of",
                    [](SafetensorsFile& content)
                    {
                      ModelManifest manifest = parseManifest(content.metadata["psmformer"]);
                      ++manifest.n_parameters;
                      content.metadata["psmformer"] = writeManifest(manifest);
                    });
    }

    TEST_F(Checkpoint, RefusesAModelWhoseScoresItDoesNotReproduce)
    {
      expectRefused(ErrorKind::INCOMPATIBLE_MODEL, "does not reproduce the scores",
                    [](SafetensorsFile& content)
                    {
                      std::vector<float> logit = fromRawTensor<float>(content.tensors["golden.logit"]);
                      logit.back() += 0.01F;
                      content.tensors["golden.logit"] = toRawTensor(logit);
                    });
    }

    TEST_F(Checkpoint, RefusesDamagedGoldenValues)
    {
      expectRefused(ErrorKind::INVALID_MODEL, "'golden.logit' is missing",
                    [](SafetensorsFile& content) { content.tensors.erase("golden.logit"); });
      expectRefused(ErrorKind::INVALID_MODEL, "'golden.spectrum.n_peaks' does not fit",
                    [](SafetensorsFile& content) {
                      content.tensors["golden.spectrum.n_peaks"] = toRawTensor(std::vector<std::int64_t>{-1, 2});
                    });
      expectRefused(ErrorKind::INVALID_MODEL, "'golden.peptide.residues' holds a letter",
                    [](SafetensorsFile& content)
                    {
                      std::vector<std::int64_t> residues =
                          fromRawTensor<std::int64_t>(content.tensors["golden.peptide.residues"]);
                      residues[0] = 'X';
                      content.tensors["golden.peptide.residues"] = toRawTensor(residues);
                    });
      expectRefused(ErrorKind::INVALID_MODEL, "golden matches cannot be scored",
                    [](SafetensorsFile& content) {
                      content.tensors["golden.spectrum.tolerance"] = toRawTensor(std::vector<double>{0.0, 0.0, 0.0});
                    });
      expectRefused(ErrorKind::INVALID_MODEL, "does not know",
                    [](SafetensorsFile& content)
                    { content.tensors["golden.more"] = toRawTensor(std::vector<float>{1.0F}); });
    }

    TEST_F(Checkpoint, NamesAFileThatIsNotThere)
    {
      expectError(ErrorKind::NOT_FOUND, "nowhere.safetensors", [&] { loadModel(folder_ / "nowhere.safetensors"); });
    }
  }
}
