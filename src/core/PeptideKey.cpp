// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/PeptideKey.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace psmformer
{
  std::string peptideKey(const std::string& residues)
  {
    std::string key = residues;
    std::replace(key.begin(), key.end(), 'I', 'L');
    return key;
  }

  std::string pairingKey(const std::string& residues)
  {
    std::string key = peptideKey(residues);
    std::sort(key.begin(), key.end());
    return key;
  }

  DataPart dataPart(const std::string& key)
  {
    switch (sha256(key).front() % 10)
    {
    case 0:
      return DataPart::TEST;
    case 1:
      return DataPart::VALIDATION;
    default:
      return DataPart::TRAINING;
    }
  }

  std::size_t FoldRule::foldOf(const std::string& residues) const
  {
    return count <= 1 ? 0 : static_cast<std::size_t>(seededHash(pairingKey(residues), seed) % count);
  }

  std::uint64_t seededHash(const std::string& text, std::uint64_t seed)
  {
    const std::vector<std::uint8_t> digest = sha256(std::to_string(seed) + ":" + text);
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < 8; ++i)
    {
      hash = (hash << 8) | digest[i];
    }
    return hash;
  }
}
