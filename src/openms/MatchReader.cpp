// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/MatchReader.h>

#include "FragmentTolerance.h"
#include "PeptideCollector.h"
#include "PrecursorCheck.h"

#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace psmformer
{
  namespace
  {
    using Runs = std::vector<OpenMS::ProteinIdentification>;

    constexpr std::size_t N_EXAMPLES = 3;

    SpectrumQuery queryOf(const OpenMS::PeptideIdentification& identification)
    {
      SpectrumQuery query;
      query.reference = spectrumReference(identification);
      if (identification.hasRT())
      {
        query.retention_time = identification.getRT();
      }
      if (identification.hasMZ() && std::isfinite(identification.getMZ()))
      {
        query.precursor_mz = identification.getMZ();
      }
      return query;
    }

    std::string quoted(const std::vector<std::string>& texts)
    {
      std::string list;
      for (const std::string& text : texts)
      {
        list += (list.empty() ? "'" : ", '") + text + "'";
      }
      return list.empty() ? "none" : list;
    }

    /// The join of all identifications, file by file.
    class Join
    {
    public:
      Join(const Runs& runs, const PeptideIds& identifications, const RunAssignment& assignment,
           const ModelInputs& inputs, const JoinParameters& parameters)
          : runs_(runs), identifications_(identifications), assignment_(assignment), inputs_(inputs),
            parameters_(parameters), peptides_(result_.table, inputs)
      {
        result_.status.resize(identifications.size());
        result_.native_id.resize(identifications.size());
        result_.retention_time.assign(identifications.size(), std::numeric_limits<double>::quiet_NaN());
        result_.fragment_tolerance.resize(runs.size());
        for (std::size_t i = 0; i < identifications.size(); ++i)
        {
          result_.status[i].assign(identifications[i].getHits().size(), MatchStatus::NO_SPECTRUM);
          result_.report.n_hits += identifications[i].getHits().size();
        }
      }

      JoinedMatches run()
      {
        OpenMS::ProgressLogger progress;
        progress.setLogType(parameters_.log_type);
        progress.startProgress(0, static_cast<OpenMS::SignedSize>(assignment_.files.size()), "reading spectra");
        for (std::size_t file = 0; file < assignment_.files.size(); ++file)
        {
          joinFile(file);
          progress.setProgress(static_cast<OpenMS::SignedSize>(file + 1));
        }
        progress.endProgress();
        precursors_.refuseWrongJoin(result_.report);
        assignFragmentTolerances(result_, parameters_.fragment_tolerance, run_of_spectrum_, runs_, identifications_);
        summarize();
        return std::move(result_);
      }

    private:
      void joinFile(std::size_t file)
      {
        std::vector<std::size_t> members;
        std::vector<SpectrumQuery> queries;
        for (std::size_t i = 0; i < identifications_.size(); ++i)
        {
          if (assignment_.file_of_identification[i] == file && !identifications_[i].getHits().empty())
          {
            members.push_back(i);
            queries.push_back(queryOf(identifications_[i]));
          }
        }
        SpectrumFile spectra = readSpectra(assignment_.files[file], queries);
        table_index_.clear();
        std::size_t n_resolved = 0;
        std::size_t n_joined = 0;
        std::size_t n_profile = 0;
        for (std::size_t k = 0; k < members.size(); ++k)
        {
          const SpectrumLookup lookup = spectra.index.find(queries[k]);
          n_resolved += lookup.status != MatchStatus::NO_SPECTRUM ? 1 : 0;
          result_.native_id[members[k]] = queries[k].reference;
          if (lookup.status != MatchStatus::SCORED)
          {
            setStatus(members[k], lookup.status);
            continue;
          }
          ++n_joined;
          n_profile += spectra.is_profile.at(lookup.position) ? 1 : 0;
          ++result_.report.identifications[lookup.method];
          joinIdentification(members[k], queries[k], lookup.position, spectra);
        }
        refuseUnknownSpectra(assignment_.files[file], spectra.index, queries, n_resolved);
        reportSpectra(assignment_.files[file], spectra, n_joined, n_profile);
      }

      void joinIdentification(std::size_t i, const SpectrumQuery& query, std::size_t position, SpectrumFile& spectra)
      {
        const SpectrumEntry& entry = spectra.index.entries()[position];
        result_.native_id[i] = entry.native_id;
        result_.retention_time[i] = entry.retention_time;
        const auto& hits = identifications_[i].getHits();
        const auto& run = runs_[assignment_.run_of_identification[i]];
        if (!precursors_.check(query, entry, hits.front().getCharge(), run))
        {
          setStatus(i, MatchStatus::PRECURSOR_MISMATCH);
          return;
        }
        const double precursor_mz = query.precursor_mz > 0.0 ? query.precursor_mz : entry.precursor_mz;
        for (std::size_t h = 0; h < hits.size(); ++h)
        {
          std::size_t peptide = 0;
          result_.status[i][h] = hitStatus(hits[h], run, precursor_mz, peptide);
          if (result_.status[i][h] == MatchStatus::SCORED)
          {
            const std::size_t spectrum = addSpectrum(i, position, precursor_mz, spectra);
            result_.table.matches.push_back({spectrum, peptide, hits[h].getCharge(), {i, h}});
          }
        }
      }

      MatchStatus hitStatus(const OpenMS::PeptideHit& hit, const OpenMS::ProteinIdentification& run,
                            double precursor_mz, std::size_t& peptide)
      {
        const auto [status, index] = peptides_.add(hit.getSequence());
        if (status != MatchStatus::SCORED)
        {
          return status;
        }
        if (hit.getCharge() == 0)
        {
          return MatchStatus::NO_CHARGE;
        }
        if (hit.getCharge() < 0 || hit.getCharge() > inputs_.max_charge)
        {
          return MatchStatus::UNSUPPORTED_CHARGE;
        }
        peptide = index;
        const Peptide& candidate = result_.table.peptides[index];
        const bool fits = !(precursor_mz > 0.0) || hasPrecursorMass(candidate, hit.getCharge(), precursor_mz, run);
        return fits ? MatchStatus::SCORED : MatchStatus::MASS_MISMATCH;
      }

      /// A spectrum is kept once a run: its tolerance is the run's, and a precursor that the file does not know is the
      /// identification's.
      std::size_t addSpectrum(std::size_t i, std::size_t position, double precursor_mz, SpectrumFile& spectra)
      {
        const std::size_t run = assignment_.run_of_identification[i];
        const bool has_precursor = spectra.index.entries()[position].precursor_mz > 0.0;
        const SpectrumKey key{position, run, has_precursor ? 0.0 : precursor_mz};
        const auto known = table_index_.find(key);
        if (known != table_index_.end())
        {
          return known->second;
        }
        Spectrum spectrum = spectra.spectra.at(position);
        if (!has_precursor)
        {
          spectrum.precursor_mz = precursor_mz;
        }
        n_unknown_activation_ += spectrum.activation == Activation::UNKNOWN ? 1 : 0;
        result_.table.spectra.push_back(std::move(spectrum));
        run_of_spectrum_.push_back(run);
        table_index_.emplace(key, result_.table.spectra.size() - 1);
        return result_.table.spectra.size() - 1;
      }

      void setStatus(std::size_t i, MatchStatus status)
      {
        std::fill(result_.status[i].begin(), result_.status[i].end(), status);
      }

      void refuseUnknownSpectra(const std::string& file, const SpectrumIndex& index,
                                const std::vector<SpectrumQuery>& queries, std::size_t n_resolved) const
      {
        if (n_resolved > 0 || queries.empty())
        {
          return;
        }
        std::vector<std::string> references;
        for (std::size_t k = 0; k < std::min(N_EXAMPLES, queries.size()); ++k)
        {
          references.push_back(queries[k].reference);
        }
        std::vector<std::string> native_ids;
        for (std::size_t k = 0; k < std::min(N_EXAMPLES, index.entries().size()); ++k)
        {
          native_ids.push_back(index.entries()[k].native_id);
        }
        throw Error(ErrorKind::INVALID_INPUT, "no identification finds its spectrum in '" + file +
                                                  "': the first references are " + quoted(references) +
                                                  ", the first native IDs " + quoted(native_ids) +
                                                  "; give the mzML that was searched.");
      }

      void reportSpectra(const std::string& file, const SpectrumFile& spectra, std::size_t n_joined,
                         std::size_t n_profile)
      {
        if (spectra.n_invalid_peaks > 0)
        {
          result_.report.warnings.push_back(std::to_string(spectra.n_invalid_peaks) + " peaks of '" + file +
                                            "' have an m/z or intensity that is negative or not finite; they are "
                                            "left out.");
        }
        if (n_profile == 0)
        {
          return;
        }
        require(n_profile < n_joined || parameters_.accept_profile, ErrorKind::INVALID_INPUT,
                "all MS2 spectra of '" + file +
                    "' are profile data; pick their peaks (PeakPickerHiRes), or use -force when they are mislabelled.");
        result_.report.warnings.push_back(std::to_string(n_profile) + " of " + std::to_string(n_joined) +
                                          " MS2 spectra of '" + file +
                                          "' are profile data and are scored as they are; pick their peaks first.");
      }

      void summarize()
      {
        JoinReport& report = result_.report;
        for (const auto& statuses : result_.status)
        {
          for (const MatchStatus status : statuses)
          {
            ++report.hits[status];
          }
        }
        const auto note = [&](LookupMethod method, const std::string& how)
        {
          if (const auto found = report.identifications.find(method); found != report.identifications.end())
          {
            report.notes.push_back(std::to_string(found->second) + " identifications found their spectrum by " + how +
                                   ", not by its native ID.");
          }
        };
        note(LookupMethod::SCAN_NUMBER, "its scan number");
        note(LookupMethod::POSITION, "its position in the file");
        note(LookupMethod::RETENTION_TIME, "retention time and precursor m/z");
        if (!peptides_.rewritten().empty())
        {
          report.warnings.push_back(
              "OpenMS writes " + std::to_string(peptides_.rewritten().size()) +
              " sequences with an X of given mass as another residue of that mass, for example '" +
              peptides_.rewritten().front() + "'; these are not scored.");
        }
        if (n_unknown_activation_ > 0)
        {
          report.warnings.push_back("The activation of " + std::to_string(n_unknown_activation_) + " of " +
                                    std::to_string(result_.table.spectra.size()) +
                                    " spectra is not known; they are scored all the same.");
        }
      }

      struct SpectrumKey
      {
        std::size_t position;
        std::size_t run;
        double precursor_mz;

        bool operator<(const SpectrumKey& other) const
        {
          return std::tie(position, run, precursor_mz) < std::tie(other.position, other.run, other.precursor_mz);
        }
      };

      const Runs& runs_;
      const PeptideIds& identifications_;
      const RunAssignment& assignment_;
      const ModelInputs& inputs_;
      const JoinParameters& parameters_;
      JoinedMatches result_;
      PeptideCollector peptides_;
      std::map<SpectrumKey, std::size_t> table_index_; ///< of the file that is being joined
      std::vector<std::size_t> run_of_spectrum_;       ///< by index into MatchTable::spectra
      std::size_t n_unknown_activation_ = 0;
      PrecursorCheck precursors_;
    };
  }

  JoinedMatches joinMatches(const Runs& runs, const PeptideIds& identifications, const RunAssignment& assignment,
                            const ModelInputs& inputs, const JoinParameters& parameters)
  {
    return Join(runs, identifications, assignment, inputs, parameters).run();
  }
}
