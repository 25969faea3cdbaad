// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/Spectrum.h>

#include <vector>

namespace psmformer
{
  /// Moves the explained peaks of a spectrum to where a permuted peptide has them, and gives both.
  ///
  /// Each peak that is matched by an ion of `peptide` moves, with its intensity and its mass error, to the m/z of the
  /// same ion of the permuted peptide; its isotopes and its losses of water, ammonia and carbon monoxide move with it;
  /// unexplained peaks stay. The network so meets unnatural sequences as true matches and cannot learn what a natural
  /// sequence looks like.
  struct RelocatedMatch
  {
    Spectrum spectrum;
    Peptide peptide;
  };
  RelocatedMatch relocatePeaks(const Spectrum& spectrum, const Peptide& peptide, const Peptide& permuted, int charge,
                               const std::vector<IonChannel>& channels);

  /// The spectrum without the peaks that the peptide explains, with their isotopes and common neutral losses.
  ///
  /// What is left is noise and other peptides: as many spectra of a run are that no candidate explains.
  Spectrum withoutExplainedPeaks(const Spectrum& spectrum, const Peptide& peptide, int charge,
                                 const std::vector<IonChannel>& channels);

  /// Changes that a spectrum meets in training; zero or one mean "off" as named.
  struct Augmentation
  {
    double peak_dropout = 0.1;       ///< share of peaks removed at random, [0, 1)
    double intensity_jitter = 0.1;   ///< standard deviation of the factor's logarithm
    double mz_offset = 0.2;          ///< of the tolerance: standard deviation of an offset common to the spectrum
    double mz_jitter = 0.05;         ///< of the tolerance: standard deviation peak by peak
    double noise_peaks = 0.2;        ///< peaks of another drawn spectrum, explained ones too, as a share of the own
    double hidden_activation = 0.25; ///< share of spectra whose activation becomes UNKNOWN: many files do not state it
    double thinned_share = 0.4;  ///< of the spectra keep only their most intense peaks, as peak pickers differ in it
    std::size_t thinned_to = 10; ///< the fewest peaks that are left to these; their number is log-uniform, >= 1
  };

  /// Keeps the most intense peaks, sorted by m/z; equal intensities are decided by m/z.
  void keepMostIntense(Spectrum& spectrum, std::size_t n_kept);

  /// Augments a spectrum; `noise` gives the borrowed peaks (its own intensities are scaled to this spectrum's median).
  Spectrum augment(const Spectrum& spectrum, const Spectrum& noise, const Augmentation& augmentation, Random& random);
}
