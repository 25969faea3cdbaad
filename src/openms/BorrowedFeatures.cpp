// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/BorrowedFeatures.h>

#include "MetaValues.h"

#include <algorithm>

namespace psmformer
{
  BorrowedFeatures::BorrowedFeatures(const std::vector<std::string>& asked_for, const std::vector<std::string>& written)
      : names_(written.begin(), written.end())
  {
    for (const std::string& name : asked_for)
    {
      names_.erase(name);
    }
  }

  void BorrowedFeatures::giveBack(std::vector<OpenMS::ProteinIdentification>& runs, PeptideIds& identifications) const
  {
    for (auto& identification : identifications)
    {
      std::vector<OpenMS::PeptideHit> hits = identification.getHits();
      for (auto& hit : hits)
      {
        for (const std::string& name : names_)
        {
          hit.removeMetaValue(name);
        }
      }
      identification.setHits(hits);
    }
    for (auto& run : runs)
    {
      std::vector<std::string> kept = extraFeatures(run);
      kept.erase(
          std::remove_if(kept.begin(), kept.end(), [this](const std::string& name) { return names_.count(name) > 0; }),
          kept.end());
      setExtraFeatures(run, kept);
    }
  }
}
