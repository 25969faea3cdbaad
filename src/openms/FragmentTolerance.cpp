// SPDX-License-Identifier: BSD-3-Clause
#include "FragmentTolerance.h"

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Preprocessing.h>

#include <algorithm>
#include <cmath>

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
      const std::vector<IonChannel> channels = {
          {IonType::B, 1, false}, {IonType::Y, 1, false}, {IonType::C, 1, false}, {IonType::Z, 1, false}};
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
  }

  Tolerance searchedFragmentTolerance(const OpenMS::ProteinIdentification::SearchParameters& parameters)
  {
    const double value = parameters.fragment_mass_tolerance;
    const Tolerance tolerance{value, parameters.fragment_mass_tolerance_ppm ? ToleranceUnit::PPM : ToleranceUnit::DA};
    const bool is_usable = std::isfinite(value) && value > 0.0 && tolerance.halfWidth(1000.0) <= COARSEST;
    return is_usable ? tolerance : Tolerance();
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
}
