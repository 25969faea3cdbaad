// SPDX-License-Identifier: BSD-3-Clause
#include "LogitAnnotation.h"

#include "Competition.h"
#include "MetaValues.h"
#include "RescoringNotes.h"

#include <PSMFormer/core/PSMFeatures.h>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    /// Promised to users: differences below this, between machines or batch sizes, do not change a ranking.
    constexpr double LOGIT_STEPS = 1e4; // to a unit
    const std::vector<std::string> NETWORK_FEATURES = {"logit", "calibrated_logit", "cosine", "spectral_angle"};
    const char* const TRAINED_MODIFICATIONS = "trained_modifications";
    const char* const DELTA_NEXT = "delta_next"; // the last feature

    std::vector<double> rounded(const std::vector<double>& logits)
    {
      std::vector<double> result(logits.size());
      std::transform(logits.begin(), logits.end(), result.begin(),
                     [](double logit) { return std::round(logit * LOGIT_STEPS) / LOGIT_STEPS; });
      return result;
    }

    /// Below all of them.
    double floorOf(const std::vector<double>& logits)
    {
      return logits.empty() ? 0.0 : *std::min_element(logits.begin(), logits.end()) - 1.0;
    }

    /// Logits less what chance explains of their spectra, rounded; the logits where that was not asked for.
    std::vector<double> calibratedLogits(const MatchScores& scores, const Calibration& calibration)
    {
      std::vector<double> calibrated = rounded(scores.logit);
      for (std::size_t m = 0; m < scores.null_logit.size(); ++m)
      {
        calibrated[m] -= calibration.null_weight * scores.null_logit[m];
      }
      return rounded(calibrated);
    }

    /// What is written on hits that cannot be scored, all with their status.
    std::vector<std::vector<HitAnnotation>> unscoredHits(const JoinedMatches& joined, const MatchScores& scores,
                                                         double floor, std::size_t n_features)
    {
      HitAnnotation unscored;
      unscored.score = floor;
      unscored.features.assign(n_features, 0.0);
      unscored.features[0] = floorOf(rounded(scores.logit));
      unscored.features[1] = floor;
      unscored.features[2] = -1.0; // the least similar
      std::vector<std::vector<HitAnnotation>> hits;
      for (const auto& statuses : joined.status)
      {
        hits.emplace_back(statuses.size(), unscored);
        for (std::size_t h = 0; h < statuses.size(); ++h)
        {
          hits.back()[h].status = statuses[h];
        }
      }
      return hits;
    }

    /// The distance of each logit to that of the next candidate of the spectrum; 0 where there is none that is scored.
    void setDistances(const std::vector<std::size_t>& order, std::vector<HitAnnotation>& hits)
    {
      for (std::size_t k = 0; k + 1 < order.size() && hits[order[k + 1]].status == MatchStatus::SCORED; ++k)
      {
        HitAnnotation& hit = hits[order[k]];
        hit.features.back() = hit.features.front() - hits[order[k + 1]].features.front();
      }
    }
  }

  std::vector<std::string> namesOfFeatures(bool all)
  {
    std::vector<std::string> names;
    names.reserve(NETWORK_FEATURES.size() + (all ? psmFeatures().size() + 2 : 0));
    for (const std::string& name : NETWORK_FEATURES)
    {
      names.push_back(PREFIX + name);
    }
    if (all)
    {
      for (const PSMFeature& feature : psmFeatures())
      {
        names.push_back(PREFIX + feature.name);
      }
      names.push_back(PREFIX + TRAINED_MODIFICATIONS);
      names.push_back(PREFIX + DELTA_NEXT);
    }
    return names;
  }

  Annotation annotateByLogit(const PeptideIds& identifications, const JoinedMatches& joined, const MatchScores& scores,
                             const ModelManifest& manifest, const FeatureChoice& choice)
  {
    Annotation annotation;
    annotation.feature_names = namesOfFeatures(choice.all_features);
    annotation.retention_time = joined.retention_time;
    const auto& matches = joined.table.matches;
    const std::vector<double> calibrated = calibratedLogits(scores, manifest.calibration);
    annotation.hits = unscoredHits(joined, scores, floorOf(calibrated), annotation.feature_names.size());
    const auto features =
        choice.all_features ? computeFeatures(joined.table, manifest.inputs) : std::vector<std::vector<double>>();
    for (std::size_t m = 0; m < matches.size(); ++m)
    {
      HitAnnotation& hit = annotation.hits[matches[m].origin.identification][matches[m].origin.hit];
      hit.score = calibrated[m];
      hit.features = {scores.logit[m], calibrated[m], scores.cosine[m], scores.spectral_angle[m]};
      if (choice.all_features)
      {
        hit.features.insert(hit.features.end(), features[m].begin(), features[m].end());
        const Peptide& peptide = joined.table.peptides[matches[m].peptide];
        hit.features.push_back(hasTrainedModifications(peptide, manifest.inputs) ? 1.0 : 0.0);
        hit.features.push_back(0.0); // until the order is known
      }
    }
    for (std::size_t i = 0; i < identifications.size(); ++i)
    {
      annotation.order.push_back(rankHits(identifications[i], joined.native_id[i], annotation.hits[i], choice.seed));
      if (choice.all_features)
      {
        setDistances(annotation.order.back(), annotation.hits[i]);
      }
    }
    return annotation;
  }
}
