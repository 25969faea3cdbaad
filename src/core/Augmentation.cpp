// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Augmentation.h>
#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace psmformer
{
  namespace
  {
    void checkLengths(const Spectrum& spectrum)
    {
      require(spectrum.mz.size() == spectrum.intensity.size(), ErrorKind::INVALID_INPUT,
              "Spectrum '" + spectrum.native_id + "' has " + std::to_string(spectrum.mz.size()) + " m/z values but " +
                  std::to_string(spectrum.intensity.size()) + " intensities; the file is damaged.");
    }

    void sortByMz(Spectrum& spectrum)
    {
      std::vector<std::size_t> order(spectrum.mz.size());
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return spectrum.mz[a] < spectrum.mz[b]; });
      const std::vector<double> mz = spectrum.mz;
      const std::vector<float> intensity = spectrum.intensity;
      for (std::size_t i = 0; i < order.size(); ++i)
      {
        spectrum.mz[i] = mz[order[i]];
        spectrum.intensity[i] = intensity[order[i]];
      }
    }

    /// All peaks of a sorted spectrum as they are, in the form in which ions are matched.
    PreprocessedSpectrum withAllPeaks(const Spectrum& spectrum, int charge)
    {
      PreprocessedSpectrum all;
      all.mz = spectrum.mz;
      all.intensity = spectrum.intensity;
      all.rank.assign(spectrum.mz.size(), 1);
      all.charge = charge;
      all.activation = spectrum.activation;
      all.fragment_tolerance = spectrum.fragment_tolerance;
      return all;
    }

    double median(std::vector<float> values)
    {
      if (values.empty())
      {
        return 0.0;
      }
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      return *middle;
    }

    void addNoise(Spectrum& spectrum, std::size_t count, double target_median, const Spectrum& noise, Random& random)
    {
      const double noise_median = median(noise.intensity);
      if (noise_median <= 0.0)
      {
        return;
      }
      std::vector<std::size_t> order(noise.mz.size());
      std::iota(order.begin(), order.end(), std::size_t(0));
      random.shuffle(order);
      order.resize(std::min(order.size(), count));
      for (const std::size_t i : order)
      {
        spectrum.mz.push_back(noise.mz[i]);
        spectrum.intensity.push_back(static_cast<float>(noise.intensity[i] / noise_median * target_median));
      }
    }
  }

  RelocatedMatch relocatePeaks(const Spectrum& spectrum, const Peptide& peptide, const Peptide& permuted, int charge,
                               const std::vector<IonChannel>& channels)
  {
    checkLengths(spectrum);
    require(permuted.length() == peptide.length(), ErrorKind::INVALID_INPUT,
            "Peptide '" + permuted.residues + "' is no permutation of '" + peptide.residues + "'.");
    RelocatedMatch moved{spectrum, permuted};
    sortByMz(moved.spectrum);
    const PreprocessedSpectrum peaks = withAllPeaks(moved.spectrum, charge);
    const IonEvidence evidence = matchIons(peaks, peptide, channels, peaks.mz.size());

    // A peak that several ions explain goes with the nearest of them.
    std::vector<double> smallest_error(peaks.mz.size(), std::numeric_limits<double>::infinity());
    for (std::size_t cell = 0; cell < evidence.peak.size(); ++cell)
    {
      if (evidence.peak[cell] < 0)
      {
        continue;
      }
      const auto peak = static_cast<std::size_t>(evidence.peak[cell]);
      const IonChannel& channel = channels[cell % channels.size()];
      const double from = fragmentMz(peptide, cell / channels.size(), channel);
      const double to = fragmentMz(permuted, cell / channels.size(), channel);
      const double error = (peaks.mz[peak] - from) / peaks.fragment_tolerance.halfWidth(from);
      if (std::isfinite(to) && to > 0.0 && std::abs(error) < smallest_error[peak])
      {
        smallest_error[peak] = std::abs(error);
        // In units of the tolerance: errors that grow with m/z stay so at the new place.
        moved.spectrum.mz[peak] = to + error * peaks.fragment_tolerance.halfWidth(to);
      }
    }
    sortByMz(moved.spectrum);
    return moved;
  }

  Spectrum augment(const Spectrum& spectrum, const Spectrum& noise, const Augmentation& augmentation, Random& random)
  {
    checkLengths(spectrum);
    checkLengths(noise);
    require(augmentation.peak_dropout >= 0.0 && augmentation.peak_dropout < 1.0, ErrorKind::INVALID_INPUT,
            "The share of peaks to drop must be at least 0 and below 1.");
    Spectrum result = spectrum;
    result.mz.clear();
    result.intensity.clear();
    const double offset = augmentation.mz_offset * random.normal();
    for (std::size_t i = 0; i < spectrum.mz.size(); ++i)
    {
      if (random.uniform() < augmentation.peak_dropout)
      {
        continue;
      }
      const double shift = offset + augmentation.mz_jitter * random.normal();
      const double half_width = spectrum.fragment_tolerance.halfWidth(spectrum.mz[i]);
      result.mz.push_back(std::max(0.0, spectrum.mz[i] + shift * half_width));
      const double factor = std::exp(augmentation.intensity_jitter * random.normal());
      result.intensity.push_back(static_cast<float>(spectrum.intensity[i] * factor));
    }
    const auto n_noise =
        static_cast<std::size_t>(std::lround(augmentation.noise_peaks * static_cast<double>(spectrum.mz.size())));
    addNoise(result, n_noise, median(spectrum.intensity), noise, random);
    sortByMz(result);
    if (random.uniform() < augmentation.hidden_activation)
    {
      result.activation = Activation::UNKNOWN;
    }
    return result;
  }
}
