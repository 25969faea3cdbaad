// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace psmformer
{
  /// Which part of the data a peptide belongs to.
  enum class DataPart
  {
    TEST,
    VALIDATION,
    TRAINING
  };

  /// The residues with I replaced by L: peptides of one key cannot be told apart by their fragment masses alone.
  std::string peptideKey(const std::string& residues);

  /// The residues of the key, sorted: equal for a peptide and its reversed or shuffled decoys.
  std::string pairingKey(const std::string& residues);

  /// First byte of SHA-256(key) modulo 10: 0 is test, 1 validation, everything else training.
  DataPart dataPart(const std::string& key);

  /// Divides peptides into folds, so that each is scored by weights that were fitted without it.
  ///
  /// The fold is the seeded hash of the pairing key modulo `count`: a peptide and its reversed or shuffled decoys share
  /// it.
  struct FoldRule
  {
    std::size_t count = 1; ///< at least 1; 1: no folds
    std::uint64_t seed = 0;

    /// 0 to count - 1.
    std::size_t foldOf(const std::string& residues) const;
  };

  /// A seeded 64-bit hash of a text, the same on every machine (first 8 bytes of SHA-256 of "seed:text", big endian).
  std::uint64_t seededHash(const std::string& text, std::uint64_t seed);
}
