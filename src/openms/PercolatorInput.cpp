// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/PercolatorInput.h>

#include "Competition.h"
#include "EngineScores.h"
#include "MetaValues.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/RunResolver.h>
#include <PSMFormer/openms/SpectrumIndex.h>

#include <OpenMS/CHEMISTRY/AASequence.h>
#include <OpenMS/METADATA/PeptideEvidence.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace psmformer
{
  namespace
  {
    const std::string CHARGE = PREFIX + "charge"; // one column for each charge instead
    const std::string PEPTIDE_MASS = PREFIX + "peptide_mass";

    /// The shortest text that reads as the same number.
    std::string text(double number)
    {
      std::array<char, 32> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
      return std::string(buffer.data(), end);
    }

    /// Without blanks and tabs, which would end a column.
    std::string encoded(const std::string& name)
    {
      const char* const digits = "0123456789ABCDEF";
      std::string result;
      for (const char c : name)
      {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= ' ' || c == '%' || byte == 127)
        {
          result += {'%', digits[byte / 16], digits[byte % 16]};
        }
        else
        {
          result += c;
        }
      }
      return result;
    }

    double requiredNumber(const OpenMS::PeptideHit& hit, const std::string& name)
    {
      double number = 0.0;
      require(metaNumber(hit, name, number), ErrorKind::INTERNAL,
              "a scored hit has no number '" + name + "' for the Percolator input; please report this.");
      return number;
    }

    /// The sequence with its modifications as mass differences in brackets, to 1e-5 Da.
    std::string bracketSequence(const OpenMS::AASequence& sequence)
    {
      const std::string exact(sequence.toBracketString(false, true));
      std::string result;
      for (std::size_t at = 0; at < exact.size(); ++at)
      {
        result += exact[at];
        double mass = 0.0;
        const std::size_t end = exact[at] == '[' ? std::min(exact.find(']', at), exact.size()) : at;
        const std::size_t first = at + (end > at + 1 && exact[at + 1] == '+' ? 2 : 1); // from_chars knows no plus
        if (end > first && std::from_chars(exact.data() + first, exact.data() + end, mass).ec == std::errc())
        {
          std::array<char, 64> buffer{};
          std::snprintf(buffer.data(), buffer.size(), "%+.5f", mass);
          result += buffer.data();
          at = end - 1;
        }
      }
      return result;
    }

    char flank(char residue)
    {
      const bool is_end =
          residue == OpenMS::PeptideEvidence::N_TERMINAL_AA || residue == OpenMS::PeptideEvidence::C_TERMINAL_AA;
      return is_end ? '-' : residue >= 'A' && residue <= 'Z' ? residue : OpenMS::PeptideEvidence::UNKNOWN_AA;
    }

    std::string peptideWithFlanks(const OpenMS::PeptideHit& hit)
    {
      const auto& evidences = hit.getPeptideEvidences();
      const OpenMS::PeptideEvidence evidence = evidences.empty() ? OpenMS::PeptideEvidence() : evidences.front();
      const std::string sequence = bracketSequence(hit.getSequence());
      return std::string(1, flank(evidence.getAABefore())) + '.' + sequence + '.' + flank(evidence.getAAAfter());
    }

    std::string proteins(const OpenMS::PeptideHit& hit)
    {
      std::vector<std::string> accessions;
      for (const auto& evidence : hit.getPeptideEvidences())
      {
        const std::string accession = encoded(std::string(evidence.getProteinAccession()));
        if (!accession.empty() && std::find(accessions.begin(), accessions.end(), accession) == accessions.end())
        {
          accessions.push_back(accession);
        }
      }
      std::string columns;
      for (const std::string& accession : accessions)
      {
        columns += (columns.empty() ? "" : "\t") + accession;
      }
      return columns.empty() ? "unknown" : columns;
    }

    /// The table, row by row.
    class Table
    {
    public:
      Table(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
            const std::vector<std::string>& spectrum_files, const std::vector<std::string>& feature_names)
          : identifications_(identifications), decoys_(readDecoys(identifications))
      {
        if (!identifications.empty())
        {
          assignment_ = resolveRuns(runs, identifications, spectrum_files);
        }
        std::copy_if(feature_names.begin(), feature_names.end(), std::back_inserter(features_),
                     [](const std::string& name) { return name != CHARGE; });
        addEngineFeatures(runs);
        forEachScoredHit([this](std::size_t, const OpenMS::PeptideHit& hit, std::size_t)
                         { charges_.insert(hit.getCharge()); });
        numberSpectra();
      }

      std::string write() const
      {
        std::ostringstream out;
        out << "SpecId\tLabel\tScanNr\tExpMass\tCalcMass";
        for (const std::string& name : features_)
        {
          out << '\t' << encoded(name);
        }
        for (const int charge : charges_)
        {
          out << "\tCharge" << charge;
        }
        out << "\tPeptide\tProteins\n";
        forEachScoredHit([&](std::size_t i, const OpenMS::PeptideHit& hit, std::size_t h)
                         { writeRow(out, i, hit, h); });
        return out.str();
      }

    private:
      template <typename Function> void forEachScoredHit(const Function& function) const
      {
        for (std::size_t i = 0; i < identifications_.size(); ++i)
        {
          const auto& hits = identifications_[i].getHits();
          for (std::size_t h = 0; h < hits.size(); ++h)
          {
            if (isScored(hits[h]))
            {
              function(i, hits[h], h);
            }
          }
        }
      }

      /// What the engine or PSMFeatureExtractor listed as features, where it is complete. Names of our own are those
      /// that were written now; what a former run left must not come back.
      void addEngineFeatures(const std::vector<OpenMS::ProteinIdentification>& runs)
      {
        for (const auto& run : runs)
        {
          for (const std::string& name : extraFeatures(run))
          {
            if (!hasPrefix(name) && !isMadeFromLabels(name) &&
                std::find(features_.begin(), features_.end(), name) == features_.end() && isComplete(name))
            {
              features_.push_back(name);
            }
          }
        }
      }

      bool isComplete(const std::string& name) const
      {
        bool complete = true;
        forEachScoredHit(
            [&](std::size_t, const OpenMS::PeptideHit& hit, std::size_t)
            {
              double number = 0.0;
              complete = complete && metaNumber(hit, name, number) && std::isfinite(number);
            });
        return complete;
      }

      std::string nativeId(std::size_t i) const
      {
        const std::string reference = spectrumReference(identifications_[i]);
        return reference.empty() ? "rt=" + text(identifications_[i].getRT()) : reference;
      }

      void numberSpectra()
      {
        std::map<std::pair<std::size_t, std::string>, long> numbers;
        std::set<long> scans;
        bool have_scans = assignment_.files.size() == 1;
        for (std::size_t i = 0; i < identifications_.size(); ++i)
        {
          const auto [entry, is_new] =
              numbers.emplace(std::make_pair(assignment_.file_of_identification[i], nativeId(i)),
                              static_cast<long>(numbers.size()) + 1);
          const long scan = scanNumber(spectrumReference(identifications_[i]));
          have_scans = have_scans && scan > 0 && (!is_new || scans.insert(scan).second);
          scan_.push_back(entry->second);
        }
        for (std::size_t i = 0; have_scans && i < scan_.size(); ++i)
        {
          scan_[i] = scanNumber(spectrumReference(identifications_[i]));
        }
      }

      /// Of the identification's m/z; where it has none, from the error that was measured at the spectrum.
      double measuredMass(std::size_t i, const OpenMS::PeptideHit& hit) const
      {
        const double mz = identifications_[i].hasMZ() ? identifications_[i].getMZ() : 0.0;
        if (std::isfinite(mz) && mz > 0.0)
        {
          return (mz - PROTON_MASS) * hit.getCharge();
        }
        return requiredNumber(hit, PEPTIDE_MASS) + requiredNumber(hit, PREFIX + "precursor_error_da") +
               requiredNumber(hit, PREFIX + "isotope_offset") * ISOTOPE_SPACING;
      }

      void writeRow(std::ostream& out, std::size_t i, const OpenMS::PeptideHit& hit, std::size_t h) const
      {
        const std::string& file = assignment_.files[assignment_.file_of_identification[i]];
        out << encoded(runStem(file)) << ':' << encoded(nativeId(i)) << ':' << i + 1 << '.' << h + 1 << '\t'
            << (decoys_.is_decoy[i][h] ? -1 : 1) << '\t' << scan_[i] << '\t' << text(measuredMass(i, hit)) << '\t'
            << text(requiredNumber(hit, PEPTIDE_MASS));
        for (const std::string& name : features_)
        {
          out << '\t' << text(requiredNumber(hit, name));
        }
        for (const int charge : charges_)
        {
          out << '\t' << (hit.getCharge() == charge ? 1 : 0);
        }
        out << '\t' << peptideWithFlanks(hit) << '\t' << proteins(hit) << '\n';
      }

      const PeptideIds& identifications_;
      DecoyKnowledge decoys_;
      RunAssignment assignment_;
      std::vector<std::string> features_;
      std::set<int> charges_;
      std::vector<long> scan_; ///< by identification
    };
  }

  void requireTargetsAndDecoys(const PeptideIds& identifications)
  {
    const bool has_hits = std::any_of(identifications.begin(), identifications.end(),
                                      [](const auto& identification) { return !identification.getHits().empty(); });
    const DecoyKnowledge decoys = readDecoys(identifications);
    require(decoys.usable || !has_hits, ErrorKind::INVALID_INPUT,
            "-out_pin needs targets and decoys, but " + decoys.reason +
                "; search a target-decoy database and run PeptideIndexer, or leave out -out_pin.");
  }

  std::string percolatorInput(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                              const std::vector<std::string>& spectrum_files,
                              const std::vector<std::string>& feature_names)
  {
    return Table(runs, identifications, spectrum_files, feature_names).write();
  }
}
