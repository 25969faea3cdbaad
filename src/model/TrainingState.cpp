// SPDX-License-Identifier: BSD-3-Clause
#include "TrainingState.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>

#include <mutex>

namespace psmformer
{
  namespace
  {
    namespace serialize = torch::serialize;

    constexpr std::int64_t HISTORY_COLUMNS = 6;

    void write(serialize::OutputArchive& archive, const std::string& key, std::size_t value)
    {
      archive.write(key, c10::IValue(static_cast<std::int64_t>(value)));
    }

    void write(serialize::OutputArchive& archive, const std::string& key, double value)
    {
      archive.write(key, c10::IValue(value));
    }

    void read(serialize::InputArchive& archive, const std::string& key, std::size_t& value)
    {
      c10::IValue stored;
      archive.read(key, stored);
      value = static_cast<std::size_t>(stored.toInt());
    }

    void read(serialize::InputArchive& archive, const std::string& key, double& value)
    {
      c10::IValue stored;
      archive.read(key, stored);
      value = stored.toDouble();
    }

    /// Visits every number of a progress with its name; `Archive` is an archive to write to or to read from.
    template <typename Archive, typename Progress> void visitNumbers(Archive& archive, Progress& progress)
    {
      const auto visit = [&archive](const std::string& key, auto& value)
      {
        if constexpr (std::is_same_v<Archive, serialize::OutputArchive>)
        {
          write(archive, key, value);
        }
        else
        {
          read(archive, key, value);
        }
      };
      visit("epoch", progress.epoch);
      visit("next_batch", progress.next_batch);
      visit("step", progress.step);
      visit("stale_epochs", progress.stale_epochs);
      visit("best_loss", progress.best_loss);
      visit("loss_sum", progress.loss_sum);
      visit("epoch_spectra", progress.epoch_spectra);
      visit("total_spectra", progress.total_spectra);
      visit("epoch_seconds", progress.epoch_seconds);
    }

    at::Tensor packHistory(const std::vector<EpochRecord>& history)
    {
      at::Tensor packed = torch::zeros({static_cast<std::int64_t>(history.size()), HISTORY_COLUMNS}, torch::kFloat64);
      auto rows = packed.accessor<double, 2>();
      for (std::size_t k = 0; k < history.size(); ++k)
      {
        auto row = rows[static_cast<std::int64_t>(k)];
        row[0] = static_cast<double>(history[k].epoch);
        row[1] = history[k].training_loss;
        row[2] = history[k].validation_loss;
        row[3] = history[k].validation_top1;
        row[4] = history[k].validation_cosine_auc;
        row[5] = history[k].spectra_per_second;
      }
      return packed;
    }

    std::vector<EpochRecord> unpackHistory(const at::Tensor& packed)
    {
      std::vector<EpochRecord> history;
      const auto rows = packed.accessor<double, 2>();
      for (std::int64_t k = 0; k < rows.size(0); ++k)
      {
        const auto row = rows[k];
        history.push_back({static_cast<std::size_t>(row[0]), row[1], row[2], row[3], row[4], row[5]});
      }
      return history;
    }

    at::Tensor generatorState(const torch::Device& device)
    {
      at::Generator generator = at::globalContext().defaultGenerator(device);
      const std::lock_guard<std::mutex> lock(generator.mutex());
      return generator.get_state();
    }

    void setGeneratorState(const torch::Device& device, const at::Tensor& state)
    {
      at::Generator generator = at::globalContext().defaultGenerator(device);
      const std::lock_guard<std::mutex> lock(generator.mutex());
      generator.set_state(state);
    }

    /// The temperature has the optimiser's state but is no weight of the network.
    void writeWeights(serialize::OutputArchive& archive, const TrainingState& state)
    {
      serialize::OutputArchive network;
      state.network->save(network);
      archive.write("network", network);
      archive.write("log_temperature", state.log_temperature.detach());
      serialize::OutputArchive optimizer;
      state.optimizer->save(optimizer);
      archive.write("optimizer", optimizer);
      write(archive, "n_best", state.best.size());
      for (std::size_t k = 0; k < state.best.size(); ++k)
      {
        archive.write("best" + std::to_string(k), state.best[k]);
      }
    }

    void readWeights(serialize::InputArchive& archive, TrainingState& state)
    {
      serialize::InputArchive network;
      archive.read("network", network);
      state.network->load(network);
      at::Tensor log_temperature;
      archive.read("log_temperature", log_temperature);
      {
        const torch::NoGradGuard no_gradients;
        state.log_temperature.copy_(log_temperature);
      }
      serialize::InputArchive optimizer;
      archive.read("optimizer", optimizer);
      state.optimizer->load(optimizer);
      std::size_t n_best = 0;
      read(archive, "n_best", n_best);
      state.best.resize(n_best);
      for (std::size_t k = 0; k < n_best; ++k)
      {
        archive.read("best" + std::to_string(k), state.best[k]);
      }
    }

    void readState(serialize::InputArchive& archive, TrainingState& state)
    {
      visitNumbers(archive, state.progress);
      at::Tensor history;
      archive.read("history", history);
      state.progress.history = unpackHistory(history);
      readWeights(archive, state);
      at::Tensor generator;
      archive.read("cpu_generator", generator);
      setGeneratorState(torch::kCPU, generator);
      if (!state.device.is_cpu())
      {
        archive.read("device_generator", generator);
        setGeneratorState(state.device, generator.cpu());
      }
    }
  }

  void saveTrainingState(const std::filesystem::path& file, const std::string& fingerprint, const TrainingState& state)
  {
    serialize::OutputArchive archive;
    archive.write("fingerprint", c10::IValue(fingerprint));
    visitNumbers(archive, state.progress);
    archive.write("history", packHistory(state.progress.history));
    writeWeights(archive, state);
    archive.write("cpu_generator", generatorState(torch::kCPU));
    if (!state.device.is_cpu())
    {
      archive.write("device_generator", generatorState(state.device));
    }
    writeThroughTemporary(file,
                          [&archive](const std::filesystem::path& temporary) { archive.save_to(temporary.string()); });
  }

  void loadTrainingState(const std::filesystem::path& file, const std::string& fingerprint, TrainingState& state)
  {
    try
    {
      serialize::InputArchive archive;
      archive.load_from(file.string());
      c10::IValue stored;
      archive.read("fingerprint", stored);
      require(stored.isString() && stored.toStringRef() == fingerprint, ErrorKind::INVALID_INPUT,
              "The training state '" + file.string() +
                  "' belongs to another network, other data or other parameters; delete it to train from the start.");
      readState(archive, state);
    }
    catch (const Error&)
    {
      throw;
    }
    catch (const std::bad_alloc&)
    {
      throw;
    }
    catch (const std::exception&)
    {
      throw Error(ErrorKind::DAMAGED_INPUT,
                  "The training state '" + file.string() + "' is damaged; delete it to train from the start.");
    }
  }

  std::vector<at::Tensor> copyParameters(const nn::PSMTransformer& network)
  {
    std::vector<at::Tensor> copies;
    for (const at::Tensor& parameter : network->parameters())
    {
      copies.push_back(parameter.detach().clone());
    }
    return copies;
  }

  void restoreParameters(nn::PSMTransformer& network, const std::vector<at::Tensor>& parameters)
  {
    const torch::NoGradGuard no_gradients;
    std::vector<at::Tensor> current = network->parameters();
    require(current.size() == parameters.size(), ErrorKind::INTERNAL,
            "The best weights do not fit the network; please report this.");
    for (std::size_t k = 0; k < current.size(); ++k)
    {
      current[k].copy_(parameters[k]);
    }
  }
}
