// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/CountsTable.h>

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <sstream>

namespace psmformer
{
  std::string countsTable(const std::vector<AcceptedCounts>& counts)
  {
    const std::string title = "Accepted target PSMs";
    std::size_t width = title.size();
    for (const AcceptedCounts& row : counts)
    {
      width = std::max(width, row.score.size());
    }
    const std::string wider(width - title.size(), ' ');
    std::ostringstream table;
    table << title << wider << "          1 % FDR              5 % FDR\n"
          << std::string(title.size(), ' ') << wider << "       D/T  (D+1)/T         D/T  (D+1)/T";
    for (const AcceptedCounts& row : counts)
    {
      table << "\n  " << std::left << std::setw(static_cast<int>(width)) << row.score << std::right;
      for (std::size_t t = 0; t < AcceptedCounts::THRESHOLDS.size(); ++t)
      {
        table << std::setw(t == 0 ? 8 : 12) << row.decoys_over_targets[t] << std::setw(9)
              << row.plus_one_over_targets[t];
      }
    }
    return table.str();
  }
}
