// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/Spectrum.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace psmformer::test
{
  using Peaks = std::vector<std::pair<double, float>>; ///< m/z (Th) and intensity

  /// A spectrum with these peaks, in this order, and a fragment tolerance of 20 ppm.
  inline Spectrum makeSpectrum(const Peaks& peaks, double precursor_mz = 0.0, int charge = 2)
  {
    Spectrum spectrum;
    spectrum.native_id = "scan=1";
    for (const auto& [mz, intensity] : peaks)
    {
      spectrum.mz.push_back(mz);
      spectrum.intensity.push_back(intensity);
    }
    spectrum.precursor_mz = precursor_mz;
    spectrum.precursor_charge = charge;
    spectrum.activation = Activation::HCD;
    spectrum.fragment_tolerance = {20.0, ToleranceUnit::PPM};
    return spectrum;
  }

  /// The noiseless spectrum of a peptide: a peak of intensity 1 for each ion, sorted by m/z.
  inline Spectrum noiselessSpectrum(const Peptide& peptide, int charge,
                                    const std::vector<std::string>& ions = {"b1", "y1"})
  {
    Peaks peaks;
    for (const IonChannel& channel : parseIonChannels(ions))
    {
      for (std::size_t site = 0; site + 1 < peptide.length(); ++site)
      {
        const double mz = fragmentMz(peptide, site, channel);
        if (mz > 0.0)
        {
          peaks.emplace_back(mz, 1.0F);
        }
      }
    }
    std::sort(peaks.begin(), peaks.end());
    return makeSpectrum(peaks, massToCharge(peptide, charge), charge);
  }

  /// A table of these spectra and peptides, with every peptide as a candidate of every spectrum.
  inline MatchTable makeMatchTable(const std::vector<Spectrum>& spectra, const std::vector<Peptide>& peptides)
  {
    MatchTable table;
    table.spectra = spectra;
    table.peptides = peptides;
    for (std::size_t s = 0; s < spectra.size(); ++s)
    {
      for (std::size_t p = 0; p < peptides.size(); ++p)
      {
        table.matches.push_back({s, p, spectra[s].precursor_charge, {s, p}});
      }
    }
    return table;
  }

  inline std::string randomResidues(std::size_t length, Random& random)
  {
    const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
    std::string residues;
    for (std::size_t i = 0; i < length; ++i)
    {
      residues += letters[random.below(letters.size())];
    }
    return residues;
  }

  /// A peptide of random residues; a third of them carry a modification, half of these with a neutral loss.
  inline Peptide randomModifiedPeptide(std::size_t length, Random& random)
  {
    Peptide peptide = makePeptide(randomResidues(length, random));
    for (std::size_t i = 0; i < length; ++i)
    {
      if (random.below(3) == 0)
      {
        peptide.modification_mass[i] = 200.0 * random.uniform() - 40.0;
        peptide.neutral_loss[i] = random.below(2) == 0 ? 30.0 * random.uniform() + 10.0 : 0.0;
      }
    }
    peptide.n_term_modification = random.below(2) == 0 ? 42.010565 : 0.0;
    peptide.c_term_modification = random.below(2) == 0 ? -0.984016 : 0.0;
    return peptide;
  }

  /// Random peaks between 100 and 1500 Th, unsorted.
  inline Spectrum randomSpectrum(std::size_t n_peaks, Random& random)
  {
    Peaks peaks;
    for (std::size_t i = 0; i < n_peaks; ++i)
    {
      peaks.emplace_back(100.0 + 1400.0 * random.uniform(), static_cast<float>(1.0 + 1000.0 * random.uniform()));
    }
    return makeSpectrum(peaks, 500.0 + 200.0 * random.uniform(), 2 + static_cast<int>(random.below(2)));
  }
}
