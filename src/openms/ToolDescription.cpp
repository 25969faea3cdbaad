// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ToolDescription.h>

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/Paths.h>
#include <PSMFormer/openms/Compat.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace psmformer
{
  namespace
  {
#if PSMFORMER_OPENMS_VERSION >= 30000
    const char* const CATEGORY = "Identification Processing";
#else
    const char* const CATEGORY = "ID Processing";
#endif
  }

  ToolDescription::ToolDescription(const std::string& tool, const std::vector<std::string>& arguments) : tool_(tool)
  {
    const std::regex description_option("-write_(ctd|json|nested_json|cwl|nested_cwl)");
    const auto option =
        std::find_if(arguments.begin(), arguments.end(),
                     [&](const std::string& argument) { return std::regex_match(argument, description_option); });
    if (option == arguments.end())
    {
      return;
    }
    if (*option == "-write_ctd")
    {
      const bool has_folder = option + 1 != arguments.end() && (option + 1)->rfind('-', 0) != 0;
      ctd_ = std::filesystem::path(has_folder ? *(option + 1) : ".") / (tool + ".ctd");
    }
    declaration_folder_ = makeTemporaryFolder();
    writeFileAtomically(declaration_folder_ / (tool + ".ttd"),
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ttd>\n  <tool status=\"internal\">\n    <name>" +
                            tool + "</name>\n    <category>" + CATEGORY + "</category>\n  </tool>\n</ttd>\n");
    setenv("OPENMS_TTD_INTERNAL_PATH", declaration_folder_.c_str(), 0);
  }

  ToolDescription::~ToolDescription()
  {
    if (!declaration_folder_.empty())
    {
      std::error_code ignored;
      std::filesystem::remove_all(declaration_folder_, ignored);
    }
  }

  void ToolDescription::complete() const
  {
    if (ctd_.empty() || !std::filesystem::exists(ctd_))
    {
      return;
    }
    std::string text = readFile(ctd_);
    text = std::regex_replace(text, std::regex("category=\"[^\"]*\""), std::string("category=\"") + CATEGORY + "\"",
                              std::regex_constants::format_first_only);
    text = std::regex_replace(text, std::regex("docurl=\"[^\"]*\""), "docurl=\"share/doc/" + tool_ + ".md\"",
                              std::regex_constants::format_first_only);
    writeFileAtomically(ctd_, text);
  }
}
