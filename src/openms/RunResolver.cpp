// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/RunResolver.h>

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Paths.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t NO_FILE = std::numeric_limits<std::size_t>::max();

    std::string lowerCase(std::string text)
    {
      std::transform(text.begin(), text.end(), text.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return text;
    }

    bool removeExtension(std::string& name, const std::set<std::string>& extensions)
    {
      const std::size_t dot = name.rfind('.');
      if (dot == std::string::npos || dot == 0 || extensions.count(lowerCase(name.substr(dot + 1))) == 0)
      {
        return false;
      }
      name.erase(dot);
      return true;
    }

    std::string joined(const std::vector<std::string>& items)
    {
      std::string text;
      for (const std::string& item : items)
      {
        text += (text.empty() ? "" : ", ") + item;
      }
      return text.empty() ? "none" : text;
    }

    /// The list, or the one text that scripts write in its place.
    std::vector<std::string> spectraData(const OpenMS::ProteinIdentification& run)
    {
      const char* const name = "spectra_data";
      if (!run.metaValueExists(name))
      {
        return {};
      }
      const OpenMS::DataValue value = run.getMetaValue(name);
      const OpenMS::StringList entries = value.valueType() == OpenMS::DataValue::STRING_LIST
                                             ? value.toStringList()
                                             : OpenMS::StringList{value.toString()};
      std::vector<std::string> texts;
      for (const auto& entry : entries)
      {
        if (!std::string(entry).empty())
        {
          texts.emplace_back(entry);
        }
      }
      return texts;
    }

    /// OpenMS reads a name with a comma as two names, without the blanks around it.
    std::string withoutBlanks(std::string text)
    {
      text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
      return text;
    }

    /// One name instead of the parts of a name with commas, where it is the name of a file that was given.
    void mendNameWithCommas(std::vector<std::string>& entries, const std::vector<std::string>& spectrum_files)
    {
      std::string whole;
      for (const std::string& entry : entries)
      {
        whole += (whole.empty() ? "" : ",") + entry;
      }
      for (const std::string& file : spectrum_files)
      {
        if (withoutBlanks(runStem(file)) == withoutBlanks(runStem(whole)))
        {
          entries = {file};
          return;
        }
      }
    }

    std::vector<std::size_t> findRuns(const std::vector<OpenMS::ProteinIdentification>& runs,
                                      const PeptideIds& identifications)
    {
      std::unordered_map<std::string, std::size_t> by_identifier;
      for (std::size_t run = 0; run < runs.size(); ++run)
      {
        by_identifier.emplace(runs[run].getIdentifier(), run);
      }
      std::vector<std::size_t> run_of_identification;
      run_of_identification.reserve(identifications.size());
      for (const auto& identification : identifications)
      {
        const auto found = by_identifier.find(identification.getIdentifier());
        require(
            found != by_identifier.end(), ErrorKind::INVALID_INPUT,
            "an identification belongs to the run '" + std::string(identification.getIdentifier()) +
                "', which the file does not describe; write the idXML again with its IdentificationRun, it would lose "
                "its identifications otherwise.");
        run_of_identification.push_back(found->second);
      }
      return run_of_identification;
    }

    /// The entry of spectra_data that an identification of a run with several entries names.
    std::size_t mergeIndex(const OpenMS::PeptideIdentification& identification, std::size_t n_entries)
    {
      double index = 0.0;
      if (!metaNumber(identification, "id_merge_index", index))
      {
        require(
            n_entries == 1, ErrorKind::INVALID_INPUT,
            "a run names " + std::to_string(n_entries) +
                " files in spectra_data, but an identification has no id_merge_index to say which of them is its own; "
                "merge again with IDMerger -annotate_file_origin, or rescore the runs one by one.");
        return 0;
      }
      require(index >= 0.0 && index < static_cast<double>(n_entries), ErrorKind::INVALID_INPUT,
              "an identification has id_merge_index " + std::to_string(static_cast<long>(index)) +
                  ", but its run names " + std::to_string(n_entries) +
                  " files in spectra_data; merge the identifications again.");
      return static_cast<std::size_t>(index);
    }

    bool isMerged(std::size_t run, const RunAssignment& assignment, const PeptideIds& identifications)
    {
      for (std::size_t i = 0; i < identifications.size(); ++i)
      {
        if (assignment.run_of_identification[i] == run && identifications[i].metaValueExists("id_merge_index"))
        {
          return true;
        }
      }
      return false;
    }

    std::map<std::string, std::size_t> filesByStem(const std::vector<std::string>& files)
    {
      std::map<std::string, std::size_t> by_stem;
      for (std::size_t file = 0; file < files.size(); ++file)
      {
        require(by_stem.emplace(runStem(files[file]), file).second, ErrorKind::OPTION,
                "two files of -in_spectra have the name '" + runStem(files[file]) +
                    "', so that runs cannot tell them apart; rename one, or rescore them one by one.");
      }
      return by_stem;
    }

    /// Everything is in the only file: with one name or none in spectra_data, whatever that name is.
    bool singleFileHolds(const std::vector<std::vector<std::string>>& entries,
                         const std::vector<std::string>& spectrum_files, RunAssignment& assignment)
    {
      if (spectrum_files.size() != 1)
      {
        return false;
      }
      std::set<std::string> stems;
      bool unnamed = false;
      for (const auto& run_entries : entries)
      {
        unnamed = unnamed || run_entries.empty();
        for (const std::string& entry : run_entries)
        {
          stems.insert(runStem(entry));
        }
      }
      if (stems.size() > 1 || (unnamed && entries.size() > 1 && !stems.empty()))
      {
        return false;
      }
      if (unnamed)
      {
        assignment.warnings.push_back("The identifications do not name their spectra (no spectra_data); all are taken "
                                      "to be of '" +
                                      spectrum_files[0] + "'.");
      }
      else if (!stems.empty() && *stems.begin() != runStem(spectrum_files[0]) &&
               percentDecoded(*stems.begin()) != runStem(spectrum_files[0]))
      {
        assignment.warnings.push_back("The identifications name the run '" + *stems.begin() +
                                      "', the only file of -in_spectra is '" + spectrum_files[0] +
                                      "'; the names are ignored.");
      }
      return true;
    }

    std::size_t fileOfEntry(const std::string& entry, const std::map<std::string, std::size_t>& by_stem,
                            const std::vector<std::string>& spectrum_files)
    {
      auto found = by_stem.find(runStem(entry));
      if (found == by_stem.end())
      {
        found = by_stem.find(runStem(percentDecoded(entry)));
      }
      require(found != by_stem.end(), ErrorKind::INVALID_INPUT,
              "no file of -in_spectra has the name of the run '" + entry + "'; given were " + joined(spectrum_files) +
                  "; add the mzML of that run.");
      return found->second;
    }

    /// Keeps the files that hold identifications and warns about the others.
    void dropUnusedFiles(const std::vector<std::string>& spectrum_files, RunAssignment& assignment)
    {
      std::vector<std::size_t> new_index(spectrum_files.size(), NO_FILE);
      for (std::size_t& file : assignment.file_of_identification)
      {
        if (new_index[file] == NO_FILE)
        {
          new_index[file] = assignment.files.size();
          assignment.files.push_back(spectrum_files[file]);
        }
        file = new_index[file];
      }
      for (std::size_t file = 0; file < spectrum_files.size(); ++file)
      {
        if (new_index[file] == NO_FILE)
        {
          assignment.warnings.push_back("No identification is of '" + spectrum_files[file] + "'; it is not read.");
        }
      }
    }
  }

  std::string runStem(const std::string& path)
  {
    std::string name = path.substr(path.find_last_of("/\\") + 1);
    removeExtension(name, {"gz", "bz2"});
    removeExtension(name, {"mzml", "mzxml", "mzdata", "mgf", "ms2", "raw", "d", "wiff", "wiff2", "baf", "tdf", "dta"});
    return name;
  }

  RunAssignment resolveRuns(const std::vector<OpenMS::ProteinIdentification>& runs, const PeptideIds& identifications,
                            const std::vector<std::string>& spectrum_files)
  {
    RunAssignment assignment;
    assignment.run_of_identification = findRuns(runs, identifications);
    std::vector<std::vector<std::string>> entries;
    entries.reserve(runs.size());
    for (const auto& run : runs)
    {
      entries.push_back(spectraData(run));
    }
    for (std::size_t run = 0; run < runs.size(); ++run) // a name with commas is several to OpenMS
    {
      if (entries[run].size() > 1 && !isMerged(run, assignment, identifications))
      {
        mendNameWithCommas(entries[run], spectrum_files);
      }
    }
    const auto by_stem = filesByStem(spectrum_files);
    const bool single = singleFileHolds(entries, spectrum_files, assignment);

    assignment.file_of_identification.reserve(identifications.size());
    for (std::size_t i = 0; i < identifications.size(); ++i)
    {
      const auto& run_entries = entries[assignment.run_of_identification[i]];
      if (single)
      {
        assignment.file_of_identification.push_back(0);
        continue;
      }
      require(!run_entries.empty(), ErrorKind::INVALID_INPUT,
              "a run does not name its spectra (no spectra_data), so that it cannot be told which of the files " +
                  joined(spectrum_files) + " is its own; rescore the runs one by one.");
      const std::size_t entry = mergeIndex(identifications[i], run_entries.size());
      assignment.file_of_identification.push_back(fileOfEntry(run_entries[entry], by_stem, spectrum_files));
    }
    dropUnusedFiles(spectrum_files, assignment);
    return assignment;
  }
}
