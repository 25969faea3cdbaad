// SPDX-License-Identifier: BSD-3-Clause
// Group S of cases.tsv: what is counted, recorded and announced.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <OpenMS/CHEMISTRY/AASequence.h>

namespace psmformer::test
{
  TEST_F(Robustness, S11_LosingPSMsIsAnnounced)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    // The hits that the network likes best become decoys, which the engine puts last.
    std::size_t best = 0;
    const Identifications out = output();
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      const double highest = out.identifications[best].getHits()[0].getScore();
      best = out.identifications[i].getHits()[0].getScore() > highest ? i : best;
    }
    auto hits = run_.identifications[best].getHits();
    for (auto& hit : hits)
    {
      hit.setMetaValue("target_decoy", "decoy");
      hit.setScore(1000.0);
    }
    run_.identifications[best].setHits(hits);
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    EXPECT_EQ(countText(result.output, "fewer PSMs are accepted than by 'expect'"), 1U) << result.output;
  }

  TEST_F(Robustness, S12_FormulaOfTheQValueIsStated)
  {
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(recorded(out, "PSMFormer:fdr_formula"), "(D+1)/T");
    EXPECT_TRUE(runProgram(PSMFORMER_TOOL, {"--helphelp"}).says("(D + 1) / T"));
  }

  TEST_F(Robustness, S15_EveryHitIsCountedOnce)
  {
    const auto change = [this](std::size_t i, std::size_t h, const auto& changed)
    {
      auto hits = run_.identifications[i].getHits();
      changed(hits[h]);
      run_.identifications[i].setHits(hits);
    };
    change(0, 0, [](OpenMS::PeptideHit& hit) { hit.setCharge(0); });
    change(1, 1, [](OpenMS::PeptideHit& hit) { hit.setCharge(0); });
    change(2, 0, [](OpenMS::PeptideHit& hit) { hit.setSequence(OpenMS::AASequence::fromString("PEPXTIDEK")); });
    change(3, 0, [](OpenMS::PeptideHit& hit) { hit.setSequence(OpenMS::AASequence::fromString("ANNIHILATINGK")); });
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_TRUE(result.says("Hits: 76 scored + 4 unscored = 80.")) << result.output;
    const std::map<std::string, std::size_t> expected = {
        {"scored", 76}, {"no_charge", 2}, {"unsupported_residue", 1}, {"mass_mismatch", 1}};
    for (const auto& [status, count] : expected)
    {
      EXPECT_EQ(countStatus(out.identifications, status), count) << status;
      if (status != "scored")
      {
        const std::string reason = status + ' ' + std::to_string(count);
        EXPECT_TRUE(result.says(reason)) << reason << " is not in the log: " << result.output;
        EXPECT_NE(recorded(out, "PSMFormer:unscored_reasons").find(reason), std::string::npos) << reason;
      }
    }
    EXPECT_EQ(recorded(out, "PSMFormer:num_scored"), "76");
    EXPECT_EQ(recorded(out, "PSMFormer:num_unscored"), "4");
  }
}
