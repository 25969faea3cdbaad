// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/AnnotatedSpectra.h>
#include <PSMFormer/openms/ProteinDigestion.h>
#include <PSMFormer/openms/TrainingReader.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// Where a training takes its data from; any list may be empty.
  struct TrainingSources
  {
    std::vector<std::string> annotated_files; ///< MGF, MSP
    AnnotationDefaults annotation_defaults;
    std::vector<std::string> identification_files; ///< idXML, with `spectrum_files`
    std::vector<std::string> spectrum_files;
    IdentificationFilter filter;
    std::string exclusion_file; ///< empty: no peptide is excluded
    std::vector<std::string> protein_files;
    DigestionParameters digestion;
  };

  /// All that a training is fed with.
  struct TrainingData
  {
    TrainingSplit split;
    std::vector<std::string> natural_peptides; ///< for negatives; without excluded ones
    std::vector<std::string> notes;            ///< sentences for the log
    std::vector<std::string> warnings;
  };

  /// Reads, splits and filters the data of a training.
  ///
  /// Without protein files the natural peptides are those of the training and validation spectra themselves.
  /// @param inputs  limits of the model
  /// @throws Error OPTION without any spectra or with identifications but no spectra; those of the readers
  TrainingData readTrainingData(const TrainingSources& sources, const ModelInputs& inputs);

  /// What a training that leaves out one fold is fed with: no peptide of the fold is an example, another candidate or a
  /// natural peptide. Keys and sources stay those of all folds.
  /// @throws Error INVALID_INPUT when no training or no validation spectrum is left
  TrainingData withoutFold(const TrainingData& data, const FoldRule& rule, std::size_t fold);

  /// Base names of the files, for the manifest: a model file must not depend on where the data lie.
  std::string describeSources(const TrainingSources& sources);
}
