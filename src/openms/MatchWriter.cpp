// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/MatchWriter.h>

#include "EarlierRescoring.h"
#include "EngineScores.h"
#include "MetaValues.h"

#include <PSMFormer/core/Error.h>

#include <OpenMS/METADATA/PeptideHit.h>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    const char* const SCORE = "PSMFormer:score";
    const char* const Q_VALUE = "PSMFormer:q-value";
    const char* const POSTERIOR_ERROR = "PSMFormer:PEP";
    const char* const PEPTIDE_Q_VALUE = "PSMFormer:peptide_q-value";
    const char* const STATUS = "PSMFormer:status";
    /// The names that IDScoreSwitcher and others know as a q-value and as a PEP.
    const char* const Q_VALUE_TYPE = "q-value";
    const char* const POSTERIOR_ERROR_TYPE = "pep";

    /// Values of an earlier rescoring belong to its score; what is not written anew must not stay beside the new one.
    void removeOwnValues(OpenMS::MetaInfoInterface& meta)
    {
      std::vector<OmsString> names;
      meta.getKeys(names);
      for (const auto& name : names)
      {
        if (hasPrefix(name))
        {
          meta.removeMetaValue(name);
        }
      }
    }

    void requireFinite(double value, const std::string& name)
    {
      require(std::isfinite(value), ErrorKind::INTERNAL,
              "'" + name +
                  "' would be written as a value that is not finite; please report this with the model's name.");
    }

    void keepPreviousScore(OpenMS::PeptideHit& hit, const std::string& score_type, WritingReport& report)
    {
      const std::string name = score_type.empty() ? NAMELESS_SCORE : score_type;
      if (hasPrefix(name))
      {
        return; // rescored once more: the engine's score is already a meta value, and ours are made anew
      }
      if (std::isfinite(hit.getScore()))
      {
        hit.setMetaValue(name, hit.getScore());
        return;
      }
      ++report.n_nonfinite_scores;
      hit.setMetaValue(name, std::isnan(hit.getScore()) ? "nan" : hit.getScore() > 0.0 ? "inf" : "-inf");
    }

    void addMetaValues(OpenMS::PeptideHit& hit, const HitAnnotation& values, const Annotation& annotation)
    {
      removeOwnValues(hit);
      requireFinite(values.score, SCORE);
      hit.setMetaValue(SCORE, values.score);
      for (std::size_t f = 0; f < annotation.feature_names.size(); ++f)
      {
        requireFinite(values.features[f], annotation.feature_names[f]);
        hit.setMetaValue(annotation.feature_names[f], values.features[f]);
      }
      if (annotation.has_q_values)
      {
        for (const auto& [name, value] :
             {std::make_pair(Q_VALUE, values.q_value), std::make_pair(POSTERIOR_ERROR, values.posterior_error),
              std::make_pair(PEPTIDE_Q_VALUE, values.peptide_q_value)})
        {
          requireFinite(value, name);
          hit.setMetaValue(name, value);
        }
      }
      hit.setMetaValue(STATUS, statusName(values.status));
    }

    const char* mainScoreType(MainScore main_score)
    {
      switch (main_score)
      {
      case MainScore::Q_VALUE:
        return Q_VALUE_TYPE;
      case MainScore::POSTERIOR_ERROR:
        return POSTERIOR_ERROR_TYPE;
      default:
        return SCORE;
      }
    }

    double mainScoreOf(const HitAnnotation& values, MainScore main_score)
    {
      switch (main_score)
      {
      case MainScore::Q_VALUE:
        return values.q_value;
      case MainScore::POSTERIOR_ERROR:
        return values.posterior_error;
      default:
        return values.score;
      }
    }

    void annotateIdentification(OpenMS::PeptideIdentification& identification, std::size_t i,
                                const Annotation& annotation, const WritingRules& rules, WritingReport& report)
    {
      const std::string previous_type(identification.getScoreType());
      std::vector<OpenMS::PeptideHit> hits = identification.getHits();
      std::vector<OpenMS::PeptideHit> written;
      written.reserve(hits.size());
      for (const std::size_t h : annotation.order[i])
      {
        const HitAnnotation& values = annotation.hits[i][h];
        if (values.status != MatchStatus::SCORED && rules.unscored == UnscoredHits::REMOVE)
        {
          ++report.n_removed_hits;
          continue;
        }
        addMetaValues(hits[h], values, annotation);
        if (rules.replace_main_score)
        {
          keepPreviousScore(hits[h], previous_type, report);
          hits[h].setScore(mainScoreOf(values, rules.main_score));
        }
        written.push_back(std::move(hits[h]));
      }
      identification.setHits(written);
      if (rules.replace_main_score)
      {
        identification.setScoreType(mainScoreType(rules.main_score));
        identification.setHigherScoreBetter(rules.main_score == MainScore::SCORE);
        identification.setSignificanceThreshold(0.0);
      }
      if (!identification.hasRT() && !std::isnan(annotation.retention_time[i]))
      {
        identification.setRT(annotation.retention_time[i]);
      }
    }
  }

  WritingReport annotateIdentifications(PeptideIds& identifications, const Annotation& annotation,
                                        const WritingRules& rules)
  {
    WritingReport report;
    for (std::size_t i = 0; i < identifications.size(); ++i)
    {
      annotateIdentification(identifications[i], i, annotation, rules, report);
    }
    return report;
  }

  void removeRecords(OpenMS::ProteinIdentification& run)
  {
    auto parameters = run.getSearchParameters();
    removeOwnValues(parameters);
    run.setSearchParameters(parameters);
    std::vector<std::string> features = extraFeatures(run);
    if (!features.empty())
    {
      features.erase(std::remove_if(features.begin(), features.end(), hasPrefix), features.end());
      setExtraFeatures(run, features);
    }
  }

  void appendExtraFeatures(OpenMS::ProteinIdentification& run, const std::vector<std::string>& names)
  {
    std::vector<std::string> all = extraFeatures(run);
    all.insert(all.end(), names.begin(), names.end());
    std::vector<std::string> distinct;
    for (const std::string& name : all)
    {
      // What the labels made would tell Percolator the answer; target_decoy is what PSMFeatureExtractor lists there.
      const bool is_feature = name == "target_decoy" || hasPrefix(name) || !isMadeFromLabels(name);
      if (is_feature && std::find(distinct.begin(), distinct.end(), name) == distinct.end())
      {
        distinct.push_back(name);
      }
    }
    setExtraFeatures(run, distinct);
  }

  void recordProvenance(OpenMS::ProteinIdentification& run, const std::vector<ProvenanceEntry>& entries)
  {
    auto parameters = run.getSearchParameters();
    for (const auto& [name, value] : entries)
    {
      parameters.setMetaValue(PREFIX + name, value);
    }
    run.setSearchParameters(parameters);
  }
}
