// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "SpectrumCompetition.h"

#include <PSMFormer/core/LinearFitter.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Features that are made of labels of other hits: one value a hit of the table each; NaN: missing.
  using LearntFeatures = std::vector<std::vector<double>>;

  /// A linear model on the features of a table and learnt ones; says of itself how features are standardised.
  class FoldModel
  {
  public:
    /// Learns from some spectra: labels their best hits by the current score (targets at q <= 1 % (D / T) are
    /// positives, at 2 or 5 % where these are too few, decoys are negatives), fits, scores, and again, until the labels
    /// stay or `max_iterations` is reached.
    ///
    /// @param learnt  more features
    /// @param start   score of each hit by which the first labels are given
    FoldModel(const RescoringTable& table, const LearntFeatures& learnt, const CompetingSpectra& competition,
              const SpectrumSet& spectra, const std::vector<double>& start, const LinearFitter& fitter,
              std::size_t max_iterations);

    /// False when a class had no hit, so that there is no model.
    bool isFitted() const { return is_fitted_; }

    double score(std::size_t hit) const;

  private:
    /// A feature of the table as a column of the fit, or whether it is missing.
    struct Column
    {
      std::size_t feature = 0;   ///< of the table, then the learnt ones
      bool is_indicator = false; ///< 1 where the feature is missing
      double mean = 0.0;
      double deviation = 1.0; ///< standard deviation, > 0
    };

    /// Best hits whose label is believed.
    struct TrainingRows
    {
      std::vector<std::size_t> hits;
      std::vector<bool> is_positive;
      std::size_t n_positive = 0;

      bool operator==(const TrainingRows& other) const;
    };

    double value(std::size_t hit, std::size_t feature) const;
    double standardised(std::size_t hit, const Column& column) const;
    void makeColumns(const BestHits& best);
    void addColumn(const std::vector<double>& values, std::size_t feature, bool is_indicator);
    static TrainingRows label(const BestHits& best);
    void fit(const TrainingRows& rows, const LinearFitter& fitter);

    const RescoringTable& table_;
    const LearntFeatures& learnt_;
    std::vector<Column> columns_;
    LinearModel model_;
    bool is_fitted_ = false;
  };
}
