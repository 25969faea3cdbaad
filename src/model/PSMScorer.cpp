// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/PSMScorer.h>

#include "Checkpoint.h"
#include "Inference.h"
#include "TorchRuntime.h"

namespace psmformer
{
  struct PSMScorer::Impl
  {
    RuntimeOptions options;
    torch::Device device;
    std::string device_name;
    LoadedModel model;

    Impl(const std::filesystem::path& model_file, const RuntimeOptions& runtime_options)
        : options(runtime_options), device(TorchRuntime::prepare(runtime_options)), device_name(device.str()),
          model(loadModel(model_file))
    {
      TorchRuntime::translateErrors(
          [this]
          {
            for (nn::PSMTransformer& network : model.networks)
            {
              network->to(device);
            }
          });
    }
  };

  PSMScorer::PSMScorer(const std::filesystem::path& model_file, const RuntimeOptions& options)
      : impl_(std::make_unique<Impl>(model_file, options))
  {
  }

  PSMScorer::~PSMScorer() = default;
  PSMScorer::PSMScorer(PSMScorer&&) noexcept = default;
  PSMScorer& PSMScorer::operator=(PSMScorer&&) noexcept = default;

  MatchScores PSMScorer::score(const MatchTable& table, const ProgressCallback& progress) const
  {
    const ModelManifest& manifest = impl_->model.manifest;
    BatchLimits limits;
    limits.max_tokens = impl_->options.batch_tokens;
    limits.max_peaks = manifest.inputs.preprocessing.max_peaks;
    return scoreMatches(impl_->model.networks, manifest, table, limits, impl_->device, impl_->options.threads,
                        progress);
  }

  const ModelManifest& PSMScorer::manifest() const
  {
    return impl_->model.manifest;
  }

  const std::string& PSMScorer::modelHash() const
  {
    return impl_->model.sha256;
  }

  const std::string& PSMScorer::device() const
  {
    return impl_->device_name;
  }
}
