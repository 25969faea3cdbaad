// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/TrainingReader.h>

#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  /// The epochs of each training: one, or one for each fold.
  using LossCurves = std::vector<std::vector<EpochRecord>>;

  /// What a model card says beside the manifest and the data.
  struct ModelCardContent
  {
    std::size_t n_pool = 0;                                      ///< natural peptides for negatives
    std::vector<std::pair<std::string, std::string>> parameters; ///< options of the training, name and value
    LossCurves curves;
  };

  /// The model card in Markdown: data, architecture, parameters, loss curve.
  std::string writeModelCard(const ModelManifest& manifest, const TrainingSplit& split,
                             const ModelCardContent& content);

  /// The loss curves as a table separated by tabs, one line an epoch; with folds their number (from 1) comes first.
  std::string writeLossCurves(const LossCurves& curves);
}
