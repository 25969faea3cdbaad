// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/model/RuntimeOptions.h>

#include <filesystem>
#include <memory>
#include <string>

namespace psmformer
{
  /// Scores matches with a trained network. Move-only; score() keeps no state between calls; one instance a thread.
  class PSMScorer : public MatchScorer
  {
  public:
    /// Loads a model file.
    /// @throws Error NOT_FOUND, INVALID_MODEL or INCOMPATIBLE_MODEL for the file, OPTION for the device
    PSMScorer(const std::filesystem::path& model_file, const RuntimeOptions& options);
    ~PSMScorer() override;
    PSMScorer(PSMScorer&&) noexcept;
    PSMScorer& operator=(PSMScorer&&) noexcept;

    /// Logit, cosine and spectral angle of every match, in match order, all finite.
    /// @throws Error INVALID_INPUT for a peptide longer than max_residues or with a letter outside the vocabulary
    MatchScores score(const MatchTable& table, const ProgressCallback& progress = {}) const override;

    const ModelManifest& manifest() const override;

    /// SHA-256 of the model file, 64 hexadecimal digits.
    const std::string& modelHash() const;

    /// The device in use, "cpu" or "cuda:N".
    const std::string& device() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
}
