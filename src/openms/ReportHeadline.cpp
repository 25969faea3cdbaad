// SPDX-License-Identifier: BSD-3-Clause
#include "ReportHeadline.h"

#include "MetaValues.h"
#include "ReportValues.h"

namespace psmformer
{
  std::string rivalName(const std::vector<OpenMS::ProteinIdentification>& runs, const PreviousScores& previous)
  {
    std::vector<std::string> engines;
    engines.reserve(runs.size());
    for (const auto& run : runs)
    {
      engines.emplace_back(run.getSearchEngine());
    }
    const std::string names = enumeration(engines);
    // A file that was rescored before: its main score is not the engine's.
    return names.empty() || hasPrefix(previous.score_type) ? "the score before" : names;
  }

  std::string reportHeadline(const PeptideIds& identifications, const RescoringReport& report, const std::string& rival)
  {
    if (identifications.empty())
    {
      return "No identifications, nothing to rescore";
    }
    if (!report.has_decoys)
    {
      return plural(report.join.scored(), "hit") + " scored; without decoys there is no FDR";
    }
    const std::size_t n_after = report.counts.back().decoys_over_targets[0];
    const std::string text = plural(n_after, "PSM") + " at 1 % FDR";
    if (rival.empty())
    {
      return text;
    }
    const std::size_t n_before = report.counts.front().decoys_over_targets[0];
    return text + (n_after > n_before   ? ", " + grouped(n_after - n_before) + " more than " + rival
                   : n_after < n_before ? ", " + grouped(n_before - n_after) + " fewer than " + rival
                                        : ", as many as " + rival);
  }
}
