// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// Loads an idXML, also compressed.
  /// @throws Error NOT_FOUND, NOT_READABLE or DAMAGED_INPUT; OpenMS's FileEmpty
  void loadIdentifications(const std::string& file, std::vector<OpenMS::ProteinIdentification>& runs,
                           PeptideIds& identifications);
}
