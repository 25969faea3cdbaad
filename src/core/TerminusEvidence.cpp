// SPDX-License-Identifier: BSD-3-Clause
#include "TerminusEvidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t N_POSITIONS = 6;
    constexpr std::size_t N_LETTERS = 28; ///< A to Z, the N-terminus and the C-terminus of a protein
    constexpr std::size_t NOT_KNOWN = N_LETTERS;
    constexpr double PSEUDO_COUNT = 20.0;
    constexpr double LEAST_COUNT = 0.5; ///< of a letter that the second group does not have

    using Letters = std::array<std::size_t, N_POSITIONS>;

    std::size_t letterOf(char residue)
    {
      if (residue == '[' || residue == ']')
      {
        return residue == '[' ? 26 : 27;
      }
      return residue >= 'A' && residue <= 'Z' && residue != 'X' ? static_cast<std::size_t>(residue - 'A') : NOT_KNOWN;
    }

    Letters lettersOf(const RescoringTable& table, std::size_t hit)
    {
      const std::string& residues = table.peptides[table.hits[hit].peptide].residues;
      const std::size_t last = residues.size() - 1;
      const std::size_t inner = std::min<std::size_t>(1, last); // a single residue is both ends
      return {letterOf(table.hits[hit].before), letterOf(residues[0]),    letterOf(residues[inner]),
              letterOf(residues[last - inner]), letterOf(residues[last]), letterOf(table.hits[hit].after)};
    }

    class LetterCounts
    {
    public:
      void add(const Letters& letters)
      {
        ++n_;
        for (std::size_t p = 0; p < N_POSITIONS; ++p)
        {
          if (letters[p] != NOT_KNOWN)
          {
            ++count_[p][letters[p]];
            ++total_[p];
          }
        }
      }

      std::size_t size() const { return n_; }

      double share(std::size_t position, std::size_t letter) const
      {
        return (count_[position][letter] + LEAST_COUNT) / (total_[position] + LEAST_COUNT * N_LETTERS);
      }

      double shareWithPrior(std::size_t position, std::size_t letter, const LetterCounts& prior) const
      {
        return (count_[position][letter] + PSEUDO_COUNT * prior.share(position, letter)) /
               (total_[position] + PSEUDO_COUNT);
      }

    private:
      std::size_t n_ = 0;
      std::array<std::array<double, N_LETTERS>, N_POSITIONS> count_ = {};
      std::array<double, N_POSITIONS> total_ = {};
    };

    /// Residues at the ends of confident hits, and of others, without one division.
    class TerminusModel
    {
    public:
      TerminusModel(const RescoringTable& table, const CompetingSpectra& competition,
                    const TrainingDivisions& divisions, const ConfidentHits& confident, std::size_t left_out)
      {
        for (const ConfidentHit& hit : confident.hits)
        {
          if (hit.division != left_out)
          {
            sure_.add(lettersOf(table, hit.hit));
          }
        }
        for (const std::size_t s : confident.others)
        {
          for (const std::size_t hit : competition.hitsOf(s))
          {
            if (divisions.division[s] != left_out)
            {
              others_.add(lettersOf(table, hit));
            }
          }
        }
      }

      double evidence(const Letters& letters) const
      {
        if (sure_.size() < TERMINUS_MIN_PEPTIDES)
        {
          return std::numeric_limits<double>::quiet_NaN();
        }
        double sum = 0.0;
        for (std::size_t p = 0; p < N_POSITIONS; ++p)
        {
          if (letters[p] != NOT_KNOWN)
          {
            sum += std::log(sure_.shareWithPrior(p, letters[p], others_) / others_.share(p, letters[p]));
          }
        }
        return sum;
      }

    private:
      LetterCounts sure_;
      LetterCounts others_;
    };
  }

  std::vector<double> terminusEvidence(const RescoringTable& table, const CompetingSpectra& competition,
                                       const TrainingDivisions& divisions, const ConfidentHits& confident)
  {
    std::vector<TerminusModel> models; // the last leaves no division out: for hits outside
    for (std::size_t division = 0; division <= divisions.n_divisions; ++division)
    {
      models.emplace_back(table, competition, divisions, confident, division);
    }
    std::vector<double> result(table.hits.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t s = 0; s < competition.size(); ++s)
    {
      for (const std::size_t hit : competition.hitsOf(s))
      {
        result[hit] = models[divisions.division[s]].evidence(lettersOf(table, hit));
      }
    }
    return result;
  }
}
