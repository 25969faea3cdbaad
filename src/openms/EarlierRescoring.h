// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <OpenMS/METADATA/ProteinIdentification.h>

namespace psmformer
{
  /// The meta value of a previous main score whose type has no name.
  inline const char* const NAMELESS_SCORE = "previous_score";

  /// Removes what an earlier rescoring recorded in the search parameters, its names in `extra_features` included; its
  /// meta values of hits are replaced or removed by annotateIdentifications().
  void removeRecords(OpenMS::ProteinIdentification& run);
}
