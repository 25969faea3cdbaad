// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/CandidateSampler.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Negatives so far; takes a new one only if it differs from the positive and from all others.
    class NegativeList
    {
    public:
      explicit NegativeList(const Peptide& positive) : positive_(positive) {}

      void add(const Peptide& candidate)
      {
        const bool known = indistinguishable(candidate, positive_) ||
                           std::any_of(negatives_.begin(), negatives_.end(),
                                       [&](const Peptide& negative) { return indistinguishable(candidate, negative); });
        if (!known)
        {
          negatives_.push_back(candidate);
        }
      }

      /// Adds up to `count` variants that `make` gives.
      template <typename Make> void addVariants(std::size_t count, Make make)
      {
        for (std::size_t i = 0; i < count; ++i)
        {
          const std::optional<Peptide> variant = make();
          if (variant)
          {
            add(*variant);
          }
        }
      }

      std::vector<Peptide> take() { return std::move(negatives_); }

    private:
      const Peptide& positive_;
      std::vector<Peptide> negatives_;
    };

    /// The hardest of the drawn natural peptides first, then others in the random order in which they were drawn.
    std::vector<Peptide> naturalNegatives(const PreprocessedSpectrum& spectrum, std::vector<Peptide> drawn,
                                          const NegativeMix& mix, const std::vector<IonChannel>& channels,
                                          std::size_t max_peaks)
    {
      std::vector<std::pair<float, std::size_t>> explained;
      for (std::size_t i = 0; i < drawn.size(); ++i)
      {
        explained.emplace_back(matchIons(spectrum, drawn[i], channels, max_peaks).summary.front(), i);
      }
      const std::size_t n_hardest = std::min(mix.natural_hardest, drawn.size());
      const std::size_t n_taken = std::min(n_hardest + mix.natural_random, drawn.size());
      const auto hardest_end = explained.begin() + static_cast<std::ptrdiff_t>(n_hardest);
      std::partial_sort(explained.begin(), hardest_end, explained.end(),
                        [](const auto& a, const auto& b)
                        { return a.first != b.first ? a.first > b.first : a.second < b.second; });
      std::sort(hardest_end, explained.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
      std::vector<Peptide> chosen;
      for (std::size_t i = 0; i < n_taken; ++i)
      {
        chosen.push_back(std::move(drawn[explained[i].second]));
      }
      return chosen;
    }
  }

  std::vector<Peptide> drawNegatives(const PreprocessedSpectrum& spectrum, const Peptide& positive,
                                     const std::vector<Peptide>& others, const PeptidePool& pool,
                                     const NegativeMix& mix, const std::vector<IonChannel>& channels,
                                     std::size_t max_peaks, Random& random)
  {
    NegativeList negatives(positive);
    for (const Peptide& other : others)
    {
      negatives.add(other);
    }
    // No number is drawn for a share of 0, so that it leaves the others as they were without it.
    const bool any_end = mix.any_end_share > 0.0 && random.uniform() < mix.any_end_share;
    std::vector<Peptide> drawn =
        pool.draw(positive, mix.natural_drawn, mix.mass_tolerance, random, any_end ? DrawnEnds::ANY : DrawnEnds::ALIKE);
    for (const Peptide& natural : naturalNegatives(spectrum, std::move(drawn), mix, channels, max_peaks))
    {
      negatives.add(natural);
    }
    negatives.addVariants(mix.shuffled, [&] { return shuffleResidues(positive, random, drawFreeResidues(random)); });
    negatives.addVariants(mix.swapped, [&] { return swapNeighbours(positive, random, drawFreeResidues(random)); });
    negatives.addVariants(mix.reversed, [&] { return reverseResidues(positive, drawFreeResidues(random)); });
    negatives.addVariants(mix.substituted,
                          [&] { return substituteNearIsobaric(positive, mix.mass_tolerance, random); });
    return negatives.take();
  }
}
