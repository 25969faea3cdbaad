// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/PSMRescoring.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// The counts of accepted targets as a table for the log: a head of two lines, then one line a score with its name in
  /// full. Lines are separated by '\n'; the last has none.
  std::string countsTable(const std::vector<AcceptedCounts>& counts);
}
