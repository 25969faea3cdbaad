// SPDX-License-Identifier: BSD-3-Clause
//
// Measures how well a model's logit tells true peptides from the best false ones, as a search at 1 % FDR needs it.
//
//   false_hits [-score logit|cosine] [-unspecific NUMBER] MODEL PROTEINS.fasta PART[:PEAKS] SPECTRA.mgf.gz ...
//
// MODEL is a model file, or a table of weights (.tsv) of a linear baseline. The cosine of spectrum and peptide vector
// can stand for the logit, for a model that was trained for it alone. PART is validation or test; with PEAKS each
// spectrum is left that many of its peaks, the most intense, as of sparse runs. Two kinds of false hits are made for
// each spectrum of that part of the data:
//   rival:    the best of many false peptides of the true peptide's mass;
//   foreign:  the best of many peptides of another mass, to which the precursor is moved, so that the spectrum holds
//             fragments of none of them: a spectrum without any true candidate.
// The false peptides are natural ones and inner shuffles of them, that end as the true one does, or with -unspecific as
// many natural ones as a search without an enzyme would meet: that NUMBER of peptides cut anywhere is drawn from all
// proteins. As after a search engine, those that explain most of the intensity are scored. Printed for each source,
// each charge and all: the share of true peptides whose logit is above all but 1 % of the false hits of all spectra
// (one threshold for all, since an FDR has one). Then the same of all spectra for logits calibrated with several
// weights of the mean logit of shuffled candidates (SpectrumNull.h), of the five best that a search hands on.
#include "FalsePeptides.h"
#include "HeldOut.h"
#include "HeldOutScorer.h"

#include <PSMFormer/core/Augmentation.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/SpectrumNull.h>
#include <PSMFormer/openms/AnnotatedSpectra.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace
{
  using namespace psmformer;

  constexpr std::uint64_t SEED = 21;
  constexpr double FALSE_SHARE = 0.01;   ///< of the false hits may lie above the threshold
  constexpr double MAX_MASS_RATIO = 1.3; ///< of the mass to which a precursor is moved to its own

  /// One spectrum in the table: the true match, the rivals after it and the foreign candidates after these.
  struct Entry
  {
    std::string source;
    int charge = 0;
    std::size_t true_match = 0;
    std::size_t foreign_begin = 0;
    std::size_t null_begin = 0; ///< shuffles of the true peptide and its best rivals
    std::size_t foreign_null_begin = 0;
    std::size_t end = 0;
  };

  struct Logits
  {
    std::string source;
    int charge = 0;
    double of_true = 0.0;
    double of_rival = 0.0;
    double of_foreign = 0.0;
    double null = 0.0;
    double foreign_null = 0.0;

    /// As PSMFormer calibrates with this weight.
    Logits calibrated(double weight) const
    {
      return {source, charge, of_true - weight * null, of_rival - weight * null, of_foreign - weight * foreign_null};
    }
  };

  void addMatches(MatchTable& table, const Spectrum& spectrum, const std::vector<Peptide>& peptides, int charge)
  {
    table.spectra.push_back(spectrum);
    for (const Peptide& peptide : peptides)
    {
      addMatch(table, peptide, charge);
    }
  }

  /// An example of the same charge, of another key and of a mass not far away; nothing when there is none.
  const TrainingExample* otherExample(const std::vector<TrainingExample>& examples, std::size_t index, Random& random)
  {
    constexpr int ATTEMPTS = 200;
    const TrainingExample& own = examples[index];
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt)
    {
      const TrainingExample& other = examples[random.below(examples.size())];
      const double ratio = monoisotopicMass(other.peptide) / monoisotopicMass(own.peptide);
      const bool near = ratio < MAX_MASS_RATIO && ratio > 1.0 / MAX_MASS_RATIO;
      if (near && other.charge == own.charge && peptideKey(other.peptide.residues) != peptideKey(own.peptide.residues))
      {
        return &other;
      }
    }
    return nullptr;
  }

  /// Shuffles of the first candidates.
  std::vector<Peptide> shufflesOf(std::vector<Peptide> candidates)
  {
    constexpr std::size_t N_HITS = 5; // of a search
    candidates.resize(std::min(N_HITS, candidates.size()));
    std::vector<Peptide> all;
    for (std::vector<Peptide>& shuffled : shuffledCandidates(candidates, N_HITS))
    {
      std::move(shuffled.begin(), shuffled.end(), std::back_inserter(all));
    }
    return all;
  }

  using FalsePeptides = std::vector<Peptide> (*)(const Peptide& like, const PeptidePool& pool, Random& random);

  std::optional<Entry> addEntry(MatchTable& table, const std::vector<TrainingExample>& examples, std::size_t index,
                                const PeptidePool& pool, FalsePeptides falsePeptides, const ModelInputs& inputs)
  {
    Random random = Random::forItem(SEED, 0, index);
    const TrainingExample& example = examples[index];
    const TrainingExample* const other = otherExample(examples, index, random);
    if (other == nullptr)
    {
      return std::nullopt;
    }
    std::vector<Peptide> rivals = falsePeptides(example.peptide, pool, random);
    keepMostExplaining(rivals, example.spectrum, example.charge, inputs);

    Spectrum moved = example.spectrum;
    moved.precursor_mz = massToCharge(other->peptide, example.charge);
    std::vector<Peptide> foreign = falsePeptides(other->peptide, pool, random);
    keepMostExplaining(foreign, moved, example.charge, inputs);
    if (rivals.empty() || foreign.empty())
    {
      return std::nullopt;
    }
    Entry entry{example.source, example.charge, table.matches.size(), 0, 0, 0, 0};
    rivals.insert(rivals.begin(), example.peptide);
    addMatches(table, example.spectrum, rivals, example.charge);
    entry.foreign_begin = table.matches.size();
    addMatches(table, moved, foreign, example.charge);
    entry.null_begin = table.matches.size();
    addMatches(table, example.spectrum, shufflesOf(rivals), example.charge);
    entry.foreign_null_begin = table.matches.size();
    addMatches(table, moved, shufflesOf(foreign), example.charge);
    entry.end = table.matches.size();
    return entry;
  }

  Logits bestLogits(const Entry& entry, const std::vector<double>& logit)
  {
    const auto at = [&](std::size_t match)
    {
      return logit.begin() + static_cast<std::ptrdiff_t>(match);
    };
    const auto mean = [&](std::size_t begin, std::size_t end)
    {
      constexpr double WITHOUT_SHUFFLES = -6.0; // about the mean of all; for peptides that have no other order
      return begin == end ? WITHOUT_SHUFFLES
                          : std::accumulate(at(begin), at(end), 0.0) / static_cast<double>(end - begin);
    };
    return {entry.source,
            entry.charge,
            logit[entry.true_match],
            *std::max_element(at(entry.true_match + 1), at(entry.foreign_begin)),
            *std::max_element(at(entry.foreign_begin), at(entry.null_begin)),
            mean(entry.null_begin, entry.foreign_null_begin),
            mean(entry.foreign_null_begin, entry.end)};
  }

  /// The logit above which FALSE_SHARE of the false hits lie.
  double threshold(std::vector<double> logits)
  {
    std::sort(logits.begin(), logits.end(), std::greater<>());
    return logits[static_cast<std::size_t>(FALSE_SHARE * static_cast<double>(logits.size()))];
  }

  void print(const std::string& name, const std::vector<const Logits*>& group, double rival, double foreign)
  {
    const auto share = [&](double Logits::*value, double above)
    {
      const auto n = std::count_if(group.begin(), group.end(), [&](const Logits* l) { return l->*value > above; });
      return 100.0 * static_cast<double>(n) / static_cast<double>(group.size());
    };
    std::printf("%s\t%zu\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", name.c_str(), group.size(),
                share(&Logits::of_true, std::max(rival, foreign)), share(&Logits::of_true, rival),
                share(&Logits::of_true, foreign), share(&Logits::of_rival, rival), share(&Logits::of_foreign, foreign));
  }

  void printTable(const std::vector<Logits>& logits)
  {
    std::map<std::string, std::vector<const Logits*>> groups;
    std::vector<double> rivals;
    std::vector<double> foreign;
    for (const Logits& l : logits)
    {
      groups[l.source].push_back(&l);
      groups["charge " + std::to_string(l.charge) + "+"].push_back(&l);
      groups["all"].push_back(&l);
      rivals.push_back(l.of_rival);
      foreign.push_back(l.of_foreign);
    }
    const double rival_threshold = threshold(rivals);
    const double foreign_threshold = threshold(foreign);
    std::printf("logit above 1 %% of the false hits: rival %.2f, foreign %.2f\n", rival_threshold, foreign_threshold);
    std::printf("group\tspectra\ttrue_above_both\ttrue_above_rival\ttrue_above_foreign\trival_above\tforeign_above\n");
    for (const auto& [name, group] : groups)
    {
      print(name, group, rival_threshold, foreign_threshold);
    }
  }

  void printCalibrated(const std::vector<Logits>& logits)
  {
    std::printf("weight of the null\ttrue_above_both\ttrue_above_rival\ttrue_above_foreign\n");
    for (const double weight : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8})
    {
      std::vector<double> of_true;
      std::vector<double> rivals;
      std::vector<double> foreign;
      for (const Logits& l : logits)
      {
        const Logits calibrated = l.calibrated(weight);
        of_true.push_back(calibrated.of_true);
        rivals.push_back(calibrated.of_rival);
        foreign.push_back(calibrated.of_foreign);
      }
      const auto shareAbove = [&](double limit)
      {
        const auto n = std::count_if(of_true.begin(), of_true.end(), [&](double value) { return value > limit; });
        return 100.0 * static_cast<double>(n) / static_cast<double>(of_true.size());
      };
      const double rival = threshold(rivals);
      const double other = threshold(foreign);
      std::printf("calibrated %.1f\t%.1f\t%.1f\t%.1f\n", weight, shareAbove(std::max(rival, other)), shareAbove(rival),
                  shareAbove(other));
    }
  }

  /// The examples of one part, with at most n_peaks peaks each, the most intense.
  std::vector<TrainingExample> readThinned(const std::string& file, DataPart part, std::size_t n_peaks,
                                           const ModelInputs& inputs)
  {
    std::vector<TrainingExample> kept;
    for (TrainingExample& example : readAnnotatedSpectra(file).examples)
    {
      if (dataPart(peptideKey(example.peptide.residues)) == part && example.charge <= inputs.max_charge &&
          example.peptide.length() <= inputs.max_residues)
      {
        keepMostIntense(example.spectrum, n_peaks);
        kept.push_back(std::move(example));
      }
    }
    return kept;
  }

  /// Takes "-unspecific NUMBER" off the front of the arguments; 0 when it is not there.
  std::size_t takeUnspecific(std::vector<std::string>& arguments)
  {
    if (arguments.size() < 2 || arguments.front() != "-unspecific")
    {
      return 0;
    }
    const std::size_t number = std::strtoul(arguments[1].c_str(), nullptr, 10);
    arguments.erase(arguments.begin(), arguments.begin() + 2);
    return number;
  }

  void measure(HeldOutScorer& scorer, const std::string& proteins, DataPart part, std::size_t n_peaks,
               std::size_t n_unspecific, const std::vector<std::string>& files)
  {
    const ModelInputs& inputs = scorer.inputs();
    const PeptidePool pool = naturalPeptides(proteins, part, n_unspecific);
    const FalsePeptides falsePeptides = n_unspecific > 0 ? unspecificFalsePeptides : enzymaticFalsePeptides;
    std::vector<Logits> logits;
    std::size_t left_out = 0;
    for (const std::string& file : files)
    {
      const std::vector<TrainingExample> examples = readThinned(file, part, n_peaks, inputs);
      MatchTable table;
      std::vector<Entry> entries;
      for (std::size_t i = 0; i < examples.size(); ++i)
      {
        const std::optional<Entry> entry = addEntry(table, examples, i, pool, falsePeptides, inputs);
        left_out += entry ? 0 : 1;
        if (entry)
        {
          entries.push_back(*entry);
        }
      }
      const std::vector<double> logit = scorer.score(table);
      for (const Entry& entry : entries)
      {
        logits.push_back(bestLogits(entry, logit));
      }
    }
    require(!logits.empty(), ErrorKind::INVALID_INPUT, "There is no spectrum of this part of the data in the files.");
    printTable(logits);
    printCalibrated(logits);
    std::printf("left out for want of false peptides: %zu\n", left_out);
    scorer.printSpeed();
  }
}

int main(int argc, char** argv)
{
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string score = takeScoreName(arguments);
  const std::size_t n_unspecific = takeUnspecific(arguments);
  const std::string choice = arguments.size() > 2 ? arguments[2] : "";
  const std::size_t colon = choice.find(':');
  const std::string part = choice.substr(0, colon);
  const std::size_t n_peaks = colon == std::string::npos ? std::numeric_limits<std::size_t>::max()
                                                         : std::strtoul(choice.c_str() + colon + 1, nullptr, 10);
  if (score.empty() || arguments.size() < 4 || (part != "validation" && part != "test") || n_peaks == 0)
  {
    std::cerr << "Usage: false_hits [-score logit|cosine] [-unspecific NUMBER] MODEL PROTEINS.fasta "
                 "validation|test[:PEAKS] SPECTRA.mgf.gz ...\n";
    return 6;
  }
  try
  {
    HeldOutScorer scorer(arguments[0], score);
    measure(scorer, arguments[1], part == "test" ? DataPart::TEST : DataPart::VALIDATION, n_peaks, n_unspecific,
            {arguments.begin() + 3, arguments.end()});
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
