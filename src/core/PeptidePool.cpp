// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/PeptidePool.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// A modification of one residue beyond the fixed one of its letter.
    struct VariableModification
    {
      char letter = 'A';
      double delta = 0.0; ///< Da
      double neutral_loss = 0.0;
    };

    double fixedMass(const std::vector<double>& fixed, char letter)
    {
      return fixed.empty() ? 0.0 : fixed[static_cast<std::size_t>(letter - 'A')];
    }

    /// Mass of a peptide with its fixed modifications; nothing when a letter has no mass.
    std::optional<double> pooledMass(const std::string& sequence, const std::vector<double>& fixed)
    {
      double mass = WATER_MASS;
      for (const char letter : sequence)
      {
        const std::optional<double> residue = residueMass(letter);
        if (!residue)
        {
          return std::nullopt;
        }
        mass += *residue + fixedMass(fixed, letter);
      }
      return sequence.empty() ? std::nullopt : std::optional<double>(mass);
    }

    std::vector<VariableModification> variableModifications(const Peptide& peptide, const std::vector<double>& fixed)
    {
      std::vector<VariableModification> variable;
      for (std::size_t i = 0; i < peptide.length(); ++i)
      {
        const char letter = peptide.residues[i];
        const double expected = residueMass(letter) ? fixedMass(fixed, letter) : 0.0;
        const double delta = peptide.modification_mass[i] - expected;
        // Sources round masses differently; no modification is as light as a thousandth of a Dalton.
        if (std::abs(delta) > 1e-3)
        {
          variable.push_back({letter, delta, peptide.neutral_loss[i]});
        }
      }
      return variable;
    }

    /// Puts each modification on a random free residue of its letter; false when there are too few of them.
    bool placeModifications(Peptide& peptide, const std::vector<VariableModification>& variable, Random& random)
    {
      std::vector<bool> taken(peptide.length(), false);
      for (const VariableModification& modification : variable)
      {
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < peptide.length(); ++i)
        {
          if (peptide.residues[i] == modification.letter && !taken[i])
          {
            free.push_back(i);
          }
        }
        if (free.empty())
        {
          return false;
        }
        const std::size_t i = free[random.below(free.size())];
        taken[i] = true;
        peptide.modification_mass[i] += modification.delta;
        peptide.neutral_loss[i] = modification.neutral_loss;
      }
      return true;
    }

    /// A peptide with the fixed modifications and those of `like`; nothing when it lacks the residues.
    std::optional<Peptide> modifiedLike(const Peptide& like, const std::string& sequence,
                                        const std::vector<VariableModification>& variable,
                                        const std::vector<double>& fixed, Random& random)
    {
      Peptide peptide = makePeptide(sequence);
      for (std::size_t r = 0; r < peptide.length(); ++r)
      {
        peptide.modification_mass[r] = fixedMass(fixed, sequence[r]);
      }
      if (!placeModifications(peptide, variable, random))
      {
        return std::nullopt;
      }
      peptide.n_term_modification = like.n_term_modification;
      peptide.c_term_modification = like.c_term_modification;
      return peptide;
    }

    bool endsInLysineOrArginine(const std::string& residues)
    {
      return !residues.empty() && (residues.back() == 'K' || residues.back() == 'R');
    }
  }

  PeptidePool::PeptidePool(const std::vector<std::string>& sequences, DataPart part, const std::vector<double>& fixed)
      : fixed_(fixed)
  {
    require(fixed.empty() || fixed.size() == 26, ErrorKind::INVALID_INPUT,
            "Fixed modifications are given for " + std::to_string(fixed.size()) +
                " letters; give none or one mass for each letter from A to Z.");
    std::vector<std::pair<double, std::size_t>> kept;
    for (std::size_t i = 0; i < sequences.size(); ++i)
    {
      const std::optional<double> mass = pooledMass(sequences[i], fixed_);
      if (mass && dataPart(peptideKey(sequences[i])) == part)
      {
        kept.emplace_back(*mass, i);
      }
    }
    // Ties by sequence, so that the order of the input cannot reach what is drawn.
    std::sort(kept.begin(), kept.end(),
              [&](const auto& a, const auto& b)
              { return a.first != b.first ? a.first < b.first : sequences[a.second] < sequences[b.second]; });
    sequences_.reserve(kept.size());
    masses_.reserve(kept.size());
    for (const auto& [mass, i] : kept)
    {
      sequences_.push_back(sequences[i]);
      masses_.push_back(mass);
    }
  }

  std::uint64_t PeptidePool::fingerprint() const
  {
    std::string text;
    for (const std::string& sequence : sequences_)
    {
      text += sequence + ' ';
    }
    std::ostringstream masses;
    for (const double mass : fixed_)
    {
      masses << mass << ' ';
    }
    return seededHash(text + masses.str(), 0);
  }

  std::vector<Peptide> PeptidePool::draw(const Peptide& like, std::size_t count, double tolerance_da, Random& random,
                                         DrawnEnds ends) const
  {
    const std::vector<VariableModification> variable = variableModifications(like, fixed_);
    double mass = monoisotopicMass(like) - like.n_term_modification - like.c_term_modification;
    for (const VariableModification& modification : variable)
    {
      mass -= modification.delta;
    }
    const auto first = std::lower_bound(masses_.begin(), masses_.end(), mass - tolerance_da);
    const auto last = std::upper_bound(first, masses_.end(), mass + tolerance_da);
    // In a random order, those that may be drawn first.
    std::vector<std::size_t> window(static_cast<std::size_t>(last - first));
    std::iota(window.begin(), window.end(), static_cast<std::size_t>(first - masses_.begin()));
    const bool is_tryptic = endsInLysineOrArginine(like.residues);
    const auto others =
        ends == DrawnEnds::ANY
            ? window.end()
            : std::stable_partition(window.begin(), window.end(),
                                    [&](std::size_t i) { return endsInLysineOrArginine(sequences_[i]) == is_tryptic; });
    const auto n_alike = static_cast<std::size_t>(others - window.begin());

    std::vector<Peptide> drawn;
    std::set<std::string> keys = {peptideKey(like.residues)};
    for (std::size_t i = 0; i < window.size() && drawn.size() < count; ++i)
    {
      if (i == n_alike && !drawn.empty())
      {
        break;
      }
      // The first steps of a Fisher-Yates shuffle: a random order, of which only the part that is needed is made.
      const std::size_t end = i < n_alike ? n_alike : window.size();
      std::swap(window[i], window[i + random.below(end - i)]);
      const std::string& sequence = sequences_[window[i]];
      if (!keys.insert(peptideKey(sequence)).second)
      {
        continue;
      }
      std::optional<Peptide> peptide = modifiedLike(like, sequence, variable, fixed_, random);
      if (peptide)
      {
        drawn.push_back(std::move(*peptide));
      }
    }
    return drawn;
  }
}
