// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "TrainingBatch.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace psmformer
{
  /// Makes training batches in a thread of its own, a few ahead of the network, and hands them out in order.
  ///
  /// A batch depends on its number alone, so the order and the content of the batches do not depend on timing.
  class BatchQueue
  {
  public:
    using MakeBatch = std::function<TrainingBatch(std::size_t)>;

    /// @param make   called for first, first + 1, ..., end - 1; in another thread when `ahead` > 0
    /// @param ahead  batches that are made before they are asked for; 0: made when asked for, without a thread
    BatchQueue(MakeBatch make, std::size_t first, std::size_t end, std::size_t ahead);
    ~BatchQueue();
    BatchQueue(const BatchQueue&) = delete;
    BatchQueue& operator=(const BatchQueue&) = delete;

    /// The next batch; at most end - first calls.
    /// @throws what `make` threw for this batch
    TrainingBatch next();

  private:
    void work();

    MakeBatch make_;
    std::size_t next_;
    std::size_t end_;
    std::size_t ahead_;
    std::deque<TrainingBatch> ready_;
    std::exception_ptr failure_;
    bool stopped_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
  };
}
