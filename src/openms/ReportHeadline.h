// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/ReportData.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// What PSMFormer is compared with, in words: the search engines, or "the score before".
  std::string rivalName(const std::vector<OpenMS::ProteinIdentification>& runs, const PreviousScores& previous);

  /// One sentence: what happened. Nothing is compared when `rival` is empty.
  std::string reportHeadline(const PeptideIds& identifications, const RescoringReport& report,
                             const std::string& rival);
}
