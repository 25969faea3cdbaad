// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// Residue letters and their token ids; id 0 is padding.
  class Vocabulary
  {
  public:
    static constexpr std::int64_t PADDING = 0;

    /// @param letters  distinct residue letters; letter k gets id k + 1
    /// @throws Error   INVALID_MODEL when empty or a letter occurs twice or is not upper case A to Z
    explicit Vocabulary(const std::string& letters = "ACDEFGHIKLMNOPQRSTUVWY");

    /// Number of ids, padding included.
    std::int64_t size() const { return static_cast<std::int64_t>(letters_.size()) + 1; }

    bool contains(char letter) const;
    const std::string& letters() const { return letters_; }

    /// Ids of all residues, N-terminus first. I and L get one id: a spectrum cannot tell them apart.
    /// @throws Error INVALID_INPUT for a letter that is not in the vocabulary
    std::vector<std::int64_t> encode(const std::string& residues) const;

  private:
    std::string letters_;
    std::vector<std::int64_t> id_; ///< by letter - 'A'; -1: not known
  };
}
