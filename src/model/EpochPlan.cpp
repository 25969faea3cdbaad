// SPDX-License-Identifier: BSD-3-Clause
#include "EpochPlan.h"

#include <PSMFormer/core/Random.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Streams of Random::forItem that belong to an epoch and not to an example.
    constexpr std::uint64_t BATCH_STREAM = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t KIND_STREAM = BATCH_STREAM - 1;

    std::vector<std::size_t> shuffledIndices(std::size_t n, Random random)
    {
      std::vector<std::size_t> indices(n);
      std::iota(indices.begin(), indices.end(), std::size_t{0});
      random.shuffle(indices);
      return indices;
    }

    std::vector<RowKind> chooseKinds(std::size_t n, const TrainingParameters& parameters, Random random)
    {
      const std::vector<std::size_t> order = shuffledIndices(n, random);
      const auto part = [](double share, std::size_t of)
      {
        return static_cast<std::size_t>(std::floor(share * static_cast<double>(of)));
      };
      const std::size_t n_relocated = part(parameters.relocated_share, n);
      const std::size_t n_foreign = part(parameters.foreign_share, n - n_relocated);
      std::vector<RowKind> kinds(n, RowKind::REAL);
      for (std::size_t k = 0; k < n_relocated + n_foreign; ++k)
      {
        kinds[order[k]] = k < n_relocated ? RowKind::RELOCATED : RowKind::FOREIGN;
      }
      return kinds;
    }
  }

  EpochPlan planEpoch(const std::vector<double>& masses, const TrainingParameters& parameters, std::uint64_t seed,
                      std::size_t epoch)
  {
    Random random = Random::forItem(seed, epoch, BATCH_STREAM);
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < masses.size(); ++k)
    {
      order.emplace_back(masses[k] + parameters.mass_jitter * random.normal(), k);
    }
    std::sort(order.begin(), order.end());

    EpochPlan plan;
    for (std::size_t k = 0; k < order.size(); ++k)
    {
      if (k % parameters.spectra_per_batch == 0)
      {
        plan.batches.emplace_back();
      }
      plan.batches.back().push_back(order[k].second);
    }
    random.shuffle(plan.batches);
    plan.kinds = chooseKinds(masses.size(), parameters, Random::forItem(seed, epoch, KIND_STREAM));
    return plan;
  }
}
