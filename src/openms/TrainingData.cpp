// SPDX-License-Identifier: BSD-3-Clause
#include "FragmentTolerance.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/TrainingData.h>

#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

namespace psmformer
{
  namespace
  {
    template <typename... Parts> std::string sentence(const Parts&... parts)
    {
      std::ostringstream text;
      (text << ... << parts);
      return text.str();
    }

    void append(std::vector<TrainingExample>& examples, std::vector<TrainingExample>& more)
    {
      std::move(more.begin(), more.end(), std::back_inserter(examples));
    }

    std::vector<TrainingExample> readExamples(const TrainingSources& sources, const ModelInputs& inputs,
                                              TrainingData& data)
    {
      std::vector<TrainingExample> examples;
      for (const std::string& file : sources.annotated_files)
      {
        AnnotatedSpectra read = readAnnotatedSpectra(file, sources.annotation_defaults);
        data.notes.push_back(sentence(file, ": ", read.examples.size(), " annotated spectra; left out: ",
                                      read.n_unlabelled, " without sequence, ", read.n_ambiguous,
                                      " with an ambiguous residue, ", read.n_mismatched, " of another mass."));
        append(examples, read.examples);
      }
      if (!sources.identification_files.empty())
      {
        IdentifiedSpectra read =
            readIdentifiedSpectra(sources.identification_files, sources.spectrum_files, inputs, sources.filter);
        data.notes.push_back(sentence(read.n_identifications, " identifications: ", read.examples.size(),
                                      " used; left out: ", read.n_above_threshold,
                                      " above the q-value threshold or decoys, ", read.n_not_scorable,
                                      " that cannot be scored."));
        data.warnings = std::move(read.warnings);
        append(examples, read.examples);
      }
      return examples;
    }

    template <typename T, typename Condition> void eraseIf(std::vector<T>& values, Condition condition)
    {
      values.erase(std::remove_if(values.begin(), values.end(), condition), values.end());
    }

    std::set<std::string> naturalPeptides(const TrainingSources& sources, TrainingData& data)
    {
      if (!sources.protein_files.empty())
      {
        std::set<std::string> peptides = digestProteins(sources.protein_files, sources.digestion);
        require(!peptides.empty(), ErrorKind::INVALID_INPUT,
                "The proteins of -in_fasta give no peptide; check the files and the -digestion options.");
        return peptides;
      }
      data.warnings.push_back("Without proteins, negatives of equal mass come from the training peptides alone; give a "
                              "FASTA file for better ones.");
      std::set<std::string> peptides;
      for (const auto* examples : {&data.split.training, &data.split.validation})
      {
        for (const TrainingExample& example : *examples)
        {
          peptides.insert(example.peptide.residues);
        }
      }
      return peptides;
    }
  }

  TrainingData readTrainingData(const TrainingSources& sources, const ModelInputs& inputs)
  {
    require(!sources.annotated_files.empty() || !sources.identification_files.empty(), ErrorKind::OPTION,
            "There is nothing to train on; give annotated spectra, or identifications with their spectra.");
    require(sources.identification_files.empty() == sources.spectrum_files.empty(), ErrorKind::OPTION,
            "Identifications and spectra (mzML) belong together; give both or neither.");
    requireFragmentTolerance(sources.filter.fragment_tolerance);
    requireFragmentTolerance(sources.annotation_defaults.fragment_tolerance);
    const std::set<std::string> excluded =
        sources.exclusion_file.empty() ? std::set<std::string>() : readPeptideKeys(sources.exclusion_file);
    TrainingData data;
    data.split = splitExamples(readExamples(sources, inputs, data), excluded, inputs);
    const TrainingSplit& split = data.split;
    data.notes.push_back(sentence(split.training.size(), " training and ", split.validation.size(),
                                  " validation spectra; left out: ", split.n_test, " of the test part, ",
                                  split.n_excluded, " of excluded peptides, ", split.n_unsupported,
                                  " that the model does not take."));
    data.natural_peptides = withoutKeys(naturalPeptides(sources, data), excluded);
    return data;
  }

  TrainingData withoutFold(const TrainingData& data, const FoldRule& rule, std::size_t fold)
  {
    const auto isOfFold = [&](const std::string& residues)
    {
      return rule.foldOf(residues) == fold;
    };
    TrainingData kept = data;
    for (auto* examples : {&kept.split.training, &kept.split.validation})
    {
      eraseIf(*examples, [&](const TrainingExample& example) { return isOfFold(example.peptide.residues); });
      require(!examples->empty(), ErrorKind::INVALID_INPUT,
              "Without the peptides of fold " + std::to_string(fold + 1) + " of " + std::to_string(rule.count) +
                  " there are no spectra to train or to validate on; use fewer folds or more spectra.");
      for (TrainingExample& example : *examples)
      {
        eraseIf(example.other_candidates, [&](const Peptide& peptide) { return isOfFold(peptide.residues); });
      }
    }
    eraseIf(kept.natural_peptides, isOfFold);
    return kept;
  }

  std::string describeSources(const TrainingSources& sources)
  {
    std::string text;
    for (const auto* files :
         {&sources.annotated_files, &sources.identification_files, &sources.spectrum_files, &sources.protein_files})
    {
      for (const std::string& file : *files)
      {
        text += (text.empty() ? "" : ", ") + std::filesystem::path(file).filename().string();
      }
    }
    return text;
  }
}
