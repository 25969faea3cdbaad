// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/SemiSupervised.h>

#include "FoldModel.h"
#include "RetentionTimeResidual.h"
#include "SpectrumCompetition.h"
#include "TerminusEvidence.h"

#include <PSMFormer/core/AcceptanceBootstrap.h>
#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Share of bootstrap samples in which another score than the logit must accept more.
    constexpr double SURE = 0.95;
    constexpr double ACCEPTED = 0.01;      ///< FDR by which scores are compared
    constexpr double PLAUSIBLE = 0.05;     ///< FDR of the targets that training needs
    constexpr std::size_t N_DIVISIONS = 3; ///< of a training part, to score its hits by models that have not seen them
    constexpr double SCORE_STEPS = 1e6;    ///< to a unit
    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();

    /// The last digits of a sum of products are noise, and no ranking is made by noise.
    double rounded(double score)
    {
      return std::round(score * SCORE_STEPS) / SCORE_STEPS;
    }

    double median(std::vector<double> values)
    {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      return *middle;
    }

    /// The straight line that puts the scores of a fold on the scale of the others.
    struct Scale
    {
      double zero = 0.0;
      double unit = 1.0;

      double apply(double score) const { return (score - zero) / unit; }
    };

    /// 0 at the lowest accepted target at 1 % FDR, -1 at the median decoy, as Percolator and mokapot do (The et al.
    /// 2016, doi:10.1007/s13361-016-1460-7; Fondrie & Noble 2021, doi:10.1021/acs.jproteome.0c01010), but by the
    /// training part, so that no label of the fold itself has a say. Where so many targets are accepted that half of
    /// the decoys are above them, or none are accepted, 0 is at the highest decoy.
    Scale scaleOf(const BestHits& best)
    {
      std::vector<double> decoys;
      for (std::size_t k = 0; k < best.scores.size(); ++k)
      {
        if (best.is_decoy[k])
        {
          decoys.push_back(best.scores[k]);
        }
      }
      if (decoys.empty())
      {
        return {};
      }
      const double middle = median(decoys);
      double zero = best.lowestAccepted(ACCEPTED);
      if (!(zero > middle)) // also when it is NaN
      {
        zero = *std::max_element(decoys.begin(), decoys.end());
      }
      return zero > middle ? Scale{zero, zero - middle} : Scale{zero, 1.0};
    }

    /// What is known of one fold while it is worked on.
    struct Fold
    {
      SpectrumSet held_out;
      SpectrumSet training;
      TrainingDivisions divisions;
    };

    class Folds
    {
    public:
      Folds(const RescoringTable& table, const LinearFitter& fitter, const SemiSupervisedParameters& parameters)
          : table_(table), fitter_(fitter), parameters_(parameters), competition_(table, parameters.seed),
            logit_(scoresOf(table, &RescoringHit::logit)), engine_(scoresOf(table, &RescoringHit::engine))
      {
        for (std::size_t f = 0; f < parameters.n_folds; ++f)
        {
          folds_.push_back(makeFold(f));
        }
      }

      /// Why there are not enough targets and decoys; empty when there are.
      std::string whyNot() const
      {
        std::size_t n_targets = std::numeric_limits<std::size_t>::max();
        std::size_t n_decoys = std::numeric_limits<std::size_t>::max();
        for (const Fold& fold : folds_)
        {
          const BestHits by_logit = competition_.bestHits(fold.training, logit_);
          const BestHits by_engine = competition_.bestHits(fold.training, engine_);
          n_targets =
              std::min(n_targets, std::max(by_logit.countTargets(PLAUSIBLE), by_engine.countTargets(PLAUSIBLE)));
          n_decoys = std::min(n_decoys, by_logit.countDecoys());
        }
        if (n_targets >= parameters_.min_targets && n_decoys >= parameters_.min_decoys)
        {
          return {};
        }
        return "a training part has only " + std::to_string(n_targets) + " targets at 5 % FDR and " +
               std::to_string(n_decoys) + " decoys, of " + std::to_string(parameters_.min_targets) + " and " +
               std::to_string(parameters_.min_decoys) + " that are needed";
      }

      /// Scores the hits of one fold.
      FoldChoice score(std::size_t f, std::vector<double>& scores) const
      {
        const Fold& fold = folds_[f];
        const std::vector<double>& start = startOf(fold);
        const ConfidentHits confident(table_, competition_, fold.divisions, start);
        LearntFeatures learnt = {retentionTimeResiduals(table_, competition_, fold.divisions, confident)};
        if (parameters_.learns_termini)
        {
          learnt.push_back(terminusEvidence(table_, competition_, fold.divisions, confident));
        }
        const std::vector<double> unseen = scoreDivisions(fold, learnt, start);
        FoldChoice choice = choose(fold, unseen);
        const std::vector<double>& chosen = choice.source == ScoreSource::LINEAR   ? unseen
                                            : choice.source == ScoreSource::ENGINE ? engine_
                                                                                   : logit_;
        const Scale scale = scaleOf(competition_.bestHits(fold.training, chosen));
        if (choice.source != ScoreSource::LINEAR)
        {
          setScores(fold, scores, [&](std::size_t hit) { return scale.apply(chosen[hit]); });
          return choice;
        }
        const FoldModel model(table_, learnt, competition_, fold.training, start, fitter_, parameters_.max_iterations);
        setScores(fold, scores, [&](std::size_t hit) { return rounded(scale.apply(model.score(hit))); });
        return choice;
      }

      const std::vector<double>& logit() const { return logit_; }
      const std::vector<double>& engine() const { return engine_; }

    private:
      Fold makeFold(std::size_t f) const
      {
        Fold fold;
        fold.divisions = {N_DIVISIONS, std::vector<std::size_t>(competition_.size(), N_DIVISIONS)};
        std::vector<std::pair<std::uint64_t, std::size_t>> training;
        for (std::size_t s = 0; s < competition_.size(); ++s)
        {
          // The remainder is FoldRule::foldOf(); the rest of the number is independent of it.
          const std::uint64_t hash = competition_.hashOf(s);
          if (hash % parameters_.n_folds == f)
          {
            fold.held_out.push_back(s);
          }
          else
          {
            training.emplace_back(hash / parameters_.n_folds, s);
          }
        }
        if (training.size() > parameters_.max_spectra)
        {
          std::sort(training.begin(), training.end());
          training.resize(parameters_.max_spectra);
        }
        for (const auto& [rest, s] : training)
        {
          fold.training.push_back(s);
          fold.divisions.division[s] = static_cast<std::size_t>(rest % N_DIVISIONS);
        }
        std::sort(fold.training.begin(), fold.training.end());
        return fold;
      }

      /// The score that gives the first labels: the engine's where it accepts more, else the logit.
      const std::vector<double>& startOf(const Fold& fold) const
      {
        const auto accepted = [&](const std::vector<double>& score)
        {
          const BestHits best = competition_.bestHits(fold.training, score);
          return std::make_pair(best.countTargets(ACCEPTED), best.countTargets(PLAUSIBLE));
        };
        return accepted(engine_) > accepted(logit_) ? engine_ : logit_;
      }

      /// The hits of the training part, each division by a model of the others.
      std::vector<double> scoreDivisions(const Fold& fold, const LearntFeatures& learnt,
                                         const std::vector<double>& start) const
      {
        std::vector<double> scores(table_.hits.size(), NOT_KNOWN);
        for (std::size_t d = 0; d < N_DIVISIONS; ++d)
        {
          SpectrumSet others;
          std::copy_if(fold.training.begin(), fold.training.end(), std::back_inserter(others),
                       [&](std::size_t s) { return fold.divisions.division[s] != d; });
          const FoldModel model(table_, learnt, competition_, others, start, fitter_, parameters_.max_iterations);
          if (!model.isFitted())
          {
            return std::vector<double>(table_.hits.size(), NOT_KNOWN);
          }
          for (const std::size_t s : fold.training)
          {
            for (const std::size_t hit : competition_.hitsOf(s))
            {
              scores[hit] = fold.divisions.division[s] == d ? model.score(hit) : scores[hit];
            }
          }
        }
        return scores;
      }

      FoldChoice choose(const Fold& fold, const std::vector<double>& unseen) const
      {
        FoldChoice choice;
        const BestHits by_logit = competition_.bestHits(fold.training, logit_);
        std::size_t most = by_logit.countTargets(ACCEPTED);
        choice.accepted[static_cast<std::size_t>(ScoreSource::LOGIT)] = most;
        for (const auto& [source, score] :
             {std::make_pair(ScoreSource::LINEAR, &unseen), std::make_pair(ScoreSource::ENGINE, &engine_)})
        {
          const BestHits best = competition_.bestHits(fold.training, *score);
          const std::size_t accepted = best.countTargets(ACCEPTED);
          choice.accepted[static_cast<std::size_t>(source)] = accepted;
          if (accepted > most && shareOfGains(best, by_logit, ACCEPTED, parameters_.seed) >= SURE)
          {
            most = accepted;
            choice.source = source;
          }
        }
        return choice;
      }

      template <typename Score> void setScores(const Fold& fold, std::vector<double>& scores, const Score& score) const
      {
        for (const std::size_t s : fold.held_out)
        {
          for (const std::size_t hit : competition_.hitsOf(s))
          {
            scores[hit] = score(hit);
          }
        }
      }

      const RescoringTable& table_;
      const LinearFitter& fitter_;
      const SemiSupervisedParameters& parameters_;
      CompetingSpectra competition_;
      std::vector<double> logit_;
      std::vector<double> engine_;
      std::vector<Fold> folds_;
    };

    /// One score for all folds needs no scale of its own.
    bool isOneScore(const std::vector<FoldChoice>& folds)
    {
      return folds.front().source != ScoreSource::LINEAR &&
             std::all_of(folds.begin(), folds.end(),
                         [&](const FoldChoice& fold) { return fold.source == folds.front().source; });
    }

    /// Puts hits without the score of the engine that their fold is ranked by below all others.
    void finish(std::vector<double>& scores)
    {
      double lowest = std::numeric_limits<double>::infinity();
      for (const double score : scores)
      {
        lowest = std::isnan(score) ? lowest : std::min(lowest, score);
      }
      std::replace_if(
          scores.begin(), scores.end(), [](double score) { return std::isnan(score); }, lowest - 1.0);
    }
  }

  std::string scoreSourceName(ScoreSource source)
  {
    switch (source)
    {
    case ScoreSource::LINEAR:
      return "linear";
    case ScoreSource::ENGINE:
      return "engine";
    default:
      return "logit";
    }
  }

  SemiSupervisedResult rescoreSemiSupervised(const RescoringTable& table, const LinearFitter& fitter,
                                             const SemiSupervisedParameters& parameters)
  {
    require(parameters.n_folds >= 2, ErrorKind::INTERNAL, "Cross-validation needs at least two folds.");
    const Folds folds(table, fitter, parameters);
    SemiSupervisedResult result;
    result.reason = folds.whyNot();
    if (!result.reason.empty())
    {
      return result;
    }
    result.is_trained = true;
    result.scores.assign(table.hits.size(), NOT_KNOWN);
    for (std::size_t f = 0; f < parameters.n_folds; ++f)
    {
      result.folds.push_back(folds.score(f, result.scores));
    }
    if (isOneScore(result.folds))
    {
      result.scores = result.folds.front().source == ScoreSource::LOGIT ? folds.logit() : folds.engine();
    }
    finish(result.scores);
    return result;
  }
}
