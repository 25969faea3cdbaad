// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/CountsTable.h>

#include <gmock/gmock.h>

#include <sstream>

namespace psmformer
{
  namespace
  {
    std::vector<std::string> linesOf(const std::vector<AcceptedCounts>& counts)
    {
      std::istringstream table(countsTable(counts));
      std::vector<std::string> lines;
      for (std::string line; std::getline(table, line);)
      {
        lines.push_back(line);
      }
      return lines;
    }
  }

  TEST(CountsTable, OneLineAScore)
  {
    const std::vector<std::string> lines =
        linesOf({{"expect", {11, 12}, {0, 3}}, {"PSMFormer:score", {24, 36}, {0, 24}}});
    EXPECT_THAT(lines, ::testing::ElementsAre("Accepted target PSMs          1 % FDR              5 % FDR",
                                              "                           D/T  (D+1)/T         D/T  (D+1)/T",
                                              "  expect                    11        0          12        3",
                                              "  PSMFormer:score           24        0          36       24"));
  }

  TEST(CountsTable, NamesStandInFullAndColumnsBelowTheirHeads)
  {
    const std::string longest = "PSMFormer:calibrated_logit";
    const std::vector<std::string> lines = linesOf({{"expect", {1, 2}, {3, 4}}, {longest, {5, 6}, {7, 8}}});
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_THAT(lines[3], ::testing::HasSubstr(longest + " "));
    for (std::size_t line = 2; line < lines.size(); ++line)
    {
      EXPECT_EQ(lines[line].size(), lines[1].size());
    }
    EXPECT_EQ(lines[2][lines[1].find("D/T") + 2], '1') << "the last digit stands below the last letter";
  }
}
