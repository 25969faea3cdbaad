// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/model/PSMTrainer.h>
#include <PSMFormer/openms/ProteinDigestion.h>

#include <OpenMS/DATASTRUCTURES/Param.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// The options of PSMFormerTrainer in the sections `model:`, `training:` and `digestion:` with their defaults.
  ///
  /// `training:` has every field of TrainingParameters. `model:` has the keys of the manifest that shape the network
  /// and its inputs; -1 or an empty value leaves a key as the preset has it.
  OpenMS::Param trainerDefaults();

  TrainingParameters trainingParameters(const OpenMS::Param& options);

  DigestionParameters digestionParameters(const OpenMS::Param& options);

  /// A preset with the keys of section `model:` that are set.
  /// @throws Error OPTION naming the key, its value and what is allowed
  ModelManifest overridePreset(const ModelManifest& preset, const OpenMS::Param& options);

  /// Monoisotopic mass (Da) that fixed modifications such as "Carbamidomethyl (C)" add to each letter from A to Z.
  /// @throws Error OPTION for a modification that OpenMS does not know or that is not one of a residue
  std::vector<double> fixedModificationMasses(const std::vector<std::string>& modifications);
}
