// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/TrainerOptions.h>

#include "ModelOptions.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/openms/Compat.h>

#include <OpenMS/CHEMISTRY/ModificationsDB.h>
#include <OpenMS/CONCEPT/Exception.h>

#include <variant>

namespace psmformer
{
  namespace
  {
    /// An option that is one number of TrainingParameters.
    struct TrainingField
    {
      std::string name;
      std::variant<std::size_t*, double*> value;
      double min;
      std::string description;
    };

    std::vector<TrainingField> negativeFields(NegativeMix& mix)
    {
      const std::string prefix = "training:negatives:";
      return {
          {prefix + "natural_drawn", &mix.natural_drawn, 0, "Equal-mass natural peptides that are looked at."},
          {prefix + "natural_hardest", &mix.natural_hardest, 0, "Of these, the ones with the most matched intensity."},
          {prefix + "natural_random", &mix.natural_random, 0, "Of these, others, drawn at random."},
          {prefix + "any_end_share", &mix.any_end_share, 0,
           "Share of the spectra whose natural negatives end anywhere, as of a search without an enzyme."},
          {prefix + "shuffled", &mix.shuffled, 0, "Peptides with their inner residues shuffled."},
          {prefix + "swapped", &mix.swapped, 0, "Peptides with two neighbouring residues swapped."},
          {prefix + "reversed", &mix.reversed, 0, "Peptides with their inner residues reversed."},
          {prefix + "substituted", &mix.substituted, 0,
           "Peptides with one or two residues replaced at nearly equal mass."},
          {prefix + "mass_tolerance", &mix.mass_tolerance, 0, "Da, between a positive and an equal-mass negative."},
      };
    }

    std::vector<TrainingField> augmentationFields(Augmentation& change)
    {
      const std::string prefix = "training:augmentation:";
      return {
          {prefix + "peak_dropout", &change.peak_dropout, 0, "Share of peaks removed at random, below 1."},
          {prefix + "intensity_jitter", &change.intensity_jitter, 0,
           "Standard deviation of the logarithm of a factor on each intensity."},
          {prefix + "mz_offset", &change.mz_offset, 0,
           "Offset common to a spectrum, standard deviation in tolerances."},
          {prefix + "mz_jitter", &change.mz_jitter, 0, "Offset of each peak, standard deviation in tolerances."},
          {prefix + "noise_peaks", &change.noise_peaks, 0, "Peaks of another spectrum, as a share of the peaks."},
          {prefix + "hidden_activation", &change.hidden_activation, 0,
           "Share of spectra whose activation is hidden from the network."},
          {prefix + "thinned_share", &change.thinned_share, 0, "Share of spectra that keep only their largest peaks."},
          {prefix + "thinned_to", &change.thinned_to, 1, "The fewest peaks that these keep (log-uniform)."},
      };
    }

    std::vector<TrainingField> trainingFields(TrainingParameters& p)
    {
      const std::string prefix = "training:";
      std::vector<TrainingField> fields = {
          {prefix + "epochs", &p.epochs, 1, "Passes over the training spectra."},
          {prefix + "spectra_per_batch", &p.spectra_per_batch, 1, "Spectra that go through the network at once."},
          {prefix + "accumulated_batches", &p.accumulated_batches, 1, "Batches whose gradients make one step."},
          {prefix + "learning_rate", &p.learning_rate, 0, "The largest learning rate, reached after the warm-up."},
          {prefix + "weight_decay", &p.weight_decay, 0, "Weight decay of AdamW, on matrices only."},
          {prefix + "warmup_share", &p.warmup_share, 0, "Share of all steps until the largest learning rate."},
          {prefix + "max_gradient_norm", &p.max_gradient_norm, 0,
           "Gradients with a larger norm are scaled down to it."},
          {prefix + "listwise_weight", &p.listwise_weight, 0,
           "Weight of the softmax over the candidates of a spectrum."},
          {prefix + "match_weight", &p.match_weight, 0, "Weight of the binary cross-entropy on the logit."},
          {prefix + "positive_weight", &p.positive_weight, 0, "Weight of positives within the binary cross-entropy."},
          {prefix + "spectral_angle_weight", &p.spectral_angle_weight, 0, "Weight of 1 - spectral angle of positives."},
          {prefix + "contrastive_weight", &p.contrastive_weight, 0,
           "Weight of InfoNCE between spectrum and peptide vectors."},
          {prefix + "initial_temperature", &p.initial_temperature, 0,
           "Start value of the temperature of InfoNCE, which is learnt; at least 0.01."},
          {prefix + "relocated_share", &p.relocated_share, 0, "Share of the spectra that are peak relocations."},
          {prefix + "foreign_share", &p.foreign_share, 0,
           "Share of the other spectra that get another precursor mass, so that no candidate is true."},
          {prefix + "recharged_share", &p.recharged_share, 0,
           "Share of the foreign spectra (foreign_share) that get another charge at about their m/z."},
          {prefix + "unexplained_share", &p.unexplained_share, 0,
           "Share of the foreign spectra that lose the peaks their peptide explains."},
          {prefix + "same_mass_ppm", &p.same_mass_ppm, 0,
           "Peptides within this many ppm are of equal mass in InfoNCE."},
          {prefix + "mass_jitter", &p.mass_jitter, 0,
           "Da, standard deviation added to the masses that batches are sorted by."},
          {prefix + "min_tolerance_factor", &p.min_tolerance_factor, 0,
           "Smallest factor that the fragment tolerance of a training spectrum is multiplied by."},
          {prefix + "max_tolerance_factor", &p.max_tolerance_factor, 0, "Largest such factor."},
          {prefix + "patience", &p.patience, 1, "Epochs without a better validation loss before stopping."},
          {prefix + "max_validation_spectra", &p.max_validation_spectra, 1,
           "Validation spectra that are used at most; a seeded choice when there are more."},
          {prefix + "checkpoint_minutes", &p.checkpoint_minutes, 0, "Time between checkpoints within an epoch."},
      };
      for (TrainingField& field : negativeFields(p.negatives))
      {
        fields.push_back(std::move(field));
      }
      for (TrainingField& field : augmentationFields(p.augmentation))
      {
        fields.push_back(std::move(field));
      }
      return fields;
    }

    void addDigestionDefaults(OpenMS::Param& options)
    {
      const DigestionParameters defaults;
      options.setValue("digestion:enzyme", defaults.enzyme, "Enzyme that makes the natural peptides of the FASTA.");
      options.setValue("digestion:specificity", "full", "Ends that the enzyme decides: both, one or none.");
      options.setValidStrings("digestion:specificity", {"full", "semi", "none"});
      const auto addNumber = [&](const std::string& name, std::size_t value, const std::string& description)
      {
        options.setValue("digestion:" + name, static_cast<OpenMS::Int>(value), description);
        options.setMinInt("digestion:" + name, 0);
      };
      addNumber("missed_cleavages", defaults.missed_cleavages, "Most cleavage sites within a peptide.");
      addNumber("min_length", defaults.min_length, "Shortest peptide.");
      addNumber("max_length", defaults.max_length, "Longest peptide.");
      addNumber("max_peptides", defaults.max_peptides,
                "Peptides that are kept at most, by a seeded draw; bounds memory. With specificity none: draws.");
      addNumber("unspecific_draws", defaults.unspecific_draws,
                "Further peptides, cut anywhere: give some when peptides to train on do not end as the enzyme cuts.");
      options.setSectionDescription("digestion", "Natural peptides from the FASTA, used as negatives");
    }

    std::size_t toSize(const OpenMS::Param& options, const std::string& name)
    {
      return static_cast<std::size_t>(static_cast<OpenMS::Int>(options.getValue(name)));
    }
  }

  OpenMS::Param trainerDefaults()
  {
    OpenMS::Param options;
    TrainingParameters defaults;
    for (const TrainingField& field : trainingFields(defaults))
    {
      if (const auto* number = std::get_if<double*>(&field.value))
      {
        options.setValue(field.name, **number, field.description);
        options.setMinFloat(field.name, field.min);
      }
      else
      {
        options.setValue(field.name, static_cast<OpenMS::Int>(*std::get<std::size_t*>(field.value)), field.description);
        options.setMinInt(field.name, static_cast<OpenMS::Int>(field.min));
      }
    }
    options.setSectionDescription("training", "How the network is fitted");
    addModelDefaults(options);
    addDigestionDefaults(options);
    return options;
  }

  TrainingParameters trainingParameters(const OpenMS::Param& options)
  {
    TrainingParameters parameters;
    for (const TrainingField& field : trainingFields(parameters))
    {
      if (const auto* number = std::get_if<double*>(&field.value))
      {
        **number = static_cast<double>(options.getValue(field.name));
      }
      else
      {
        *std::get<std::size_t*>(field.value) = toSize(options, field.name);
      }
    }
    return parameters;
  }

  DigestionParameters digestionParameters(const OpenMS::Param& options)
  {
    DigestionParameters parameters;
    parameters.enzyme = std::string(options.getValue("digestion:enzyme").toString());
    const std::string specificity(options.getValue("digestion:specificity").toString());
    parameters.specificity = specificity == "full"   ? CleavageSpecificity::FULL
                             : specificity == "semi" ? CleavageSpecificity::SEMI
                                                     : CleavageSpecificity::NONE;
    parameters.missed_cleavages = toSize(options, "digestion:missed_cleavages");
    parameters.min_length = toSize(options, "digestion:min_length");
    parameters.max_length = toSize(options, "digestion:max_length");
    parameters.max_peptides = toSize(options, "digestion:max_peptides");
    parameters.unspecific_draws = toSize(options, "digestion:unspecific_draws");
    return parameters;
  }

  std::vector<double> fixedModificationMasses(const std::vector<std::string>& modifications)
  {
    std::vector<double> masses(26, 0.0);
    for (const std::string& name : modifications)
    {
      try
      {
        const auto* modification = OpenMS::ModificationsDB::getInstance()->getModification(OmsString(name));
        const char letter = modification->getOrigin();
        const bool of_residue = modification->getTermSpecificity() == OpenMS::ResidueModification::ANYWHERE &&
                                letter >= 'A' && letter <= 'Z';
        require(of_residue, ErrorKind::OPTION,
                "Fixed modification '" + name + "' is not one of a residue; give one such as 'Carbamidomethyl (C)'.");
        masses[static_cast<std::size_t>(letter - 'A')] += modification->getDiffMonoMass();
      }
      catch (const OpenMS::Exception::BaseException&)
      {
        throw Error(ErrorKind::OPTION,
                    "Fixed modification '" + name + "' is not known; write it as in 'Carbamidomethyl (C)'.");
      }
    }
    return masses;
  }
}
