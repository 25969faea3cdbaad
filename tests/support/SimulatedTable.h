// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/LinearFitter.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/RescoringTable.h>

#include <support/Builders.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace psmformer::test
{
  /// What a simulated table looks like; the defaults are an ordinary search.
  struct TableOptions
  {
    std::size_t n_spectra = 1000;
    double share_true = 0.5;      ///< of the spectra whose peptide is among the hits
    double logit_of_true = 3.0;   ///< mean; of false hits 0, standard deviation 1
    double feature_of_true = 2.5; ///< of the feature "helpful": mean; of false hits 0, standard deviation 1
    std::size_t n_noise = 3;      ///< features that tell nothing
    std::uint64_t seed = 1;
  };

  /// A table of targets and decoys whose truth is known.
  struct SimulatedTable
  {
    RescoringTable table;
    std::vector<bool> is_true; ///< by hit
  };

  inline void addHit(SimulatedTable& simulated, bool is_true, bool is_decoy, const TableOptions& options,
                     Random& random)
  {
    RescoringTable& table = simulated.table;
    RescoringHit hit;
    hit.spectrum = table.spectra.size() - 1;
    hit.peptide = table.peptides.size();
    hit.charge = 2;
    hit.is_decoy = is_decoy;
    hit.logit = random.normal() + (is_true ? options.logit_of_true : 0.0);
    hit.engine = random.normal() + (is_true ? 0.7 * options.logit_of_true : 0.0);
    hit.tie = random.next();
    table.peptides.push_back(makePeptide(randomResidues(8 + random.below(8), random)));
    table.peptidoforms.push_back(table.peptides.back().residues);
    table.features.push_back(hit.logit);
    table.features.push_back(random.normal() + (is_true ? options.feature_of_true : 0.0));
    for (std::size_t f = 0; f < options.n_noise; ++f)
    {
      table.features.push_back(random.normal());
    }
    table.hits.push_back(hit);
    simulated.is_true.push_back(is_true);
  }

  /// Each spectrum has two hits: the true peptide (a target) and a false one, or two false ones. A false hit is a
  /// target or a decoy with the same chance.
  inline SimulatedTable simulateTable(const TableOptions& options)
  {
    Random random(options.seed);
    SimulatedTable simulated;
    simulated.table.feature_names = {"logit", "helpful"};
    for (std::size_t f = 0; f < options.n_noise; ++f)
    {
      simulated.table.feature_names.push_back("noise " + std::to_string(f));
    }
    for (std::size_t s = 0; s < options.n_spectra; ++s)
    {
      simulated.table.spectra.push_back(
          {"run", "scan=" + std::to_string(s + 1), std::numeric_limits<double>::quiet_NaN()});
      const bool has_true = random.uniform() < options.share_true;
      addHit(simulated, has_true, !has_true && random.below(2) == 0, options, random);
      addHit(simulated, false, random.below(2) == 0, options, random);
    }
    return simulated;
  }

  /// Adds a feature; `value(hit)` gives its values.
  template <typename Value> void addFeature(RescoringTable& table, const std::string& name, const Value& value)
  {
    std::vector<double> features;
    const std::size_t n = table.feature_names.size();
    for (std::size_t h = 0; h < table.hits.size(); ++h)
    {
      const auto row = table.features.begin() + static_cast<std::ptrdiff_t>(h * n);
      features.insert(features.end(), row, row + static_cast<std::ptrdiff_t>(n));
      features.push_back(value(h));
    }
    table.features = std::move(features);
    table.feature_names.push_back(name);
  }

  /// The best hit of each spectrum by a score.
  inline std::vector<std::size_t> bestHits(const RescoringTable& table, const std::vector<double>& score)
  {
    std::vector<std::size_t> best(table.spectra.size(), table.hits.size());
    for (std::size_t h = 0; h < table.hits.size(); ++h)
    {
      std::size_t& known = best[table.hits[h].spectrum];
      if (known == table.hits.size() || score[h] > score[known])
      {
        known = h;
      }
    }
    return best;
  }

  /// The plane halfway between the means of the classes, whatever the features' covariance: enough of a model for tests
  /// of what surrounds it.
  class MeanDifferenceFitter : public LinearFitter
  {
  public:
    LinearModel fit(const LabelledRows& rows, const LinearModel&) const override
    {
      std::vector<double> sum[2] = {std::vector<double>(rows.n_features), std::vector<double>(rows.n_features)};
      double count[2] = {0.0, 0.0};
      for (std::size_t i = 0; i < rows.n_rows; ++i)
      {
        const std::size_t label = rows.is_positive[i] ? 1 : 0;
        count[label] += 1.0;
        for (std::size_t f = 0; f < rows.n_features; ++f)
        {
          sum[label][f] += rows.values[i * rows.n_features + f];
        }
      }
      LinearModel model;
      for (std::size_t f = 0; f < rows.n_features; ++f)
      {
        const double positive = sum[1][f] / count[1];
        const double negative = sum[0][f] / count[0];
        model.weights.push_back(positive - negative);
        model.intercept -= (positive - negative) * (positive + negative) / 2.0;
      }
      return model;
    }
  };
}
