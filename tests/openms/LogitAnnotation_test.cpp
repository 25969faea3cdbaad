// SPDX-License-Identifier: BSD-3-Clause
#include <LogitAnnotation.h>

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/PSMFeatures.h>

#include <gmock/gmock.h>

#include <sstream>

namespace psmformer
{
  namespace
  {
    /// Rows of the section "Features" of the tool page.
    std::vector<std::string> documentedRows()
    {
      const std::string page = readFile(PSMFORMER_REPOSITORY "/share/doc/PSMFormer.md");
      const std::size_t begin = page.find("\n## Features\n") + 1;
      std::istringstream section(page.substr(begin, page.find("\n## ", begin) - begin));
      std::vector<std::string> rows;
      for (std::string line; std::getline(section, line);)
      {
        if (line.rfind("| `", 0) == 0 && line.rfind("| `PSMFormer:`", 0) != 0)
        {
          rows.push_back(line);
        }
      }
      return rows;
    }

    TEST(LogitAnnotation, TheToolPageHasEveryFeatureInItsOrder)
    {
      const std::vector<std::string> names = namesOfFeatures(true);
      const std::vector<std::string> rows = documentedRows();
      ASSERT_EQ(rows.size(), names.size());
      for (std::size_t k = 0; k < names.size(); ++k)
      {
        EXPECT_EQ(rows[k].rfind("| `" + names[k].substr(std::string("PSMFormer:").size()) + "` | ", 0), 0u) << rows[k];
      }
    }

    TEST(LogitAnnotation, TheToolPageHasTheUnitAndTheMeaningOfEveryFeature)
    {
      const std::vector<std::string> rows = documentedRows();
      for (const PSMFeature& feature : psmFeatures())
      {
        EXPECT_THAT(
            rows, testing::Contains("| `" + feature.name + "` | " + feature.unit + " | " + feature.description + " |"));
      }
    }
  }
}
