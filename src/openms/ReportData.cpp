// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ReportData.h>

#include "Competition.h"
#include "ReportHeadline.h"
#include "ReportRanking.h"
#include "ReportStatistics.h"
#include "ReportValues.h"

#include <PSMFormer/openms/RunResolver.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    using Json = nlohmann::ordered_json;

    constexpr double ACCEPTED = 0.01; // q-value
    constexpr std::size_t SCORE_BINS = 60;
    constexpr std::size_t TIME_BINS = 60;
    constexpr std::size_t ERROR_BINS = 50;
    constexpr double SCORE_OUTLIERS = 0.0005;
    constexpr double ERROR_OUTLIERS = 0.01;
    constexpr std::size_t Q_VALUE_STEPS = 200; // of 0.0005, to 0.1
    constexpr double STEPS_TO_ONE = 2000.0;
    constexpr std::size_t CALIBRATION_POINTS = 200;
    constexpr std::size_t ERROR_POINTS = 120;

    /// As many bins as a histogram of `n` values can fill, up to `most`.
    std::size_t binsFor(std::size_t n, std::size_t most)
    {
      return std::clamp(static_cast<std::size_t>(2.0 * std::sqrt(static_cast<double>(n))), std::size_t(10), most);
    }

    Json histogram(const Bins& bins, const std::vector<std::pair<std::string, std::vector<double>>>& series)
    {
      Json json = {{"low", bins.low}, {"width", bins.width}, {"series", Json::array()}};
      for (const auto& [name, values] : series)
      {
        const BinCounts counts = countInBins(values, bins);
        json["series"].push_back(
            {{"name", name}, {"n", values.size()}, {"y", counts.counts}, {"outside", counts.outside}});
      }
      return json;
    }

    class Collector
    {
    public:
      Collector(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                const std::vector<std::string>& spectrum_files, const PreviousScores& previous,
                const RescoringReport& report)
          : runs_(runs), identifications_(identifications), report_(report)
      {
        if (!identifications.empty())
        {
          assignment_ = resolveRuns(runs, identifications, spectrum_files);
        }
        const bool per_run = !runs.empty() && recordedValue(runs.front(), "per_run") == "true";
        lists_ = competitionLists(assignment_, per_run);
        rival_ = rivalName(runs, previous);
        if (!previous.score_type.empty())
        {
          rankings_.push_back(rankPrevious(previous, lists_, report.has_decoys));
          rankings_.back().label = rival_ + " (" + previous.score_type + ")";
        }
        rankings_.push_back(rankRescored(identifications, lists_, report.has_decoys));
      }

      ReportData collect() const
      {
        ReportData data;
        data.title = enumeration(runNames());
        data.headline = reportHeadline(identifications_, report_, rankings_.size() > 1 ? rival_ : "");
        Json json = {{"headline", data.headline}, {"runs", runs()}, {"hits", hits()}, {"competitors", competitors()}};
        json["scores"] = scores();
        json["retention"] = retention();
        if (report_.has_decoys)
        {
          json["counts"] = counts();
          json["accepted"] = accepted();
          json["peptides"] = peptides();
          json["errors"] = errors();
          json["calibration"] = calibration();
        }
        else
        {
          json["missing"] =
              identifications_.empty() ? "there are no identifications" : readDecoys(identifications_).reason;
        }
        addErrors(json, "precursor", MassErrors::ofPrecursors(identifications_));
        addErrors(json, "fragment", MassErrors::ofFragments(runs_, identifications_, assignment_));
        json["parameters"] = parameters();
        json["warnings"] = both(report_.warnings, report_.join.warnings);
        json["notes"] = both(report_.join.notes, report_.notes);
        data.json = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        return data;
      }

    private:
      static std::vector<std::string> both(std::vector<std::string> first, const std::vector<std::string>& second)
      {
        first.insert(first.end(), second.begin(), second.end());
        return first;
      }

      const Ranking& after() const { return rankings_.back(); }

      std::vector<std::string> runNames() const
      {
        std::vector<std::string> names;
        for (const std::string& file : assignment_.files)
        {
          names.push_back(runStem(file));
        }
        return names;
      }

      Json runs() const
      {
        Json list = Json::array();
        for (const auto& run : runs_)
        {
          const auto& search = run.getSearchParameters();
          list.push_back({{"engine", std::string(run.getSearchEngine())},
                          {"version", std::string(run.getSearchEngineVersion())},
                          {"database", runStem(std::string(search.db))}});
        }
        return list;
      }

      Json hits() const
      {
        Json reasons = Json::object();
        for (const auto& [status, n] : report_.join.hits)
        {
          if (status != MatchStatus::SCORED && n > 0)
          {
            reasons[statusName(status)] = n;
          }
        }
        return {{"identifications", identifications_.size()},
                {"hits", report_.join.n_hits},
                {"scored", report_.join.scored()},
                {"unscored", reasons}};
      }

      Json competitors() const
      {
        return {{"all", after().score.size()}, {"targets", report_.n_targets}, {"decoys", report_.n_decoys}};
      }

      Json counts() const
      {
        Json rows = Json::array();
        for (std::size_t row = 0; row < report_.counts.size(); ++row)
        {
          const AcceptedCounts& counts = report_.counts[row];
          const bool is_previous = row == 0 && rankings_.size() > 1;
          rows.push_back({{"label", is_previous ? rival_ + " (" + counts.score + ")" : counts.score},
                          {"d_t", counts.decoys_over_targets},
                          {"plus_one", counts.plus_one_over_targets}});
        }
        return rows;
      }

      Json scores() const
      {
        Json charts = Json::array();
        for (const Ranking& ranking : rankings_)
        {
          const Bins bins = chooseBins(ranking.shown, binsFor(ranking.shown.size(), SCORE_BINS), SCORE_OUTLIERS);
          Json chart = report_.has_decoys
                           ? histogram(bins, {{"targets", ranking.shownOf(false)}, {"decoys", ranking.shownOf(true)}})
                           : histogram(bins, {{"hits", ranking.shown}});
          chart["label"] = ranking.label;
          chart["axis"] = ranking.axis;
          const double threshold = ranking.lowestAccepted(ACCEPTED);
          chart["threshold"] = std::isnan(threshold) ? Json() : Json(threshold);
          charts.push_back(chart);
        }
        return charts;
      }

      Json accepted() const
      {
        Json curves = Json::array();
        for (const Ranking& ranking : rankings_)
        {
          curves.push_back({{"label", ranking.label},
                            {"d_t", ranking.acceptedBySteps(ranking.plain, Q_VALUE_STEPS, STEPS_TO_ONE)},
                            {"plus_one", ranking.acceptedBySteps(ranking.plus_one, Q_VALUE_STEPS, STEPS_TO_ONE)}});
        }
        return {{"step", 1.0 / STEPS_TO_ONE}, {"curves", curves}};
      }

      Json peptides() const
      {
        const std::vector<double> q_values = peptidoformQValues(identifications_, lists_);
        return {{"n", q_values.size()}, {"plus_one", countBySteps(q_values, Q_VALUE_STEPS, STEPS_TO_ONE)}};
      }

      /// Null where runs have q-values and PEPs of their own: these are no function of the score then.
      Json errors() const
      {
        if (lists_.size() > 1)
        {
          return {};
        }
        const ErrorCurve curve = errorCurve(identifications_, after(), ERROR_POINTS, ACCEPTED);
        return {{"score", curve.score},
                {"q_value", curve.q_value},
                {"posterior_error", curve.posterior_error},
                {"at_threshold", std::isnan(curve.at_threshold) ? Json() : Json(curve.at_threshold)}};
      }

      Json calibration() const
      {
        Json curves = Json::array();
        for (const Ranking& ranking : rankings_)
        {
          std::vector<std::size_t> targets;
          std::vector<std::size_t> decoys;
          ranking.countFromBelow(CALIBRATION_POINTS, targets, decoys);
          curves.push_back({{"label", ranking.label}, {"decoys", decoys}, {"targets", targets}});
        }
        return curves;
      }

      Json retention() const
      {
        const std::vector<double> all = minutes(identifications_, after().identification);
        std::vector<std::pair<std::string, std::vector<double>>> series = {{"all", all}};
        for (const Ranking& ranking : rankings_)
        {
          if (report_.has_decoys)
          {
            series.emplace_back(ranking.label, minutes(identifications_, ranking.acceptedTargets(ACCEPTED)));
          }
        }
        return histogram(chooseBins(all, binsFor(all.size(), TIME_BINS), 0.0), series);
      }

      void addErrors(Json& json, const std::string& name, const MassErrors& errors) const
      {
        const std::vector<double> all = errors.of(after().identification);
        if (all.empty())
        {
          return;
        }
        const Bins bins = chooseSymmetricBins(all, binsFor(all.size(), ERROR_BINS), ERROR_OUTLIERS);
        const std::vector<double> drawn = report_.has_decoys ? errors.of(after().acceptedTargets(ACCEPTED)) : all;
        json[name] = report_.has_decoys
                         ? histogram(bins, {{"accepted", drawn}, {"decoys", errors.of(after().decoys())}})
                         : histogram(bins, {{"hits", drawn}});
        json[name]["median"] = drawn.empty() ? Json() : Json(lowerMedian(drawn));
        json[name]["unit"] = errors.unit();
      }

      Json parameters() const
      {
        Json list = Json::object();
        for (const auto& [name, value] : recordedValues(runs_))
        {
          list[name] = value;
        }
        return list;
      }

      const std::vector<OpenMS::ProteinIdentification>& runs_;
      const PeptideIds& identifications_;
      const RescoringReport& report_;
      RunAssignment assignment_;
      CompetitionLists lists_;
      std::string rival_;             ///< what PSMFormer is compared with: the engine
      std::vector<Ranking> rankings_; ///< before (when comparable) and after
    };
  }

  ReportData collectReport(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                           const std::vector<std::string>& spectrum_files, const PreviousScores& previous,
                           const RescoringReport& report)
  {
    return Collector(runs, identifications, spectrum_files, previous, report).collect();
  }
}
