// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/model/LogisticRegression.h>

#include "TorchRuntime.h"

#include <PSMFormer/core/Error.h>

#include <algorithm>

namespace psmformer
{
  namespace
  {
    constexpr int MAX_STEPS = 100;
    constexpr int MAX_HALVINGS = 30;
    constexpr double SMALLEST_STEP = 1e-9;
    /// The intercept is not held back, but a penalty too small to matter keeps the equations regular.
    constexpr double INTERCEPT_RIDGE = 1e-6;

    /// The problem, with a column of ones behind the features.
    struct Problem
    {
      at::Tensor x_NF;      ///< features
      at::Tensor sign_N;    ///< 1 positive, -1 negative
      at::Tensor weight_N;  ///< of the rows
      at::Tensor penalty_F; ///< of the squared weights

      Problem(const LabelledRows& rows, double ridge)
      {
        const auto n = static_cast<int64_t>(rows.n_rows);
        const auto n_features = static_cast<int64_t>(rows.n_features);
        const auto n_positive = std::count(rows.is_positive.begin(), rows.is_positive.end(), true);
        require(rows.is_positive.size() == rows.n_rows && n_positive > 0 && n_positive < n, ErrorKind::INTERNAL,
                "A linear model needs rows of both classes.");
        const auto options = at::TensorOptions().dtype(at::kDouble);
        const at::Tensor values =
            at::from_blob(const_cast<double*>(rows.values), {n, n_features}, options); // only read, below
        x_NF = at::cat({values, at::ones({n, 1}, options)}, 1);
        sign_N = at::empty({n}, options);
        double* sign = sign_N.data_ptr<double>();
        for (std::size_t i = 0; i < rows.n_rows; ++i)
        {
          sign[i] = rows.is_positive[i] ? 1.0 : -1.0;
        }
        const auto total = static_cast<double>(n);
        weight_N = at::where(sign_N > 0.0, at::full({n}, total / (2.0 * static_cast<double>(n_positive)), options),
                             at::full({n}, total / (2.0 * static_cast<double>(n - n_positive)), options));
        penalty_F = at::full({n_features + 1}, ridge, options);
        penalty_F[n_features] = INTERCEPT_RIDGE;
      }

      double loss(const at::Tensor& weights_F) const
      {
        const at::Tensor margin_N = sign_N * at::mv(x_NF, weights_F);
        return (weight_N * at::softplus(-margin_N)).sum().item<double>() +
               0.5 * (penalty_F * weights_F * weights_F).sum().item<double>();
      }

      at::Tensor newtonStep(const at::Tensor& weights_F) const
      {
        // The chance of the wrong class: the slope of the loss, and with its complement the curvature.
        const at::Tensor wrong_N = at::sigmoid(-sign_N * at::mv(x_NF, weights_F));
        const at::Tensor slope_F = at::mv(x_NF.t(), weight_N * sign_N * wrong_N) - penalty_F * weights_F;
        const at::Tensor curvature_N = weight_N * wrong_N * (1.0 - wrong_N);
        const at::Tensor curvature_FF = at::mm(x_NF.t(), x_NF * curvature_N.unsqueeze(1)) + at::diag(penalty_F);
        return at::cholesky_solve(slope_F.unsqueeze(1), at::linalg_cholesky(curvature_FF)).squeeze(1);
      }
    };

    at::Tensor minimise(const Problem& problem, at::Tensor weights_F)
    {
      double loss = problem.loss(weights_F);
      for (int k = 0; k < MAX_STEPS; ++k)
      {
        at::Tensor step_F = problem.newtonStep(weights_F);
        for (int halving = 0;; ++halving)
        {
          const double new_loss = problem.loss(weights_F + step_F);
          if (new_loss <= loss)
          {
            loss = new_loss;
            weights_F = weights_F + step_F;
            break;
          }
          if (halving == MAX_HALVINGS)
          {
            return weights_F; // at the minimum, as far as rounding lets us see
          }
          step_F = 0.5 * step_F;
        }
        if (step_F.abs().max().item<double>() < SMALLEST_STEP)
        {
          break;
        }
      }
      return weights_F;
    }
  }

  LogisticRegression::LogisticRegression(double ridge) : ridge_(ridge)
  {
    require(ridge > 0.0, ErrorKind::INTERNAL, "The ridge penalty must be above 0.");
  }

  LinearModel LogisticRegression::fit(const LabelledRows& rows, const LinearModel& start) const
  {
    LinearModel model;
    TorchRuntime::translateErrors(
        [&]
        {
          const TorchRuntime::ThreadScope one_thread(1);
          const Problem problem(rows, ridge_);
          at::Tensor weights_F = at::zeros_like(problem.penalty_F);
          if (start.weights.size() == rows.n_features)
          {
            std::copy(start.weights.begin(), start.weights.end(), weights_F.data_ptr<double>());
            weights_F[static_cast<int64_t>(rows.n_features)] = start.intercept;
          }
          weights_F = minimise(problem, weights_F).contiguous();
          const double* fitted = weights_F.data_ptr<double>();
          model.weights.assign(fitted, fitted + rows.n_features);
          model.intercept = fitted[rows.n_features];
        });
    return model;
  }
}
