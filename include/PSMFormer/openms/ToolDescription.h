// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace psmformer
{
  /// Makes `-write_ctd` and its relatives work for a tool that is not in OpenMS's own list.
  ///
  /// Every OpenMS version asks its tool list for the tool's name before it writes a description and fails for other
  /// names. While this object lives, and only when the command line asks for a description, a temporary folder in
  /// `OPENMS_TTD_INTERNAL_PATH` (never overriding the user's value) declares the tool. Can go when TOPPBase writes
  /// descriptions of tools that it does not know.
  class ToolDescription
  {
  public:
    ToolDescription(const std::string& tool, const std::vector<std::string>& arguments);
    ~ToolDescription();
    ToolDescription(const ToolDescription&) = delete;
    ToolDescription& operator=(const ToolDescription&) = delete;

    /// Fills in the category and the documentation address, which OpenMS leaves empty for such tools.
    /// @throws Error CANNOT_WRITE when the CTD cannot be replaced
    void complete() const;

  private:
    std::string tool_;
    std::filesystem::path declaration_folder_; ///< empty when no description is asked for
    std::filesystem::path ctd_;                ///< empty when no CTD is asked for
  };
}
