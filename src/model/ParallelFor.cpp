// SPDX-License-Identifier: BSD-3-Clause
#include "ParallelFor.h"

#include <atomic>
#include <exception>
#include <mutex>

namespace psmformer
{
  namespace
  {
    /// Indices that are handed out in ascending order until one fails.
    ///
    /// An index below the failing one was handed out before it and runs to its end, so the lowest failure is always
    /// seen, whatever the number of threads.
    class SharedLoop
    {
    public:
      SharedLoop(std::size_t count, const std::function<void(std::size_t)>& action) : count_(count), action_(action) {}

      void work() noexcept
      {
        for (std::size_t i = next_++; i < count_ && !failed_; i = next_++)
        {
          try
          {
            action_(i);
          }
          catch (...)
          {
            keep(i, std::current_exception());
          }
        }
      }

      void rethrow() const
      {
        if (failure_)
        {
          std::rethrow_exception(failure_);
        }
      }

    private:
      void keep(std::size_t i, const std::exception_ptr& failure)
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!failure_ || i < failed_index_)
        {
          failure_ = failure;
          failed_index_ = i;
        }
        failed_ = true;
      }

      const std::size_t count_;
      const std::function<void(std::size_t)>& action_;
      std::atomic<std::size_t> next_{0};
      std::atomic<bool> failed_{false};
      std::mutex mutex_;
      std::exception_ptr failure_;
      std::size_t failed_index_ = 0;
    };
  }

  void parallelFor(std::size_t count, int threads, const std::function<void(std::size_t)>& action)
  {
    SharedLoop loop(count, action);
    if (threads <= 1)
    {
      loop.work();
    }
    else
    {
// An exception must not leave the region; work() keeps it.
#pragma omp parallel num_threads(threads)
      loop.work();
    }
    loop.rethrow();
  }
}
