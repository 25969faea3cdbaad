// SPDX-License-Identifier: BSD-3-Clause
#include "OpenMSReader.h"
#include "SpectrumReference.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/SpectrumIndex.h>

#include <OpenMS/FORMAT/MzMLFile.h>
#include <OpenMS/INTERFACES/IMSDataConsumer.h>
#include <OpenMS/KERNEL/MSChromatogram.h>
#include <OpenMS/KERNEL/MSSpectrum.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// As far as retention times may be apart in SpectrumIndex, and a little more.
    constexpr double TIME_WINDOW = 1.1; // s

    /// Tells early which spectra a query may lead to, so that the peaks of all others are not held.
    class NeededSpectra
    {
    public:
      explicit NeededSpectra(const std::vector<SpectrumQuery>& queries)
      {
        for (const SpectrumQuery& query : queries)
        {
          references_.insert(query.reference);
          positions_.insert(positionReference(query.reference));
          if (const long scan = scanNumber(query.reference); scan > 0)
          {
            scans_.insert(scan);
          }
          if (!std::isnan(query.retention_time))
          {
            times_.push_back(query.retention_time);
          }
        }
        std::sort(times_.begin(), times_.end());
      }

      bool mayNeed(const SpectrumEntry& entry, std::size_t position) const
      {
        if (references_.count(entry.native_id) > 0 || positions_.count(static_cast<long>(position)) > 0)
        {
          return true;
        }
        if (const long scan = scanNumber(entry.native_id); scan > 0 && scans_.count(scan) > 0)
        {
          return true;
        }
        const auto near = std::lower_bound(times_.begin(), times_.end(), entry.retention_time - TIME_WINDOW);
        return near != times_.end() && *near <= entry.retention_time + TIME_WINDOW;
      }

    private:
      std::unordered_set<std::string> references_;
      std::unordered_set<long> positions_;
      std::unordered_set<long> scans_;
      std::vector<double> times_;
    };

    /// Takes spectra one by one from the mzML reader.
    class SpectrumCollector : public OpenMS::Interfaces::IMSDataConsumer
    {
    public:
      SpectrumCollector(const NeededSpectra& needed, SpectrumFile& file) : needed_(needed), file_(file) {}

      void consumeSpectrum(SpectrumType& spectrum) override
      {
        SpectrumEntry entry;
        entry.native_id = std::string(spectrum.getNativeID());
        entry.retention_time = spectrum.getRT();
        entry.ms_level = static_cast<int>(spectrum.getMSLevel());
        if (!spectrum.getPrecursors().empty())
        {
          entry.precursor_mz = std::max(0.0, spectrum.getPrecursors().front().getMZ());
        }
        const std::size_t position = entries.size();
        if (entry.ms_level == 2)
        {
          ++file_.n_ms2;
          if (needed_.mayNeed(entry, position))
          {
            keep(spectrum, entry, position);
          }
        }
        entries.push_back(std::move(entry));
      }

      void consumeChromatogram(ChromatogramType&) override {}
      void setExpectedSize(std::size_t, std::size_t) override {}
      void setExperimentalSettings(const OpenMS::ExperimentalSettings&) override {}

      std::vector<SpectrumEntry> entries;

    private:
      void keep(SpectrumType& peaks, const SpectrumEntry& entry, std::size_t position)
      {
        using Type = OpenMS::SpectrumSettings::SpectrumType;
        file_.is_profile[position] = peaks.getType(true) == Type::PROFILE;
        if (!peaks.isSorted())
        {
          peaks.sortByPosition();
        }
        Spectrum& spectrum = file_.spectra[position];
        spectrum.native_id = entry.native_id;
        spectrum.retention_time = entry.retention_time;
        spectrum.precursor_mz = entry.precursor_mz;
        if (!peaks.getPrecursors().empty())
        {
          spectrum.precursor_charge = std::max(0, peaks.getPrecursors().front().getCharge());
          spectrum.activation = activationOf(peaks.getPrecursors().front());
        }
        spectrum.mz.reserve(peaks.size());
        spectrum.intensity.reserve(peaks.size());
        for (const auto& peak : peaks)
        {
          const bool is_valid = std::isfinite(peak.getMZ()) && peak.getMZ() > 0.0 &&
                                std::isfinite(peak.getIntensity()) && peak.getIntensity() >= 0.0F;
          if (!is_valid)
          {
            ++file_.n_invalid_peaks;
            continue;
          }
          spectrum.mz.push_back(peak.getMZ());
          spectrum.intensity.push_back(peak.getIntensity());
        }
      }

      const NeededSpectra& needed_;
      SpectrumFile& file_;
    };
  }

  SpectrumFile readSpectra(const std::string& file, const std::vector<SpectrumQuery>& queries)
  {
    SpectrumFile result;
    const NeededSpectra needed(queries);
    SpectrumCollector collector(needed, result);
    readWithOpenMS(file, [&] { OpenMS::MzMLFile().transform(file, &collector, true, true); });
    require(result.n_ms2 > 0, ErrorKind::INVALID_INPUT,
            "'" + file + "' has no MS2 spectra (" + std::to_string(collector.entries.size()) +
                " spectra in all); give the mzML that was searched.");
    result.index = SpectrumIndex(std::move(collector.entries));
    return result;
  }
}
