// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/LinearFitter.h>

namespace psmformer
{
  /// Logistic regression with a ridge penalty, by Newton's method in double precision.
  ///
  /// Minimises sum_i c_i log(1 + exp(-y_i s_i)) + ridge / 2 sum_j w_j^2 with s_i = b + x_i w, y_i = +-1 and class
  /// weights c_i that make both classes weigh half of the number of rows (le Cessie & van Houwelingen 1992,
  /// doi:10.2307/2347628). The penalty makes the minimum unique, Newton's steps, halved where they do not descend, find
  /// it to rounding; one thread, so that the sums do not depend on how many there are.
  class LogisticRegression : public LinearFitter
  {
  public:
    /// A prior standard deviation of 0.3 log-odds for the weight of a standardised feature: some forty features
    /// together move a score by 2, about as much as the step from plausible to certain.
    static constexpr double RIDGE = 10.0;

    /// @param ridge  > 0; 1 / ridge is the prior variance of the weight of a standardised feature, in squared log-odds
    explicit LogisticRegression(double ridge = RIDGE);

    LinearModel fit(const LabelledRows& rows, const LinearModel& start) const override;

  private:
    double ridge_;
  };
}
