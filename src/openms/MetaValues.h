// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <OpenMS/METADATA/PeptideHit.h>
#include <OpenMS/METADATA/ProteinIdentification.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// What the names of all meta values and scores of PSMFormer begin with.
  inline const std::string PREFIX = "PSMFormer:";

  /// Whether a meta value or score of this name is PSMFormer's.
  bool hasPrefix(const std::string& name);

  /// Whether a rescored hit was scored, by its `PSMFormer:status`.
  bool isScored(const OpenMS::PeptideHit& hit);

  /// Whether a hit is a decoy, by its `target_decoy`; "target+decoy" is a target, and so is a hit that does not tell.
  bool isDecoy(const OpenMS::PeptideHit& hit);

  /// The names in `extra_features` of the search parameters, a list separated by commas; empty names are left out.
  std::vector<std::string> extraFeatures(const OpenMS::ProteinIdentification& run);

  /// Replaces `extra_features` by these names.
  void setExtraFeatures(OpenMS::ProteinIdentification& run, const std::vector<std::string>& names);
}
