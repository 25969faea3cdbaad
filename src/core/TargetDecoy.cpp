// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace psmformer
{
  namespace
  {
    void requireFinite(const std::vector<double>& scores)
    {
      require(std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); }),
              ErrorKind::INVALID_INPUT, "A score is not finite, so PSMs cannot be ranked; leave such PSMs out.");
    }

    /// Indices by score; the order among equal scores does not matter, since they share one q-value.
    std::vector<std::size_t> descending(const std::vector<double>& scores)
    {
      std::vector<std::size_t> order(scores.size());
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
      return order;
    }
  }

  std::vector<double> computeQValues(const std::vector<double>& scores, const std::vector<bool>& is_decoy,
                                     int pseudo_count)
  {
    require(scores.size() == is_decoy.size(), ErrorKind::INVALID_INPUT,
            "There are " + std::to_string(scores.size()) + " scores but " + std::to_string(is_decoy.size()) +
                " decoy flags; give one flag a score.");
    require(pseudo_count == 0 || pseudo_count == 1, ErrorKind::INVALID_INPUT,
            "The pseudo-count " + std::to_string(pseudo_count) + " is not possible; it must be 0 or 1.");
    requireFinite(scores);

    const std::vector<std::size_t> order = descending(scores);
    std::vector<double> q_values(scores.size(), 1.0);
    std::size_t n_targets = 0;
    std::size_t n_decoys = static_cast<std::size_t>(pseudo_count);
    for (std::size_t begin = 0; begin < order.size();)
    {
      std::size_t end = begin;
      for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end)
      {
        ++(is_decoy[order[end]] ? n_decoys : n_targets);
      }
      const double rate =
          n_targets == 0 ? 1.0 : std::min(1.0, static_cast<double>(n_decoys) / static_cast<double>(n_targets));
      for (; begin < end; ++begin)
      {
        q_values[order[begin]] = rate;
      }
    }
    double smallest = 1.0;
    for (auto index = order.rbegin(); index != order.rend(); ++index)
    {
      smallest = std::min(smallest, q_values[*index]);
      q_values[*index] = smallest;
    }
    return q_values;
  }

  std::vector<double> interpolateQValues(const std::vector<double>& scores, const std::vector<double>& competed_scores,
                                         const std::vector<double>& competed_q_values)
  {
    require(competed_scores.size() == competed_q_values.size(), ErrorKind::INVALID_INPUT,
            "There are " + std::to_string(competed_scores.size()) + " competed scores but " +
                std::to_string(competed_q_values.size()) + " q-values; give one q-value a score.");
    requireFinite(scores);
    requireFinite(competed_scores);

    const std::vector<std::size_t> order = descending(competed_scores);
    std::vector<double> q_values;
    q_values.reserve(scores.size());
    for (const double score : scores)
    {
      const auto best = std::partition_point(order.begin(), order.end(),
                                             [&](std::size_t index) { return competed_scores[index] > score; });
      q_values.push_back(best == order.end() ? 1.0 : competed_q_values[*best]);
    }
    return q_values;
  }

  std::size_t countAccepted(const std::vector<double>& q_values, const std::vector<bool>& is_decoy, double threshold)
  {
    require(q_values.size() == is_decoy.size(), ErrorKind::INVALID_INPUT,
            "There are " + std::to_string(q_values.size()) + " q-values but " + std::to_string(is_decoy.size()) +
                " decoy flags; give one flag a q-value.");
    std::size_t accepted = 0;
    for (std::size_t k = 0; k < q_values.size(); ++k)
    {
      accepted += !is_decoy[k] && q_values[k] <= threshold ? 1 : 0;
    }
    return accepted;
  }
}
