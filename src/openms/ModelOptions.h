// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <OpenMS/DATASTRUCTURES/Param.h>

namespace psmformer
{
  /// Adds the options of section model: none is set, so that the preset holds; overridePreset() reads them.
  void addModelDefaults(OpenMS::Param& options);
}
