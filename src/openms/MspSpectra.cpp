// SPDX-License-Identifier: BSD-3-Clause
#include "EntryParser.h"

#include <OpenMS/CHEMISTRY/ModificationsDB.h>
#include <OpenMS/CONCEPT/Exception.h>

#include <algorithm>
#include <map>
#include <vector>

namespace psmformer
{
  namespace
  {
    using Specificity = OpenMS::ResidueModification::TermSpecificity;

    /// A modification as libraries write it: 0-based position, residue, name.
    struct Placed
    {
      std::size_t position = 0;
      std::string name;
    };

    /// Unimod's name for those that libraries of NIST write in their own way
    /// (https://chemdata.nist.gov/mass-spc/ftp/mass-spc/PepLib.pdf).
    std::string unimodName(const std::string& name)
    {
      static const std::map<std::string, std::string> names = {{"CAM", "Carbamidomethyl"},
                                                               {"Pyro-cmC", "Pyro-carbamidomethyl"},
                                                               {"Pyro-glu", "Gln->pyro-Glu"},
                                                               {"Pyro_glu", "Glu->pyro-Glu"}};
      const auto known = names.find(name);
      return known == names.end() ? name : known->second;
    }

    bool canBe(const std::string& name, const std::string& residue, Specificity specificity)
    {
      try
      {
        return OpenMS::ModificationsDB::getInstance()->getModification(name, residue, specificity) != nullptr;
      }
      catch (const OpenMS::Exception::BaseException&)
      {
        return false;
      }
    }

    /// "0" or "2/0,A,Acetyl/5,M,Oxidation", in newer libraries "2(0,A,Acetyl)(5,M,Oxidation)".
    std::vector<Placed> parseModifications(std::string_view text, const LineReader& reader)
    {
      std::vector<Placed> modifications;
      const std::size_t count = parseCount(takeUntil(text, "/("), "Mods=", reader);
      while (!text.empty())
      {
        std::string_view item = takeUntil(text, "/(");
        item = item.substr(0, item.find(')'));
        const std::size_t position = parseCount(takeUntil(item, ","), "The position of a modification,", reader);
        takeUntil(item, ",");
        modifications.push_back({position, unimodName(std::string(trim(item)))});
      }
      if (count != modifications.size())
      {
        reader.fail("Mods= lists another number of modifications than it says", "correct the entry");
      }
      return modifications;
    }

    /// The sequence in OpenMS notation.
    std::string annotate(const std::string& residues, const std::vector<Placed>& modifications,
                         const LineReader& reader)
    {
      std::string n_term;
      std::string c_term;
      std::vector<std::string> of_residue(residues.size());
      for (const Placed& modification : modifications)
      {
        const std::size_t position = modification.position;
        if (position >= residues.size())
        {
          reader.fail("A modification lies behind the end of peptide '" + residues + "'", "correct Mods=");
        }
        const std::string text = "(" + modification.name + ")";
        const bool on_residue = canBe(modification.name, residues.substr(position, 1), Specificity::ANYWHERE);
        if (!on_residue && position == 0)
        {
          n_term = "." + text;
        }
        else if (!on_residue && position + 1 == residues.size())
        {
          c_term = "." + text;
        }
        else
        {
          of_residue[position] = text;
        }
      }
      std::string sequence = n_term;
      for (std::size_t k = 0; k < residues.size(); ++k)
      {
        sequence += residues[k] + of_residue[k];
      }
      return sequence + c_term;
    }

    /// The `key=value` words of a comment; values in quotation marks may hold blanks.
    std::map<std::string, std::string> parseComment(std::string_view text)
    {
      std::map<std::string, std::string> values;
      while (!(text = trim(text)).empty())
      {
        const std::size_t equals = text.find('=');
        const std::size_t blank = std::min(text.find(' '), text.size());
        if (equals >= blank)
        {
          text.remove_prefix(blank);
          continue;
        }
        const std::string key(takeUntil(text, "="));
        const bool quoted = !text.empty() && text[0] == '"';
        text.remove_prefix(quoted ? 1 : 0);
        values[key] = takeUntil(text, quoted ? "\"" : " ");
      }
      return values;
    }

    class Parser : public EntryParser
    {
    public:
      using EntryParser::EntryParser;

    private:
      void readLine(std::string_view line) override
      {
        if (peaks_left_ > 0)
        {
          readPeaks(line);
        }
        else
        {
          readHeader(line);
        }
      }

      void readHeader(std::string_view line)
      {
        const std::string key(trim(takeUntil(line, ":")));
        line = trim(line);
        if (key == "Name")
        {
          readName(line);
        }
        else if (key == "Comment" || key == "Comments")
        {
          readComment(line);
        }
        else if (key == "PrecursorMZ")
        {
          entry_.spectrum.precursor_mz = parseNumber(line, key, reader_);
        }
        else if (key == "Num peaks" || key == "Num Peaks" || key == "NumPeaks")
        {
          if (!inside())
          {
            reader_.fail("Peaks stand outside of an entry", "begin the entry with Name:");
          }
          peaks_left_ = parseCount(line, key, reader_);
          if (peaks_left_ == 0)
          {
            end();
          }
        }
      }

      /// "PEPTIDE/2"; newer libraries add modifications and energy after an underscore.
      void readName(std::string_view name)
      {
        if (inside())
        {
          reader_.fail("The entry before has no peaks", "it is truncated; fetch the file again");
        }
        beginEntry({});
        modifications_.clear();
        entry_.spectrum.native_id = name;
        residues_ = takeUntil(name, "/");
        const std::string_view charge = name.substr(0, name.find_first_not_of("0123456789"));
        entry_.spectrum.precursor_charge = static_cast<int>(parseCount(charge, "The charge in Name:", reader_));
      }

      void readComment(std::string_view text)
      {
        const auto values = parseComment(text);
        if (const auto parent = values.find("Parent"); parent != values.end())
        {
          entry_.spectrum.precursor_mz = parseNumber(parent->second, "Parent=", reader_);
        }
        if (const auto mods = values.find("Mods"); mods != values.end())
        {
          modifications_ = parseModifications(mods->second, reader_);
        }
        const auto instrument = values.find("Inst");
        if (values.count("HCD") > 0)
        {
          entry_.spectrum.activation = Activation::HCD;
        }
        else if (instrument != values.end() && instrument->second == "it")
        {
          entry_.spectrum.activation = Activation::CID;
        }
      }

      /// Peaks stand one a line or several separated by ';'.
      void readPeaks(std::string_view line)
      {
        while (!(line = trim(line)).empty() && peaks_left_ > 0)
        {
          const std::size_t quote = std::min(line.find('"'), line.size());
          std::string_view rest = line.substr(std::min(line.find(';'), quote));
          addPeak(line.substr(0, line.size() - rest.size()), entry_.spectrum, reader_);
          --peaks_left_;
          if (!rest.empty() && rest[0] == '"')
          {
            rest.remove_prefix(std::min(rest.find('"', 1), rest.size()));
          }
          rest.remove_prefix(std::min(rest.find(';'), rest.size()));
          rest.remove_prefix(rest.empty() ? 0 : 1);
          line = rest;
        }
        if (peaks_left_ == 0)
        {
          end();
        }
      }

      void end()
      {
        entry_.sequence = residues_.empty() ? "" : annotate(residues_, modifications_, reader_);
        endEntry();
      }

      std::string residues_;
      std::vector<Placed> modifications_;
      std::size_t peaks_left_ = 0;
    };
  }

  void readMsp(LineReader& reader, AnnotationCollector& collector)
  {
    Parser(reader, collector).parse();
  }
}
