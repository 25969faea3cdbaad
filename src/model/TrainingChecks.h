// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/model/PSMTrainer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// Checks ranges of training parameters.
  /// @throws Error OPTION naming the parameter
  void checkParameters(const TrainingParameters& parameters);

  /// Checks that there are examples and that each has a known tolerance, a charge and a peptide the network can read.
  /// @param part  "training" or "validation", for the message
  /// @throws Error INVALID_INPUT naming the spectrum
  void checkExamples(const std::vector<TrainingExample>& examples, const std::string& part, const ModelInputs& inputs);

  /// Modification masses (Da, ascending) of `known` and of the peptides of the examples; equal within 0.001 Da is one.
  std::vector<double> addModifications(const std::vector<double>& known, const std::vector<TrainingExample>& examples);

  /// Names of the activations of `known` and of the examples, sorted; UNKNOWN has none.
  std::vector<std::string> addActivations(const std::vector<std::string>& known,
                                          const std::vector<TrainingExample>& examples);

  /// Adds what other trainings have seen: modifications and activations.
  void addSeen(ModelInputs& inputs, const ModelInputs& others);

  /// A text that differs when network, parameters, seed or data differ (SHA-256, 64 hexadecimal digits).
  /// @param pools  fingerprints of the natural peptides of training and validation
  std::string trainingFingerprint(const ModelManifest& manifest, const TrainingParameters& parameters,
                                  std::uint64_t seed, const std::vector<TrainingExample>& training,
                                  const std::vector<TrainingExample>& validation,
                                  const std::array<std::uint64_t, 2>& pools);

  /// Names an epoch's batch by its first spectra, for messages.
  std::string describeBatch(std::size_t epoch, const std::vector<std::size_t>& rows,
                            const std::vector<TrainingExample>& examples);
}
