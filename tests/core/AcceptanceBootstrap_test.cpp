// SPDX-License-Identifier: BSD-3-Clause
// When a score accepts more targets than another for sure, and when by chance.
#include <PSMFormer/core/AcceptanceBootstrap.h>
#include <PSMFormer/core/Random.h>

#include <gtest/gtest.h>

#include <string>

namespace psmformer
{
  namespace
  {
    constexpr double LIMIT = 0.01;

    /// A list from the best to the worst: 'T' for a target, 'D' for a decoy; spectra are numbered from 0.
    ScoredSpectra listOf(const std::string& labels)
    {
      ScoredSpectra list;
      for (const char label : labels)
      {
        list.spectra.push_back(list.spectra.size());
        list.scores.push_back(-static_cast<double>(list.spectra.size()));
        list.is_decoy.push_back(label == 'D');
      }
      return list;
    }

    std::string targets(std::size_t n)
    {
      return std::string(n, 'T');
    }

    /// 300 true targets and 300 false hits, half of them decoys; the score of true ones is higher by `distance`.
    ScoredSpectra drawList(double distance, std::uint64_t seed)
    {
      Random random(seed);
      ScoredSpectra list;
      for (std::size_t s = 0; s < 600; ++s)
      {
        list.spectra.push_back(s);
        list.scores.push_back(random.normal() + (s < 300 ? distance : 0.0));
        list.is_decoy.push_back(s >= 300 && s % 2 == 0);
      }
      return list;
    }
  }

  TEST(AcceptanceBootstrap, AClearGainIsSure)
  {
    const ScoredSpectra better = listOf(targets(600) + "DDDDDDDDDDDDDDDDDDDD" + targets(200));
    const ScoredSpectra worse = listOf(targets(200) + "DDDDDDDDDDDDDDDDDDDD" + targets(600));
    EXPECT_GE(shareOfGains(better, worse, LIMIT, 1), 0.99);
    EXPECT_LE(shareOfGains(worse, better, LIMIT, 1), 0.01);
  }

  TEST(AcceptanceBootstrap, EqualListsGainNothing)
  {
    const ScoredSpectra list = drawList(3.0, 1);
    EXPECT_EQ(shareOfGains(list, list, LIMIT, 1), 0.0);
    EXPECT_EQ(shareOfGains({}, {}, LIMIT, 1), 0.0);
    EXPECT_EQ(shareOfGains({}, list, LIMIT, 1), 0.0);
    EXPECT_EQ(shareOfGains(list, {}, LIMIT, 1), 1.0);
  }

  TEST(AcceptanceBootstrap, AGainThatHangsOnOneDecoyIsNotSure)
  {
    // 101 targets against 90: the second decoy stands at T = 101, not at 99.
    const double share = shareOfGains(listOf(targets(90) + "D" + targets(11) + "DDDDD"),
                                      listOf(targets(90) + "D" + targets(9) + "DDDDD" + targets(2)), LIMIT, 1);
    EXPECT_GT(share, 0.05);
    EXPECT_LT(share, 0.9);
  }

  TEST(AcceptanceBootstrap, ScoresThatAreEquallyGoodAreSeldomToldApart)
  {
    std::size_t n_sure = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
    {
      n_sure += shareOfGains(drawList(3.0, 2 * seed + 1), drawList(3.0, 2 * seed + 2), LIMIT, seed) >= 0.95 ? 1 : 0;
    }
    EXPECT_LE(n_sure, 15U) << "about 5 are expected";
    EXPECT_GE(shareOfGains(drawList(4.5, 1), drawList(2.0, 2), LIMIT, 1), 0.95) << "the test can fail";
  }

  TEST(AcceptanceBootstrap, DecoysOfATieComeFirst)
  {
    ScoredSpectra tied = listOf(targets(50) + 'D');
    ScoredSpectra above = tied;
    const ScoredSpectra below = tied;
    tied.scores.assign(tied.scores.size(), 1.0);
    above.scores.back() = 1.0;
    EXPECT_EQ(shareOfGains(tied, above, LIMIT, 1), 0.0);
    EXPECT_GE(shareOfGains(below, tied, LIMIT, 1), 0.5) << "as often as the decoy is drawn";
  }

  TEST(AcceptanceBootstrap, ASeedGivesOneResult)
  {
    const ScoredSpectra list = drawList(3.2, 1);
    const ScoredSpectra other = drawList(3.2, 2);
    EXPECT_EQ(shareOfGains(list, other, LIMIT, 1), shareOfGains(list, other, LIMIT, 1));
  }
}
