// SPDX-License-Identifier: BSD-3-Clause
#include "TorchRuntime.h"

#include <PSMFormer/core/Error.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace psmformer
{
  namespace
  {
    std::string availableDevices()
    {
      if (!torch::cuda::is_available())
      {
        return "cpu is available, CUDA is not on this machine or in this LibTorch";
      }
      return "cpu and " + std::to_string(torch::cuda::device_count()) + " CUDA device(s) are available";
    }

    /// The N of "cuda:N"; -1 when the text is no such device.
    int cudaIndex(const std::string& device)
    {
      const std::string prefix = "cuda:";
      const std::string digits = device.substr(std::min(prefix.size(), device.size()));
      const bool is_number =
          !digits.empty() && digits.size() <= 3 && digits.find_first_not_of("0123456789") == std::string::npos;
      return device.compare(0, prefix.size(), prefix) == 0 && is_number ? std::stoi(digits) : -1;
    }

    torch::Device selectDevice(const std::string& device)
    {
      if (device == "cpu" || (device == "auto" && !torch::cuda::is_available()))
      {
        return torch::Device(torch::kCPU);
      }
      const int index = device == "auto" || device == "cuda" ? 0 : cudaIndex(device);
      require(index >= 0, ErrorKind::OPTION,
              "'" + device + "' is not a device; give auto, cpu, cuda or cuda:N (" + availableDevices() + ").");
      require(torch::cuda::is_available() && index < static_cast<int>(torch::cuda::device_count()), ErrorKind::OPTION,
              "The device '" + device + "' is not there: " + availableDevices() + "; give auto or cpu.");
      return torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(index));
    }

    /// The same numbers from the same input in every run: no algorithms that depend on timing, no TensorFloat-32.
    void makeDeterministic()
    {
#if defined(__unix__) || defined(__APPLE__)
      // cuBLAS reads this when CUDA starts and is not deterministic without it.
      setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
#endif
      at::globalContext().setDeterministicAlgorithms(true, false);
      at::globalContext().setDeterministicCuDNN(true);
      at::globalContext().setBenchmarkCuDNN(false);
      at::globalContext().setAllowTF32CuBLAS(false);
      at::globalContext().setAllowTF32CuDNN(false);
    }

    /// Keeps freed memory for the next batch instead of giving it back to the system and asking for it again.
    ///
    /// Measured with the base preset, one candidate a spectrum, glibc 2.36: 0.65 instead of 0.88 s of processor time.
    void keepFreedMemory()
    {
#if defined(__GLIBC__)
      constexpr int LARGEST_MMAP_THRESHOLD = 32 * 1024 * 1024; // bytes; glibc refuses more
      constexpr int KEPT = 1024 * 1024 * 1024;                 // bytes
      mallopt(M_MMAP_THRESHOLD, LARGEST_MMAP_THRESHOLD);
      mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
    }

    /// Nothing here runs operations side by side, and LibTorch allows one call before any work.
    void limitInteropThreads()
    {
      static std::once_flag once;
      std::call_once(once,
                     []
                     {
                       try
                       {
                         at::set_num_interop_threads(1);
                       }
                       catch (const c10::Error&)
                       {
                         // The program around us has chosen already; no result depends on it.
                       }
                     });
    }

    constexpr int THREADS_NOT_SET = 0;

    /// LibTorch keeps the number of OpenMP threads a calling thread.
    thread_local int threads_in_use = THREADS_NOT_SET;

    bool isOutOfMemory(const std::string& message)
    {
      return message.find("DefaultCPUAllocator: can't allocate memory") != std::string::npos ||
             message.find("DefaultCPUAllocator: not enough memory") != std::string::npos ||
             message.find("out of memory") != std::string::npos;
    }

    std::string firstLine(const std::string& text)
    {
      return text.substr(0, text.find('\n'));
    }
  }

  torch::Device TorchRuntime::prepare(const RuntimeOptions& options)
  {
    require(options.threads >= 1, ErrorKind::OPTION,
            "The number of threads is " + std::to_string(options.threads) + "; give 1 or more.");
    torch::Device device(torch::kCPU);
    translateErrors(
        [&]
        {
          keepFreedMemory();
          limitInteropThreads();
          useThreads(options.threads);
          makeDeterministic();
          device = selectDevice(options.device);
          torch::manual_seed(options.seed);
        });
    return device;
  }

  void TorchRuntime::useThreads(int threads)
  {
    if (threads_in_use != threads)
    {
      at::set_num_threads(threads);
      threads_in_use = threads;
    }
  }

  TorchRuntime::ThreadScope::ThreadScope(int threads) : previous_(threads_in_use)
  {
    useThreads(threads);
  }

  TorchRuntime::ThreadScope::~ThreadScope()
  {
    if (previous_ != THREADS_NOT_SET)
    {
      useThreads(previous_);
    }
  }

  void TorchRuntime::translateErrors(const std::function<void()>& action)
  {
    try
    {
      action();
    }
    catch (const Error&)
    {
      throw;
    }
    catch (const std::bad_alloc&)
    {
      throw;
    }
    catch (const c10::Error& error)
    {
      const std::string message = error.what_without_backtrace();
      if (isOutOfMemory(message))
      {
        throw std::bad_alloc();
      }
      throw Error(ErrorKind::INTERNAL, "LibTorch reports an error that PSMFormer did not expect: " +
                                           firstLine(message) + " (please report it with the command and the model).");
    }
    catch (const std::exception& error)
    {
      throw Error(ErrorKind::INTERNAL, "An error that PSMFormer did not expect: " + firstLine(error.what()) +
                                           " (please report it with the command and the model).");
    }
  }
}
