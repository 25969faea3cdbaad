// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "LineReader.h"

#include <PSMFormer/openms/AnnotatedSpectra.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace psmformer
{
  /// What one entry of a file of annotated spectra says.
  struct AnnotatedEntry
  {
    Spectrum spectrum;    ///< peaks in any order; native_id is the title
    std::string sequence; ///< OpenMS notation; empty: not labelled
  };

  /// Makes training examples of entries; shared by the readers of both formats.
  class AnnotationCollector
  {
  public:
    AnnotationCollector(const std::string& file, const AnnotationDefaults& defaults);

    /// Takes an entry that ends at the current line of `reader`.
    /// @throws Error DAMAGED_INPUT with file and line; INVALID_INPUT for a sound entry that lacks what training needs
    void add(AnnotatedEntry entry, const LineReader& reader);

    /// @throws Error INVALID_INPUT when the file holds no labelled spectrum
    AnnotatedSpectra finish();

  private:
    const std::optional<Peptide>& peptideOf(const std::string& sequence, const LineReader& reader);
    void complete(Spectrum& spectrum, const LineReader& reader) const;
    std::string sourceOf(const std::string& title) const;

    std::string file_;
    AnnotationDefaults defaults_;
    AnnotatedSpectra result_;
    std::size_t n_entries_ = 0;
    std::unordered_map<std::string, std::optional<Peptide>> peptides_; ///< by sequence; each is parsed once
  };

  /// Reads all entries of an MGF file.
  void readMgf(LineReader& reader, AnnotationCollector& collector);

  /// Reads all entries of a NIST MSP file.
  void readMsp(LineReader& reader, AnnotationCollector& collector);

  /// A number that is the text as a whole.
  /// @throws Error DAMAGED_INPUT naming `what`, file and line
  double parseNumber(std::string_view text, const std::string& what, const LineReader& reader);

  /// A whole number from 0 to a billion.
  /// @throws Error DAMAGED_INPUT naming `what`, file and line
  std::size_t parseCount(std::string_view text, const std::string& what, const LineReader& reader);

  /// Adds the peak of a line "m/z intensity ..."; further columns are skipped.
  void addPeak(std::string_view line, Spectrum& spectrum, const LineReader& reader);

  /// Text without blanks at both ends.
  std::string_view trim(std::string_view text);

  /// Cuts off and returns what is before the first of `separators`; the rest stays in `text`.
  std::string_view takeUntil(std::string_view& text, std::string_view separators);
}
