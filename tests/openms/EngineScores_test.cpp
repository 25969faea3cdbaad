// SPDX-License-Identifier: BSD-3-Clause
#include <EngineScores.h>

#include <support/TestRun.h>

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    using ::testing::ElementsAre;
    using ::testing::IsEmpty;

    OpenMS::PeptideIdentification identification(const std::string& type, bool higher_is_better,
                                                 const std::vector<double>& scores)
    {
      OpenMS::PeptideIdentification result;
      result.setScoreType(type);
      result.setHigherScoreBetter(higher_is_better);
      std::vector<OpenMS::PeptideHit> hits(scores.size());
      for (std::size_t h = 0; h < scores.size(); ++h)
      {
        hits[h].setScore(scores[h]);
      }
      result.setHits(hits);
      return result;
    }

    EngineScores read(const PeptideIds& identifications, const std::string& extra_features = "")
    {
      OpenMS::ProteinIdentification run;
      auto parameters = run.getSearchParameters();
      if (!extra_features.empty())
      {
        parameters.setMetaValue("extra_features", extra_features);
      }
      run.setSearchParameters(parameters);
      return readEngineScores({run}, identifications, std::vector<std::size_t>(identifications.size(), 0));
    }

    TEST(EngineScores, AnEValueEntersAsItsLogarithm)
    {
      const EngineScores scores = read({identification("expect", false, {1e-5, 10.0})});
      EXPECT_THAT(scores.names, ElementsAre("score expect, lower is better"));
      EXPECT_DOUBLE_EQ(scores.values[0][0][0], -std::log(1e-5));
      EXPECT_DOUBLE_EQ(scores.values[0][1][0], -std::log(10.0));
      EXPECT_THAT(scores.main_score[0], ElementsAre(-std::log(1e-5), -std::log(10.0))) << "spread out at the best end";
    }

    TEST(EngineScores, AnEValueOfZeroIsTheBestAndLeavesTheOthersTheirScale)
    {
      const EngineScores scores = read({identification("expect", false, {0.0, 1e-5, 10.0})});
      EXPECT_DOUBLE_EQ(scores.values[0][1][0], -std::log(1e-5));
      EXPECT_DOUBLE_EQ(scores.values[0][2][0], -std::log(10.0));
      EXPECT_DOUBLE_EQ(scores.main_score[0][0], -std::log(0.5e-5));
    }

    TEST(EngineScores, OtherScoresEnterAsTheyAre)
    {
      EXPECT_DOUBLE_EQ(read({identification("xcorr", true, {2.5})}).values[0][0][0], 2.5);
      EXPECT_DOUBLE_EQ(read({identification("distance", false, {2.5, -0.5})}).values[0][0][0], -2.5)
          << "negative numbers have no logarithm";
      EXPECT_DOUBLE_EQ(read({identification("distance", false, {0.0, 0.0})}).values[0][0][0], 0.0);
    }

    TEST(EngineScores, WhatIsNotFiniteIsMissing)
    {
      const double infinity = std::numeric_limits<double>::infinity();
      PeptideIds identifications = {identification("xcorr", true, {infinity, -infinity, std::nan(""), 1.0})};
      auto hits = identifications[0].getHits();
      hits[0].setMetaValue("a", infinity);
      hits[1].setMetaValue("a", "1.#INF");
      hits[2].setMetaValue("a", "7");
      identifications[0].setHits(hits);
      const EngineScores scores = read(identifications, "a");
      EXPECT_THAT(scores.names, ElementsAre("score xcorr", "a"));
      for (std::size_t h = 0; h < 3; ++h)
      {
        EXPECT_TRUE(std::isnan(scores.values[0][h][0]));
        EXPECT_TRUE(std::isnan(scores.main_score[0][h]));
      }
      EXPECT_DOUBLE_EQ(scores.values[0][3][0], 1.0);
      EXPECT_TRUE(std::isnan(scores.values[0][0][1]));
      EXPECT_TRUE(std::isnan(scores.values[0][1][1]));
      EXPECT_DOUBLE_EQ(scores.values[0][2][1], 7.0) << "a text that is a number";
      EXPECT_TRUE(std::isnan(scores.values[0][3][1])) << "not there";
    }

    TEST(EngineScores, ScoresOfSeveralEnginesDoNotMix)
    {
      const EngineScores scores = read({identification("xcorr", true, {2.5}), identification("expect", false, {0.1})});
      EXPECT_THAT(scores.names, ElementsAre("score expect, lower is better", "score xcorr"));
      EXPECT_TRUE(std::isnan(scores.values[0][0][0]));
      EXPECT_DOUBLE_EQ(scores.values[0][0][1], 2.5);
      EXPECT_DOUBLE_EQ(scores.values[1][0][0], -std::log(0.1));
      EXPECT_TRUE(std::isnan(scores.main_score[0][0])) << "nothing to rank all hits by";
    }

    TEST(EngineScores, WhatIsMadeFromLabelsIsNotRead)
    {
      for (const std::string type : {"q-value", "Posterior Error Probability", "pep", "PSMFormer:score", "FDR",
                                     "MOKAPOT:score", "MS:1001491", "MS:1001492", "PSMFormer:peptide_q-value"})
      {
        EXPECT_TRUE(isMadeFromLabels(type)) << type;
        const EngineScores scores = read({identification(type, true, {0.5})});
        EXPECT_THAT(scores.names, IsEmpty()) << type;
        EXPECT_TRUE(std::isnan(scores.main_score[0][0])) << type;
      }
      for (const std::string type : {"expect", "MS:1002252", "XTandem", "SpecEValue", "peptide_mass", "hyperscore"})
      {
        EXPECT_FALSE(isMadeFromLabels(type)) << type;
      }
      PeptideIds identifications = {identification("xcorr", true, {1.0})};
      auto hits = identifications[0].getHits();
      for (const std::string name : {"target_decoy", "PSMFormer:logit", "q-value", "kept"})
      {
        hits[0].setMetaValue(name, 1.0);
      }
      identifications[0].setHits(hits);
      EXPECT_THAT(read(identifications, ",target_decoy,PSMFormer:logit,kept,q-value,kept,").names,
                  ElementsAre("score xcorr", "kept"))
          << "nor what is computed anew";
    }
  }
}
