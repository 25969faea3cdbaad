// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/PSMRescoring.h>

#include "Competition.h"
#include "EarlierRescoring.h"
#include "FragmentTolerance.h"
#include "LogitAnnotation.h"
#include "RescoringNotes.h"
#include "RescoringStatistics.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/SpectrumNull.h>

#include <algorithm>

namespace psmformer
{
  namespace
  {
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

    /// Scores with a progress bar.
    MatchScores scoreMatches(const MatchScorer& scorer, MatchTable& table, std::size_t n_shuffles,
                             const OpenMS::ProgressLogger& logger)
    {
      if (table.matches.empty())
      {
        return {};
      }
      logger.startProgress(0, static_cast<OpenMS::SignedSize>(table.matches.size()), "scoring matches");
      MatchScores scores =
          scoreWithNull(scorer, table, n_shuffles,
                        [&](std::size_t done) { logger.setProgress(static_cast<OpenMS::SignedSize>(done)); });
      logger.endProgress();
      return scores;
    }

    void refuseMixedScores(const WritingRules& rules)
    {
      require(
          rules.unscored != UnscoredHits::KEEP || !rules.replace_main_score, ErrorKind::OPTION,
          "-unscored keep would mix two kinds of scores in one list; use it with -mode annotate, or choose floor or "
          "remove.");
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
                       "How PSMs are scored: 'pretrained' by the calibrated logit of the network, with nothing fitted "
                       "on the file; 'semi_supervised' by linear models on the network's outputs, ion and engine "
                       "scores, trained in folds on targets and decoys of the file, where these clearly accept more; "
                       "'auto' takes the latter where there are enough targets and decoys.");
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
    defaults_.setValue(
        "write_features", "basic",
        "Meta values of each hit: 'basic' (score, logit, "
        "calibrated_logit, cosine, spectral_angle, q-value, PEP, peptide_q-value, status) or 'all' features.");
    defaults_.setValidStrings("write_features", choices({"basic", "all"}));
    defaults_.setValue("fragment_tolerance", 0.0,
                       "How far a peak may be from a fragment's m/z, to both sides; 0: as stated in the "
                       "identifications, or estimated where they do not state it.");
    defaults_.setMinFloat("fragment_tolerance", 0.0);
    defaults_.setValue("fragment_tolerance_unit", "Da", "Unit of fragment_tolerance.");
    defaults_.setValidStrings("fragment_tolerance_unit", choices({"Da", "ppm"}));
    defaults_.setValue("unscored", "floor",
                       "Hits that cannot be scored get a score below all others ('floor'), keep "
                       "theirs ('keep', only with mode 'annotate'), or are removed ('remove').");
    defaults_.setValidStrings("unscored", choices({"floor", "keep", "remove"}));
    defaults_.setValue("per_run", "false",
                       "Rescore and estimate q-values for each run by itself instead of in one list over the file.");
    defaults_.setValidStrings("per_run", choices({"true", "false"}));
    defaults_.setValue("strict", "false", "Stop when any hit cannot be scored.");
    defaults_.setValidStrings("strict", choices({"true", "false"}));
    defaults_.setValue("seed", 1, "Decides ties between hits of one spectrum, and how peptides are divided into folds.",
                       advanced);
    defaults_.setMinInt("seed", 0);
    defaults_.setValue("null_shuffles", 5,
                       "Shuffled candidates that are scored for each identification, at least: half of their mean "
                       "logit, what chance explains of the spectrum, is subtracted from the logit (calibrated logit); "
                       "0: the logit is not calibrated.",
                       advanced);
    defaults_.setMinInt("null_shuffles", 0);
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
    n_shuffles_ = static_cast<std::size_t>(static_cast<int>(param_.getValue("null_shuffles")));
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
                                            {"null_shuffles", static_cast<int>(n_shuffles_)},
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
    refuseMixedScores(rules_);
    requireFragmentTolerance(fragment_tolerance_);
    const ModelInputs& inputs = scorer.manifest().inputs;
    RescoringReport report;
    report.feature_names = featureNames();
    const DecoyKnowledge decoys = readDecoys(identifications);
    report.has_decoys = decoys.usable;
    refuseWithoutDecoys(decoys.usable, decoys.reason);

    const RunAssignment assignment = resolveRuns(runs, identifications, spectrum_files);
    report.warnings = assignment.warnings;
    const JoinParameters join = {fragment_tolerance_, accept_profile_, getLogType()};
    JoinedMatches joined = joinMatches(runs, identifications, assignment, inputs, join);
    report.join = joined.report;
    refuseUnscored(joined.report);
    noteUntrained(joined.table, inputs, report);

    const MatchScores scores = scoreMatches(scorer, joined.table, n_shuffles_, *this);
    const StatisticsRules statistics = {methodNamed(method_), per_run_, seed_};
    Annotation annotation = annotateByLogit(identifications, joined, scores, scorer.manifest(),
                                            {all_features_ || needsAllFeatures(decoys, statistics), seed_});
    annotation.feature_names = featureNames();
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
      removeRecords(runs[run]);
      appendExtraFeatures(runs[run], report.feature_names);
      recordProvenance(runs[run], provenance);
      recordProvenance(runs[run], {{"null_weight", scorer.manifest().calibration.null_weight}});
      recordProvenance(runs[run], ownProvenance(joined, run, methods[run]));
    }
    return report;
  }
}
