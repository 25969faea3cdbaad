// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Preprocessing.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace psmformer
{
  namespace
  {
    struct Peak
    {
      double mz;
      float intensity;
    };

    void checkPeaks(const Spectrum& spectrum)
    {
      const std::string where = "Spectrum '" + spectrum.native_id + "'";
      require(spectrum.mz.size() == spectrum.intensity.size(), ErrorKind::INVALID_INPUT,
              where + " has " + std::to_string(spectrum.mz.size()) + " m/z values but " +
                  std::to_string(spectrum.intensity.size()) + " intensities; the file is damaged.");
      for (std::size_t i = 0; i < spectrum.mz.size(); ++i)
      {
        const bool sound = std::isfinite(spectrum.mz[i]) && spectrum.mz[i] >= 0.0 &&
                           std::isfinite(spectrum.intensity[i]) && spectrum.intensity[i] >= 0.0F;
        if (!sound)
        {
          throw Error(ErrorKind::INVALID_INPUT,
                      where + ", peak " + std::to_string(i) +
                          ": m/z and intensity must be finite and not negative; the file is damaged.");
        }
      }
    }

    bool precursorKnown(const Spectrum& spectrum, int charge)
    {
      return std::isfinite(spectrum.precursor_mz) && spectrum.precursor_mz > 0.0 && charge >= 1;
    }

    double neutralMass(const Spectrum& spectrum, int charge)
    {
      return precursorKnown(spectrum, charge) ? (spectrum.precursor_mz - PROTON_MASS) * charge : 0.0;
    }

    /// m/z of the precursor, of its forms with fewer protons, and in ETD also of those that took up electrons.
    std::vector<double> precursorForms(const Spectrum& spectrum, int charge)
    {
      std::vector<double> forms;
      if (!precursorKnown(spectrum, charge))
      {
        return forms;
      }
      const double mass = neutralMass(spectrum, charge);
      const bool electrons = spectrum.activation == Activation::ETD || spectrum.activation == Activation::ETHCD;
      for (int z = charge; z >= 1; --z)
      {
        forms.push_back(mass / z + PROTON_MASS);
        if (electrons)
        {
          forms.push_back((mass + charge * PROTON_MASS) / z);
        }
      }
      return forms;
    }

    std::vector<Peak> keptPeaks(const Spectrum& spectrum, int charge, const PreprocessingParameters& parameters)
    {
      const std::vector<double> forms = precursorForms(spectrum, charge);
      const auto nearPrecursor = [&](double mz)
      {
        return parameters.precursor_removal > 0.0 &&
               std::any_of(forms.begin(), forms.end(),
                           [&](double form) { return std::abs(mz - form) <= parameters.precursor_removal; });
      };
      std::vector<Peak> peaks;
      peaks.reserve(spectrum.mz.size());
      for (std::size_t i = 0; i < spectrum.mz.size(); ++i)
      {
        const double mz = spectrum.mz[i];
        // A peak without intensity is none: converters write such points around profile peaks.
        if (spectrum.intensity[i] > 0.0F && mz >= parameters.min_mz && mz <= parameters.max_mz && !nearPrecursor(mz))
        {
          peaks.push_back({mz, spectrum.intensity[i]});
        }
      }
      return peaks;
    }
  }

  PreprocessedSpectrum preprocess(const Spectrum& spectrum, int charge, const PreprocessingParameters& parameters)
  {
    checkPeaks(spectrum);
    std::vector<Peak> peaks = keptPeaks(spectrum, charge, parameters);
    std::sort(peaks.begin(), peaks.end(),
              [](const Peak& a, const Peak& b)
              { return a.intensity != b.intensity ? a.intensity > b.intensity : a.mz < b.mz; });
    peaks.resize(std::min(peaks.size(), parameters.max_peaks));

    std::vector<std::size_t> order(peaks.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
      order[i] = i;
    }
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b)
              { return peaks[a].mz != peaks[b].mz ? peaks[a].mz < peaks[b].mz : a < b; });

    PreprocessedSpectrum result;
    result.mz.reserve(peaks.size());
    result.intensity.reserve(peaks.size());
    result.rank.reserve(peaks.size());
    for (const std::size_t i : order)
    {
      result.mz.push_back(peaks[i].mz);
      // Divided before the root, so that the largest is exactly 1.
      result.intensity.push_back(std::sqrt(peaks[i].intensity / peaks.front().intensity));
      result.rank.push_back(static_cast<int>(i) + 1);
    }
    result.precursor_mass = neutralMass(spectrum, charge);
    result.charge = charge;
    result.activation = spectrum.activation;
    result.fragment_tolerance = spectrum.fragment_tolerance;
    return result;
  }
}
