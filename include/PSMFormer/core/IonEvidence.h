// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Preprocessing.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  enum class IonType
  {
    B,
    Y,
    C,
    Z,
    A ///< b without carbon monoxide
  };

  /// Which peak of a fragment is looked for.
  enum class IonForm
  {
    INTACT,
    MODIFICATION_LOSS, ///< without the neutral loss of a modification that the fragment carries
    WATER_LOSS,
    AMMONIA_LOSS,
    ISOTOPE ///< with one 13C
  };

  /// One kind of fragment that is looked for at every cleavage site.
  struct IonChannel
  {
    IonType type = IonType::B;
    int charge = 1;
    IonForm form = IonForm::INTACT;

    /// Short name as in the manifest: "b1", "y2", "b1-loss", "y1-H2O", "b1-NH3", "y1+1".
    std::string name() const;
  };

  /// Reads a name such as "b1", "z2", "y1-loss" or "b1+1".
  /// @throws Error INVALID_INPUT for any other text
  IonChannel parseIonChannel(const std::string& name);

  /// Reads the names of a manifest, in their order.
  std::vector<IonChannel> parseIonChannels(const std::vector<std::string>& names);

  /// Theoretical m/z of one fragment, in Th; NaN where the channel has no such ion.
  ///
  /// Site s (0-based) lies between residues s and s + 1. a, b and c ions hold residues 0..s, y and z ions the
  /// rest. There is no ion of form MODIFICATION_LOSS when no residue in the fragment has a loss.
  double fragmentMz(const Peptide& peptide, std::size_t site, const IonChannel& channel);

  /// Which peak of a spectrum each theoretical fragment explains, as numbers for the network.
  struct IonEvidence
  {
    static constexpr std::size_t VALUES_PER_CHANNEL = 4;
    static constexpr std::size_t SUMMARY_VALUES = 6;

    std::size_t n_sites = 0; ///< peptide length - 1, at least 0
    std::size_t n_channels = 0;
    /// n_sites x n_channels x 4: matched (0 or 1), intensity as preprocessed, 1 - log(rank) / log(max_peaks + 1), mass
    /// error / tolerance in [-1, 1]; all 0 where nothing matched.
    std::vector<float> values;
    /// n_sites x n_channels: index of the matched peak in the preprocessed spectrum, -1 where nothing matched.
    std::vector<int> peak;
    /// Explained share of the intensity, share of peaks used, log10(1 + number of peaks) / 3, explained share of the
    /// intensity of the 10 and of the 25 most intense peaks, share of the possible b and y (c and z in ETD)
    /// ions 1+ matched. Intensities as preprocessed; 0 where there is nothing to take a share of.
    std::vector<float> summary;
  };

  /// Matches the theoretical fragments of a peptide to the peaks of a preprocessed spectrum.
  ///
  /// Each fragment takes the most intense peak within the spectrum's fragment tolerance (ties: the nearer). Fragments
  /// of charge z > 1 are looked for only when the precursor has a higher charge; c and z only in ETD and EThcD spectra,
  /// b and y in all.
  /// @throws Error INVALID_INPUT when the fragment tolerance is not known
  IonEvidence matchIons(const PreprocessedSpectrum& spectrum, const Peptide& peptide,
                        const std::vector<IonChannel>& channels, std::size_t max_peaks);
}
