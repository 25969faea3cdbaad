// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/PSMRescoring.h>

#include "Competition.h"
#include "RescoringNotes.h"
#include "RescoringStatistics.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PSMFeatures.h>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    /// Promised to users: differences below this, between machines or batch sizes, do not change a ranking.
    constexpr double LOGIT_STEPS = 1e4; // to a unit
    const std::vector<std::string> NETWORK_FEATURES = {"logit", "cosine", "spectral_angle"};
    const char* const TRAINED_MODIFICATIONS = "trained_modifications";
    const char* const DELTA_NEXT = "delta_next"; // the last feature

    std::array<double, 3> quartiles(const Annotation& annotation)
    {
      std::vector<double> scores;
      for (const auto& hits : annotation.hits)
      {
        for (const HitAnnotation& hit : hits)
        {
          if (hit.status == MatchStatus::SCORED)
          {
            scores.push_back(hit.score);
          }
        }
      }
      std::array<double, 3> result = {0.0, 0.0, 0.0};
      if (!scores.empty())
      {
        std::sort(scores.begin(), scores.end());
        for (std::size_t q = 0; q < 3; ++q)
        {
          result[q] = scores[(scores.size() - 1) * (q + 1) / 4];
        }
      }
      return result;
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

    /// All features begin with those that are always written.
    std::vector<std::string> namesOfFeatures(bool all)
    {
      std::vector<std::string> names;
      for (const std::string& name : NETWORK_FEATURES)
      {
        names.push_back("PSMFormer:" + name);
      }
      if (all)
      {
        for (const PSMFeature& feature : psmFeatures())
        {
          names.push_back("PSMFormer:" + feature.name);
        }
        names.push_back(std::string("PSMFormer:") + TRAINED_MODIFICATIONS);
        names.push_back(std::string("PSMFormer:") + DELTA_NEXT);
      }
      return names;
    }

    RescoringMethod methodNamed(const std::string& name)
    {
      return name == "auto"         ? RescoringMethod::AUTO
             : name == "pretrained" ? RescoringMethod::PRETRAINED
                                    : RescoringMethod::SEMI_SUPERVISED;
    }

    ParamStringList choices(std::initializer_list<const char*> texts)
    {
      return ParamStringList(texts.begin(), texts.end());
    }
  }

  PSMRescoring::PSMRescoring() : OpenMS::DefaultParamHandler("PSMRescoring")
  {
    const ParamStringList advanced = choices({"advanced"});
    defaults_.setValue("method", "auto",
                       "How PSMs are scored: 'pretrained' by the network alone; 'semi_supervised' by linear models on "
                       "the network's outputs, ion and engine scores, trained in folds on targets and decoys of the "
                       "file; 'auto' takes the latter where there are enough of them.");
    defaults_.setValidStrings("method", choices({"auto", "pretrained", "semi_supervised"}));
    defaults_.setValue("mode", "replace",
                       "Replace the main score (the previous one stays as a meta value under its own "
                       "score type), or only add meta values.");
    defaults_.setValidStrings("mode", choices({"replace", "annotate"}));
    defaults_.setValue("score_type", "score",
                       "What becomes the main score: PSMFormer:score (higher is better), the "
                       "q-value, (D + 1) / T over the best hit of each identification, or the "
                       "posterior error probability.");
    defaults_.setValidStrings("score_type", choices({"score", "q-value", "pep"}));
    defaults_.setValue("write_features", "basic",
                       "Meta values of each hit: 'basic' (score, logit, cosine, "
                       "spectral_angle, q-value, PEP, peptide_q-value, status) or 'all' features.");
    defaults_.setValidStrings("write_features", choices({"basic", "all"}));
    defaults_.setValue("fragment_tolerance", 0.0,
                       "How far a peak may be from a fragment's m/z, to both sides; 0: as "
                       "stated in the identifications.");
    defaults_.setMinFloat("fragment_tolerance", 0.0);
    defaults_.setValue("fragment_tolerance_unit", "Da", "Unit of fragment_tolerance.");
    defaults_.setValidStrings("fragment_tolerance_unit", choices({"Da", "ppm"}));
    defaults_.setValue("unscored", "floor",
                       "Hits that cannot be scored get a score below all others ('floor'), keep "
                       "theirs ('keep', only with mode 'annotate'), or are removed ('remove').");
    defaults_.setValidStrings("unscored", choices({"floor", "keep", "remove"}));
    defaults_.setValue("per_run", "false",
                       "Estimate q-values for each run by itself instead of one list over the file.");
    defaults_.setValidStrings("per_run", choices({"true", "false"}));
    defaults_.setValue("strict", "false", "Stop when any hit cannot be scored.");
    defaults_.setValidStrings("strict", choices({"true", "false"}));
    defaults_.setValue("seed", 1, "Decides ties between hits of one spectrum, and divides peptides into folds.",
                       advanced);
    defaults_.setMinInt("seed", 0);
    defaults_.setValue("accept_profile", "false", "Go on although all spectra are profile data.", advanced);
    defaults_.setValidStrings("accept_profile", choices({"true", "false"}));
    defaultsToParam_();
  }

  void PSMRescoring::updateMembers_()
  {
    const auto text = [this](const char* name)
    {
      return std::string(param_.getValue(name).toString());
    };
    method_ = text("method");
    rules_.replace_main_score = text("mode") == "replace";
    rules_.main_score = text("score_type") == "q-value" ? MainScore::Q_VALUE
                        : text("score_type") == "pep"   ? MainScore::POSTERIOR_ERROR
                                                        : MainScore::SCORE;
    rules_.unscored = text("unscored") == "floor"  ? UnscoredHits::FLOOR
                      : text("unscored") == "keep" ? UnscoredHits::KEEP
                                                   : UnscoredHits::REMOVE;
    all_features_ = text("write_features") == "all";
    fragment_tolerance_.value = static_cast<double>(param_.getValue("fragment_tolerance"));
    fragment_tolerance_.unit = text("fragment_tolerance_unit") == "ppm" ? ToleranceUnit::PPM : ToleranceUnit::DA;
    per_run_ = text("per_run") == "true";
    strict_ = text("strict") == "true";
    accept_profile_ = text("accept_profile") == "true";
    seed_ = static_cast<std::uint64_t>(static_cast<int>(param_.getValue("seed")));
  }

  std::vector<std::string> PSMRescoring::featureNames() const
  {
    return namesOfFeatures(all_features_);
  }

  void PSMRescoring::refuseUnscored(const JoinReport& report) const
  {
    require(!strict_ || report.scored() == report.n_hits, ErrorKind::INVALID_INPUT,
            std::to_string(report.n_hits - report.scored()) + " of " + std::to_string(report.n_hits) +
                " hits cannot be scored (" + report.reasons() +
                "); leave out -strict to keep them with a floor score.");
  }

  void PSMRescoring::refuseWithoutDecoys(bool has_decoys, const std::string& reason) const
  {
    const std::string remedy =
        " needs targets and decoys, but " + reason + "; search a target-decoy database and run PeptideIndexer, or use ";
    const bool is_estimated = rules_.replace_main_score && rules_.main_score != MainScore::SCORE;
    require(has_decoys || !is_estimated, ErrorKind::INVALID_INPUT,
            "-score_type " + std::string(param_.getValue("score_type").toString()) + remedy + "-score_type score.");
    require(has_decoys || methodNamed(method_) != RescoringMethod::SEMI_SUPERVISED, ErrorKind::INVALID_INPUT,
            "-method semi_supervised" + remedy + "-method pretrained.");
  }

  Annotation PSMRescoring::annotate(const PeptideIds& identifications, const JoinedMatches& joined,
                                    const MatchScores& scores, const ModelInputs& inputs, bool all_features) const
  {
    Annotation annotation;
    annotation.feature_names = featureNames();
    annotation.retention_time = joined.retention_time;
    const auto& matches = joined.table.matches;
    std::vector<double> rounded(matches.size());
    std::transform(scores.logit.begin(), scores.logit.end(), rounded.begin(),
                   [](double logit) { return std::round(logit * LOGIT_STEPS) / LOGIT_STEPS; });
    const double floor = rounded.empty() ? 0.0 : *std::min_element(rounded.begin(), rounded.end()) - 1.0;

    HitAnnotation unscored;
    unscored.score = floor;
    unscored.features.assign(namesOfFeatures(all_features).size(), 0.0);
    unscored.features[0] = floor;
    unscored.features[1] = -1.0; // the least similar
    for (const auto& statuses : joined.status)
    {
      annotation.hits.emplace_back(statuses.size(), unscored);
      for (std::size_t h = 0; h < statuses.size(); ++h)
      {
        annotation.hits.back()[h].status = statuses[h];
      }
    }

    const auto features = all_features ? computeFeatures(joined.table, inputs) : std::vector<std::vector<double>>();
    for (std::size_t m = 0; m < matches.size(); ++m)
    {
      HitAnnotation& hit = annotation.hits[matches[m].origin.identification][matches[m].origin.hit];
      hit.score = rounded[m];
      hit.features = {scores.logit[m], scores.cosine[m], scores.spectral_angle[m]};
      if (all_features)
      {
        hit.features.insert(hit.features.end(), features[m].begin(), features[m].end());
        const Peptide& peptide = joined.table.peptides[matches[m].peptide];
        hit.features.push_back(hasTrainedModifications(peptide, inputs) ? 1.0 : 0.0);
        hit.features.push_back(0.0); // until the order is known
      }
    }
    for (std::size_t i = 0; i < identifications.size(); ++i)
    {
      annotation.order.push_back(rankHits(identifications[i], joined.native_id[i], annotation.hits[i], seed_));
      if (all_features)
      {
        setDistances(annotation.order.back(), annotation.hits[i]);
      }
    }
    return annotation;
  }

  std::vector<ProvenanceEntry> PSMRescoring::ownProvenance(const JoinedMatches& joined, std::size_t run,
                                                           const MethodUsed& used) const
  {
    const std::size_t n_scored = joined.report.scored();
    std::vector<ProvenanceEntry> entries = {{"method", used.method},
                                            {"mode", std::string(param_.getValue("mode").toString())},
                                            {"score_type", std::string(param_.getValue("score_type").toString())},
                                            {"unscored", std::string(param_.getValue("unscored").toString())},
                                            {"per_run", std::string(per_run_ ? "true" : "false")},
                                            {"fdr_formula", std::string("(D+1)/T")},
                                            {"seed", static_cast<int>(seed_)},
                                            {"num_scored", static_cast<int>(n_scored)},
                                            {"num_unscored", static_cast<int>(joined.report.n_hits - n_scored)}};
    if (!used.fold_scores.empty())
    {
      entries.emplace_back("fold_scores", used.fold_scores);
    }
    if (!joined.report.reasons().empty())
    {
      entries.emplace_back("unscored_reasons", joined.report.reasons());
    }
    const Tolerance& tolerance = joined.fragment_tolerance[run];
    if (tolerance.known())
    {
      entries.emplace_back("fragment_tolerance", tolerance.value);
      entries.emplace_back("fragment_tolerance_unit", std::string(tolerance.unit == ToleranceUnit::PPM ? "ppm" : "Da"));
    }
    return entries;
  }

  RescoringReport PSMRescoring::rescore(std::vector<OpenMS::ProteinIdentification>& runs, PeptideIds& identifications,
                                        const std::vector<std::string>& spectrum_files, const MatchScorer& scorer,
                                        const std::vector<ProvenanceEntry>& provenance) const
  {
    require(rules_.unscored != UnscoredHits::KEEP || !rules_.replace_main_score, ErrorKind::OPTION,
            "-unscored keep would mix two kinds of scores in one list; use it with -mode annotate, or choose floor or "
            "remove.");
    const ModelInputs& inputs = scorer.manifest().inputs;
    RescoringReport report;
    report.feature_names = featureNames();
    const DecoyKnowledge decoys = readDecoys(identifications);
    report.has_decoys = decoys.usable;
    refuseWithoutDecoys(decoys.usable, decoys.reason);

    const RunAssignment assignment = resolveRuns(runs, identifications, spectrum_files);
    report.warnings = assignment.warnings;
    JoinParameters join;
    join.fragment_tolerance = fragment_tolerance_;
    join.accept_profile = accept_profile_;
    join.log_type = getLogType();
    const JoinedMatches joined = joinMatches(runs, identifications, assignment, inputs, join);
    report.join = joined.report;
    refuseUnscored(joined.report);
    noteUntrained(joined.table, inputs, report);

    MatchScores scores;
    if (!joined.table.matches.empty())
    {
      startProgress(0, static_cast<OpenMS::SignedSize>(joined.table.matches.size()), "scoring matches");
      scores =
          scorer.score(joined.table, [this](std::size_t done) { setProgress(static_cast<OpenMS::SignedSize>(done)); });
      endProgress();
    }
    StatisticsRules statistics;
    statistics.method = methodNamed(method_);
    statistics.per_run = per_run_;
    statistics.seed = seed_;
    Annotation annotation =
        annotate(identifications, joined, scores, inputs, all_features_ || needsAllFeatures(decoys, statistics));
    std::vector<MethodUsed> methods(runs.size());
    if (decoys.usable)
    {
      const StatisticsInput input = {runs, identifications, assignment, joined, decoys};
      methods = estimateStatistics(input, namesOfFeatures(true), statistics, annotation, report);
    }
    else
    {
      report.warnings.push_back("No q-values and no counts before and after: " + decoys.reason +
                                "; search a target-decoy database and run PeptideIndexer to get them.");
    }

    report.score_quartiles = quartiles(annotation);
    report.writing = annotateIdentifications(identifications, annotation, rules_);
    for (std::size_t run = 0; run < runs.size(); ++run)
    {
      appendExtraFeatures(runs[run], report.feature_names);
      recordProvenance(runs[run], provenance);
      recordProvenance(runs[run], ownProvenance(joined, run, methods[run]));
    }
    return report;
  }
}
