// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Vocabulary.h>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t N_LETTERS = 26;
    constexpr std::int64_t UNKNOWN = -1;

    bool isLetter(char letter)
    {
      return letter >= 'A' && letter <= 'Z';
    }

    std::size_t position(char letter)
    {
      return static_cast<std::size_t>(letter - 'A');
    }
  }

  Vocabulary::Vocabulary(const std::string& letters) : letters_(letters), id_(N_LETTERS, UNKNOWN)
  {
    require(!letters.empty(), ErrorKind::INVALID_MODEL,
            "The vocabulary is empty; it must list at least one residue letter.");
    for (std::size_t k = 0; k < letters.size(); ++k)
    {
      const char letter = letters[k];
      require(isLetter(letter) && id_[position(letter)] == UNKNOWN, ErrorKind::INVALID_MODEL,
              "The vocabulary '" + letters + "' is not valid at character " + std::to_string(k + 1) +
                  "; it must hold distinct letters from A to Z.");
      id_[position(letter)] = static_cast<std::int64_t>(k) + 1;
    }
    std::int64_t& leucine = id_[position('L')];
    std::int64_t& isoleucine = id_[position('I')];
    if (leucine == UNKNOWN)
    {
      leucine = isoleucine;
    }
    isoleucine = leucine;
  }

  bool Vocabulary::contains(char letter) const
  {
    return isLetter(letter) && id_[position(letter)] != UNKNOWN;
  }

  std::vector<std::int64_t> Vocabulary::encode(const std::string& residues) const
  {
    std::vector<std::int64_t> ids;
    ids.reserve(residues.size());
    for (const char letter : residues)
    {
      require(contains(letter), ErrorKind::INVALID_INPUT,
              std::string("Residue '") + letter + "' of peptide '" + residues +
                  "' is not in the vocabulary of the model (" + letters_ + "); leave such peptides out.");
      ids.push_back(id_[position(letter)]);
    }
    return ids;
  }
}
