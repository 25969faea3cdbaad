// SPDX-License-Identifier: BSD-3-Clause
#include "SpectrumReference.h"

#include <PSMFormer/openms/SpectrumIndex.h>

#include <PSMFormer/core/Chemistry.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace psmformer
{
  namespace
  {
    /// Spectra whose time and m/z were copied agree to rounding; only then, those that were measured or rounded anew.
    constexpr double EXACT_TIME = 0.01; // s
    constexpr double EXACT_MZ = 0.001;  // Th
    constexpr double NEARBY_TIME = 1.0; // s
    constexpr double NEARBY_MZ = 0.02;  // Th

    /// The whole text as a number >= 0; -1 otherwise.
    long wholeNumber(const std::string& text)
    {
      long number = -1;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      return error == std::errc() && end == text.data() + text.size() && number >= 0 ? number : -1;
    }

    /// The scan number of a title "<run>.<scan>.<scan>.<charge>", by which pepXML and MGF name a spectrum; else 0.
    long titleScanNumber(const std::string& text)
    {
      std::vector<std::string> parts; // from the last
      std::size_t end = text.size();
      while (parts.size() < 3)
      {
        const std::size_t dot = end == 0 ? std::string::npos : text.rfind('.', end - 1);
        if (dot == std::string::npos || dot == 0)
        {
          return 0;
        }
        parts.push_back(text.substr(dot + 1, end - dot - 1));
        end = dot;
      }
      const long scan = wholeNumber(parts[1]);
      const bool is_title =
          scan > 0 && scan == wholeNumber(parts[2]) && (parts[0].empty() || wholeNumber(parts[0]) >= 0);
      return is_title ? scan : 0;
    }
  }

  long positionReference(const std::string& text)
  {
    const std::string prefix = "index=";
    return text.rfind(prefix, 0) == 0 ? wholeNumber(text.substr(prefix.size())) : -1;
  }

  bool PrecursorAgreement::agree(double identification_mz, double spectrum_mz, int charge) const
  {
    const double tolerance = std::max(absolute, relative * spectrum_mz);
    const double spacing = ISOTOPE_SPACING / std::max(1, std::abs(charge));
    for (int shift = min_isotope; shift <= max_isotope; ++shift)
    {
      if (std::abs(spectrum_mz - identification_mz - shift * spacing) <= tolerance)
      {
        return true;
      }
    }
    return false;
  }

  long scanNumber(const std::string& text)
  {
    const long bare = wholeNumber(text);
    if (bare >= 0)
    {
      return bare;
    }
    if (const long scan = titleScanNumber(text.substr(0, text.find(' '))); scan > 0)
    {
      return scan;
    }
    long scan = 0;
    std::istringstream parts(text);
    for (std::string part; parts >> part;)
    {
      const std::size_t equals = part.find('=');
      const std::string key = part.substr(0, equals);
      const long value = equals == std::string::npos ? -1 : wholeNumber(part.substr(equals + 1));
      if (key == "scan" && value > 0)
      {
        scan = value;
      }
      else if (key != "controllerType" && key != "controllerNumber")
      {
        return 0; // function=, frame=, cycle= ...: the scan number is one part among several
      }
    }
    return scan;
  }

  SpectrumIndex::SpectrumIndex(std::vector<SpectrumEntry> entries) : entries_(std::move(entries))
  {
    for (std::size_t position = 0; position < entries_.size(); ++position)
    {
      const SpectrumEntry& entry = entries_[position];
      const auto [same_id, is_new] = by_native_id_.emplace(entry.native_id, position);
      if (!is_new)
      {
        same_id->second = SEVERAL;
      }
      if (const long scan = scanNumber(entry.native_id); scan > 0)
      {
        const auto [same_scan, is_new_scan] = by_scan_number_.emplace(scan, position);
        if (!is_new_scan)
        {
          same_scan->second = SEVERAL;
        }
      }
      if (entry.ms_level == 2)
      {
        ms2_by_time_.push_back(position);
      }
    }
    std::stable_sort(ms2_by_time_.begin(), ms2_by_time_.end(),
                     [this](std::size_t a, std::size_t b)
                     { return entries_[a].retention_time < entries_[b].retention_time; });
  }

  SpectrumLookup SpectrumIndex::found(std::size_t position, LookupMethod method) const
  {
    if (position == SEVERAL)
    {
      return {MatchStatus::AMBIGUOUS_SPECTRUM, 0, method};
    }
    const bool is_ms2 = entries_[position].ms_level == 2;
    return {is_ms2 ? MatchStatus::SCORED : MatchStatus::NO_MS2, position, method};
  }

  SpectrumLookup SpectrumIndex::findByReference(const SpectrumQuery& query) const
  {
    if (const auto exact = by_native_id_.find(query.reference); exact != by_native_id_.end())
    {
      return found(exact->second, LookupMethod::NATIVE_ID);
    }
    if (const long scan = scanNumber(query.reference); scan > 0)
    {
      const auto by_scan = by_scan_number_.find(scan);
      if (by_scan != by_scan_number_.end() && by_scan->second != SEVERAL)
      {
        return found(by_scan->second, LookupMethod::SCAN_NUMBER);
      }
    }
    if (const long index = positionReference(query.reference); index >= 0)
    {
      const auto position = static_cast<std::size_t>(index);
      if (position < entries_.size() && query.precursor_mz > 0.0 && entries_[position].precursor_mz > 0.0 &&
          PrecursorAgreement().agree(query.precursor_mz, entries_[position].precursor_mz, 1))
      {
        return found(position, LookupMethod::POSITION);
      }
    }
    return {};
  }

  SpectrumLookup SpectrumIndex::findByRetentionTime(const SpectrumQuery& query, double time_window,
                                                    double mz_window) const
  {
    const auto first = std::lower_bound(ms2_by_time_.begin(), ms2_by_time_.end(), query.retention_time - time_window,
                                        [this](std::size_t position, double time)
                                        { return entries_[position].retention_time < time; });
    SpectrumLookup lookup;
    for (auto it = first; it != ms2_by_time_.end(); ++it)
    {
      const SpectrumEntry& entry = entries_[*it];
      if (entry.retention_time > query.retention_time + time_window)
      {
        break;
      }
      if (std::abs(entry.precursor_mz - query.precursor_mz) <= mz_window)
      {
        const bool is_first = lookup.status == MatchStatus::NO_SPECTRUM;
        lookup = found(is_first ? *it : SEVERAL, LookupMethod::RETENTION_TIME);
      }
    }
    return lookup;
  }

  SpectrumLookup SpectrumIndex::find(const SpectrumQuery& query) const
  {
    if (!query.reference.empty())
    {
      const SpectrumLookup lookup = findByReference(query);
      if (lookup.status != MatchStatus::NO_SPECTRUM)
      {
        return lookup;
      }
    }
    if (std::isnan(query.retention_time) || !(query.precursor_mz > 0.0))
    {
      return {};
    }
    const SpectrumLookup exact = findByRetentionTime(query, EXACT_TIME, EXACT_MZ);
    return exact.status != MatchStatus::NO_SPECTRUM ? exact : findByRetentionTime(query, NEARBY_TIME, NEARBY_MZ);
  }
}
