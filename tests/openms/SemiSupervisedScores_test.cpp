// SPDX-License-Identifier: BSD-3-Clause
#include <SemiSupervisedScores.h>

#include <LogitAnnotation.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace psmformer
{
  namespace
  {
    using ::testing::ElementsAre;
    using ::testing::IsEmpty;

    std::size_t indexOf(const std::string& name)
    {
      const std::vector<std::string> names = namesOfFeatures(true);
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), "PSMFormer:" + name) - names.begin());
    }

    std::vector<std::string> unknownOf(const std::vector<double>& features, bool has_next)
    {
      const std::vector<std::string> all = namesOfFeatures(true);
      const std::vector<double> values = learnableFeatures(features, all, has_next);
      std::vector<std::string> names;
      for (std::size_t k = 0; k < values.size(); ++k)
      {
        if (std::isnan(values[k]))
        {
          names.push_back(all[k]);
        }
      }
      return names;
    }

    TEST(SemiSupervisedScores, ZeroThatStandsForUnknownIsNotLearntFrom)
    {
      std::vector<double> features(namesOfFeatures(true).size(), 0.0);
      EXPECT_THAT(unknownOf(features, false), ElementsAre("PSMFormer:fragment_error_median",
                                                          "PSMFormer:fragment_error_spread", "PSMFormer:delta_next"));
      features[indexOf("explained_sites")] = 0.5;
      EXPECT_THAT(unknownOf(features, true), IsEmpty());
    }

    TEST(SemiSupervisedScores, FeaturesAreRounded)
    {
      std::vector<double> features(namesOfFeatures(true).size(), 0.0);
      features[0] = 1.23456789;
      EXPECT_DOUBLE_EQ(learnableFeatures(features, namesOfFeatures(true), true)[0], 1.2346);
    }
  }
}
