// SPDX-License-Identifier: BSD-3-Clause
#include "SemiSupervisedScores.h"

#include "MetaValues.h"

#include <PSMFormer/model/LogisticRegression.h>
#include <PSMFormer/openms/FlankingResidues.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();
    /// The network's outputs differ between machines and batch sizes by less than this.
    constexpr double FEATURE_STEPS = 1e4; // to a unit

    RescoringSpectrum describeSpectrum(const StatisticsInput& input, std::size_t i)
    {
      RescoringSpectrum spectrum;
      spectrum.run = runStem(input.assignment.files[input.assignment.file_of_identification[i]]);
      spectrum.native_id = input.joined.native_id[i];
      spectrum.retention_time = input.joined.retention_time[i];
      return spectrum;
    }

    double& valueOf(const std::string& name, const std::vector<std::string>& names, std::vector<double>& values)
    {
      return values.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), PREFIX + name) - names.begin()));
    }

    bool hasNext(const Annotation& annotation, std::size_t i, std::size_t h)
    {
      const std::vector<std::size_t>& order = annotation.order[i];
      const auto next = std::find(order.begin(), order.end(), h) + 1;
      return next != order.end() && annotation.hits[i][*next].status == MatchStatus::SCORED;
    }

    /// Features that are not written are in the table now; with millions of hits two copies are too many.
    void dropUnwritten(const ListTable& list, Annotation& annotation)
    {
      for (const Origin& origin : list.origin)
      {
        std::vector<double>& features = annotation.hits[origin.identification][origin.hit].features;
        features.resize(annotation.feature_names.size());
        features.shrink_to_fit();
      }
    }

    void setScores(const ListTable& list, const std::vector<double>& scores, Annotation& annotation)
    {
      for (std::size_t k = 0; k < scores.size(); ++k)
      {
        annotation.hits[list.origin[k].identification][list.origin[k].hit].score = scores[k];
      }
    }

    void setFloor(Annotation& annotation)
    {
      double lowest = std::numeric_limits<double>::infinity();
      for (const auto& hits : annotation.hits)
      {
        for (const HitAnnotation& hit : hits)
        {
          lowest = hit.status == MatchStatus::SCORED ? std::min(lowest, hit.score) : lowest;
        }
      }
      if (!std::isfinite(lowest))
      {
        return; // no hit is scored: the floor of before holds
      }
      for (auto& hits : annotation.hits)
      {
        for (HitAnnotation& hit : hits)
        {
          hit.score = hit.status == MatchStatus::SCORED ? hit.score : lowest - 1.0;
        }
      }
    }
  }

  std::vector<double> learnableFeatures(const std::vector<double>& features, const std::vector<std::string>& names,
                                        bool has_next)
  {
    std::vector<double> values(features.size());
    std::transform(features.begin(), features.end(), values.begin(),
                   [](double value) { return std::round(value * FEATURE_STEPS) / FEATURE_STEPS; });
    if (!has_next)
    {
      values.back() = NOT_KNOWN;
    }
    if (valueOf("explained_sites", names, values) == 0.0)
    {
      valueOf("fragment_error_median", names, values) = NOT_KNOWN;
      valueOf("fragment_error_spread", names, values) = NOT_KNOWN;
    }
    return values;
  }

  ListTable makeListTable(const StatisticsInput& input, const std::vector<std::size_t>& list,
                          const EngineScores& engine_scores, const std::vector<std::string>& feature_names,
                          const Annotation& annotation, std::uint64_t seed)
  {
    ListTable result;
    RescoringTable& table = result.table;
    table.feature_names = feature_names;
    table.feature_names.insert(table.feature_names.end(), engine_scores.names.begin(), engine_scores.names.end());
    // Positions in the table of this list; not in it yet: NONE.
    constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> peptide_of(input.joined.table.peptides.size(), NONE);
    std::vector<std::size_t> spectrum_of(input.identifications.size(), NONE);
    for (const std::size_t i : list)
    {
      spectrum_of[i] = table.spectra.size();
      table.spectra.push_back(describeSpectrum(input, i));
    }
    for (const PeptideSpectrumMatch& match : input.joined.table.matches)
    {
      const auto [i, h] = match.origin;
      if (spectrum_of[i] == NONE)
      {
        continue;
      }
      const OpenMS::PeptideHit& hit = input.identifications[i].getHits()[h];
      if (peptide_of[match.peptide] == NONE)
      {
        peptide_of[match.peptide] = table.peptides.size();
        table.peptides.push_back(input.joined.table.peptides[match.peptide]);
        table.peptidoforms.emplace_back(hit.getSequence().toString());
      }
      const auto [before, after] = flankingResidues(hit);
      table.hits.push_back({spectrum_of[i], peptide_of[match.peptide], match.charge, input.decoys.is_decoy[i][h],
                            annotation.hits[i][h].score, engine_scores.main_score[i][h],
                            tieHash(input.joined.native_id[i], hit, seed), before, after});
      for (const std::vector<double>& values :
           {learnableFeatures(annotation.hits[i][h].features, feature_names, hasNext(annotation, i, h)),
            engine_scores.values[i][h]})
      {
        table.features.insert(table.features.end(), values.begin(), values.end());
      }
      result.origin.push_back(match.origin);
    }
    return result;
  }

  std::vector<SemiSupervisedResult> rescoreLists(const StatisticsInput& input, const CompetitionLists& lists,
                                                 const std::vector<std::string>& feature_names, std::uint64_t seed,
                                                 Annotation& annotation)
  {
    const EngineScores engine_scores =
        readEngineScores(input.runs, input.identifications, input.assignment.run_of_identification);
    SemiSupervisedParameters parameters;
    parameters.seed = seed;
    std::vector<SemiSupervisedResult> results;
    for (const auto& list : lists)
    {
      const ListTable rows = makeListTable(input, list, engine_scores, feature_names, annotation, seed);
      dropUnwritten(rows, annotation);
      results.push_back(rescoreSemiSupervised(rows.table, LogisticRegression(), parameters));
      setScores(rows, results.back().scores, annotation);
      results.back().scores.clear();
      for (const std::size_t i : list)
      {
        annotation.order[i] = rankHits(input.identifications[i], input.joined.native_id[i], annotation.hits[i], seed);
      }
    }
    setFloor(annotation);
    return results;
  }
}
