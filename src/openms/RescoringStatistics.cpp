// SPDX-License-Identifier: BSD-3-Clause
#include "RescoringStatistics.h"

#include "Competition.h"
#include "PeptideCompetition.h"
#include "RescoringNotes.h"
#include "SemiSupervisedScores.h"

#include <algorithm>
#include <cstddef>

namespace psmformer
{
  namespace
  {
    std::string foldScores(const SemiSupervisedResult& result)
    {
      std::string text;
      for (const FoldChoice& fold : result.folds)
      {
        text += (text.empty() ? "" : ",") + scoreSourceName(fold.source);
      }
      return text;
    }

    /// "all runs" or the spectrum file of a list.
    std::string listName(const StatisticsInput& input, const std::vector<std::size_t>& list, bool per_run)
    {
      return per_run
                 ? "'" + runStem(input.assignment.files[input.assignment.file_of_identification[list.front()]]) + "'"
                 : "all runs";
    }

    void noteResult(const SemiSupervisedResult& result, const std::string& list, RescoringMethod method,
                    RescoringReport& report)
    {
      if (!result.is_trained)
      {
        auto& warnings_or_notes = method == RescoringMethod::SEMI_SUPERVISED ? report.warnings : report.notes;
        warnings_or_notes.push_back("The calibrated logit is the score of " + list +
                                    ": for semi-supervised rescoring " + result.reason + ".");
        return;
      }
      std::string text =
          "Semi-supervised rescoring of " + list +
          "; score of each fold (targets at 1 % FDR of its training part by calibrated logit, linear model, engine): ";
      for (std::size_t f = 0; f < result.folds.size(); ++f)
      {
        const FoldChoice& fold = result.folds[f];
        text += (f == 0 ? "" : "; ") + scoreSourceName(fold.source) + " (" + std::to_string(fold.accepted[0]) + ", " +
                std::to_string(fold.accepted[1]) + ", " + std::to_string(fold.accepted[2]) + ")";
      }
      report.notes.push_back(text + ".");
    }

    void recordMethod(const SemiSupervisedResult& result, const std::vector<std::size_t>& list,
                      const RunAssignment& assignment, std::vector<MethodUsed>& methods)
    {
      std::vector<std::size_t> runs;
      runs.reserve(list.size());
      for (const std::size_t i : list)
      {
        runs.push_back(assignment.run_of_identification[i]);
      }
      std::sort(runs.begin(), runs.end());
      runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
      for (const std::size_t run : runs)
      {
        std::string& fold_scores = methods[run].fold_scores;
        methods[run].method = "semi_supervised";
        fold_scores += (fold_scores.empty() ? "" : ";") + foldScores(result);
      }
    }

    /// Rescores what can be; the counts by the calibrated logit are added when anything is.
    std::vector<MethodUsed> rescore(const StatisticsInput& input, const CompetitionLists& lists,
                                    const std::vector<std::string>& feature_names, const StatisticsRules& rules,
                                    Annotation& annotation, RescoringReport& report)
    {
      std::vector<MethodUsed> methods(input.runs.size());
      std::size_t n_targets = 0;
      std::size_t n_decoys = 0;
      AcceptedCounts by_logit = estimateQValues(lists, input.decoys, annotation, n_targets, n_decoys);
      by_logit.score = LOGIT_COUNTS;
      const auto results = rescoreLists(input, lists, feature_names, rules.seed, annotation);
      bool is_trained = false;
      for (std::size_t l = 0; l < lists.size(); ++l)
      {
        noteResult(results[l], listName(input, lists[l], rules.per_run), rules.method, report);
        if (results[l].is_trained)
        {
          is_trained = true;
          recordMethod(results[l], lists[l], input.assignment, methods);
        }
      }
      if (is_trained)
      {
        report.counts.push_back(by_logit);
      }
      return methods;
    }
  }

  bool needsAllFeatures(const DecoyKnowledge& decoys, const StatisticsRules& rules)
  {
    return decoys.usable && rules.method != RescoringMethod::PRETRAINED;
  }

  std::vector<MethodUsed> estimateStatistics(const StatisticsInput& input,
                                             const std::vector<std::string>& feature_names,
                                             const StatisticsRules& rules, Annotation& annotation,
                                             RescoringReport& report)
  {
    const CompetitionLists lists = competitionLists(input.assignment, rules.per_run);
    AcceptedCounts before =
        countPrevious(input.identifications, input.joined.native_id, lists, input.decoys, rules.seed);
    if (before.score.empty())
    {
      report.notes.push_back(std::string(haveOneScoreType(input.identifications)
                                             ? "No main score of the identifications is finite"
                                             : "The identifications have main scores of different types") +
                             ", so that there are no counts before rescoring.");
    }
    else
    {
      report.counts.push_back(before);
    }
    std::vector<MethodUsed> methods(input.runs.size());
    if (needsAllFeatures(input.decoys, rules))
    {
      methods = rescore(input, lists, feature_names, rules, annotation, report);
    }
    report.counts.push_back(estimateQValues(lists, input.decoys, annotation, report.n_targets, report.n_decoys));
    estimatePeptideQValues(lists, input.decoys, input.joined.table, annotation);
    noteCounts(report);
    return methods;
  }
}
