// SPDX-License-Identifier: BSD-3-Clause
// The table of semi-supervised rescoring, read from files that PSMFormer has annotated.
#pragma once

#include <EngineScores.h>

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/openms/FlankingResidues.h>
#include <PSMFormer/openms/IdentificationFile.h>
#include <PSMFormer/openms/ResidueTokens.h>
#include <PSMFormer/openms/RunResolver.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace psmformer
{
  constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();
  inline const std::string PREFIX = "PSMFormer:";
  /// Features of ours that an engine's own features have as well.
  inline const std::vector<std::string> OF_ANY_ENGINE = {
      "precursor_error_ppm", "precursor_error_da", "absolute_precursor_error_ppm", "isotope_offset", "charge", "length",
      "missed_cleavages",    "peptide_mass"};

  inline bool isOfAnyEngine(const std::string& name)
  {
    const std::string bare = name.rfind(PREFIX, 0) == 0 ? name.substr(PREFIX.size()) : "";
    return bare.empty() || std::find(OF_ANY_ENGINE.begin(), OF_ANY_ENGINE.end(), bare) != OF_ANY_ENGINE.end();
  }

  /// The features of ours that the first hit has.
  inline std::vector<std::string> ownFeatures(const std::vector<OpenMS::ProteinIdentification>& runs)
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

  /// Adds files to a table; the previous main score is the engine's, all else are meta values.
  class AnnotatedTableReader
  {
  public:
    /// Without the extra features the engine has its main score alone.
    explicit AnnotatedTableReader(bool has_extra_features) : has_extra_features_(has_extra_features) {}

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
      row.logit = static_cast<double>(hit.getMetaValue("PSMFormer:calibrated_logit"));
      row.tie = seededHash(table.spectra.back().native_id + '\t' + peptidoform, 1);
      std::tie(row.before, row.after) = flankingResidues(hit);
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
  inline RescoringTable engineOnly(const RescoringTable& table)
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
}
