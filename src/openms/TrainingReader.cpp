// SPDX-License-Identifier: BSD-3-Clause
#include "MetaValues.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/IdentificationFile.h>
#include <PSMFormer/openms/MatchReader.h>
#include <PSMFormer/openms/TrainingReader.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

namespace psmformer
{
  namespace
  {
    constexpr double NO_VALUE = std::numeric_limits<double>::quiet_NaN();

    /// NaN when the hit has none.
    double qValueOf(const OpenMS::PeptideIdentification& identification, const OpenMS::PeptideHit& hit)
    {
      const std::string& type = identification.getScoreType();
      if (type == "q-value" || type == "PSMFormer:q-value")
      {
        return hit.getScore();
      }
      double q_value = NO_VALUE;
      if (!metaNumber(hit, "PSMFormer:q-value", q_value))
      {
        metaNumber(hit, "q-value", q_value);
      }
      return q_value;
    }

    /// Makes examples of the identifications of one idXML file.
    class ExampleMaker
    {
    public:
      ExampleMaker(const PeptideIds& identifications, const JoinedMatches& joined, const RunAssignment& assignment,
                   const IdentificationFilter& filter)
          : identifications_(identifications), joined_(joined), assignment_(assignment), filter_(filter),
            match_(identifications.size())
      {
        for (std::size_t k = 0; k < joined.table.matches.size(); ++k)
        {
          const Origin& origin = joined.table.matches[k].origin;
          match_[origin.identification].resize(identifications[origin.identification].getHits().size(), NONE);
          match_[origin.identification][origin.hit] = k;
        }
      }

      void add(std::size_t index, IdentifiedSpectra& result) const
      {
        const auto& hits = identifications_[index].getHits();
        if (hits.empty())
        {
          return;
        }
        // Hits are sorted by score; OpenMS keeps the order of the file.
        const double q_value = qValueOf(identifications_[index], hits.front());
        if (isDecoy(hits.front()) || !(q_value <= filter_.max_q_value))
        {
          ++result.n_above_threshold;
          return;
        }
        const std::size_t best = matchOf(index, 0);
        if (best == NONE)
        {
          ++result.n_not_scorable;
          return;
        }
        const PeptideSpectrumMatch& match = joined_.table.matches[best];
        TrainingExample example{joined_.table.spectra[match.spectrum],
                                joined_.table.peptides[match.peptide],
                                match.charge,
                                {},
                                sourceOf(index)};
        for (std::size_t k = 1; k < hits.size() && example.other_candidates.size() < filter_.max_other_candidates; ++k)
        {
          const std::size_t other = matchOf(index, k);
          if (other != NONE && !isDecoy(hits[k]) && joined_.table.matches[other].charge == match.charge)
          {
            example.other_candidates.push_back(joined_.table.peptides[joined_.table.matches[other].peptide]);
          }
        }
        result.examples.push_back(std::move(example));
      }

    private:
      static constexpr std::size_t NONE = std::numeric_limits<std::size_t>::max();

      std::size_t matchOf(std::size_t identification, std::size_t hit) const
      {
        const auto& matches = match_[identification];
        return hit < matches.size() ? matches[hit] : NONE;
      }

      std::string sourceOf(std::size_t identification) const
      {
        const std::string& file = assignment_.files[assignment_.file_of_identification[identification]];
        return std::filesystem::path(file).filename().string();
      }

      const PeptideIds& identifications_;
      const JoinedMatches& joined_;
      const RunAssignment& assignment_;
      const IdentificationFilter& filter_;
      std::vector<std::vector<std::size_t>> match_; ///< by identification and hit
    };

    void requireQValues(const PeptideIds& identifications, const std::string& file)
    {
      const bool known = std::any_of(identifications.begin(), identifications.end(),
                                     [](const auto& identification)
                                     {
                                       return !identification.getHits().empty() &&
                                              !std::isnan(qValueOf(identification, identification.getHits().front()));
                                     });
      require(known, ErrorKind::INVALID_INPUT,
              "'" + file +
                  "' has no q-values, as main score or as meta value; run FalseDiscoveryRate or PSMFormer first.");
    }

    /// The best hit first, whatever wrote the file.
    void sortHits(PeptideIds& identifications)
    {
      for (auto& identification : identifications)
      {
        identification.sort();
      }
    }
  }

  IdentifiedSpectra readIdentifiedSpectra(const std::vector<std::string>& identification_files,
                                          const std::vector<std::string>& spectrum_files, const ModelInputs& inputs,
                                          const IdentificationFilter& filter)
  {
    IdentifiedSpectra result;
    for (const std::string& file : identification_files)
    {
      std::vector<OpenMS::ProteinIdentification> runs;
      PeptideIds identifications;
      loadIdentifications(file, runs, identifications);
      requireQValues(identifications, file);
      sortHits(identifications);
      const RunAssignment assignment = resolveRuns(runs, identifications, spectrum_files);
      JoinParameters parameters;
      parameters.fragment_tolerance = filter.fragment_tolerance;
      parameters.log_type = filter.log_type;
      const JoinedMatches joined = joinMatches(runs, identifications, assignment, inputs, parameters);
      const ExampleMaker maker(identifications, joined, assignment, filter);
      for (std::size_t index = 0; index < identifications.size(); ++index)
      {
        maker.add(index, result);
      }
      result.n_identifications += identifications.size();
      result.warnings.insert(result.warnings.end(), assignment.warnings.begin(), assignment.warnings.end());
      result.warnings.insert(result.warnings.end(), joined.report.warnings.begin(), joined.report.warnings.end());
    }
    require(!result.examples.empty(), ErrorKind::INVALID_INPUT,
            "No identification has a target with a q-value of at most " + std::to_string(filter.max_q_value) +
                " that can be used; give more data or a higher threshold.");
    return result;
  }
}
