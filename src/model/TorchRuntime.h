// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/model/RuntimeOptions.h>

#include <torch/torch.h>

#include <functional>
#include <string>

namespace psmformer
{
  /// The one place that sets LibTorch's threads, seeds and determinism, and the one that knows LibTorch versions.
  class TorchRuntime
  {
  public:
    /// Sets threads (before the first tensor of the process), seed and deterministic algorithms.
    /// @throws Error OPTION for a device that is not there or a text that is no device
    static torch::Device prepare(const RuntimeOptions& options);

    /// Runs `action`; LibTorch's exceptions become psmformer::Error, without backtrace; out of memory becomes
    /// std::bad_alloc.
    static void translateErrors(const std::function<void()>& action);
  };
}
