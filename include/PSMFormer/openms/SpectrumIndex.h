// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Spectrum.h>
#include <PSMFormer/openms/MatchStatus.h>

#include <cstddef>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace psmformer
{
  /// What an identification says about its spectrum.
  struct SpectrumQuery
  {
    std::string reference;                                            ///< empty: none
    double retention_time = std::numeric_limits<double>::quiet_NaN(); ///< s; NaN: not known
    double precursor_mz = 0.0;                                        ///< Th; 0: not known
  };

  /// What is remembered of every spectrum of a file, needed or not.
  struct SpectrumEntry
  {
    std::string native_id;
    double retention_time = 0.0; ///< s
    double precursor_mz = 0.0;   ///< Th; 0: not known
    int ms_level = 0;
  };

  enum class LookupMethod
  {
    NATIVE_ID,
    SCAN_NUMBER,
    POSITION,
    RETENTION_TIME
  };

  /// Where a query leads: SCORED stands for "found".
  struct SpectrumLookup
  {
    MatchStatus status = MatchStatus::NO_SPECTRUM;
    std::size_t position = 0; ///< 0-based in the file, when found
    LookupMethod method = LookupMethod::NATIVE_ID;
  };

  /// How closely two precursor m/z of one spectrum agree: max(absolute, relative).
  struct PrecursorAgreement
  {
    double absolute = 0.02; ///< Th
    double relative = 20e-6;
    int min_isotope = 0; ///< shifts by isotope spacings that are allowed
    int max_isotope = 0;

    bool agree(double identification_mz, double spectrum_mz, int charge) const;
  };

  /// The scan number in a native ID or a reference: a bare number, `scan=N`, or Thermo's long form; 0 when the text has
  /// none or has further parts that would be ignored.
  long scanNumber(const std::string& text);

  /// Finds spectra of one file by what identifications say about them.
  ///
  /// In order: the exact native ID; the scan number where it is unique; `index=N` as a 0-based position when the
  /// precursor m/z agrees; retention time and precursor m/z. A guess is made only when exactly one spectrum fits.
  class SpectrumIndex
  {
  public:
    SpectrumIndex() = default;
    explicit SpectrumIndex(std::vector<SpectrumEntry> entries);

    SpectrumLookup find(const SpectrumQuery& query) const;

    const std::vector<SpectrumEntry>& entries() const { return entries_; }

  private:
    SpectrumLookup found(std::size_t position, LookupMethod method) const;
    SpectrumLookup findByReference(const SpectrumQuery& query) const;
    SpectrumLookup findByRetentionTime(const SpectrumQuery& query, double time_window, double mz_window) const;

    static constexpr std::size_t SEVERAL = std::numeric_limits<std::size_t>::max();

    std::vector<SpectrumEntry> entries_;
    std::unordered_map<std::string, std::size_t> by_native_id_; ///< SEVERAL when not unique
    std::unordered_map<long, std::size_t> by_scan_number_;
    std::vector<std::size_t> ms2_by_time_; ///< positions of MS2 spectra, ascending in retention time
  };

  /// The spectra of one mzML file that identifications may refer to.
  struct SpectrumFile
  {
    SpectrumIndex index;
    std::unordered_map<std::size_t, Spectrum> spectra; ///< by position; no other MS2 spectrum keeps its peaks
    std::unordered_map<std::size_t, bool> is_profile;  ///< by position, of the kept ones
    std::size_t n_ms2 = 0;
    std::size_t n_invalid_peaks = 0; ///< dropped from the kept spectra: negative or not finite
  };

  /// Reads a file one spectrum at a time and keeps the peaks of MS2 spectra that a query may lead to.
  /// @throws OpenMS's exceptions for a missing, unreadable or damaged file; Error INVALID_INPUT without any MS2
  /// spectrum
  SpectrumFile readSpectra(const std::string& file, const std::vector<SpectrumQuery>& queries);
}
