// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptideLevel.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>

namespace psmformer
{
  namespace
  {
    /// The target and the decoy of one pair key.
    struct Partners
    {
      std::vector<std::size_t> targets;
      std::vector<std::size_t> decoys;
    };

    std::vector<bool> losers(const std::vector<ScoredPeptidoform>& peptidoforms)
    {
      std::unordered_map<std::string, Partners> pairs;
      for (std::size_t k = 0; k < peptidoforms.size(); ++k)
      {
        Partners& partners = pairs[peptidoforms[k].pair];
        (peptidoforms[k].is_decoy ? partners.decoys : partners.targets).push_back(k);
      }
      std::vector<bool> has_lost(peptidoforms.size(), false);
      for (const auto& [key, partners] : pairs)
      {
        if (partners.targets.size() == 1 && partners.decoys.size() == 1)
        {
          const std::size_t target = partners.targets[0];
          const std::size_t decoy = partners.decoys[0];
          has_lost[peptidoforms[target].score > peptidoforms[decoy].score ? decoy : target] = true;
        }
      }
      return has_lost;
    }
  }

  std::string decoyPairKey(const std::string& residues, const std::vector<double>& modification_masses)
  {
    constexpr double STEPS = 1000.0; // to a Da
    std::vector<long> masses;
    for (const double mass : modification_masses)
    {
      if (mass != 0.0)
      {
        masses.push_back(std::lround(mass * STEPS));
      }
    }
    std::sort(masses.begin(), masses.end());
    std::string key = pairingKey(residues);
    for (const long mass : masses)
    {
      key += ' ' + std::to_string(mass);
    }
    return key;
  }

  std::vector<double> peptideQValues(const std::vector<ScoredPeptidoform>& peptidoforms)
  {
    const std::vector<bool> has_lost = losers(peptidoforms);
    std::vector<std::size_t> competing;
    std::vector<double> scores;
    std::vector<bool> is_decoy;
    for (std::size_t k = 0; k < peptidoforms.size(); ++k)
    {
      if (!has_lost[k])
      {
        competing.push_back(k);
        scores.push_back(peptidoforms[k].score);
        is_decoy.push_back(peptidoforms[k].is_decoy);
      }
    }
    std::vector<double> q_values(peptidoforms.size(), 1.0);
    const std::vector<double> estimated = computeQValues(scores, is_decoy, 1);
    for (std::size_t c = 0; c < competing.size(); ++c)
    {
      q_values[competing[c]] = estimated[c];
    }
    return q_values;
  }
}
