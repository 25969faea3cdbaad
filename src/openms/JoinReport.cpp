// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/MatchReader.h>

namespace psmformer
{
  std::size_t JoinReport::scored() const
  {
    const auto found = hits.find(MatchStatus::SCORED);
    return found == hits.end() ? 0 : found->second;
  }

  std::string JoinReport::reasons() const
  {
    std::string text;
    for (const auto& [status, count] : hits)
    {
      if (status != MatchStatus::SCORED && count > 0)
      {
        text += (text.empty() ? "" : ", ") + statusName(status) + " " + std::to_string(count);
      }
    }
    return text;
  }
}
