// SPDX-License-Identifier: BSD-3-Clause
#include "Checkpoint.h"

#include "GoldenValues.h"
#include "Inference.h"
#include "RawTensors.h"
#include "TorchRuntime.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/Safetensors.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace psmformer
{
  namespace
  {
    const std::string MANIFEST_KEY = "psmformer";
    const std::string WEIGHTS_HASH_KEY = "psmformer_weights_sha256";

    /// Between machines logits differ by rounding, far below this; a wrong formula changes them by more.
    constexpr double LARGEST_GOLDEN_DIFFERENCE = 1e-3;

    /// Building a network draws random numbers, which must not change what a training around it draws.
    class RandomStateGuard
    {
    public:
      RandomStateGuard() : generator_(at::detail::getDefaultCPUGenerator()), state_(generator_.get_state()) {}
      ~RandomStateGuard() { generator_.set_state(state_); }
      RandomStateGuard(const RandomStateGuard&) = delete;
      RandomStateGuard& operator=(const RandomStateGuard&) = delete;

    private:
      at::Generator generator_;
      at::Tensor state_;
    };

    [[noreturn]] void failDamaged(const std::string& source, const std::string& what)
    {
      throw Error(ErrorKind::INVALID_MODEL,
                  "Model file '" + source + "' is damaged: " + what + "; fetch or train the model again.");
    }

    void check(bool condition, const std::string& source, const std::string& what)
    {
      if (!condition)
      {
        failDamaged(source, what);
      }
    }

    bool isGolden(const std::string& name)
    {
      return name.compare(0, GOLDEN_PREFIX.size(), GOLDEN_PREFIX) == 0;
    }

    /// The weights of all networks under the names they have in a file.
    std::map<std::string, at::Tensor> weightsOf(const std::vector<nn::PSMTransformer>& networks)
    {
      std::map<std::string, at::Tensor> weights;
      for (std::size_t fold = 0; fold < networks.size(); ++fold)
      {
        const std::string prefix = networks.size() == 1 ? "" : "fold" + std::to_string(fold) + ".";
        for (const auto& item : networks[fold]->named_parameters())
        {
          weights[prefix + item.key()] = item.value();
        }
        for (const auto& item : networks[fold]->named_buffers())
        {
          weights[prefix + item.key()] = item.value();
        }
      }
      return weights;
    }

    RawTensor toRaw(const at::Tensor& weight)
    {
      const at::Tensor values = weight.detach().to(torch::kCPU, torch::kFloat32).contiguous();
      RawTensor raw;
      raw.type = TensorType::FLOAT32;
      raw.shape = values.sizes().vec();
      raw.bytes.resize(static_cast<std::size_t>(values.numel()) * sizeof(float));
      if (!raw.bytes.empty())
      {
        std::memcpy(raw.bytes.data(), values.data_ptr<float>(), raw.bytes.size());
      }
      return raw;
    }

    /// One hash over names, shapes and values of all weights.
    std::string weightsHash(const SafetensorsFile& content)
    {
      std::string text;
      for (const auto& [name, tensor] : content.tensors)
      {
        if (!isGolden(name))
        {
          text += name + " " + describeTensor(tensor.type, tensor.shape) + "\n";
          text.append(tensor.bytes.begin(), tensor.bytes.end());
        }
      }
      return sha256Hex(text);
    }

    void copyWeight(const std::string& name, const RawTensor& raw, const at::Tensor& weight, const std::string& source)
    {
      const std::string expected = describeTensor(TensorType::FLOAT32, weight.sizes().vec());
      const std::string found = describeTensor(raw.type, raw.shape);
      check(found == expected, source,
            "the tensor '" + name + "' is " + found + " where its manifest asks for " + expected);
      const std::vector<float> values = fromRawTensor<float>(raw);
      check(std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }), source,
            "the tensor '" + name + "' holds a value that is not finite");
      if (!values.empty())
      {
        std::memcpy(weight.data_ptr<float>(), values.data(), values.size() * sizeof(float));
      }
    }

    /// Networks in eval mode with exactly the weights of the file.
    std::vector<nn::PSMTransformer> buildNetworks(const ModelManifest& manifest, const SafetensorsFile& content,
                                                  const std::string& source)
    {
      const RandomStateGuard random_state;
      std::vector<nn::PSMTransformer> networks;
      for (std::size_t fold = 0; fold < manifest.folds.count; ++fold)
      {
        networks.emplace_back(manifest);
        networks.back()->eval();
      }
      const std::map<std::string, at::Tensor> weights = weightsOf(networks);
      for (const auto& [name, weight] : weights)
      {
        const auto raw = content.tensors.find(name);
        check(raw != content.tensors.end(), source, "the tensor '" + name + "' that its manifest asks for is missing");
        copyWeight(name, raw->second, weight, source);
      }
      for (const auto& item : content.tensors)
      {
        check(isGolden(item.first) || weights.count(item.first) == 1, source,
              "the tensor '" + item.first + "' is none that its manifest asks for");
      }
      return networks;
    }

    std::vector<double> goldenLogits(const std::vector<nn::PSMTransformer>& networks, const ModelManifest& manifest,
                                     const MatchTable& table)
    {
      // Two threads make LibTorch compute each batch with one, whatever it is set to: same weights, same bytes.
      constexpr int THREADS = 2;
      return scoreMatches(networks, manifest, table, BatchLimits{}, torch::Device(torch::kCPU), THREADS).logit;
    }

    const std::string& metadataEntry(const SafetensorsFile& content, const std::string& key, const std::string& source)
    {
      const auto entry = content.metadata.find(key);
      check(entry != content.metadata.end(), source,
            "it has no '" + key + "' entry in its metadata, so PSMFormer did not write it");
      return entry->second;
    }

    struct ModelContent
    {
      LoadedModel model;
      GoldenValues golden;
    };

    ModelContent readModel(const std::filesystem::path& model_file)
    {
      const std::string source = model_file.string();
      const std::string bytes = readFile(model_file);
      const SafetensorsFile content = parseSafetensors(bytes, source);
      ModelContent read;
      read.model.manifest = parseManifest(metadataEntry(content, MANIFEST_KEY, source));
      read.model.sha256 = sha256Hex(bytes);
      read.model.networks = buildNetworks(read.model.manifest, content, source);
      const auto n_parameters = static_cast<std::size_t>(read.model.networks.front()->parameterCount());
      check(read.model.manifest.n_parameters == n_parameters, source,
            "its manifest counts " + std::to_string(read.model.manifest.n_parameters) + " parameters instead of " +
                std::to_string(n_parameters));
      check(metadataEntry(content, WEIGHTS_HASH_KEY, source) == weightsHash(content), source,
            "its weights do not have the SHA-256 that is stored with them");
      read.golden = readGoldenValues(content, source);
      return read;
    }

    /// Largest difference between the golden logits and those that this program computes.
    double largestDifference(const ModelContent& content, const std::string& source)
    {
      std::vector<double> logits;
      try
      {
        logits = goldenLogits(content.model.networks, content.model.manifest, content.golden.table);
      }
      catch (const Error& error)
      {
        failDamaged(source, std::string("its golden matches cannot be scored (") + error.what() + ")");
      }
      double largest = 0.0;
      for (std::size_t i = 0; i < logits.size(); ++i)
      {
        const double difference = std::abs(logits[i] - static_cast<double>(content.golden.logit[i]));
        largest = std::isfinite(difference) ? std::max(largest, difference) : std::numeric_limits<double>::infinity();
      }
      return largest;
    }
  }

  LoadedModel loadModel(const std::filesystem::path& model_file)
  {
    LoadedModel model;
    TorchRuntime::translateErrors(
        [&]
        {
          ModelContent content = readModel(model_file);
          const double difference = largestDifference(content, model_file.string());
          require(difference <= LARGEST_GOLDEN_DIFFERENCE, ErrorKind::INCOMPATIBLE_MODEL,
                  "This program does not reproduce the scores stored in model file '" + model_file.string() +
                      "' (they differ by " + std::to_string(difference) +
                      "); use the program version that made the model, or another model.");
          model = std::move(content.model);
        });
    return model;
  }

  void saveModel(const std::filesystem::path& model_file, const ModelManifest& manifest,
                 const std::vector<nn::PSMTransformer>& networks)
  {
    require(!networks.empty() && networks.size() == manifest.folds.count, ErrorKind::INTERNAL,
            "A model of " + std::to_string(manifest.folds.count) + " folds was to be saved with " +
                std::to_string(networks.size()) + " networks; please report it.");
    std::string bytes;
    TorchRuntime::translateErrors(
        [&]
        {
          ModelManifest written = manifest;
          written.n_parameters = static_cast<std::size_t>(networks.front()->parameterCount());
          validateManifest(written);
          SafetensorsFile content;
          for (const auto& [name, weight] : weightsOf(networks))
          {
            content.tensors[name] = toRaw(weight);
          }
          content.metadata[MANIFEST_KEY] = writeManifest(written);
          content.metadata[WEIGHTS_HASH_KEY] = weightsHash(content);
          GoldenValues golden;
          golden.table = goldenMatches(written.inputs);
          const std::vector<double> logits =
              goldenLogits(buildNetworks(written, content, model_file.string()), written, golden.table);
          golden.logit.assign(logits.begin(), logits.end());
          writeGoldenValues(golden, content);
          bytes = serializeSafetensors(content);
        });
    writeFileAtomically(model_file, bytes);
  }

  double goldenDifference(const std::filesystem::path& model_file)
  {
    double difference = 0.0;
    TorchRuntime::translateErrors([&] { difference = largestDifference(readModel(model_file), model_file.string()); });
    return difference;
  }
}
