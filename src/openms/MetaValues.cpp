// SPDX-License-Identifier: BSD-3-Clause
#include "MetaValues.h"

#include <PSMFormer/openms/MatchStatus.h>

#include <sstream>

namespace psmformer
{
  namespace
  {
    const char* const EXTRA_FEATURES = "extra_features";
  }

  bool hasPrefix(const std::string& name)
  {
    return name.compare(0, PREFIX.size(), PREFIX) == 0;
  }

  bool isScored(const OpenMS::PeptideHit& hit)
  {
    return std::string(hit.getMetaValue(PREFIX + "status").toString()) == statusName(MatchStatus::SCORED);
  }

  bool isDecoy(const OpenMS::PeptideHit& hit)
  {
    return hit.getMetaValue("target_decoy").toString() == "decoy";
  }

  std::vector<std::string> extraFeatures(const OpenMS::ProteinIdentification& run)
  {
    std::istringstream list(std::string(run.getSearchParameters().getMetaValue(EXTRA_FEATURES).toString()));
    std::vector<std::string> names;
    for (std::string name; std::getline(list, name, ',');)
    {
      if (!name.empty())
      {
        names.push_back(name);
      }
    }
    return names;
  }

  void setExtraFeatures(OpenMS::ProteinIdentification& run, const std::vector<std::string>& names)
  {
    std::string list;
    for (const std::string& name : names)
    {
      list += (list.empty() ? "" : ",") + name;
    }
    auto parameters = run.getSearchParameters();
    parameters.setMetaValue(EXTRA_FEATURES, list);
    run.setSearchParameters(parameters);
  }
}
