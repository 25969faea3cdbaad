// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/model/RuntimeOptions.h>

#include <torch/torch.h>

#include <functional>
#include <string>

namespace psmformer
{
  /// The one place that sets LibTorch's threads, seeds and determinism, and the one that knows LibTorch versions.
  ///
  /// Threads: scoring shares whole batches between threads (see ParallelFor.h), each of which computes its batch alone,
  /// so that the same bytes come out for any number of threads by construction; training lets LibTorch share each
  /// operation. One batch a thread is also the faster way, since the tensors of one batch are too small to share.
  class TorchRuntime
  {
  public:
    /// Sets threads (before the first tensor of the process), seed and deterministic algorithms.
    /// @throws Error OPTION for a device that is not there, a text that is no device or less than one thread
    static torch::Device prepare(const RuntimeOptions& options);

    /// Makes operations that are called from this thread use `threads` threads; does nothing when they already do.
    static void useThreads(int threads);

    /// Uses `threads` threads in its scope and then, in the same thread, as many as before.
    class ThreadScope
    {
    public:
      explicit ThreadScope(int threads);
      ~ThreadScope();
      ThreadScope(const ThreadScope&) = delete;
      ThreadScope& operator=(const ThreadScope&) = delete;

    private:
      int previous_;
    };

    /// Runs `action`; LibTorch's exceptions become psmformer::Error, without backtrace; out of memory becomes
    /// std::bad_alloc.
    static void translateErrors(const std::function<void()>& action);
  };
}
