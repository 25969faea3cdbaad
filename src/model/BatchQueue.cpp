// SPDX-License-Identifier: BSD-3-Clause
#include "BatchQueue.h"

#include <utility>

namespace psmformer
{
  BatchQueue::BatchQueue(MakeBatch make, std::size_t first, std::size_t end, std::size_t ahead)
      : make_(std::move(make)), next_(first), end_(end), ahead_(ahead)
  {
    if (ahead_ > 0)
    {
      thread_ = std::thread([this] { work(); });
    }
  }

  BatchQueue::~BatchQueue()
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable())
    {
      thread_.join();
    }
  }

  TrainingBatch BatchQueue::next()
  {
    if (ahead_ == 0)
    {
      return make_(next_++);
    }
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || failure_; });
    if (ready_.empty())
    {
      std::rethrow_exception(failure_);
    }
    TrainingBatch batch = std::move(ready_.front());
    ready_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return batch;
  }

  void BatchQueue::work()
  {
    try
    {
      for (; next_ < end_; ++next_)
      {
        TrainingBatch batch = make_(next_);
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return ready_.size() < ahead_ || stopped_; });
        if (stopped_)
        {
          return;
        }
        ready_.push_back(std::move(batch));
        lock.unlock();
        changed_.notify_all();
      }
    }
    catch (...)
    {
      // An exception must not leave the thread; next() throws it once the batches before are handed out.
      const std::lock_guard<std::mutex> lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }
}
