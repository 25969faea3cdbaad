// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/AcceptanceBootstrap.h>

#include <PSMFormer/core/Random.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t N_SAMPLES = 200;

    /// A list of best hits from the best to the worst, decoys of a tie before its targets.
    class RankedHits
    {
    public:
      explicit RankedHits(const ScoredSpectra& best)
      {
        std::vector<std::size_t> order(best.scores.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) {
                           return best.scores[a] != best.scores[b] ? best.scores[a] > best.scores[b]
                                                                   : best.is_decoy[a] && !best.is_decoy[b];
                         });
        for (const std::size_t k : order)
        {
          spectra_.push_back(best.spectra[k]);
          is_decoy_.push_back(best.is_decoy[k]);
        }
      }

      /// Accepted targets when each spectrum counts as often as it was drawn.
      std::size_t accepted(const std::vector<std::size_t>& times_drawn, double limit) const
      {
        std::size_t n_targets = 0;
        std::size_t n_decoys = 0;
        std::size_t most = 0;
        for (std::size_t k = 0; k < spectra_.size(); ++k)
        {
          (is_decoy_[k] ? n_decoys : n_targets) += times_drawn[spectra_[k]];
          if (static_cast<double>(n_decoys) <= limit * static_cast<double>(n_targets))
          {
            most = n_targets;
          }
        }
        return most;
      }

    private:
      std::vector<std::size_t> spectra_;
      std::vector<bool> is_decoy_;
    };
  }

  double shareOfGains(const ScoredSpectra& other, const ScoredSpectra& base, double limit, std::uint64_t seed)
  {
    std::vector<std::size_t> spectra(other.spectra);
    spectra.insert(spectra.end(), base.spectra.begin(), base.spectra.end());
    std::sort(spectra.begin(), spectra.end());
    spectra.erase(std::unique(spectra.begin(), spectra.end()), spectra.end());
    if (spectra.empty())
    {
      return 0.0;
    }
    const RankedHits by_other(other);
    const RankedHits by_base(base);
    std::vector<std::size_t> times_drawn(spectra.back() + 1);
    std::size_t n_gains = 0;
    for (std::size_t sample = 0; sample < N_SAMPLES; ++sample)
    {
      std::fill(times_drawn.begin(), times_drawn.end(), std::size_t(0));
      Random random = Random::forItem(seed, 0, sample);
      for (std::size_t k = 0; k < spectra.size(); ++k)
      {
        ++times_drawn[spectra[random.below(spectra.size())]];
      }
      n_gains += by_other.accepted(times_drawn, limit) > by_base.accepted(times_drawn, limit) ? 1 : 0;
    }
    return static_cast<double>(n_gains) / static_cast<double>(N_SAMPLES);
  }
}
