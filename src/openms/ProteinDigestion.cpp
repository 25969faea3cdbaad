// SPDX-License-Identifier: BSD-3-Clause
#include "LineReader.h"
#include "OpenMSReader.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Paths.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/ProteinDigestion.h>

#include <OpenMS/CHEMISTRY/ProteaseDB.h>
#include <OpenMS/CHEMISTRY/ProteaseDigestion.h>
#include <OpenMS/FORMAT/FASTAFile.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// A compressed file as a plain one, which OpenMS's reader of FASTA needs.
    class PlainFile
    {
    public:
      explicit PlainFile(const std::string& file) : path_(file)
      {
        if (std::filesystem::path(file).extension() != ".gz")
        {
          return;
        }
        LineReader reader(file);
        folder_ = makeTemporaryFolder();
        path_ = folder_ / "proteins.fasta";
        std::ofstream plain(path_);
        for (std::string_view line; reader.next(line);)
        {
          plain << line << '\n';
        }
        plain.close();
        require(!plain.fail(), ErrorKind::CANNOT_WRITE,
                "'" + path_.string() + "' cannot be written in full; free some space or set TMPDIR.");
      }
      ~PlainFile()
      {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
      }
      PlainFile(const PlainFile&) = delete;
      PlainFile& operator=(const PlainFile&) = delete;

      const std::filesystem::path& path() const { return path_; }

    private:
      std::filesystem::path path_;
      std::filesystem::path folder_; ///< empty: nothing to remove
    };

    /// Without the marks of gaps and stops, in capitals also where the file masks regions by small letters.
    std::string residuesOf(const OpenMS::FASTAFile::FASTAEntry& entry, const std::string& file)
    {
      std::string residues;
      for (const char c : std::string(entry.sequence))
      {
        const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        require(is_letter || c == '*' || c == '-', ErrorKind::DAMAGED_INPUT,
                "Protein '" + std::string(entry.identifier) + "' of '" + file +
                    "' has a character that is no residue; correct its sequence or fetch the file again.");
        if (is_letter)
        {
          residues += static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
        }
      }
      return residues;
    }

    std::vector<std::string> readProteins(const std::vector<std::string>& files)
    {
      std::vector<std::string> proteins;
      for (const std::string& file : files)
      {
        std::error_code ignored;
        require(std::filesystem::exists(file, ignored), ErrorKind::NOT_FOUND,
                "File '" + file + "' does not exist; check the path.");
        const PlainFile plain(file);
        std::vector<OpenMS::FASTAFile::FASTAEntry> entries;
        readWithOpenMS(file, [&] { OpenMS::FASTAFile::load(plain.path().string(), entries); });
        require(!entries.empty(), ErrorKind::INVALID_INPUT,
                "'" + file + "' has no protein; give a FASTA file of protein sequences.");
        for (const auto& entry : entries)
        {
          proteins.push_back(residuesOf(entry, file));
        }
      }
      return proteins;
    }

    OpenMS::ProteaseDigestion makeDigestion(const DigestionParameters& parameters)
    {
      std::vector<OpenMS::String> names;
      OpenMS::ProteaseDB::getInstance()->getAllNames(names);
      std::string known;
      for (const auto& name : names)
      {
        known += (known.empty() ? "" : ", ") + std::string(name);
      }
      require(OpenMS::ProteaseDB::getInstance()->hasEnzyme(OmsString(parameters.enzyme)), ErrorKind::OPTION,
              "Enzyme '" + parameters.enzyme + "' is not known; choose one of " + known + ".");
      OpenMS::ProteaseDigestion digestion;
      digestion.setEnzyme(OmsString(parameters.enzyme));
      digestion.setMissedCleavages(parameters.missed_cleavages);
      return digestion;
    }

    /// Distinct peptides, at most a given number: those with the smallest seeded hashes, each with the same
    /// probability.
    class BoundedSample
    {
    public:
      BoundedSample(std::size_t max_size, std::uint64_t seed) : max_size_(max_size), seed_(seed) {}

      void add(std::string peptide)
      {
        const std::uint64_t hash = seededHash(peptide, seed_);
        if (by_hash_.size() == max_size_ && hash >= by_hash_.rbegin()->first)
        {
          return;
        }
        by_hash_.emplace(hash, std::move(peptide));
        if (by_hash_.size() > max_size_)
        {
          by_hash_.erase(std::prev(by_hash_.end()));
        }
      }

      std::set<std::string> peptides() const
      {
        std::set<std::string> peptides;
        for (const auto& [hash, peptide] : by_hash_)
        {
          peptides.insert(peptide);
        }
        return peptides;
      }

    private:
      std::size_t max_size_;
      std::uint64_t seed_;
      std::map<std::uint64_t, std::string> by_hash_;
    };

    /// Peptides whose ends are both the enzyme's; with one free end also what is left when residues are cut off.
    void addCleaved(const std::string& protein, const OpenMS::ProteaseDigestion& digestion,
                    const DigestionParameters& parameters, BoundedSample& peptides)
    {
      const bool semi = parameters.specificity == CleavageSpecificity::SEMI;
      std::vector<OpenMS::StringView> products;
      digestion.digestUnmodified(OpenMS::StringView(protein), products, parameters.min_length,
                                 semi ? 0 : parameters.max_length);
      for (const OpenMS::StringView& product : products)
      {
        const std::string peptide(product.getString());
        if (!semi)
        {
          peptides.add(peptide);
          continue;
        }
        const std::size_t longest = std::min(peptide.size(), parameters.max_length);
        for (std::size_t length = parameters.min_length; length <= longest; ++length)
        {
          peptides.add(peptide.substr(0, length));
          peptides.add(peptide.substr(peptide.size() - length));
        }
      }
    }

    /// Adds what so many draws of a protein (by its length), a start and a length give.
    void addSubsequences(const std::vector<std::string>& proteins, const DigestionParameters& parameters,
                         std::size_t draws, std::set<std::string>& peptides)
    {
      std::vector<std::size_t> ends; // of each protein when all stand in a row
      ends.reserve(proteins.size());
      for (const std::string& protein : proteins)
      {
        ends.push_back((ends.empty() ? 0 : ends.back()) + protein.size());
      }
      Random random(parameters.seed);
      for (std::size_t k = 0; k < draws && ends.back() > 0; ++k)
      {
        const std::size_t position = random.below(ends.back());
        const std::size_t length =
            parameters.min_length + random.below(parameters.max_length - parameters.min_length + 1);
        const auto end = std::upper_bound(ends.begin(), ends.end(), position);
        const std::string& protein = proteins[static_cast<std::size_t>(end - ends.begin())];
        const std::size_t start = position - (*end - protein.size());
        if (start + length <= protein.size())
        {
          peptides.insert(protein.substr(start, length));
        }
      }
    }
  }

  std::set<std::string> digestProteins(const std::vector<std::string>& files, const DigestionParameters& parameters)
  {
    require(parameters.min_length >= 1 && parameters.min_length <= parameters.max_length, ErrorKind::OPTION,
            "The shortest peptide has " + std::to_string(parameters.min_length) + " residues and the longest " +
                std::to_string(parameters.max_length) + "; choose ascending lengths of at least 1.");
    require(parameters.max_peptides >= 1, ErrorKind::OPTION, "No peptide may be kept; allow at least one.");
    const OpenMS::ProteaseDigestion digestion = makeDigestion(parameters);
    const std::vector<std::string> proteins = readProteins(files);
    if (proteins.empty())
    {
      return {};
    }
    if (parameters.specificity == CleavageSpecificity::NONE)
    {
      std::set<std::string> drawn;
      addSubsequences(proteins, parameters, parameters.max_peptides, drawn);
      return drawn;
    }
    BoundedSample cleaved(parameters.max_peptides, parameters.seed);
    for (const std::string& protein : proteins)
    {
      addCleaved(protein, digestion, parameters, cleaved);
    }
    std::set<std::string> peptides = cleaved.peptides();
    addSubsequences(proteins, parameters, parameters.unspecific_draws, peptides);
    return peptides;
  }
}
