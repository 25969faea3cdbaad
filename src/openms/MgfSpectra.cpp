// SPDX-License-Identifier: BSD-3-Clause
#include "EntryParser.h"

#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    /// Mascot's manual: comments start with one of these.
    constexpr std::string_view COMMENTS = "#;!/";
    constexpr double DALTON_PER_MMU = 1e-3;

    bool isPeak(std::string_view line)
    {
      return (line[0] >= '0' && line[0] <= '9') || line[0] == '.';
    }

    /// "2+", "2" or "+2"; 0 for several charges and what else is not one positive charge, as of spectra without
    /// peptide.
    int parseCharge(std::string_view text, const LineReader& reader)
    {
      const std::size_t first = text.find_first_not_of('+');
      const std::size_t end = std::min(text.find_last_not_of('+') + 1, text.size());
      const std::string_view digits = first == std::string_view::npos ? text : text.substr(first, end - first);
      constexpr std::size_t MAX_DIGITS = 2;
      const bool is_number = !digits.empty() && digits.size() <= MAX_DIGITS &&
                             digits.find_first_not_of("0123456789") == std::string_view::npos;
      return is_number ? static_cast<int>(parseNumber(digits, "CHARGE", reader)) : 0;
    }

    /// "61.5", or the first of a range or list; NaN for what is no time, such as the -1 of OpenMS. Training needs none.
    double parseTime(std::string_view text)
    {
      const std::string_view first = trim(takeUntil(text, "-,"));
      double time = 0.0;
      const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), time);
      const bool is_time = error == std::errc() && end == first.data() + first.size() && std::isfinite(time);
      return is_time ? time : std::numeric_limits<double>::quiet_NaN();
    }

    void setToleranceUnit(std::string_view text, Tolerance& tolerance, const LineReader& reader)
    {
      const std::string unit(trim(text));
      if (unit == "ppm")
      {
        tolerance.unit = ToleranceUnit::PPM;
      }
      else if (unit == "Da" || unit == "mmu")
      {
        tolerance.unit = ToleranceUnit::DA;
        tolerance.value *= unit == "mmu" ? DALTON_PER_MMU : 1.0;
      }
      else
      {
        reader.fail("ITOLU '" + unit + "' is not a unit", "write Da, mmu or ppm");
      }
    }

    class Parser : public EntryParser
    {
    public:
      using EntryParser::EntryParser;

    private:
      void readLine(std::string_view line) override
      {
        if (COMMENTS.find(line[0]) != std::string_view::npos)
        {
          return;
        }
        if (line == "BEGIN IONS")
        {
          begin();
        }
        else if (line == "END IONS")
        {
          end();
        }
        else if (isPeak(line) && inside())
        {
          addPeak(line, entry_.spectrum, reader_);
        }
        else if (line.find('=') != std::string_view::npos)
        {
          const std::string key(trim(takeUntil(line, "=")));
          readKey(key, trim(line));
        }
        else
        {
          reader_.fail("'" + std::string(line.substr(0, 40)) + "' is neither a key, a peak nor a comment",
                       "correct or remove the line");
        }
      }

      void begin()
      {
        if (inside())
        {
          reader_.fail("BEGIN IONS stands within an entry", "end the one before with END IONS");
        }
        beginEntry(common_);
        charge_.clear();
        tolerance_unit_ = common_tolerance_unit_;
      }

      void end()
      {
        if (!inside())
        {
          reader_.fail("END IONS stands outside of an entry", "begin the entry with BEGIN IONS");
        }
        if (!entry_.sequence.empty() && !charge_.empty() && entry_.spectrum.precursor_charge < 1)
        {
          reader_.fail("CHARGE '" + charge_ + "' of the entry that ends is not one positive charge",
                       "write it as in CHARGE=2+");
        }
        if (entry_.spectrum.fragment_tolerance.known())
        {
          setToleranceUnit(tolerance_unit_, entry_.spectrum.fragment_tolerance, reader_);
        }
        endEntry();
      }

      /// Other keys of MGF files do not matter here.
      void readKey(const std::string& key, std::string_view value)
      {
        AnnotatedEntry& entry = inside() ? entry_ : common_;
        Spectrum& spectrum = entry.spectrum;
        if (key == "TITLE")
        {
          spectrum.native_id = value;
        }
        else if (key == "PEPMASS")
        {
          spectrum.precursor_mz = parseNumber(takeUntil(value, " \t"), key, reader_);
        }
        else if (key == "CHARGE")
        {
          spectrum.precursor_charge = parseCharge(value, reader_);
          charge_ = inside() ? std::string(value) : std::string();
        }
        else if (key == "SEQ")
        {
          entry.sequence = value;
        }
        else if (key == "RTINSECONDS")
        {
          spectrum.retention_time = parseTime(value);
        }
        else if (key == "ITOL")
        {
          spectrum.fragment_tolerance.value = parseNumber(value, key, reader_);
        }
        else if (key == "ITOLU")
        {
          (inside() ? tolerance_unit_ : common_tolerance_unit_) = value;
        }
        else if (key == "ACTIVATION")
        {
          readActivation(value, spectrum);
        }
      }

      void readActivation(std::string_view value, Spectrum& spectrum)
      {
        try
        {
          spectrum.activation = parseActivation(std::string(value));
        }
        catch (const Error&)
        {
          reader_.fail("ACTIVATION '" + std::string(value) + "' is not known", "write HCD, CID, ETD or EThcD");
        }
      }

      AnnotatedEntry common_; ///< values that hold for all entries
      std::string charge_;    ///< as the entry states it
      std::string tolerance_unit_;
      std::string common_tolerance_unit_ = "Da"; ///< Mascot's default
    };
  }

  void readMgf(LineReader& reader, AnnotationCollector& collector)
  {
    Parser(reader, collector).parse();
  }
}
