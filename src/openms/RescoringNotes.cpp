// SPDX-License-Identifier: BSD-3-Clause
#include "RescoringNotes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace psmformer
{
  namespace
  {
    constexpr double SAME_MODIFICATION = 0.01; // Da

    void warnOfActivations(const MatchTable& table, const ModelInputs& inputs, std::vector<std::string>& warnings)
    {
      std::map<std::string, std::size_t> untrained;
      for (const Spectrum& spectrum : table.spectra)
      {
        if (spectrum.activation != Activation::UNKNOWN && !isTrainedActivation(inputs, spectrum.activation))
        {
          ++untrained[activationName(spectrum.activation)];
        }
      }
      for (const auto& [activation, n_spectra] : untrained)
      {
        warnings.push_back(
            "The model was not trained on " + activation + ": " + std::to_string(n_spectra) +
            " spectra are scored by their b and y ions alone; take a model that was, or trust their scores less.");
      }
    }
  }

  bool hasTrainedModifications(const Peptide& peptide, const ModelInputs& inputs)
  {
    const std::vector<double>& trained = inputs.trained_modifications;
    std::vector<double> masses = peptide.modification_mass;
    masses.push_back(peptide.n_term_modification);
    masses.push_back(peptide.c_term_modification);
    return std::all_of(masses.begin(), masses.end(),
                       [&](double mass)
                       {
                         return mass == 0.0 ||
                                std::any_of(trained.begin(), trained.end(),
                                            [&](double known) { return std::abs(known - mass) < SAME_MODIFICATION; });
                       });
  }

  void noteUntrained(const MatchTable& table, const ModelInputs& inputs, RescoringReport& report)
  {
    warnOfActivations(table, inputs, report.warnings);
    const auto n_untrained =
        std::count_if(table.peptides.begin(), table.peptides.end(),
                      [&](const Peptide& peptide) { return !hasTrainedModifications(peptide, inputs); });
    if (n_untrained > 0)
    {
      report.notes.push_back(
          std::to_string(n_untrained) + " of " + std::to_string(table.peptides.size()) +
          " peptides carry modifications that the model was not trained on; they are scored by mass.");
    }
  }

  void noteCounts(RescoringReport& report)
  {
    const AcceptedCounts& before = report.counts.front();
    const AcceptedCounts& after = report.counts.back();
    const bool is_comparable = report.counts.size() > 1 && before.score != LOGIT_COUNTS;
    std::string fewer_at;
    for (std::size_t t = 0; t < AcceptedCounts::THRESHOLDS.size(); ++t)
    {
      const double threshold = AcceptedCounts::THRESHOLDS[t];
      const std::string percent = std::to_string(static_cast<int>(std::lround(100.0 * threshold))) + " %";
      if (is_comparable && after.decoys_over_targets[t] < before.decoys_over_targets[t])
      {
        fewer_at += (fewer_at.empty() ? "" : " and ") + percent;
      }
      if (static_cast<double>(after.decoys_over_targets[t]) * threshold < 1.0)
      {
        report.notes.push_back("With fewer than " + std::to_string(std::lround(1.0 / threshold)) +
                               " accepted targets no q-value, (D + 1) / T, is " + percent + " or less.");
      }
    }
    if (!fewer_at.empty())
    {
      report.warnings.push_back(
          "At " + fewer_at + " FDR fewer PSMs are accepted than by '" + before.score +
          "'; the previous score is kept as a meta value, and -mode annotate leaves it the main score.");
    }
  }
}
