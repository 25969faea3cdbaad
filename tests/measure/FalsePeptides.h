// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Augmentation.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace psmformer
{
  constexpr double FALSE_MASS_TOLERANCE = 0.05; ///< Da, of false peptides to the mass they are drawn for
  constexpr std::size_t N_SCORED = 10;          ///< of the false peptides of a spectrum, those that explain most

  /// False candidates of a search with an enzyme: natural peptides that end as `like` does, and inner shuffles of them.
  inline std::vector<Peptide> enzymaticFalsePeptides(const Peptide& like, const PeptidePool& pool, Random& random)
  {
    constexpr std::size_t N_NATURAL = 60; // when there are as many
    constexpr std::size_t N_SHUFFLES = 4; // of each
    std::vector<Peptide> peptides = pool.draw(like, N_NATURAL, FALSE_MASS_TOLERANCE, random);
    const std::size_t n_natural = peptides.size();
    for (std::size_t i = 0; i < n_natural; ++i)
    {
      for (std::size_t k = 0; k < N_SHUFFLES; ++k)
      {
        if (std::optional<Peptide> shuffled = shuffleResidues(peptides[i], random))
        {
          peptides.push_back(std::move(*shuffled));
        }
      }
    }
    return peptides;
  }

  /// The residues in another order, so that K or R at the end becomes another residue, or the reverse.
  inline std::optional<Peptide> endingOtherwise(Peptide peptide)
  {
    const auto isBasic = [](char residue)
    {
      return residue == 'K' || residue == 'R';
    };
    const std::size_t last = peptide.length() - 1;
    for (std::size_t i = 0; i < last; ++i)
    {
      if (isBasic(peptide.residues[i]) != isBasic(peptide.residues[last]))
      {
        std::swap(peptide.residues[i], peptide.residues[last]);
        std::swap(peptide.residue_mass[i], peptide.residue_mass[last]);
        std::swap(peptide.modification_mass[i], peptide.modification_mass[last]);
        std::swap(peptide.neutral_loss[i], peptide.neutral_loss[last]);
        return peptide;
      }
    }
    return std::nullopt;
  }

  /// False candidates of a search without an enzyme: many natural peptides of any end.
  inline std::vector<Peptide> unspecificFalsePeptides(const Peptide& like, const PeptidePool& pool, Random& random)
  {
    constexpr std::size_t N_OF_EACH_END = 2000;
    std::vector<Peptide> peptides = pool.draw(like, N_OF_EACH_END, FALSE_MASS_TOLERANCE, random);
    if (const std::optional<Peptide> other = endingOtherwise(like))
    {
      std::vector<Peptide> others = pool.draw(*other, N_OF_EACH_END, FALSE_MASS_TOLERANCE, random);
      peptides.insert(peptides.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    }
    return peptides;
  }

  /// What a search engine hands on: the candidates that explain most of the intensity.
  inline void keepMostExplaining(std::vector<Peptide>& peptides, const Spectrum& spectrum, int charge,
                                 const ModelInputs& inputs)
  {
    const PreprocessedSpectrum peaks = preprocess(spectrum, charge, inputs.preprocessing);
    const std::vector<IonChannel> channels = parseIonChannels(inputs.ions);
    std::vector<std::pair<float, std::size_t>> explained;
    for (std::size_t i = 0; i < peptides.size(); ++i)
    {
      const IonEvidence evidence = matchIons(peaks, peptides[i], channels, inputs.preprocessing.max_peaks);
      explained.emplace_back(-evidence.summary.front(), i);
    }
    std::sort(explained.begin(), explained.end());
    std::vector<Peptide> kept;
    for (std::size_t i = 0; i < std::min(N_SCORED, explained.size()); ++i)
    {
      kept.push_back(std::move(peptides[explained[i].second]));
    }
    peptides = std::move(kept);
  }
}
