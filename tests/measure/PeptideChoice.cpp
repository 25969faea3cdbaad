// SPDX-License-Identifier: BSD-3-Clause
//
// Measures how often a model picks the true peptide of a held-out spectrum among other peptides of equal mass.
//
//   peptide_choice [-score logit|cosine] MODEL PROTEINS.fasta SPECTRA.mgf.gz [SPECTRA.mgf.gz ...]
//
// MODEL and -score are those of false_hits.
// Only spectra whose peptide belongs to the test part of the data are used, and only proteins' peptides of that part
// stand against them, so that the model has met neither. Two questions are asked of each spectrum:
//   natural: the true peptide among 20 natural peptides of equal mass;
//   hard:    the true peptide among 12 natural peptides of equal mass, 6 inner shuffles and 2 swaps of neighbours.
// A spectrum without enough natural peptides of its mass, or whose peptide has too few orders, is counted and left out.
// swaps_ceiling is the share of spectra with an ion of the true peptide between the swapped residues of both swaps,
// among the peaks that the model takes; in the others nothing but the heights of further ions tells which order is
// right.
#include "HeldOut.h"
#include "HeldOutScorer.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptideVariants.h>
#include <PSMFormer/core/Preprocessing.h>
#include <PSMFormer/openms/AnnotatedSpectra.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace
{
  using namespace psmformer;

  constexpr std::uint64_t SEED = 20;
  constexpr std::size_t N_NATURAL = 20;
  constexpr std::size_t N_HARD_NATURAL = 12;
  constexpr std::size_t N_SHUFFLED = 6;
  constexpr std::size_t N_SWAPPED = 2;
  constexpr double MASS_TOLERANCE = 20e-6; ///< of the peptide mass
  constexpr std::size_t MAX_LENGTH = 40;   ///< the longest peptide the pool holds

  enum class Rival
  {
    NATURAL,
    SHUFFLED,
    SWAPPED
  };

  /// How often the true peptide was the best, or better than all rivals of one class.
  struct Counts
  {
    std::size_t n = 0;
    std::size_t natural = 0;      ///< best among 20 natural
    std::size_t hard = 0;         ///< best among the 20 hard ones
    std::size_t hard_natural = 0; ///< better than the 12 natural of these
    std::size_t hard_shuffled = 0;
    std::size_t hard_swapped = 0;
    std::size_t decidable_swaps = 0; ///< both swaps have an ion between the swapped residues
    std::size_t left_out = 0;
  };

  /// One spectrum in the table: where its matches begin, the class of each rival.
  struct Question
  {
    std::string source;
    std::size_t first_match = 0;
    std::vector<Rival> rivals; ///< 20 natural ones first, of which the hard question takes the first 12
    bool decidable_swaps = false;
  };

  std::vector<Peptide> distinctVariants(const Peptide& peptide, std::size_t count,
                                        const std::function<std::optional<Peptide>()>& make)
  {
    std::vector<Peptide> variants;
    for (std::size_t attempt = 0; attempt < 20 * count && variants.size() < count; ++attempt)
    {
      const std::optional<Peptide> variant = make();
      const bool known = !variant || indistinguishable(*variant, peptide) ||
                         std::any_of(variants.begin(), variants.end(),
                                     [&](const Peptide& other) { return indistinguishable(other, *variant); });
      if (!known)
      {
        variants.push_back(*variant);
      }
    }
    return variants;
  }

  /// Whether an ion of the peptide is measured between the residues that each of the swaps exchanges.
  bool areDecidable(const std::vector<Peptide>& swaps, const TrainingExample& example, const ModelInputs& inputs)
  {
    const PreprocessedSpectrum spectrum = preprocess(example.spectrum, example.charge, inputs.preprocessing);
    const IonEvidence evidence =
        matchIons(spectrum, example.peptide, parseIonChannels(inputs.ions), inputs.preprocessing.max_peaks);
    return std::all_of(swaps.begin(), swaps.end(),
                       [&](const Peptide& swap)
                       {
                         std::size_t site = 0;
                         while (swap.residues[site] == example.peptide.residues[site] &&
                                swap.modification_mass[site] == example.peptide.modification_mass[site])
                         {
                           ++site;
                         }
                         const auto first =
                             evidence.peak.begin() + static_cast<std::ptrdiff_t>(site * evidence.n_channels);
                         return std::any_of(first, first + static_cast<std::ptrdiff_t>(evidence.n_channels),
                                            [](int peak) { return peak >= 0; });
                       });
  }

  /// Adds a spectrum with its true peptide and its rivals; nothing when there are too few peptides of its mass.
  std::optional<Question> ask(MatchTable& table, const TrainingExample& example, const PeptidePool& pool,
                              const ModelInputs& inputs, Random random)
  {
    const double tolerance = MASS_TOLERANCE * monoisotopicMass(example.peptide);
    const std::vector<Peptide> natural = pool.draw(example.peptide, N_NATURAL, tolerance, random);
    const std::vector<Peptide> shuffles =
        distinctVariants(example.peptide, N_SHUFFLED, [&] { return shuffleResidues(example.peptide, random); });
    const std::vector<Peptide> swaps =
        distinctVariants(example.peptide, N_SWAPPED, [&] { return swapNeighbours(example.peptide, random); });
    if (natural.size() < N_NATURAL || shuffles.size() < N_SHUFFLED || swaps.size() < N_SWAPPED)
    {
      return std::nullopt;
    }
    table.spectra.push_back(example.spectrum);
    Question question{example.source, table.matches.size(), {}, areDecidable(swaps, example, inputs)};
    addMatch(table, example.peptide, example.charge);
    const auto addRivals = [&](const std::vector<Peptide>& peptides, Rival rival)
    {
      for (const Peptide& peptide : peptides)
      {
        addMatch(table, peptide, example.charge);
        question.rivals.push_back(rival);
      }
    };
    addRivals(natural, Rival::NATURAL);
    addRivals(shuffles, Rival::SHUFFLED);
    addRivals(swaps, Rival::SWAPPED);
    return question;
  }

  /// Ties count against the model.
  bool wins(const Question& question, const std::vector<double>& logits, std::size_t n_natural, bool natural,
            bool shuffled, bool swapped)
  {
    std::size_t seen_natural = 0;
    for (std::size_t k = 0; k < question.rivals.size(); ++k)
    {
      const Rival rival = question.rivals[k];
      const bool counts = (rival == Rival::NATURAL && natural && seen_natural++ < n_natural) ||
                          (rival == Rival::SHUFFLED && shuffled) || (rival == Rival::SWAPPED && swapped);
      if (counts && logits[question.first_match + 1 + k] >= logits[question.first_match])
      {
        return false;
      }
    }
    return true;
  }

  void count(Counts& counts, const Question& question, const std::vector<double>& logits)
  {
    ++counts.n;
    counts.natural += wins(question, logits, N_NATURAL, true, false, false);
    counts.hard += wins(question, logits, N_HARD_NATURAL, true, true, true);
    counts.hard_natural += wins(question, logits, N_HARD_NATURAL, true, false, false);
    counts.hard_shuffled += wins(question, logits, N_HARD_NATURAL, false, true, false);
    counts.hard_swapped += wins(question, logits, N_HARD_NATURAL, false, false, true);
    counts.decidable_swaps += question.decidable_swaps;
  }

  void print(const std::string& name, const Counts& counts)
  {
    const auto percent = [&](std::size_t n)
    {
      return counts.n == 0 ? 0.0 : 100.0 * static_cast<double>(n) / static_cast<double>(counts.n);
    };
    std::printf("%s\t%zu\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%zu\n", name.c_str(), counts.n, percent(counts.natural),
                percent(counts.hard), percent(counts.hard_natural), percent(counts.hard_shuffled),
                percent(counts.hard_swapped), percent(counts.decidable_swaps), counts.left_out);
  }

  void measure(HeldOutScorer& scorer, const std::string& proteins, const std::vector<std::string>& files)
  {
    const PeptidePool pool = naturalPeptides(proteins, DataPart::TEST);
    std::map<std::string, Counts> by_source;
    for (const std::string& file : files)
    {
      MatchTable table;
      std::vector<Question> questions;
      std::size_t index = 0;
      for (const TrainingExample& example : readAnnotatedSpectra(file).examples)
      {
        ++index;
        if (dataPart(peptideKey(example.peptide.residues)) != DataPart::TEST || example.peptide.length() > MAX_LENGTH ||
            example.charge > scorer.inputs().max_charge)
        {
          continue;
        }
        const std::optional<Question> question =
            ask(table, example, pool, scorer.inputs(), Random::forItem(SEED, 0, index));
        if (question)
        {
          questions.push_back(*question);
        }
        by_source[example.source].left_out += question ? 0 : 1;
      }
      const std::vector<double> logits = scorer.score(table);
      for (const Question& question : questions)
      {
        count(by_source[question.source], question, logits);
      }
    }
    std::printf("source\tspectra\tnatural_20_percent\thard_20_percent\tof_these_natural_12\tshuffled_6\tswapped_2\t"
                "swaps_ceiling\tleft_out\n");
    for (const auto& [source, counts] : by_source)
    {
      print(source, counts);
    }
  }
}

int main(int argc, char** argv)
{
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string score = takeScoreName(arguments);
  if (score.empty() || arguments.size() < 3)
  {
    std::cerr << "Usage: peptide_choice [-score logit|cosine] MODEL PROTEINS.fasta SPECTRA.mgf.gz "
                 "[SPECTRA.mgf.gz ...]\n";
    return 6;
  }
  try
  {
    HeldOutScorer scorer(arguments[0], score);
    measure(scorer, arguments[1], {arguments.begin() + 2, arguments.end()});
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
