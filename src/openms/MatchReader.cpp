// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/MatchReader.h>

#include "FragmentTolerance.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PSMFeatures.h>
#include <PSMFormer/core/Vocabulary.h>
#include <PSMFormer/openms/ResidueTokens.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <tuple>
#include <unordered_map>

namespace psmformer
{
  namespace
  {
    using Runs = std::vector<OpenMS::ProteinIdentification>;

    /// A precursor is of low resolution when the search allowed more than this at 500 Th.
    constexpr double LOW_RESOLUTION_PRECURSOR = 0.1; // Da
    constexpr double LOW_RESOLUTION_AGREEMENT = 1.5; // Th
    constexpr std::size_t MIN_WRONG_JOINS = 5;
    constexpr double MAX_WRONG_JOIN_SHARE = 0.05;
    constexpr std::size_t N_EXAMPLES = 3;
    constexpr double MIN_MASS_TOLERANCE = 0.1;     // Da
    constexpr double UNKNOWN_MASS_TOLERANCE = 1.5; // Da, when the search does not tell

    Tolerance precursorTolerance(const OpenMS::ProteinIdentification& run)
    {
      const auto& parameters = run.getSearchParameters();
      return {parameters.precursor_mass_tolerance,
              parameters.precursor_mass_tolerance_ppm ? ToleranceUnit::PPM : ToleranceUnit::DA};
    }

    PrecursorAgreement joinAgreement(const OpenMS::ProteinIdentification& run)
    {
      PrecursorAgreement agreement;
      agreement.min_isotope = -1;
      agreement.max_isotope = 3;
      if (precursorTolerance(run).halfWidth(500.0) > LOW_RESOLUTION_PRECURSOR)
      {
        agreement.absolute = LOW_RESOLUTION_AGREEMENT;
      }
      return agreement;
    }

    /// Sequences with a mass that the search cannot have allowed were read in another way than they were meant.
    double massTolerance(const OpenMS::ProteinIdentification& run, double mass)
    {
      const Tolerance searched = precursorTolerance(run);
      return searched.known() ? std::max(MIN_MASS_TOLERANCE, 2.0 * searched.halfWidth(mass)) : UNKNOWN_MASS_TOLERANCE;
    }

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

    /// The letters of a sequence in OpenMS notation, without modifications and terminal dots.
    std::string lettersOf(const std::string& text)
    {
      std::string letters;
      int depth = 0;
      for (const char c : text)
      {
        depth += c == '(' || c == '[' ? 1 : 0;
        if (depth == 0 && c != '.')
        {
          letters += c;
        }
        depth -= c == ')' || c == ']' ? 1 : 0;
      }
      return letters;
    }

    /// Keeps every peptidoform once; the sequence text and the bare letters together name it, since OpenMS may write an
    /// unknown residue with a mass as another residue.
    class PeptideCollector
    {
    public:
      PeptideCollector(MatchTable& table, const ModelInputs& inputs)
          : table_(table), vocabulary_(inputs.vocabulary), max_residues_(inputs.max_residues)
      {
      }

      /// Index into MatchTable::peptides, or why there is none.
      std::pair<MatchStatus, std::size_t> add(const OpenMS::AASequence& sequence)
      {
        const std::string key = std::string(sequence.toString()) + ' ' + std::string(sequence.toUnmodifiedString());
        const auto [known, is_new] = known_.emplace(key, std::make_pair(MatchStatus::SCORED, std::size_t(0)));
        if (is_new)
        {
          known->second = convert(sequence);
        }
        return known->second;
      }

      /// Distinct sequences that OpenMS writes with other letters than it has read.
      const std::vector<std::string>& rewritten() const { return rewritten_; }

    private:
      std::pair<MatchStatus, std::size_t> convert(const OpenMS::AASequence& sequence)
      {
        if (sequence.empty() || sequence.size() > max_residues_)
        {
          return {MatchStatus::UNSUPPORTED_LENGTH, 0};
        }
        std::optional<Peptide> peptide = toPeptide(sequence);
        const bool is_known = peptide && std::all_of(peptide->residues.begin(), peptide->residues.end(),
                                                     [this](char letter) { return vocabulary_.contains(letter); });
        if (!is_known)
        {
          const std::string text(sequence.toString());
          if (lettersOf(text) != std::string(sequence.toUnmodifiedString()))
          {
            rewritten_.push_back(text);
          }
          return {MatchStatus::UNSUPPORTED_RESIDUE, 0};
        }
        table_.peptides.push_back(std::move(*peptide));
        return {MatchStatus::SCORED, table_.peptides.size() - 1};
      }

      MatchTable& table_;
      Vocabulary vocabulary_;
      std::size_t max_residues_;
      std::unordered_map<std::string, std::pair<MatchStatus, std::size_t>> known_;
      std::vector<std::string> rewritten_;
    };

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
        refuseWrongJoin();
        assignFragmentTolerances();
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
        ++n_joined_;
        if (query.precursor_mz > 0.0 && entry.precursor_mz > 0.0 &&
            !joinAgreement(run).agree(query.precursor_mz, entry.precursor_mz, hits.front().getCharge()))
        {
          noteWrongJoin(query, entry);
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
        if (precursor_mz > 0.0)
        {
          const double error = precursorError(precursor_mz, hit.getCharge(), candidate).da;
          if (!(std::abs(error) <= massTolerance(run, monoisotopicMass(candidate))))
          {
            return MatchStatus::MASS_MISMATCH;
          }
        }
        return MatchStatus::SCORED;
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

      void noteWrongJoin(const SpectrumQuery& query, const SpectrumEntry& entry)
      {
        if (wrong_joins_.size() < N_EXAMPLES)
        {
          std::ostringstream example;
          example.precision(8);
          example << query.reference << " has " << query.precursor_mz << " Th, its spectrum " << entry.native_id << " "
                  << entry.precursor_mz << " Th";
          wrong_joins_.push_back(example.str());
        }
        ++n_wrong_joins_;
      }

      void refuseWrongJoin()
      {
        if (n_wrong_joins_ == 0)
        {
          return;
        }
        const std::string counts = std::to_string(n_wrong_joins_) + " of " + std::to_string(n_joined_);
        std::string examples;
        for (const std::string& example : wrong_joins_)
        {
          examples += (examples.empty() ? "" : "; ") + example;
        }
        const double share = static_cast<double>(n_wrong_joins_) / static_cast<double>(n_joined_);
        require(n_wrong_joins_ < MIN_WRONG_JOINS || share <= MAX_WRONG_JOIN_SHARE, ErrorKind::INVALID_INPUT,
                "the precursor m/z of " + counts +
                    " identifications differs from that of the spectrum they refer to (" + examples +
                    "); give the mzML that was searched.");
        result_.report.warnings.push_back("The precursor m/z of " + counts +
                                          " identifications differs from that of the spectrum they refer to (" +
                                          examples + "); these are not scored.");
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

      void assignFragmentTolerances()
      {
        for (std::size_t run = 0; run < runs_.size(); ++run)
        {
          if (std::find(run_of_spectrum_.begin(), run_of_spectrum_.end(), run) == run_of_spectrum_.end())
          {
            continue;
          }
          Tolerance& tolerance = result_.fragment_tolerance[run];
          tolerance = parameters_.fragment_tolerance.known()
                          ? parameters_.fragment_tolerance
                          : searchedFragmentTolerance(runs_[run].getSearchParameters());
          if (!tolerance.known())
          {
            tolerance = estimateForRun(run);
          }
        }
        for (std::size_t s = 0; s < result_.table.spectra.size(); ++s)
        {
          result_.table.spectra[s].fragment_tolerance = result_.fragment_tolerance[run_of_spectrum_[s]];
        }
      }

      Tolerance estimateForRun(std::size_t run)
      {
        const Tolerance tolerance = estimateFragmentTolerance(result_.table, bestMatches(run));
        require(tolerance.known(), ErrorKind::OPTION,
                "the idXML does not state a usable fragment tolerance and too few spectra are well matched to estimate "
                "it; set -fragment_tolerance and -fragment_tolerance_unit.");
        std::ostringstream note;
        note.precision(3);
        note << "The idXML does not state a usable fragment tolerance; estimated from the best matches: "
             << tolerance.value << " Da.";
        result_.report.notes.push_back(note.str());
        return tolerance;
      }

      /// The first-ranked hits of a run that can be scored, best by the engine's score first.
      std::vector<std::size_t> bestMatches(std::size_t run) const
      {
        std::vector<std::pair<double, std::size_t>> best;
        std::size_t last = std::numeric_limits<std::size_t>::max();
        for (std::size_t m = 0; m < result_.table.matches.size(); ++m)
        {
          const std::size_t i = result_.table.matches[m].origin.identification;
          if (assignment_.run_of_identification[i] != run || i == last)
          {
            continue;
          }
          last = i;
          const double score = identifications_[i].getHits()[result_.table.matches[m].origin.hit].getScore();
          if (std::isfinite(score))
          {
            best.emplace_back(identifications_[i].isHigherScoreBetter() ? -score : score, m);
          }
        }
        std::sort(best.begin(), best.end());
        std::vector<std::size_t> matches;
        for (const auto& [score, match] : best)
        {
          matches.push_back(match);
        }
        return matches;
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
      std::size_t n_joined_ = 0;
      std::size_t n_wrong_joins_ = 0;
      std::size_t n_unknown_activation_ = 0;
      std::vector<std::string> wrong_joins_; ///< examples
    };
  }

  std::size_t JoinReport::scored() const
  {
    const auto found = hits.find(MatchStatus::SCORED);
    return found == hits.end() ? 0 : found->second;
  }

  std::string JoinReport::reasons() const
  {
    std::string text;
    for (const auto& [status, count] : hits)
    {
      if (status != MatchStatus::SCORED && count > 0)
      {
        text += (text.empty() ? "" : ", ") + statusName(status) + " " + std::to_string(count);
      }
    }
    return text;
  }

  JoinedMatches joinMatches(const Runs& runs, const PeptideIds& identifications, const RunAssignment& assignment,
                            const ModelInputs& inputs, const JoinParameters& parameters)
  {
    return Join(runs, identifications, assignment, inputs, parameters).run();
  }
}
