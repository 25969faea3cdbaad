// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PSMFeatures.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace psmformer
{
  /// A baseline without a network: the logit is an intercept plus a weighted sum of the features of PSMFeatures.
  ///
  /// Its file holds lines "feature <tab> weight"; a feature that is not named has no weight. Two names are no features:
  /// "intercept", and "hyperscore", the logarithm of b! y! and the matched intensity (Fenyo and Beavis 2003,
  /// DOI 10.1021/ac0258709) with the explained share of the square-root intensity in place of the dot product.
  /// workflows/training/compare/baselines.py computes the same for searched runs.
  class LinearScorer : public MatchScorer
  {
  public:
    explicit LinearScorer(const std::string& file)
    {
      std::ifstream lines(file);
      std::string name;
      while (lines >> name)
      {
        lines >> weights_[name];
        require(!lines.fail(), ErrorKind::DAMAGED_INPUT,
                "'" + name + "' in '" + file + "' has no number as its weight; make the file with baselines.py fit.");
      }
      require(!weights_.empty(), ErrorKind::INVALID_INPUT,
              "There are no weights in '" + file + "'; name another file.");
      for (const PSMFeature& feature : psmFeatures())
      {
        names_.push_back(feature.name);
      }
      for (const auto& [known, unused] : weights_)
      {
        require(known == "intercept" || known == "hyperscore" ||
                    std::find(names_.begin(), names_.end(), known) != names_.end(),
                ErrorKind::INVALID_INPUT, "There is no feature '" + known + "', which '" + file + "' weighs.");
      }
    }

    MatchScores score(const MatchTable& table, const ProgressCallback& = {}) const override
    {
      MatchScores scores;
      for (const std::vector<double>& row : computeFeatures(table, manifest_.inputs))
      {
        std::map<std::string, double> values = {{"intercept", 1.0}};
        for (std::size_t i = 0; i < row.size(); ++i)
        {
          values[names_[i]] = row[i];
        }
        values["hyperscore"] = std::lgamma(values["matched_b1"] + 1.0) + std::lgamma(values["matched_y1"] + 1.0) +
                               std::log(std::max(values["explained_intensity"], SMALLEST_SHARE));
        double logit = 0.0;
        for (const auto& [name, weight] : weights_)
        {
          logit += weight * values[name];
        }
        scores.logit.push_back(logit);
      }
      return scores;
    }

    const ModelManifest& manifest() const override { return manifest_; }

  private:
    static constexpr double SMALLEST_SHARE = 1e-6; ///< of the intensity; has a logarithm where nothing matched

    ModelManifest manifest_ = presetManifest("base");
    std::map<std::string, double> weights_;
    std::vector<std::string> names_;
  };
}
