// SPDX-License-Identifier: BSD-3-Clause
#include "Loss.h"

#include "LearningRateSchedule.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace psmformer
{
  namespace
  {
    using Matrix = std::vector<std::vector<double>>;
    using Mask = std::vector<std::vector<bool>>;

    at::Tensor toTensor(const Matrix& rows)
    {
      at::Tensor tensor =
          torch::zeros({static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.front().size())});
      for (std::size_t i = 0; i < rows.size(); ++i)
      {
        for (std::size_t j = 0; j < rows[i].size(); ++j)
        {
          tensor[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(j)] = rows[i][j];
        }
      }
      return tensor;
    }

    at::Tensor toTensor(const Mask& rows)
    {
      Matrix numbers;
      for (const std::vector<bool>& row : rows)
      {
        numbers.emplace_back(row.begin(), row.end());
      }
      return toTensor(numbers).to(torch::kBool);
    }

    at::Tensor allTrue(std::int64_t n_spectra)
    {
      return torch::ones({n_spectra}, torch::kBool);
    }

    const Matrix LOGITS = {{1.5, -0.5, 2.0}, {0.3, 0.1, 7.0}, {-1.0, 5.0, 5.0}};
    const Mask PADDING = {{false, false, false}, {false, false, true}, {false, true, true}};

    TEST(ListwiseLoss, IsMinusLogOfTheSoftmaxOfTheTrueCandidate)
    {
      double sum = 0.0;
      for (std::size_t b : {0U, 1U}) // the third spectrum has no negative
      {
        double total = 0.0;
        for (std::size_t c = 0; c < 3; ++c)
        {
          total += PADDING[b][c] ? 0.0 : std::exp(LOGITS[b][c]);
        }
        sum -= std::log(std::exp(LOGITS[b][0]) / total);
      }
      EXPECT_NEAR(listwiseLoss(toTensor(LOGITS), toTensor(PADDING), allTrue(3)).item<double>(), sum / 2.0, 1e-6);
    }

    TEST(ListwiseLoss, OfSpectraWithoutNegativesIsZeroAndHasAGradient)
    {
      const at::Tensor logit_BC = torch::ones({2, 1}).requires_grad_();
      const at::Tensor loss = listwiseLoss(logit_BC, torch::zeros({2, 1}, torch::kBool), allTrue(2));
      EXPECT_EQ(loss.item<double>(), 0.0);
      loss.backward();
      EXPECT_EQ(logit_BC.grad().abs().sum().item<double>(), 0.0);
    }

    TEST(MatchLoss, IsTheWeightedMeanOfTheBinaryCrossEntropy)
    {
      const double positive_weight = 4.0;
      double sum = 0.0;
      double weights = 0.0;
      for (std::size_t b = 0; b < 3; ++b)
      {
        for (std::size_t c = 0; c < 3; ++c)
        {
          if (!PADDING[b][c])
          {
            const double probability = 1.0 / (1.0 + std::exp(-LOGITS[b][c]));
            const double weight = c == 0 ? positive_weight : 1.0;
            sum -= weight * std::log(c == 0 ? probability : 1.0 - probability);
            weights += weight;
          }
        }
      }
      EXPECT_NEAR(matchLoss(toTensor(LOGITS), toTensor(PADDING), allTrue(3), positive_weight).item<double>(),
                  sum / weights, 1e-6);
    }

    TEST(MatchLoss, GivesPaddingNoGradient)
    {
      const at::Tensor logit_BC = toTensor(LOGITS).requires_grad_();
      const at::Tensor padding_BC = toTensor(PADDING);
      (listwiseLoss(logit_BC, padding_BC, allTrue(3)) + matchLoss(logit_BC, padding_BC, allTrue(3), 4.0)).backward();
      EXPECT_TRUE(logit_BC.grad().isfinite().all().item<bool>());
      EXPECT_EQ(logit_BC.grad().masked_select(padding_BC).abs().sum().item<double>(), 0.0);
      EXPECT_GT(logit_BC.grad().masked_select(~padding_BC).abs().min().item<double>(), 0.0);
    }

    TEST(MatchLoss, CountsCandidateZeroOfAForeignSpectrumAsAnUnweightedNegative)
    {
      const at::Tensor true_B = torch::tensor({true, false, true});
      double sum = 0.0;
      double weights = 0.0;
      for (std::size_t b = 0; b < 3; ++b)
      {
        for (std::size_t c = 0; c < 3; ++c)
        {
          if (!PADDING[b][c])
          {
            const bool is_true = c == 0 && b != 1;
            const double weight = is_true ? 4.0 : 1.0;
            sum += weight * std::log1p(std::exp(is_true ? -LOGITS[b][c] : LOGITS[b][c]));
            weights += weight;
          }
        }
      }
      EXPECT_NEAR(matchLoss(toTensor(LOGITS), toTensor(PADDING), true_B, 4.0).item<double>(), sum / weights, 1e-6);
    }

    TEST(ListwiseLoss, LeavesForeignSpectraOut)
    {
      const at::Tensor logit_BC = toTensor(LOGITS).requires_grad_();
      const at::Tensor true_B = torch::tensor({true, false, true});
      const at::Tensor loss = listwiseLoss(logit_BC, toTensor(PADDING), true_B);
      const double total = std::exp(1.5) + std::exp(-0.5) + std::exp(2.0);
      EXPECT_NEAR(loss.item<double>(), -std::log(std::exp(1.5) / total), 1e-6); // the third has no negative
      loss.backward();
      EXPECT_EQ(logit_BC.grad()[1].abs().sum().item<double>(), 0.0);
    }

    double dot(const std::vector<double>& a, const std::vector<double>& b)
    {
      double sum = 0.0;
      for (std::size_t d = 0; d < a.size(); ++d)
      {
        sum += a[d] * b[d];
      }
      return sum;
    }

    /// Three spectra; 0 and 2 have the same peptide; peptide 3 is nobody's own.
    struct ContrastiveCase
    {
      Matrix spectrum = {{1.0, 0.0}, {0.6, 0.8}, {0.0, 1.0}};
      Matrix peptide = {{0.8, 0.6}, {0.0, 1.0}, {-0.6, 0.8}, {0.6, -0.8}};
      std::vector<std::int64_t> positive = {0, 1, 0};
      Mask allowed = {{false, true, false, true}, {true, false, false, false}, {false, true, true, false}};
      double temperature = 0.5;

      double plainLoss() const
      {
        double to_peptide = 0.0;
        double to_spectrum = 0.0;
        for (std::size_t b = 0; b < spectrum.size(); ++b)
        {
          const auto own = static_cast<std::size_t>(positive[b]);
          const double own_term = std::exp(dot(spectrum[b], peptide[own]) / temperature);
          double over_peptides = 0.0;
          for (std::size_t q = 0; q < peptide.size(); ++q)
          {
            const bool taken = allowed[b][q] || q == own;
            over_peptides += taken ? std::exp(dot(spectrum[b], peptide[q]) / temperature) : 0.0;
          }
          double over_spectra = 0.0;
          for (std::size_t other = 0; other < spectrum.size(); ++other)
          {
            const bool taken = other == b || (allowed[other][own] && positive[other] != positive[b]);
            over_spectra += taken ? std::exp(dot(spectrum[other], peptide[own]) / temperature) : 0.0;
          }
          to_peptide -= std::log(own_term / over_peptides) / 3.0;
          to_spectrum -= std::log(own_term / over_spectra) / 3.0;
        }
        return 0.5 * (to_peptide + to_spectrum);
      }

      at::Tensor loss() const
      {
        return contrastiveLoss(toTensor(spectrum), toTensor(peptide), torch::tensor(positive, torch::kInt64),
                               toTensor(allowed), allTrue(3), torch::tensor(temperature));
      }
    };

    TEST(ContrastiveLoss, EqualsPlainLoopsInBothDirections)
    {
      const ContrastiveCase example;
      EXPECT_NEAR(example.loss().item<double>(), example.plainLoss(), 1e-6);
    }

    TEST(ContrastiveLoss, TakesTheOwnPeptideWhetherOrNotItIsAllowed)
    {
      ContrastiveCase example;
      const double loss = example.loss().item<double>();
      example.allowed[0][0] = true;
      example.allowed[1][1] = true;
      EXPECT_NEAR(example.loss().item<double>(), loss, 1e-7);
    }

    TEST(ContrastiveLoss, WithoutNegativesIsZero)
    {
      ContrastiveCase example;
      example.allowed = Mask(3, std::vector<bool>(4, false));
      EXPECT_EQ(example.loss().item<double>(), 0.0);
    }

    TEST(ContrastiveLoss, GivesTheTemperatureAGradient)
    {
      const ContrastiveCase example;
      const at::Tensor temperature = torch::full({}, 0.07).requires_grad_();
      contrastiveLoss(toTensor(example.spectrum), toTensor(example.peptide),
                      torch::tensor(example.positive, torch::kInt64), toTensor(example.allowed), allTrue(3),
                      temperature)
          .backward();
      EXPECT_TRUE(std::isfinite(temperature.grad().item<double>()));
      EXPECT_NE(temperature.grad().item<double>(), 0.0);
    }

    TEST(LearningRateSchedule, WarmsUpLinearlyAndCoolsToOnePercent)
    {
      const LearningRateSchedule schedule{0.002, 0.1, 100};
      EXPECT_NEAR(schedule.rate(0), 0.0002, 1e-12);
      EXPECT_NEAR(schedule.rate(4), 0.001, 1e-12);
      EXPECT_NEAR(schedule.rate(9), 0.002, 1e-12);
      EXPECT_NEAR(schedule.rate(54), 0.002 * (0.01 + 0.99 * 0.5), 1e-12); // half of the cosine
      EXPECT_NEAR(schedule.rate(99), 0.00002, 1e-12);
      EXPECT_EQ(schedule.rate(500), schedule.rate(99));
      for (std::size_t step = 10; step < 99; ++step)
      {
        EXPECT_GT(schedule.rate(step), schedule.rate(step + 1)) << step;
      }
    }
  }
}
