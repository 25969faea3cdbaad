// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/LogisticRegression.h>

#include "TorchRuntime.h"

#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <support/ExpectError.h>
#include <support/SimulatedTable.h>

#include <gtest/gtest.h>

#include <cmath>

namespace psmformer
{
  namespace
  {
    constexpr double RIDGE = 10.0;

    /// Positives have larger values of the first features.
    struct Rows
    {
      std::size_t n_features;
      std::vector<double> values;
      std::vector<bool> is_positive;

      Rows(std::size_t n, std::size_t n_features_, double separation, std::uint64_t seed = 1) : n_features(n_features_)
      {
        Random random(seed);
        for (std::size_t i = 0; i < n; ++i)
        {
          is_positive.push_back(random.below(4) == 0);
          for (std::size_t f = 0; f < n_features; ++f)
          {
            values.push_back(random.normal() + (is_positive.back() && f < 2 ? separation : 0.0));
          }
        }
      }

      LabelledRows view() const { return {is_positive.size(), n_features, values.data(), is_positive}; }
    };

    double score(const LinearModel& model, const double* row)
    {
      double sum = model.intercept;
      for (std::size_t f = 0; f < model.weights.size(); ++f)
      {
        sum += model.weights[f] * row[f];
      }
      return sum;
    }

    /// The slope of the penalised loss, once more in plain loops: weights, then intercept.
    std::vector<double> slope(const Rows& rows, const LinearModel& model)
    {
      const auto n = static_cast<double>(rows.is_positive.size());
      const auto n_positive = static_cast<double>(std::count(rows.is_positive.begin(), rows.is_positive.end(), true));
      std::vector<double> result(rows.n_features + 1, 0.0);
      for (std::size_t i = 0; i < rows.is_positive.size(); ++i)
      {
        const double* row = rows.values.data() + i * rows.n_features;
        const double label = rows.is_positive[i] ? 1.0 : 0.0;
        const double weight = n / (2.0 * (rows.is_positive[i] ? n_positive : n - n_positive));
        const double error = weight * (1.0 / (1.0 + std::exp(-score(model, row))) - label);
        for (std::size_t f = 0; f < rows.n_features; ++f)
        {
          result[f] += error * row[f];
        }
        result.back() += error;
      }
      for (std::size_t f = 0; f < rows.n_features; ++f)
      {
        result[f] += RIDGE * model.weights[f];
      }
      return result;
    }
  }

  TEST(LogisticRegression, FindsTheMinimum)
  {
    for (const double separation : {0.0, 1.0, 3.0, 30.0}) // the last can be separated without error
    {
      const Rows rows(500, 8, separation);
      const LinearModel model = LogisticRegression(RIDGE).fit(rows.view(), {});
      for (const double component : slope(rows, model))
      {
        EXPECT_NEAR(component, 0.0, 1e-5) << separation;
      }
      if (separation >= 1.0)
      {
        EXPECT_GT(model.weights[0], 0.1);
        EXPECT_LT(std::abs(model.weights[5]), model.weights[0] / 2.0);
      }
    }
  }

  TEST(LogisticRegression, TheStartDoesNotMatter)
  {
    const Rows rows(300, 5, 1.0);
    const LinearModel expected = LogisticRegression(RIDGE).fit(rows.view(), {});
    const LinearModel model = LogisticRegression(RIDGE).fit(rows.view(), {{30.0, -30.0, 4.0, 0.0, 100.0}, -50.0});
    for (std::size_t f = 0; f < 5; ++f)
    {
      EXPECT_NEAR(model.weights[f], expected.weights[f], 1e-8);
    }
    EXPECT_NEAR(model.intercept, expected.intercept, 1e-7);
  }

  TEST(LogisticRegression, SameBytesForAnyNumberOfThreads)
  {
    const Rows rows(40000, 40, 1.0);
    const TorchRuntime::ThreadScope before(1);
    const LinearModel one = LogisticRegression(RIDGE).fit(rows.view(), {});
    const TorchRuntime::ThreadScope more(2);
    const LinearModel two = LogisticRegression(RIDGE).fit(rows.view(), {});
    EXPECT_EQ(one.weights, two.weights);
    EXPECT_EQ(one.intercept, two.intercept);
  }

  TEST(LogisticRegression, FeaturesThatAreEqualShareTheWeight)
  {
    Rows rows(300, 3, 1.0);
    for (std::size_t i = 0; i < 300; ++i)
    {
      rows.values[i * 3 + 1] = rows.values[i * 3];
      rows.values[i * 3 + 2] = 0.0;
    }
    const LinearModel model = LogisticRegression(RIDGE).fit(rows.view(), {});
    EXPECT_NEAR(model.weights[0], model.weights[1], 1e-9);
    EXPECT_NEAR(model.weights[2], 0.0, 1e-12);
  }

  TEST(LogisticRegression, WithoutFeaturesThereIsTheInterceptAlone)
  {
    const Rows rows(50, 0, 1.0);
    const LinearModel model = LogisticRegression(RIDGE).fit(rows.view(), {});
    EXPECT_TRUE(model.weights.empty());
    EXPECT_NEAR(model.intercept, 0.0, 1e-9) << "both classes weigh the same";
  }

  TEST(LogisticRegression, NeedsBothClassesAndAPenalty)
  {
    Rows rows(50, 2, 1.0);
    rows.is_positive.assign(50, true);
    test::expectError(ErrorKind::INTERNAL, "both classes", [&] { LogisticRegression(RIDGE).fit(rows.view(), {}); });
    test::expectError(ErrorKind::INTERNAL, "above 0", [] { LogisticRegression(0.0); });
  }

  TEST(LogisticRegression, RowsThatAreLearntByHeartDoNotCount)
  {
    // More random features than rows: in its training part the model tells all targets from all decoys, elsewhere none.
    test::TableOptions options;
    options.n_spectra = 450;
    options.n_noise = 250;
    options.feature_of_true = 0.0;
    const test::SimulatedTable simulated = test::simulateTable(options);
    const SemiSupervisedResult result = rescoreSemiSupervised(simulated.table, LogisticRegression(1e-3));
    ASSERT_TRUE(result.is_trained) << result.reason;
    for (const FoldChoice& fold : result.folds)
    {
      EXPECT_EQ(fold.source, ScoreSource::LOGIT) << fold.accepted[1] << " by the linear model in its training part";
    }
  }
}
