// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Augmentation.h>
#include <PSMFormer/core/Chemistry.h>
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

    constexpr int NONE = -1;

    /// What a peptide explains of a sorted spectrum.
    struct Explanation
    {
      std::vector<int> cell;   ///< by peak: index of its ion (site x channels + channel), or NONE
      std::vector<int> parent; ///< by peak: the peak whose isotope or neutral loss it is, or NONE
    };

    /// m/z distance times charge of the peaks that accompany a fragment: two isotopes, loss of ammonia, of water, and
    /// of carbon monoxide (a ions), Da.
    constexpr double COMPANIONS[] = {ISOTOPE_SPACING, 2 * ISOTOPE_SPACING, -AMMONIA_MASS, -WATER_MASS,
                                     -CARBON_MONOXIDE_MASS};

    /// The most intense peak within the tolerance of `mz` that nothing explains yet, or NONE.
    int freePeakAt(const Spectrum& spectrum, double mz, const Explanation& explanation)
    {
      const double half_width = spectrum.fragment_tolerance.halfWidth(mz);
      int best = NONE;
      const auto first = std::lower_bound(spectrum.mz.begin(), spectrum.mz.end(), mz - half_width);
      for (auto i = static_cast<std::size_t>(first - spectrum.mz.begin());
           i < spectrum.mz.size() && spectrum.mz[i] <= mz + half_width; ++i)
      {
        const bool is_free = explanation.cell[i] == NONE && explanation.parent[i] == NONE;
        if (is_free && (best == NONE || spectrum.intensity[i] > spectrum.intensity[static_cast<std::size_t>(best)]))
        {
          best = static_cast<int>(i);
        }
      }
      return best;
    }

    void explainCompanions(Explanation& explanation, const Spectrum& spectrum, const std::vector<IonChannel>& channels)
    {
      for (const double distance : COMPANIONS)
      {
        for (std::size_t i = 0; i < spectrum.mz.size(); ++i)
        {
          if (explanation.cell[i] == NONE)
          {
            continue;
          }
          const IonChannel& channel = channels[static_cast<std::size_t>(explanation.cell[i]) % channels.size()];
          const int companion = freePeakAt(spectrum, spectrum.mz[i] + distance / channel.charge, explanation);
          if (companion != NONE)
          {
            explanation.parent[static_cast<std::size_t>(companion)] = static_cast<int>(i);
          }
        }
      }
    }

    /// @param spectrum  sorted by m/z
    Explanation explainPeaks(const Spectrum& spectrum, const Peptide& peptide, int charge,
                             const std::vector<IonChannel>& channels)
    {
      const PreprocessedSpectrum peaks = withAllPeaks(spectrum, charge);
      const IonEvidence evidence = matchIons(peaks, peptide, channels, std::max<std::size_t>(peaks.mz.size(), 1));
      Explanation explanation{std::vector<int>(peaks.mz.size(), NONE), std::vector<int>(peaks.mz.size(), NONE)};
      // A peak that several ions explain belongs to the nearest of them.
      std::vector<double> smallest_error(peaks.mz.size(), std::numeric_limits<double>::infinity());
      for (std::size_t cell = 0; cell < evidence.peak.size(); ++cell)
      {
        if (evidence.peak[cell] < 0)
        {
          continue;
        }
        const auto peak = static_cast<std::size_t>(evidence.peak[cell]);
        const double mz = fragmentMz(peptide, cell / channels.size(), channels[cell % channels.size()]);
        const double error = std::abs(peaks.mz[peak] - mz) / spectrum.fragment_tolerance.halfWidth(mz);
        if (error < smallest_error[peak])
        {
          smallest_error[peak] = error;
          explanation.cell[peak] = static_cast<int>(cell);
        }
      }
      explainCompanions(explanation, spectrum, channels);
      return explanation;
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

    void thin(Spectrum& spectrum, std::size_t fewest, Random& random)
    {
      const double ratio = static_cast<double>(fewest) / static_cast<double>(std::max(spectrum.mz.size(), fewest));
      const double kept = static_cast<double>(spectrum.mz.size()) * std::pow(ratio, random.uniform());
      keepMostIntense(spectrum, static_cast<std::size_t>(std::lround(kept)));
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
    const Explanation explanation = explainPeaks(moved.spectrum, peptide, charge, channels);
    const std::vector<double> mz = moved.spectrum.mz;
    std::vector<double> shift(mz.size(), 0.0);
    for (std::size_t i = 0; i < mz.size(); ++i)
    {
      if (explanation.cell[i] == NONE)
      {
        continue;
      }
      const auto cell = static_cast<std::size_t>(explanation.cell[i]);
      const IonChannel& channel = channels[cell % channels.size()];
      const double from = fragmentMz(peptide, cell / channels.size(), channel);
      const double to = fragmentMz(permuted, cell / channels.size(), channel);
      if (std::isfinite(to) && to > 0.0)
      {
        // In units of the tolerance: errors that grow with m/z stay so at the new place.
        const Tolerance& tolerance = spectrum.fragment_tolerance;
        const double error = (mz[i] - from) / tolerance.halfWidth(from);
        shift[i] = to + error * tolerance.halfWidth(to) - mz[i];
      }
    }
    for (std::size_t i = 0; i < mz.size(); ++i)
    {
      const int parent = explanation.parent[i];
      moved.spectrum.mz[i] += parent == NONE ? shift[i] : shift[static_cast<std::size_t>(parent)];
    }
    sortByMz(moved.spectrum);
    return moved;
  }

  Spectrum withoutExplainedPeaks(const Spectrum& spectrum, const Peptide& peptide, int charge,
                                 const std::vector<IonChannel>& channels)
  {
    checkLengths(spectrum);
    Spectrum sorted = spectrum;
    sortByMz(sorted);
    const Explanation explanation = explainPeaks(sorted, peptide, charge, channels);
    Spectrum left = sorted;
    left.mz.clear();
    left.intensity.clear();
    for (std::size_t i = 0; i < sorted.mz.size(); ++i)
    {
      if (explanation.cell[i] == NONE && explanation.parent[i] == NONE)
      {
        left.mz.push_back(sorted.mz[i]);
        left.intensity.push_back(sorted.intensity[i]);
      }
    }
    return left;
  }

  void keepMostIntense(Spectrum& spectrum, std::size_t n_kept)
  {
    sortByMz(spectrum);
    std::vector<std::size_t> order(spectrum.mz.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return spectrum.intensity[a] > spectrum.intensity[b]; });
    order.resize(std::min(order.size(), n_kept));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
      spectrum.mz[i] = spectrum.mz[order[i]];
      spectrum.intensity[i] = spectrum.intensity[order[i]];
    }
    spectrum.mz.resize(order.size());
    spectrum.intensity.resize(order.size());
  }

  Spectrum augment(const Spectrum& spectrum, const Spectrum& noise, const Augmentation& augmentation, Random& random)
  {
    checkLengths(spectrum);
    checkLengths(noise);
    require(augmentation.peak_dropout >= 0.0 && augmentation.peak_dropout < 1.0, ErrorKind::INVALID_INPUT,
            "The share of peaks to drop must be at least 0 and below 1.");
    require(augmentation.thinned_to >= 1, ErrorKind::INVALID_INPUT,
            "The fewest peaks left to a thinned spectrum must be at least 1.");
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
    if (random.uniform() < augmentation.thinned_share)
    {
      thin(result, augmentation.thinned_to, random);
    }
    if (random.uniform() < augmentation.hidden_activation)
    {
      result.activation = Activation::UNKNOWN;
    }
    return result;
  }
}
