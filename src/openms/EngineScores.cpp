// SPDX-License-Identifier: BSD-3-Clause
#include "EngineScores.h"

#include "Competition.h"
#include "MetaValues.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace psmformer
{
  namespace
  {
    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();

    using ScoreType = std::pair<std::string, bool>; // name, higher is better

    ScoreType typeOf(const OpenMS::PeptideIdentification& identification)
    {
      return {std::string(identification.getScoreType()), identification.isHigherScoreBetter()};
    }

    std::set<std::string> engineFeatures(const OpenMS::ProteinIdentification& run)
    {
      std::set<std::string> names;
      for (const std::string& name : extraFeatures(run))
      {
        if (!isMadeFromLabels(name) && !hasPrefix(name))
        {
          names.insert(name);
        }
      }
      return names;
    }

    /// How a score enters: larger is better, and on an even scale.
    struct Scale
    {
      bool as_logarithm = false;
      double smallest = std::numeric_limits<double>::infinity(); ///< above 0
    };

    /// The main score types that can be a feature. Where lower is better and none is below 0, as of E-values, a score
    /// enters as its logarithm.
    std::map<ScoreType, Scale> mainScoreTypes(const PeptideIds& identifications)
    {
      std::map<ScoreType, Scale> types;
      for (const auto& identification : identifications)
      {
        const ScoreType type = typeOf(identification);
        if (identification.getHits().empty() || isMadeFromLabels(type.first))
        {
          continue;
        }
        Scale& scale = types.emplace(type, Scale{!type.second}).first->second;
        for (const auto& hit : identification.getHits())
        {
          const double score = hit.getScore();
          scale.as_logarithm = scale.as_logarithm && (score >= 0.0 || !std::isfinite(score));
          scale.smallest = score > 0.0 ? std::min(scale.smallest, score) : scale.smallest;
        }
      }
      for (auto& [type, scale] : types)
      {
        scale.as_logarithm = scale.as_logarithm && std::isfinite(scale.smallest);
      }
      return types;
    }

    /// An engine's feature of one hit; NaN where it is no finite number.
    double featureOf(const OpenMS::PeptideHit& hit, const std::string& name)
    {
      double value = NOT_KNOWN;
      return metaNumber(hit, name, value) && std::isfinite(value) ? value : NOT_KNOWN;
    }

    double oriented(double score, bool higher_is_better, const Scale& scale)
    {
      // An E-value that is too small for a double was written as 0: better than all others, by how much is not known.
      const double above_zero = score == 0.0 ? scale.smallest / 2.0 : score;
      const double value = scale.as_logarithm ? -std::log(above_zero) : higher_is_better ? score : -score;
      return std::isfinite(value) ? value : NOT_KNOWN;
    }
  }

  bool isMadeFromLabels(const std::string& score_name)
  {
    std::string name = score_name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return letter == '_' ? '-' : static_cast<char>(std::tolower(letter)); });
    const auto has = [&](const char* text)
    {
      return name.find(text) != std::string::npos;
    };
    // MS:1001491 to 1001493: Percolator's q-value, score and PEP; MS:1002354: PSM-level q-value.
    return name == "pep" || name == "psmformer:score" || name == "psmformer:pep" || has("q-value") || has("qvalue") ||
           has("fdr") || has("posterior") || has("percolator") || has("mokapot") || has("ms:1001491") ||
           has("ms:1001492") || has("ms:1001493") || has("ms:1002354") || has("decoy") || name == "label";
  }

  EngineScores readEngineScores(const std::vector<OpenMS::ProteinIdentification>& runs,
                                const PeptideIds& identifications,
                                const std::vector<std::size_t>& run_of_identification)
  {
    EngineScores scores;
    const std::map<ScoreType, Scale> types = mainScoreTypes(identifications);
    for (const auto& [type, scale] : types)
    {
      scores.names.push_back("score " + type.first + (type.second ? "" : ", lower is better"));
    }
    std::set<std::string> extra;
    std::vector<std::set<std::string>> extra_of_run;
    for (const auto& run : runs)
    {
      extra_of_run.push_back(engineFeatures(run));
      extra.insert(extra_of_run.back().begin(), extra_of_run.back().end());
    }
    scores.names.insert(scores.names.end(), extra.begin(), extra.end());

    const bool are_comparable = types.size() == 1 && haveOneScoreType(identifications);
    for (std::size_t i = 0; i < identifications.size(); ++i)
    {
      const auto& identification = identifications[i];
      scores.values.emplace_back();
      scores.main_score.emplace_back();
      for (const auto& hit : identification.getHits())
      {
        std::vector<double> values;
        values.reserve(scores.names.size());
        scores.main_score.back().push_back(
            are_comparable ? oriented(hit.getScore(), identification.isHigherScoreBetter(), types.begin()->second)
                           : NOT_KNOWN);
        for (const auto& [type, scale] : types)
        {
          values.push_back(type == typeOf(identification) ? oriented(hit.getScore(), type.second, scale) : NOT_KNOWN);
        }
        for (const std::string& name : extra)
        {
          const bool is_listed = extra_of_run[run_of_identification[i]].count(name) > 0;
          values.push_back(is_listed ? featureOf(hit, name) : NOT_KNOWN);
        }
        scores.values.back().push_back(std::move(values));
      }
    }
    return scores;
  }
}
