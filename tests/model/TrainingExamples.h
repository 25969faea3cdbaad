// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/Builders.h"

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/PeptideVariants.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/model/PSMTrainer.h>

#include <string>
#include <vector>

namespace psmformer::test
{
  /// Noiseless b and y spectra of random peptides of one part of the data.
  ///
  /// @param right_labels  false: each spectrum is labelled with a shuffled form of its peptide, which it does not show
  inline std::vector<TrainingExample> syntheticExamples(std::size_t n, DataPart part, std::uint64_t seed,
                                                        bool right_labels = true)
  {
    Random random(seed);
    std::vector<TrainingExample> examples;
    while (examples.size() < n)
    {
      const Peptide peptide = makePeptide(randomResidues(7 + random.below(5), random) + "K");
      const std::optional<Peptide> wrong = shuffleResidues(peptide, random);
      if (dataPart(peptideKey(peptide.residues)) != part || !wrong)
      {
        continue;
      }
      TrainingExample example;
      example.charge = 2;
      example.spectrum = noiselessSpectrum(peptide, example.charge);
      example.spectrum.native_id = "scan=" + std::to_string(examples.size() + 1);
      example.peptide = right_labels ? peptide : *wrong;
      example.source = "synthetic";
      examples.push_back(example);
    }
    return examples;
  }

  /// Peptides of the same masses as the examples, with all of their residues but the last shuffled.
  inline PeptidePool syntheticPool(const std::vector<TrainingExample>& examples, DataPart part)
  {
    Random random(99);
    std::vector<std::string> sequences;
    for (const TrainingExample& example : examples)
    {
      const std::string& residues = example.peptide.residues;
      for (int copy = 0; copy < 40; ++copy)
      {
        std::vector<char> letters(residues.begin(), residues.end() - 1);
        random.shuffle(letters);
        sequences.push_back(std::string(letters.begin(), letters.end()) + residues.back());
      }
    }
    return PeptidePool(sequences, part);
  }

  /// Training and validation examples with their pools.
  struct TrainingData
  {
    explicit TrainingData(std::size_t n_training, std::size_t n_validation, bool right_labels = true)
        : training(syntheticExamples(n_training, DataPart::TRAINING, 11, right_labels)),
          validation(syntheticExamples(n_validation, DataPart::VALIDATION, 12, right_labels)),
          pool(syntheticPool(training, DataPart::TRAINING)),
          validation_pool(syntheticPool(validation, DataPart::VALIDATION))
    {
    }

    std::vector<TrainingExample> training;
    std::vector<TrainingExample> validation;
    PeptidePool pool;
    PeptidePool validation_pool;
  };
}
