// SPDX-License-Identifier: BSD-3-Clause
#include "FoldModel.h"

#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Positives are targets below the first of these that leaves enough of them.
    constexpr double LABEL_LIMITS[] = {0.01, 0.02, 0.05};
    constexpr std::size_t ENOUGH_POSITIVES = 50;
    /// A number beyond this is no measurement; its square has to stay a number.
    constexpr double LARGEST = 1e30;

    std::vector<bool> positives(const BestHits& best)
    {
      const std::vector<double> q_values = computeQValues(best.scores, best.is_decoy, 0);
      std::vector<bool> is_positive(q_values.size());
      for (const double limit : LABEL_LIMITS)
      {
        for (std::size_t k = 0; k < q_values.size(); ++k)
        {
          is_positive[k] = !best.is_decoy[k] && q_values[k] <= limit;
        }
        if (countAccepted(q_values, best.is_decoy, limit) >= ENOUGH_POSITIVES)
        {
          break;
        }
      }
      return is_positive;
    }
  }

  bool FoldModel::TrainingRows::operator==(const TrainingRows& other) const
  {
    return hits == other.hits && is_positive == other.is_positive;
  }

  FoldModel::TrainingRows FoldModel::label(const BestHits& best)
  {
    const std::vector<bool> is_positive = positives(best);
    TrainingRows rows;
    for (std::size_t k = 0; k < is_positive.size(); ++k)
    {
      if (is_positive[k] || best.is_decoy[k])
      {
        rows.hits.push_back(best.hits[k]);
        rows.is_positive.push_back(is_positive[k]);
        rows.n_positive += is_positive[k] ? 1 : 0;
      }
    }
    return rows;
  }

  FoldModel::FoldModel(const RescoringTable& table, const LearntFeatures& learnt, const CompetingSpectra& competition,
                       const SpectrumSet& spectra, const std::vector<double>& start, const LinearFitter& fitter,
                       std::size_t max_iterations)
      : table_(table), learnt_(learnt)
  {
    std::vector<double> current = start;
    TrainingRows rows;
    for (std::size_t iteration = 0; iteration < max_iterations; ++iteration)
    {
      const BestHits best = competition.bestHits(spectra, current);
      if (iteration == 0)
      {
        makeColumns(best);
      }
      TrainingRows labelled = label(best);
      if (labelled.n_positive == 0 || labelled.n_positive == labelled.hits.size() || labelled == rows)
      {
        break;
      }
      rows = std::move(labelled);
      fit(rows, fitter);
      for (const std::size_t s : spectra)
      {
        for (const std::size_t hit : competition.hitsOf(s))
        {
          current[hit] = score(hit);
        }
      }
    }
  }

  double FoldModel::value(std::size_t hit, std::size_t feature) const
  {
    const std::size_t n_of_table = table_.feature_names.size();
    const double value = feature < n_of_table ? table_.feature(hit, feature) : learnt_[feature - n_of_table][hit];
    return std::abs(value) < LARGEST ? value : std::numeric_limits<double>::quiet_NaN();
  }

  double FoldModel::standardised(std::size_t hit, const Column& column) const
  {
    const double raw = value(hit, column.feature);
    if (column.is_indicator)
    {
      return ((std::isnan(raw) ? 1.0 : 0.0) - column.mean) / column.deviation;
    }
    return std::isnan(raw) ? 0.0 : (raw - column.mean) / column.deviation;
  }

  void FoldModel::addColumn(const std::vector<double>& values, std::size_t feature, bool is_indicator)
  {
    const auto n = static_cast<double>(values.size());
    Column column;
    column.feature = feature;
    column.is_indicator = is_indicator;
    column.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0.0;
    for (const double value : values)
    {
      squares += (value - column.mean) * (value - column.mean);
    }
    column.deviation = std::sqrt(squares / n);
    // A constant tells nothing; the comparison is false for no values at all.
    if (column.deviation > 1e-9 * std::max(1e-9, std::abs(column.mean)))
    {
      columns_.push_back(column);
    }
  }

  void FoldModel::makeColumns(const BestHits& best)
  {
    for (std::size_t feature = 0; feature < table_.feature_names.size() + learnt_.size(); ++feature)
    {
      std::vector<double> present;
      std::vector<double> is_missing;
      for (const std::size_t hit : best.hits)
      {
        const double raw = value(hit, feature);
        is_missing.push_back(std::isnan(raw) ? 1.0 : 0.0);
        if (!std::isnan(raw))
        {
          present.push_back(raw);
        }
      }
      addColumn(present, feature, false);
      addColumn(is_missing, feature, true);
    }
  }

  void FoldModel::fit(const TrainingRows& rows, const LinearFitter& fitter)
  {
    std::vector<double> values;
    values.reserve(rows.hits.size() * columns_.size());
    for (const std::size_t hit : rows.hits)
    {
      for (const Column& column : columns_)
      {
        values.push_back(standardised(hit, column));
      }
    }
    model_ = fitter.fit({rows.hits.size(), columns_.size(), values.data(), rows.is_positive}, model_);
    is_fitted_ = true;
  }

  double FoldModel::score(std::size_t hit) const
  {
    double sum = model_.intercept;
    for (std::size_t c = 0; c < columns_.size(); ++c)
    {
      sum += model_.weights[c] * standardised(hit, columns_[c]);
    }
    return sum;
  }
}
