// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace psmformer
{
  namespace
  {
    constexpr double SAME_MASS = 1e-6; // Da; rounding, far below any difference of two residues

    bool same(double a, double b)
    {
      return std::abs(a - b) < SAME_MASS;
    }

    /// A residue with all that belongs to it.
    struct Unit
    {
      char letter = 'G';
      double residue_mass = 0.0;
      double modification_mass = 0.0;
      double neutral_loss = 0.0;

      double mass() const { return residue_mass + modification_mass; }
    };

    Unit unitAt(const Peptide& peptide, std::size_t i)
    {
      return {peptide.residues[i], peptide.residue_mass[i], peptide.modification_mass[i], peptide.neutral_loss[i]};
    }

    bool alike(const Unit& a, const Unit& b)
    {
      return same(a.mass(), b.mass()) && same(a.neutral_loss, b.neutral_loss);
    }

    void swapResidues(Peptide& peptide, std::size_t i, std::size_t j)
    {
      std::swap(peptide.residues[i], peptide.residues[j]);
      std::swap(peptide.residue_mass[i], peptide.residue_mass[j]);
      std::swap(peptide.modification_mass[i], peptide.modification_mass[j]);
      std::swap(peptide.neutral_loss[i], peptide.neutral_loss[j]);
    }

    std::size_t firstFree(FreeResidues free)
    {
      return free == FreeResidues::INNER ? 1 : 0;
    }

    bool freeResiduesDiffer(const Peptide& peptide, std::size_t first)
    {
      for (std::size_t i = first + 1; i + 1 < peptide.length(); ++i)
      {
        if (!alike(unitAt(peptide, first), unitAt(peptide, i)))
        {
          return true;
        }
      }
      return false;
    }

    constexpr double OXIDATION = 15.994915;      // Da, Unimod 35
    constexpr double OXIDATION_LOSS = 63.998285; // Da, CH4OS, lost by oxidised M (Unimod 35)

    /// What may be put in: I is left out as L has its mass, C as its usual modification is not known here, U and O as
    /// they are too rare to be met.
    std::vector<Unit> replacementUnits()
    {
      std::vector<Unit> units;
      for (const char letter : std::string("ADEFGHKLMNPQRSTVWY"))
      {
        units.push_back({letter, *residueMass(letter), 0.0, 0.0});
      }
      units.push_back({'M', *residueMass('M'), OXIDATION, OXIDATION_LOSS});
      return units;
    }

    bool replaceable(const Unit& unit)
    {
      // 1e-3 Da: sources round the mass of an oxidation differently.
      return unit.modification_mass == 0.0 ||
             (unit.letter == 'M' && std::abs(unit.modification_mass - OXIDATION) < 1e-3);
    }

    struct Replacement
    {
      std::size_t first = 0;
      std::size_t n_replaced = 0;
      std::vector<Unit> units;
    };

    double totalMass(const std::vector<Unit>& units)
    {
      double mass = 0.0;
      for (const Unit& unit : units)
      {
        mass += unit.mass();
      }
      return mass;
    }

    /// Whether a residue would be replaced by itself; such a replacement is a smaller one or a swap.
    bool shareUnit(const std::vector<Unit>& a, const std::vector<Unit>& b)
    {
      return std::any_of(a.begin(), a.end(),
                         [&](const Unit& x)
                         {
                           // Not by alike(): sources differ in whether they give a loss for oxidised M.
                           return std::any_of(b.begin(), b.end(),
                                              [&](const Unit& y) { return std::abs(x.mass() - y.mass()) < 1e-3; });
                         });
    }

    /// All single units and pairs of units that may take the place of `replaced`.
    std::vector<std::vector<Unit>> nearIsobaric(const std::vector<Unit>& replaced, double tolerance_da)
    {
      static const std::vector<Unit> units = replacementUnits();
      std::vector<std::vector<Unit>> found;
      const double mass = totalMass(replaced);
      const auto keepIfFits = [&](std::vector<Unit> candidate)
      {
        if (std::abs(totalMass(candidate) - mass) < tolerance_da && !shareUnit(candidate, replaced))
        {
          found.push_back(std::move(candidate));
        }
      };
      for (const Unit& first : units)
      {
        keepIfFits({first});
        for (const Unit& second : units)
        {
          // Tested here as well, since building all pairs would take most of the time.
          if (std::abs(first.mass() + second.mass() - mass) < tolerance_da)
          {
            keepIfFits({first, second});
          }
        }
      }
      return found;
    }

    template <typename T>
    void replaceRange(std::vector<T>& values, std::size_t first, std::size_t n, const std::vector<T>& by)
    {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      const auto at = values.erase(begin, begin + static_cast<std::ptrdiff_t>(n));
      values.insert(at, by.begin(), by.end());
    }

    Peptide applyReplacement(Peptide peptide, const Replacement& replacement)
    {
      std::string letters;
      std::vector<double> masses;
      std::vector<double> modifications;
      std::vector<double> losses;
      for (const Unit& unit : replacement.units)
      {
        letters += unit.letter;
        masses.push_back(unit.residue_mass);
        modifications.push_back(unit.modification_mass);
        losses.push_back(unit.neutral_loss);
      }
      peptide.residues.replace(replacement.first, replacement.n_replaced, letters);
      replaceRange(peptide.residue_mass, replacement.first, replacement.n_replaced, masses);
      replaceRange(peptide.modification_mass, replacement.first, replacement.n_replaced, modifications);
      replaceRange(peptide.neutral_loss, replacement.first, replacement.n_replaced, losses);
      return peptide;
    }
  }

  bool indistinguishable(const Peptide& a, const Peptide& b)
  {
    if (a.length() != b.length() || !same(a.n_term_modification, b.n_term_modification) ||
        !same(a.c_term_modification, b.c_term_modification))
    {
      return false;
    }
    for (std::size_t i = 0; i < a.length(); ++i)
    {
      if (!alike(unitAt(a, i), unitAt(b, i)))
      {
        return false;
      }
    }
    return true;
  }

  FreeResidues drawFreeResidues(Random& random)
  {
    return random.below(2) == 0 ? FreeResidues::INNER : FreeResidues::ALL_BUT_C_TERMINAL;
  }

  std::optional<Peptide> shuffleResidues(const Peptide& peptide, Random& random, FreeResidues free)
  {
    const std::size_t first = firstFree(free);
    if (!freeResiduesDiffer(peptide, first))
    {
      return std::nullopt;
    }
    Peptide shuffled = peptide;
    do
    {
      for (std::size_t n = peptide.length() - 2; n > first; --n)
      {
        swapResidues(shuffled, n, first + random.below(n - first + 1));
      }
    } while (indistinguishable(shuffled, peptide));
    return shuffled;
  }

  std::optional<Peptide> reverseResidues(const Peptide& peptide, FreeResidues free)
  {
    Peptide reversed = peptide;
    for (std::size_t i = firstFree(free), j = peptide.length() - 2; peptide.length() > 2 && i < j; ++i, --j)
    {
      swapResidues(reversed, i, j);
    }
    return indistinguishable(reversed, peptide) ? std::nullopt : std::optional<Peptide>(reversed);
  }

  std::optional<Peptide> swapNeighbours(const Peptide& peptide, Random& random, FreeResidues free)
  {
    std::vector<std::size_t> left;
    for (std::size_t i = firstFree(free); i + 2 < peptide.length(); ++i)
    {
      if (!same(unitAt(peptide, i).mass(), unitAt(peptide, i + 1).mass()))
      {
        left.push_back(i);
      }
    }
    if (left.empty())
    {
      return std::nullopt;
    }
    const std::size_t i = left[random.below(left.size())];
    Peptide swapped = peptide;
    swapResidues(swapped, i, i + 1);
    return swapped;
  }

  std::optional<Peptide> substituteNearIsobaric(const Peptide& peptide, double tolerance_da, Random& random)
  {
    std::vector<Replacement> possible;
    for (std::size_t first = 1; first + 1 < peptide.length(); ++first)
    {
      std::vector<Unit> replaced;
      for (std::size_t i = first; i < first + 2 && i + 1 < peptide.length() && replaceable(unitAt(peptide, i)); ++i)
      {
        replaced.push_back(unitAt(peptide, i));
        for (std::vector<Unit>& units : nearIsobaric(replaced, tolerance_da))
        {
          possible.push_back({first, replaced.size(), std::move(units)});
        }
      }
    }
    if (possible.empty())
    {
      return std::nullopt;
    }
    return applyReplacement(peptide, possible[random.below(possible.size())]);
  }
}
