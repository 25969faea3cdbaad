// SPDX-License-Identifier: BSD-3-Clause
#include "AnnotationCollector.h"
#include "LineReader.h"

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/Vocabulary.h>
#include <PSMFormer/openms/TrainingReader.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// A peptide of one residue has no cleavage site, hence no evidence.
    constexpr std::size_t MIN_RESIDUES = 2;

    bool isSupported(const TrainingExample& example, const ModelInputs& inputs, const Vocabulary& vocabulary)
    {
      const std::string& residues = example.peptide.residues;
      return residues.size() >= MIN_RESIDUES && residues.size() <= inputs.max_residues && example.charge >= 1 &&
             example.charge <= inputs.max_charge &&
             std::all_of(residues.begin(), residues.end(), [&](char letter) { return vocabulary.contains(letter); });
    }
  }

  TrainingSplit splitExamples(std::vector<TrainingExample> examples, const std::set<std::string>& excluded_keys,
                              const ModelInputs& inputs)
  {
    const Vocabulary vocabulary(inputs.vocabulary);
    const auto isExcluded = [&](const Peptide& peptide)
    {
      return excluded_keys.count(peptideKey(peptide.residues)) > 0;
    };
    TrainingSplit split;
    for (TrainingExample& example : examples)
    {
      const std::string key = peptideKey(example.peptide.residues);
      const DataPart part = dataPart(key);
      if (part == DataPart::TEST)
      {
        ++split.n_test;
      }
      else if (excluded_keys.count(key) > 0)
      {
        ++split.n_excluded;
      }
      else if (!isSupported(example, inputs, vocabulary))
      {
        ++split.n_unsupported;
      }
      else
      {
        auto& others = example.other_candidates;
        others.erase(std::remove_if(others.begin(), others.end(), isExcluded), others.end());
        const bool trains = part == DataPart::TRAINING;
        auto& counts = split.sources[example.source];
        ++(trains ? counts.first : counts.second);
        split.keys.insert(key);
        (trains ? split.training : split.validation).push_back(std::move(example));
      }
    }
    return split;
  }

  std::set<std::string> readPeptideKeys(const std::string& file)
  {
    LineReader reader(file);
    std::set<std::string> keys;
    for (std::string_view line; reader.next(line);)
    {
      const std::string residues(trim(line));
      if (residues.empty() || residues[0] == '#')
      {
        continue;
      }
      if (!std::all_of(residues.begin(), residues.end(), [](char letter) { return letter >= 'A' && letter <= 'Z'; }))
      {
        reader.fail("'" + residues + "' is not a peptide of letters A to Z", "write one peptide a line");
      }
      keys.insert(peptideKey(residues));
    }
    return keys;
  }

  std::vector<std::string> withoutKeys(const std::set<std::string>& peptides,
                                       const std::set<std::string>& excluded_keys)
  {
    std::vector<std::string> kept;
    std::copy_if(peptides.begin(), peptides.end(), std::back_inserter(kept),
                 [&](const std::string& peptide) { return excluded_keys.count(peptideKey(peptide)) == 0; });
    return kept;
  }
}
