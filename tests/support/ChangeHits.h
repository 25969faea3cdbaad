// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "TestRun.h"

#include <algorithm>

namespace psmformer::test
{
  /// Calls `change` with every hit of the run's identifications.
  template <typename Change> void changeHits(TestRun& run, const Change& change)
  {
    for (auto& identification : run.identifications)
    {
      auto hits = identification.getHits();
      std::for_each(hits.begin(), hits.end(), change);
      identification.setHits(hits);
    }
  }
}
