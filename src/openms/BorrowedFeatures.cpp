// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/BorrowedFeatures.h>

#include <sstream>

namespace psmformer
{
  namespace
  {
    const char* const EXTRA_FEATURES = "extra_features";

    std::vector<std::string> listedFeatures(const OpenMS::ProteinIdentification& run)
    {
      std::istringstream list(std::string(run.getSearchParameters().getMetaValue(EXTRA_FEATURES).toString()));
      std::vector<std::string> names;
      for (std::string name; std::getline(list, name, ',');)
      {
        names.push_back(name);
      }
      return names;
    }
  }

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
      std::string kept;
      for (const std::string& name : listedFeatures(run))
      {
        if (names_.count(name) == 0)
        {
          kept += (kept.empty() ? "" : ",") + name;
        }
      }
      auto parameters = run.getSearchParameters();
      parameters.setMetaValue(EXTRA_FEATURES, kept);
      run.setSearchParameters(parameters);
    }
  }
}
