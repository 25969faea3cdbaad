// SPDX-License-Identifier: BSD-3-Clause
//
// Prints the features of the candidates that a network of the preset base is trained on, for baselines on the same
// data.
//
//   training_features SEED PROTEINS.fasta EXCLUDED.txt SPECTRA.mgf.gz [SPECTRA.mgf.gz ...] [-<option> VALUE ...]
//
// Options are those of PSMFormerTrainer's sections training, model and digestion; EXCLUDED.txt is its -in_exclude. The
// rows are those of the first epoch of a training of that seed: the same relocations, foreign spectra, augmentation and
// negatives. Tab-separated: number of the spectrum, 1 for a true candidate, then the features of PSMFeatures.
#include "TrainingFeatures.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/TrainerOptions.h>
#include <PSMFormer/openms/TrainingData.h>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace
{
  using namespace psmformer;

  struct Arguments
  {
    std::uint64_t seed = 0;
    TrainingSources sources;
    OpenMS::Param options = trainerDefaults();
  };

  /// Sets an option as the type that its default has.
  void setOption(OpenMS::Param& options, const std::string& name, const std::string& value)
  {
    require(options.exists(name), ErrorKind::OPTION,
            "There is no option -" + name + "; give one of PSMFormerTrainer's training, model or digestion.");
    switch (options.getValue(name).valueType())
    {
    case OpenMS::DataValue::INT_VALUE:
      options.setValue(name, std::stoi(value));
      break;
    case OpenMS::DataValue::DOUBLE_VALUE:
      options.setValue(name, std::stod(value));
      break;
    default:
      options.setValue(name, value);
    }
  }

  Arguments parse(const std::vector<std::string>& words)
  {
    Arguments arguments;
    arguments.seed = std::stoull(words[0]);
    arguments.sources.protein_files = {words[1]};
    arguments.sources.exclusion_file = words[2];
    for (std::size_t i = 3; i < words.size(); ++i)
    {
      if (words[i].front() != '-')
      {
        arguments.sources.annotated_files.push_back(words[i]);
        continue;
      }
      require(i + 1 < words.size(), ErrorKind::OPTION, "The option " + words[i] + " has no value; give it one.");
      setOption(arguments.options, words[i].substr(1), words[i + 1]);
      ++i;
    }
    arguments.sources.digestion = digestionParameters(arguments.options);
    arguments.sources.digestion.seed = arguments.seed;
    return arguments;
  }

  void printFeatures(const Arguments& arguments)
  {
    const ModelManifest manifest = overridePreset(presetManifest("base"), arguments.options);
    const TrainingData data = readTrainingData(arguments.sources, manifest.inputs);
    const PeptidePool pool(data.natural_peptides, DataPart::TRAINING, fixedModificationMasses({"Carbamidomethyl (C)"}));
    printTrainingFeatures(data.split.training, pool, manifest.inputs, trainingParameters(arguments.options),
                          arguments.seed);
  }
}

int main(int argc, char** argv)
{
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 4)
  {
    std::cerr << "Usage: training_features SEED PROTEINS.fasta EXCLUDED.txt SPECTRA.mgf.gz ... [-<option> VALUE ...]\n";
    return 6;
  }
  try
  {
    printFeatures(parse(words));
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
