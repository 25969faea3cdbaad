// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "LinearScorer.h"

#include <PSMFormer/model/PSMScorer.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  /// Takes "-score NAME" off the front of the arguments; "logit" when it is not there, nothing for an unknown name.
  inline std::string takeScoreName(std::vector<std::string>& arguments)
  {
    if (arguments.empty() || arguments.front() != "-score")
    {
      return "logit";
    }
    const std::string name = arguments.size() > 1 ? arguments[1] : "";
    arguments.erase(arguments.begin(), arguments.begin() + (arguments.size() > 1 ? 2 : 1));
    return name == "logit" || name == "cosine" ? name : "";
  }

  /// Scores held-out matches by one output of a model file, or by the weights of a baseline (.tsv), and keeps the time.
  class HeldOutScorer
  {
  public:
    HeldOutScorer(const std::string& model, const std::string& score)
        : scorer_(std::filesystem::path(model).extension() == ".tsv" ? makeLinear(model) : makeNetwork(model)),
          use_cosine_(score == "cosine")
    {
    }

    const ModelInputs& inputs() const { return scorer_->manifest().inputs; }

    std::vector<double> score(const MatchTable& table)
    {
      const std::clock_t start = std::clock();
      MatchScores scores = scorer_->score(table);
      seconds_ += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      n_scored_ += table.matches.size();
      std::vector<double>& chosen = use_cosine_ ? scores.cosine : scores.logit;
      require(chosen.size() == table.matches.size(), ErrorKind::OPTION,
              "This baseline has no cosine; ask for its logit.");
      return std::move(chosen);
    }

    /// The time is that of the CPU, so that other programs on the machine do not slow it.
    void printSpeed() const { std::printf("scored: %zu matches in %.2f CPU seconds\n", n_scored_, seconds_); }

  private:
    static std::unique_ptr<MatchScorer> makeLinear(const std::string& file)
    {
      return std::make_unique<LinearScorer>(file);
    }

    static std::unique_ptr<MatchScorer> makeNetwork(const std::string& file)
    {
      return std::make_unique<PSMScorer>(file, RuntimeOptions{});
    }

    std::unique_ptr<MatchScorer> scorer_;
    bool use_cosine_;
    double seconds_ = 0.0;
    std::size_t n_scored_ = 0;
  };
}
