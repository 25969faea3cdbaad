// SPDX-License-Identifier: BSD-3-Clause
// What rescoring on labels accepts, with our features and with those of the search engine alone.
//
// Reads idXML files that PSMFormer has annotated (-method pretrained -mode annotate -write_features all): the main
// score is the engine's, everything else is a meta value. The files are rescored one by one, and jointly as one table.
// Prints the accepted targets of best hits at 1 and 5 % FDR, D / T, and what decided. With -scores the best hits of the
// joint table are written as well: by which score, run, native ID, value (higher is better), decoy (1 or 0).
#include "AnnotatedTable.h"

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/core/TargetDecoy.h>
#include <PSMFormer/model/LogisticRegression.h>
#include <PSMFormer/openms/RunResolver.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace
{
  using namespace psmformer;

  struct Best
  {
    std::vector<std::size_t> spectra;
    std::vector<double> scores;
    std::vector<bool> is_decoy;

    std::size_t accepted(double limit) const
    {
      return countAccepted(computeQValues(scores, is_decoy, 0), is_decoy, limit);
    }
  };

  template <typename Score> Best bestHits(const RescoringTable& table, const Score& score)
  {
    std::vector<std::size_t> best(table.spectra.size(), table.hits.size());
    for (std::size_t h = 0; h < table.hits.size(); ++h)
    {
      std::size_t& known = best[table.hits[h].spectrum];
      if (known == table.hits.size() || score(h) > score(known) ||
          (!(score(h) < score(known)) && table.hits[h].tie < table.hits[known].tie))
      {
        known = h;
      }
    }
    Best result;
    for (const std::size_t h : best)
    {
      if (h < table.hits.size())
      {
        result.spectra.push_back(table.hits[h].spectrum);
        result.scores.push_back(score(h));
        result.is_decoy.push_back(table.hits[h].is_decoy);
      }
    }
    return result;
  }

  /// One line of the counts and, where a stream is given, one for each best hit.
  void printRow(const std::string& name, const std::string& score, const RescoringTable& table, const Best& best,
                const std::string& note, std::ostream* scores)
  {
    std::printf("%s\t%s\t%zu\t%zu\t%zu\t%s\n", name.c_str(), score.c_str(), best.scores.size(), best.accepted(0.01),
                best.accepted(0.05), note.c_str());
    for (std::size_t k = 0; scores != nullptr && k < best.scores.size(); ++k)
    {
      const RescoringSpectrum& spectrum = table.spectra[best.spectra[k]];
      *scores << score << '\t' << spectrum.run << '\t' << spectrum.native_id << '\t' << best.scores[k] << '\t'
              << best.is_decoy[k] << '\n';
    }
  }

  /// Prints the counts of a table.
  void measure(const std::string& name, const RescoringTable& table, const LinearFitter& fitter,
               std::ostream* scores = nullptr)
  {
    const auto logit = [](const RescoringTable& of)
    {
      return [&of](std::size_t h)
      {
        return of.hits[h].logit;
      };
    };
    const RescoringTable engine = engineOnly(table);
    printRow(name, "engine", engine, bestHits(engine, logit(engine)), "", scores);
    printRow(name, "logit", table, bestHits(table, logit(table)), "", scores);
    for (const auto& [score, features] : {std::make_pair("semi_supervised, engine features", &engine),
                                          std::make_pair("semi_supervised, all features", &table)})
    {
      SemiSupervisedParameters parameters;
      parameters.learns_termini = features == &table; // as the retention time residual, it is ours
      const SemiSupervisedResult result = rescoreSemiSupervised(*features, fitter, parameters);
      std::string note = result.reason;
      for (const FoldChoice& fold : result.folds)
      {
        note += scoreSourceName(fold.source) + " (" + std::to_string(fold.accepted[0]) + ", " +
                std::to_string(fold.accepted[1]) + ", " + std::to_string(fold.accepted[2]) + ") ";
      }
      const Best best = result.is_trained ? bestHits(*features, [&](std::size_t h) { return result.scores[h]; })
                                          : bestHits(*features, logit(*features));
      printRow(name, score, *features, best, note, scores);
    }
  }

  struct Options
  {
    std::vector<std::string> files;
    bool has_extra_features = true;
    double ridge = LogisticRegression::RIDGE;
    std::string scores; ///< file for the best hits; empty: none
  };

  Options readOptions(std::vector<std::string> arguments)
  {
    Options options;
    while (!arguments.empty() && arguments[0][0] == '-')
    {
      const bool has_value = arguments.size() > 1 && (arguments[0] == "-ridge" || arguments[0] == "-scores");
      if (has_value && arguments[0] == "-ridge")
      {
        options.ridge = std::atof(arguments[1].c_str());
      }
      else if (has_value)
      {
        options.scores = arguments[1];
      }
      options.has_extra_features = options.has_extra_features && arguments[0] != "-without_extra_features";
      arguments.erase(arguments.begin(), arguments.begin() + (has_value ? 2 : 1));
    }
    options.files = arguments;
    return options;
  }

  void measureAll(const Options& options)
  {
    const LogisticRegression fitter(options.ridge);
    std::printf("file\tscore\tspectra\ttargets at 1 %%\tat 5 %%\tfolds\n");
    RescoringTable joint;
    AnnotatedTableReader joint_reader(options.has_extra_features);
    for (const std::string& file : options.files)
    {
      RescoringTable table;
      AnnotatedTableReader(options.has_extra_features).add(file, table);
      measure(runStem(file), table, fitter);
      joint_reader.add(file, joint);
    }
    std::ostringstream scores;
    scores.precision(17);
    measure("joint", joint, fitter, &scores);
    if (!options.scores.empty())
    {
      writeFileAtomically(options.scores, "score\trun\tspectrum\tvalue\tdecoy\n" + scores.str());
    }
  }
}

int main(int argc, char** argv)
{
  const Options options = readOptions({argv + 1, argv + argc});
  if (options.files.empty() || !(options.ridge > 0.0))
  {
    std::cerr << "Usage: semi_supervised_counts [-without_extra_features] [-ridge PENALTY] [-scores FILE] "
                 "ANNOTATED.idXML ...\n";
    return 6;
  }
  try
  {
    measureAll(options);
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
