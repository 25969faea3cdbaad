// SPDX-License-Identifier: BSD-3-Clause
#include "TrainingChecks.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/Vocabulary.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <sstream>

namespace psmformer
{
  namespace
  {
    constexpr double SAME_MODIFICATION = 0.001; ///< Da

    void checkRange(bool is_valid, const std::string& name, const std::string& allowed)
    {
      require(is_valid, ErrorKind::OPTION, "The training parameter '" + name + "' must be " + allowed + ".");
    }

    bool isShare(double value)
    {
      return value >= 0.0 && value <= 1.0;
    }

    void checkExample(const TrainingExample& example, const std::string& part, const ModelInputs& inputs,
                      const Vocabulary& vocabulary)
    {
      const Peptide& peptide = example.peptide;
      const std::string where =
          "The " + part + " spectrum '" + example.spectrum.native_id + "' (" + peptide.residues + ") ";
      require(example.spectrum.fragment_tolerance.known(), ErrorKind::INVALID_INPUT,
              where + "has no fragment tolerance; give one.");
      require(example.charge >= 1 && example.spectrum.precursor_mz > 0.0, ErrorKind::INVALID_INPUT,
              where + "has no precursor m/z or charge; leave it out.");
      require(peptide.length() >= 1 && peptide.length() <= inputs.max_residues, ErrorKind::INVALID_INPUT,
              where + "has " + std::to_string(peptide.length()) + " residues; leave out peptides of more than " +
                  std::to_string(inputs.max_residues) + ".");
      require(std::all_of(peptide.residues.begin(), peptide.residues.end(),
                          [&vocabulary](char letter) { return vocabulary.contains(letter); }),
              ErrorKind::INVALID_INPUT, where + "has a residue that is not in the vocabulary; leave it out.");
    }

    void addModification(std::vector<double>& masses, double mass)
    {
      const auto is_same = [mass](double other)
      {
        return std::abs(other - mass) < SAME_MODIFICATION;
      };
      if (mass != 0.0 && std::none_of(masses.begin(), masses.end(), is_same))
      {
        masses.push_back(mass);
      }
    }

    void writeNumbers(std::ostream& text, const TrainingParameters& parameters)
    {
      const NegativeMix& mix = parameters.negatives;
      const Augmentation& augmentation = parameters.augmentation;
      for (const std::size_t count :
           {parameters.epochs, parameters.spectra_per_batch, parameters.accumulated_batches, parameters.patience,
            parameters.max_validation_spectra, mix.natural_drawn, mix.natural_hardest, mix.natural_random, mix.shuffled,
            mix.swapped, mix.reversed, mix.substituted, augmentation.thinned_to})
      {
        text << count << ' ';
      }
      for (const double number : {parameters.learning_rate,
                                  parameters.weight_decay,
                                  parameters.warmup_share,
                                  parameters.max_gradient_norm,
                                  parameters.listwise_weight,
                                  parameters.match_weight,
                                  parameters.positive_weight,
                                  parameters.spectral_angle_weight,
                                  parameters.contrastive_weight,
                                  parameters.initial_temperature,
                                  parameters.relocated_share,
                                  parameters.foreign_share,
                                  parameters.recharged_share,
                                  parameters.unexplained_share,
                                  parameters.same_mass_ppm,
                                  parameters.mass_jitter,
                                  parameters.min_tolerance_factor,
                                  parameters.max_tolerance_factor,
                                  augmentation.peak_dropout,
                                  augmentation.intensity_jitter,
                                  augmentation.mz_offset,
                                  augmentation.mz_jitter,
                                  augmentation.noise_peaks,
                                  augmentation.hidden_activation,
                                  augmentation.thinned_share,
                                  mix.mass_tolerance,
                                  mix.any_end_share})
      {
        text << number << ' ';
      }
    }

    void writePeptide(std::ostream& text, const Peptide& peptide)
    {
      text << ' ' << peptide.residues << ' ' << peptide.n_term_modification << ' ' << peptide.c_term_modification;
      for (const double mass : peptide.modification_mass)
      {
        text << ' ' << mass;
      }
    }

    void writeExamples(std::ostream& text, const std::vector<TrainingExample>& examples)
    {
      text << examples.size() << '\n';
      for (const TrainingExample& example : examples)
      {
        const Spectrum& spectrum = example.spectrum;
        text << spectrum.native_id << ' ' << spectrum.mz.size() << ' '
             << std::accumulate(spectrum.mz.begin(), spectrum.mz.end(), 0.0) << ' '
             << std::accumulate(spectrum.intensity.begin(), spectrum.intensity.end(), 0.0) << ' '
             << spectrum.precursor_mz << ' ' << activationName(spectrum.activation) << ' '
             << spectrum.fragment_tolerance.value << ' ' << static_cast<int>(spectrum.fragment_tolerance.unit) << ' '
             << example.charge;
        writePeptide(text, example.peptide);
        for (const Peptide& other : example.other_candidates)
        {
          writePeptide(text, other);
        }
        text << '\n';
      }
    }
  }

  void checkParameters(const TrainingParameters& parameters)
  {
    const std::string positive = "greater than 0";
    const std::string share = "between 0 and 1";
    checkRange(parameters.epochs >= 1, "epochs", "at least 1");
    checkRange(parameters.spectra_per_batch >= 1, "spectra_per_batch", "at least 1");
    checkRange(parameters.accumulated_batches >= 1, "accumulated_batches", "at least 1");
    checkRange(parameters.patience >= 1, "patience", "at least 1");
    checkRange(parameters.max_validation_spectra >= 1, "max_validation_spectra", "at least 1");
    checkRange(parameters.learning_rate > 0.0, "learning_rate", positive);
    checkRange(parameters.weight_decay >= 0.0, "weight_decay", "0 or more");
    checkRange(isShare(parameters.warmup_share), "warmup_share", share);
    checkRange(isShare(parameters.relocated_share), "relocated_share", share);
    checkRange(isShare(parameters.foreign_share), "foreign_share", share);
    checkRange(isShare(parameters.recharged_share), "recharged_share", share);
    checkRange(isShare(parameters.unexplained_share), "unexplained_share", share);
    checkRange(isShare(parameters.negatives.any_end_share), "any_end_share", share);
    checkRange(parameters.max_gradient_norm > 0.0, "max_gradient_norm", positive);
    checkRange(parameters.positive_weight > 0.0, "positive_weight", positive);
    checkRange(parameters.initial_temperature >= 0.01, "initial_temperature", "at least 0.01");
    checkRange(parameters.min_tolerance_factor > 0.0 &&
                   parameters.max_tolerance_factor >= parameters.min_tolerance_factor,
               "min_tolerance_factor", "greater than 0 and at most max_tolerance_factor");
    const Augmentation& augmentation = parameters.augmentation;
    checkRange(isShare(augmentation.hidden_activation), "hidden_activation", share);
    checkRange(isShare(augmentation.thinned_share), "thinned_share", share);
    checkRange(augmentation.thinned_to >= 1, "thinned_to", "at least 1");
    checkRange(augmentation.peak_dropout >= 0.0 && augmentation.peak_dropout < 1.0, "peak_dropout",
               "at least 0 and below 1");
  }

  void checkExamples(const std::vector<TrainingExample>& examples, const std::string& part, const ModelInputs& inputs)
  {
    require(!examples.empty(), ErrorKind::INVALID_INPUT,
            "There is no " + part + " spectrum; give annotated spectra whose peptides fall into the " + part +
                " part.");
    const Vocabulary vocabulary(inputs.vocabulary);
    for (const TrainingExample& example : examples)
    {
      checkExample(example, part, inputs, vocabulary);
    }
  }

  std::vector<double> addModifications(const std::vector<double>& known, const std::vector<TrainingExample>& examples)
  {
    std::vector<double> masses = known;
    for (const TrainingExample& example : examples)
    {
      for (const double mass : example.peptide.modification_mass)
      {
        addModification(masses, mass);
      }
      addModification(masses, example.peptide.n_term_modification);
      addModification(masses, example.peptide.c_term_modification);
    }
    std::sort(masses.begin(), masses.end());
    return masses;
  }

  std::vector<std::string> addActivations(const std::vector<std::string>& known,
                                          const std::vector<TrainingExample>& examples)
  {
    std::set<std::string> names(known.begin(), known.end());
    for (const TrainingExample& example : examples)
    {
      if (example.spectrum.activation != Activation::UNKNOWN)
      {
        names.insert(activationName(example.spectrum.activation));
      }
    }
    return {names.begin(), names.end()};
  }

  void addSeen(ModelInputs& inputs, const ModelInputs& others)
  {
    for (const double mass : others.trained_modifications)
    {
      addModification(inputs.trained_modifications, mass);
    }
    std::sort(inputs.trained_modifications.begin(), inputs.trained_modifications.end());
    std::set<std::string> names(inputs.trained_activations.begin(), inputs.trained_activations.end());
    names.insert(others.trained_activations.begin(), others.trained_activations.end());
    inputs.trained_activations.assign(names.begin(), names.end());
  }

  std::string trainingFingerprint(const ModelManifest& manifest, const TrainingParameters& parameters,
                                  std::uint64_t seed, const std::vector<TrainingExample>& training,
                                  const std::vector<TrainingExample>& validation,
                                  const std::array<std::uint64_t, 2>& pools)
  {
    // Name, version and what the last training left in the manifest do not change how training goes on.
    ModelManifest network;
    network.name = "training";
    network.version = "0.0.0";
    network.architecture = manifest.architecture;
    network.inputs = manifest.inputs;
    std::ostringstream text;
    text.precision(17);
    text << writeManifest(network) << '\n' << seed << ' ' << pools[0] << ' ' << pools[1] << '\n';
    writeNumbers(text, parameters);
    text << '\n';
    writeExamples(text, training);
    writeExamples(text, validation);
    return sha256Hex(text.str());
  }

  std::string describeBatch(std::size_t epoch, const std::vector<std::size_t>& rows,
                            const std::vector<TrainingExample>& examples)
  {
    constexpr std::size_t N_NAMED = 3;
    std::string text = "the batch of epoch " + std::to_string(epoch) + " with the spectra ";
    for (std::size_t k = 0; k < std::min(rows.size(), N_NAMED); ++k)
    {
      text += (k == 0 ? "'" : ", '") + examples[rows[k]].spectrum.native_id + "'";
    }
    return rows.size() > N_NAMED ? text + " and " + std::to_string(rows.size() - N_NAMED) + " more" : text;
  }
}
