// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/core/Safetensors.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// Matches whose logits travel with a model: a program that computes others must not use the model.
  struct GoldenValues
  {
    MatchTable table;         ///< each peptide is a candidate of each spectrum, in this order
    std::vector<float> logit; ///< one a match
  };

  /// All golden tensors of a model file start with this; all others are weights.
  inline const std::string GOLDEN_PREFIX = "golden.";

  /// The synthetic spectra and peptides, the same for models of equal inputs: a fragment spectrum with noise, one
  /// without peaks and one of low resolution; peptides of several lengths, one of them modified.
  MatchTable goldenMatches(const ModelInputs& inputs);

  /// Adds golden tensors to the content of a model file.
  void writeGoldenValues(const GoldenValues& golden, SafetensorsFile& content);

  /// Reads the golden tensors of a model file.
  /// @throws Error INVALID_MODEL naming `source` and the tensor that is missing or does not fit the others
  GoldenValues readGoldenValues(const SafetensorsFile& content, const std::string& source);
}
