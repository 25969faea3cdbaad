// SPDX-License-Identifier: BSD-3-Clause
#include "FragmentTolerance.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Preprocessing.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace psmformer
{
  namespace
  {
    constexpr double COARSEST = 2.0; // Da
    constexpr double FINEST = 1e-4;  // Da
    constexpr double WINDOW = 0.5;   // Da
    constexpr double MEDIANS = 5.0;
    constexpr std::size_t MAX_MATCHES = 200;
    constexpr std::size_t MIN_MATCHES = 20;
    constexpr double MIN_IONS = 100.0;

    /// Absolute errors in Th of all ions that a peak within WINDOW explains, ascending.
    std::vector<double> absoluteErrors(const MatchTable& table, const std::vector<std::size_t>& matches)
    {
      const std::vector<IonChannel> channels = {{IonType::B, 1}, {IonType::Y, 1}, {IonType::C, 1}, {IonType::Z, 1}};
      const PreprocessingParameters preprocessing;
      std::vector<double> errors;
      for (const std::size_t index : matches)
      {
        const PeptideSpectrumMatch& match = table.matches[index];
        Spectrum spectrum = table.spectra[match.spectrum];
        spectrum.fragment_tolerance = {WINDOW, ToleranceUnit::DA};
        const PreprocessedSpectrum preprocessed = preprocess(spectrum, match.charge, preprocessing);
        const IonEvidence evidence =
            matchIons(preprocessed, table.peptides[match.peptide], channels, preprocessing.max_peaks);
        for (std::size_t ion = 0; ion < evidence.peak.size(); ++ion)
        {
          if (evidence.peak[ion] >= 0)
          {
            const float relative = evidence.values[ion * IonEvidence::VALUES_PER_CHANNEL + 3];
            errors.push_back(std::abs(static_cast<double>(relative)) * WINDOW);
          }
        }
      }
      std::sort(errors.begin(), errors.end());
      return errors;
    }

    /// The first of the hits of each identification of a run that can be scored, best by the engine's score first.
    std::vector<std::size_t> bestMatches(const JoinedMatches& joined, std::size_t run,
                                         const std::vector<std::size_t>& run_of_spectrum,
                                         const PeptideIds& identifications)
    {
      std::vector<std::pair<double, std::size_t>> best;
      std::size_t last = identifications.size();
      for (std::size_t m = 0; m < joined.table.matches.size(); ++m)
      {
        const PeptideSpectrumMatch& match = joined.table.matches[m];
        const std::size_t i = match.origin.identification;
        if (run_of_spectrum[match.spectrum] != run || i == last)
        {
          continue;
        }
        last = i;
        const double score = identifications[i].getHits()[match.origin.hit].getScore();
        if (std::isfinite(score))
        {
          best.emplace_back(identifications[i].isHigherScoreBetter() ? -score : score, m);
        }
      }
      std::sort(best.begin(), best.end());
      std::vector<std::size_t> matches;
      matches.reserve(best.size());
      for (const auto& [score, match] : best)
      {
        matches.push_back(match);
      }
      return matches;
    }
  }

  bool isFragmentTolerance(const Tolerance& tolerance)
  {
    return std::isfinite(tolerance.value) && tolerance.value > 0.0 && tolerance.halfWidth(1000.0) <= COARSEST;
  }

  void requireFragmentTolerance(const Tolerance& chosen)
  {
    const auto shown = [](double value)
    {
      std::ostringstream text;
      text << value;
      return text.str();
    };
    require(chosen.value == 0.0 || isFragmentTolerance(chosen), ErrorKind::OPTION,
            "-fragment_tolerance " + shown(chosen.value) + (chosen.unit == ToleranceUnit::PPM ? " ppm" : " Da") +
                " is not possible, no fragments are measured within more than " + shown(COARSEST) +
                " Da; give a smaller one, in Da or with -fragment_tolerance_unit ppm.");
  }

  Tolerance searchedFragmentTolerance(const OpenMS::ProteinIdentification::SearchParameters& parameters)
  {
    const double value = parameters.fragment_mass_tolerance;
    const Tolerance tolerance{value, parameters.fragment_mass_tolerance_ppm ? ToleranceUnit::PPM : ToleranceUnit::DA};
    return isFragmentTolerance(tolerance) ? tolerance : Tolerance();
  }

  Tolerance estimateFragmentTolerance(const MatchTable& table, const std::vector<std::size_t>& matches)
  {
    if (matches.size() < MIN_MATCHES)
    {
      return {};
    }
    std::vector<std::size_t> used = matches;
    used.resize(std::min(used.size(), MAX_MATCHES));
    const std::vector<double> errors = absoluteErrors(table, used);
    const auto outer = std::lower_bound(errors.begin(), errors.end(), WINDOW / 2.0);
    const double chance_density = static_cast<double>(errors.end() - outer) / (WINDOW / 2.0); // ions per Da
    const double n_true = static_cast<double>(errors.size()) - chance_density * WINDOW;
    if (n_true < MIN_IONS)
    {
      return {};
    }
    std::size_t below = 0;
    while (static_cast<double>(below + 1) - chance_density * errors[below] < n_true / 2.0)
    {
      ++below;
    }
    return {std::clamp(MEDIANS * errors[below], FINEST, WINDOW), ToleranceUnit::DA};
  }

  void assignFragmentTolerances(JoinedMatches& joined, const Tolerance& chosen,
                                const std::vector<std::size_t>& run_of_spectrum,
                                const std::vector<OpenMS::ProteinIdentification>& runs,
                                const PeptideIds& identifications)
  {
    for (std::size_t run = 0; run < runs.size(); ++run)
    {
      if (std::find(run_of_spectrum.begin(), run_of_spectrum.end(), run) == run_of_spectrum.end())
      {
        continue;
      }
      Tolerance& tolerance = joined.fragment_tolerance[run];
      tolerance = chosen.known() ? chosen : searchedFragmentTolerance(runs[run].getSearchParameters());
      if (tolerance.known())
      {
        continue;
      }
      tolerance = estimateFragmentTolerance(joined.table, bestMatches(joined, run, run_of_spectrum, identifications));
      require(tolerance.known(), ErrorKind::OPTION,
              "the idXML does not state a usable fragment tolerance and too few spectra are well matched to estimate "
              "it; set -fragment_tolerance and -fragment_tolerance_unit.");
      std::ostringstream note;
      note.precision(3);
      note << "The idXML does not state a usable fragment tolerance; estimated from the best matches: "
           << tolerance.value << " Da.";
      joined.report.notes.push_back(note.str());
    }
    for (std::size_t s = 0; s < joined.table.spectra.size(); ++s)
    {
      joined.table.spectra[s].fragment_tolerance = joined.fragment_tolerance[run_of_spectrum[s]];
    }
  }
}
