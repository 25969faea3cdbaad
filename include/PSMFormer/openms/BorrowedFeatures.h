// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/Compat.h>

#include <OpenMS/METADATA/ProteinIdentification.h>

#include <set>
#include <string>
#include <vector>

namespace psmformer
{
  /// Features that a report needs on the hits although the user did not ask for them: takes them off again.
  class BorrowedFeatures
  {
  public:
    /// Borrows the features of `written` that are not `asked_for`.
    BorrowedFeatures(const std::vector<std::string>& asked_for, const std::vector<std::string>& written);

    /// Removes the meta values of all hits, and the names from `extra_features`.
    void giveBack(std::vector<OpenMS::ProteinIdentification>& runs, PeptideIds& identifications) const;

  private:
    std::set<std::string> names_;
  };
}
