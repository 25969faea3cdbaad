// SPDX-License-Identifier: BSD-3-Clause
// What rescoring on labels accepts, with our features and with those of the search engine alone.
//
// Reads idXML files that PSMFormer has annotated (-method pretrained -mode annotate -write_features all): the main
// score is the engine's, everything else is a meta value. The files are rescored one by one, and jointly as one table.
// Prints the accepted targets of best hits at 1 and 5 % FDR, D / T, and what decided.
#include <EngineScores.h>

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/core/TargetDecoy.h>
#include <PSMFormer/model/LogisticRegression.h>
#include <PSMFormer/openms/IdentificationFile.h>
#include <PSMFormer/openms/ResidueTokens.h>
#include <PSMFormer/openms/RunResolver.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>

namespace
{
  using namespace psmformer;

  constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();
  const std::string PREFIX = "PSMFormer:";
  /// Features of ours that an engine's own features have as well.
  const std::vector<std::string> OF_ANY_ENGINE = {
      "precursor_error_ppm", "precursor_error_da", "absolute_precursor_error_ppm", "isotope_offset", "charge", "length",
      "missed_cleavages",    "peptide_mass"};

  bool isOfAnyEngine(const std::string& name)
  {
    const std::string bare = name.rfind(PREFIX, 0) == 0 ? name.substr(PREFIX.size()) : "";
    return bare.empty() || std::find(OF_ANY_ENGINE.begin(), OF_ANY_ENGINE.end(), bare) != OF_ANY_ENGINE.end();
  }

  /// The features of ours that the first hit has.
  std::vector<std::string> ownFeatures(const std::vector<OpenMS::ProteinIdentification>& runs)
  {
    std::vector<std::string> names;
    std::istringstream list(std::string(runs.at(0).getSearchParameters().getMetaValue("extra_features").toString()));
    for (std::string name; std::getline(list, name, ',');)
    {
      if (name.rfind(PREFIX, 0) == 0)
      {
        names.push_back(name);
      }
    }
    return names;
  }

  class Reader
  {
  public:
    explicit Reader(bool has_extra_features) : has_extra_features_(has_extra_features) {}

    void add(const std::string& file, RescoringTable& table)
    {
      std::vector<OpenMS::ProteinIdentification> runs;
      PeptideIds identifications;
      loadIdentifications(file, runs, identifications);
      const std::vector<std::string> own = ownFeatures(runs);
      if (!has_extra_features_)
      {
        for (auto& run : runs)
        {
          auto parameters = run.getSearchParameters();
          parameters.removeMetaValue("extra_features");
          run.setSearchParameters(parameters);
        }
      }
      const EngineScores engine =
          readEngineScores(runs, identifications, std::vector<std::size_t>(identifications.size(), 0));
      std::vector<std::string> names = own;
      names.insert(names.end(), engine.names.begin(), engine.names.end());
      require(table.feature_names.empty() || table.feature_names == names, ErrorKind::INVALID_INPUT,
              "The files have different features; make them in one way.");
      table.feature_names = names;
      for (std::size_t i = 0; i < identifications.size(); ++i)
      {
        table.spectra.push_back({runStem(file), spectrumReference(identifications[i]), identifications[i].getRT()});
        for (std::size_t h = 0; h < identifications[i].getHits().size(); ++h)
        {
          addHit(identifications[i].getHits()[h], own, table);
          table.hits.back().engine = engine.main_score[i][h];
          table.features.insert(table.features.end(), engine.values[i][h].begin(), engine.values[i][h].end());
        }
        markLast(table, own.size());
      }
    }

  private:
    void addHit(const OpenMS::PeptideHit& hit, const std::vector<std::string>& own, RescoringTable& table)
    {
      const std::string peptidoform(hit.getSequence().toString());
      const auto [at, is_new] = peptide_.emplace(peptidoform, table.peptides.size());
      if (is_new)
      {
        table.peptides.push_back(toPeptide(hit.getSequence()).value());
        table.peptidoforms.push_back(peptidoform);
      }
      RescoringHit row;
      row.spectrum = table.spectra.size() - 1;
      row.peptide = at->second;
      row.charge = hit.getCharge();
      row.is_decoy = std::string(hit.getMetaValue("target_decoy").toString()) == "decoy";
      row.logit = std::round(static_cast<double>(hit.getMetaValue("PSMFormer:logit")) * 1e4) / 1e4;
      row.tie = seededHash(table.spectra.back().native_id + '\t' + peptidoform, 1);
      table.hits.push_back(row);
      for (const std::string& name : own)
      {
        double value = NOT_KNOWN;
        metaNumber(hit, name, value);
        table.features.push_back(std::round(value * 1e4) / 1e4);
      }
    }

    /// The last hit by logit has no next one.
    static void markLast(RescoringTable& table, std::size_t n_own)
    {
      std::size_t last = table.hits.size() - 1;
      for (std::size_t h = table.hits.size(); h-- > 0 && table.hits[h].spectrum == table.spectra.size() - 1;)
      {
        last = table.hits[h].logit < table.hits[last].logit ? h : last;
      }
      table.features[last * table.feature_names.size() + n_own - 1] = NOT_KNOWN;
    }

    bool has_extra_features_;
    std::map<std::string, std::size_t> peptide_;
  };

  /// The engine alone: its score in place of the logit, without the features that only we have.
  RescoringTable engineOnly(const RescoringTable& table)
  {
    RescoringTable result = table;
    result.feature_names.clear();
    result.features.clear();
    std::copy_if(table.feature_names.begin(), table.feature_names.end(), std::back_inserter(result.feature_names),
                 isOfAnyEngine);
    for (RescoringSpectrum& spectrum : result.spectra)
    {
      spectrum.retention_time = NOT_KNOWN; // the residual is ours
    }
    for (std::size_t h = 0; h < table.hits.size(); ++h)
    {
      result.hits[h].logit = std::isnan(table.hits[h].engine) ? -1e6 : table.hits[h].engine;
      for (std::size_t f = 0; f < table.feature_names.size(); ++f)
      {
        if (isOfAnyEngine(table.feature_names[f]))
        {
          result.features.push_back(table.feature(h, f));
        }
      }
    }
    return result;
  }

  struct Best
  {
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
        result.scores.push_back(score(h));
        result.is_decoy.push_back(table.hits[h].is_decoy);
      }
    }
    return result;
  }

  void printRow(const std::string& name, const std::string& score, const Best& best, const std::string& note)
  {
    std::printf("%s\t%s\t%zu\t%zu\t%zu\t%s\n", name.c_str(), score.c_str(), best.scores.size(), best.accepted(0.01),
                best.accepted(0.05), note.c_str());
  }

  /// Prints the counts of a table.
  void measure(const std::string& name, const RescoringTable& table, const LinearFitter& fitter)
  {
    const auto logit = [](const RescoringTable& of)
    {
      return [&of](std::size_t h)
      {
        return of.hits[h].logit;
      };
    };
    const RescoringTable engine = engineOnly(table);
    printRow(name, "engine", bestHits(engine, logit(engine)), "");
    printRow(name, "logit", bestHits(table, logit(table)), "");
    for (const auto& [score, features] : {std::make_pair("semi_supervised, engine features", &engine),
                                          std::make_pair("semi_supervised, all features", &table)})
    {
      const SemiSupervisedResult result = rescoreSemiSupervised(*features, fitter);
      std::string note = result.reason;
      for (const FoldChoice& fold : result.folds)
      {
        note += scoreSourceName(fold.source) + " (" + std::to_string(fold.accepted[0]) + ", " +
                std::to_string(fold.accepted[1]) + ", " + std::to_string(fold.accepted[2]) + ") ";
      }
      const Best best = result.is_trained ? bestHits(*features, [&](std::size_t h) { return result.scores[h]; })
                                          : bestHits(*features, logit(*features));
      printRow(name, score, best, note);
    }
  }

  void measureAll(const std::vector<std::string>& files, bool has_extra_features, double ridge)
  {
    const LogisticRegression fitter(ridge);
    std::printf("file\tscore\tspectra\ttargets at 1 %%\tat 5 %%\tfolds\n");
    RescoringTable joint;
    Reader joint_reader(has_extra_features);
    for (const std::string& file : files)
    {
      RescoringTable table;
      Reader(has_extra_features).add(file, table);
      measure(runStem(file), table, fitter);
      joint_reader.add(file, joint);
    }
    measure("joint", joint, fitter);
  }
}

int main(int argc, char** argv)
{
  std::vector<std::string> files(argv + 1, argv + argc);
  bool has_extra_features = true;
  double ridge = psmformer::LogisticRegression::RIDGE;
  while (!files.empty() && files[0][0] == '-')
  {
    has_extra_features = has_extra_features && files[0] != "-without_extra_features";
    const bool is_ridge = files[0] == "-ridge" && files.size() > 1;
    ridge = is_ridge ? std::atof(files[1].c_str()) : ridge;
    files.erase(files.begin(), files.begin() + (is_ridge ? 2 : 1));
  }
  if (files.empty() || !(ridge > 0.0))
  {
    std::cerr << "Usage: semi_supervised_counts [-without_extra_features] [-ridge PENALTY] ANNOTATED.idXML ...\n";
    return 6;
  }
  try
  {
    measureAll(files, has_extra_features, ridge);
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
