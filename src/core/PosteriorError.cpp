// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PosteriorError.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace psmformer
{
  namespace
  {
    /// Neighbouring PSMs that share one estimate.
    struct Pool
    {
      double decoys = 0.0;
      double count = 0.0;
      double score = 0.0; ///< mean

      double share() const { return decoys / count; }

      void take(const Pool& other)
      {
        score = (score * count + other.score * other.count) / (count + other.count);
        decoys += other.decoys;
        count += other.count;
      }
    };

    /// Adds a pool behind those of higher scores and pools as long as the share of decoys does not grow.
    void append(std::vector<Pool>& pools, const Pool& added)
    {
      pools.push_back(added);
      while (pools.size() > 1 && pools[pools.size() - 2].share() >= pools.back().share())
      {
        const Pool last = pools.back();
        pools.pop_back();
        pools.back().take(last);
      }
    }

    double errorOf(const Pool& pool)
    {
      const double targets = pool.count - pool.decoys;
      return targets > pool.decoys ? pool.decoys / targets : 1.0;
    }
  }

  PosteriorError::PosteriorError(const std::vector<double>& scores, const std::vector<bool>& is_decoy)
  {
    require(scores.size() == is_decoy.size(), ErrorKind::INVALID_INPUT,
            "There are " + std::to_string(scores.size()) + " scores but " + std::to_string(is_decoy.size()) +
                " decoy flags; give one flag a score.");
    require(std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); }),
            ErrorKind::INVALID_INPUT, "A score is not finite, so PEPs cannot be estimated; leave such PSMs out.");
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });

    std::vector<Pool> pools;
    for (std::size_t begin = 0; begin < order.size();)
    {
      Pool tied;
      tied.score = scores[order[begin]];
      if (begin == 0)
      {
        tied.decoys = tied.count = 1.0; // the pseudo-decoy
      }
      for (; begin < order.size() && scores[order[begin]] == tied.score; ++begin)
      {
        tied.decoys += is_decoy[order[begin]] ? 1.0 : 0.0;
        tied.count += 1.0;
      }
      append(pools, tied);
    }
    for (const Pool& pool : pools)
    {
      score_.push_back(pool.score);
      error_.push_back(errorOf(pool));
    }
  }

  double PosteriorError::at(double score) const
  {
    if (score_.empty())
    {
      return 1.0;
    }
    const auto lower =
        std::partition_point(score_.begin(), score_.end(), [&](double pool_score) { return pool_score > score; });
    if (lower == score_.begin() || lower == score_.end())
    {
      return lower == score_.begin() ? error_.front() : error_.back();
    }
    const auto k = static_cast<std::size_t>(lower - score_.begin());
    const double above = (score - score_[k]) / (score_[k - 1] - score_[k]);
    return error_[k] * std::pow(error_[k - 1] / error_[k], above);
  }
}
