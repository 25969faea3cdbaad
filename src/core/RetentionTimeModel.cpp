// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/RetentionTimeModel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace psmformer
{
  namespace
  {
    constexpr std::size_t N_LETTERS = 26;
    constexpr std::size_t N_DESCRIPTORS = N_LETTERS + 2;
    constexpr double PENALTY = 1.0;

    std::vector<double> describe(const Peptide& peptide)
    {
      std::vector<double> descriptors(N_DESCRIPTORS, 0.0);
      for (const char residue : peptide.residues)
      {
        if (residue >= 'A' && residue <= 'Z')
        {
          descriptors[static_cast<std::size_t>(residue - 'A')] += 1.0;
        }
      }
      const auto n_modified = std::count_if(peptide.modification_mass.begin(), peptide.modification_mass.end(),
                                            [](double mass) { return mass != 0.0; }) +
                              (peptide.n_term_modification != 0.0 ? 1 : 0) +
                              (peptide.c_term_modification != 0.0 ? 1 : 0);
      descriptors[N_LETTERS] = static_cast<double>(n_modified);
      descriptors[N_LETTERS + 1] = std::log(static_cast<double>(std::max<std::size_t>(1, peptide.length())));
      return descriptors;
    }

    /// Solves A x = b in place of b for a symmetric positive definite A (row-major, n x n), by its Cholesky factor.
    void solve(std::vector<double>& a, std::vector<double>& b)
    {
      const std::size_t n = b.size();
      for (std::size_t j = 0; j < n; ++j)
      {
        for (std::size_t i = j; i < n; ++i)
        {
          double sum = a[i * n + j];
          for (std::size_t k = 0; k < j; ++k)
          {
            sum -= a[i * n + k] * a[j * n + k];
          }
          a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
        }
      }
      for (std::size_t i = 0; i < n; ++i)
      {
        for (std::size_t k = 0; k < i; ++k)
        {
          b[i] -= a[i * n + k] * b[k];
        }
        b[i] /= a[i * n + i];
      }
      for (std::size_t i = n; i-- > 0;)
      {
        for (std::size_t k = i + 1; k < n; ++k)
        {
          b[i] -= a[k * n + i] * b[k];
        }
        b[i] /= a[i * n + i];
      }
    }
  }

  RetentionTimeModel::RetentionTimeModel(const std::vector<const Peptide*>& peptides,
                                         const std::vector<double>& retention_time)
      : mean_(N_DESCRIPTORS, 0.0), coefficient_(N_DESCRIPTORS, 0.0)
  {
    require(peptides.size() == retention_time.size() && peptides.size() >= MIN_PEPTIDES, ErrorKind::INTERNAL,
            "A retention-time model needs at least " + std::to_string(MIN_PEPTIDES) +
                " peptides, each with its retention time.");
    const auto n = static_cast<double>(peptides.size());
    std::vector<std::vector<double>> rows;
    for (const Peptide* peptide : peptides)
    {
      rows.push_back(describe(*peptide));
      std::transform(mean_.begin(), mean_.end(), rows.back().begin(), mean_.begin(),
                     [n](double mean, double value) { return mean + value / n; });
    }
    intercept_ = std::accumulate(retention_time.begin(), retention_time.end(), 0.0) / n;
    std::vector<double> products(N_DESCRIPTORS * N_DESCRIPTORS, 0.0);
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
      for (std::size_t i = 0; i < N_DESCRIPTORS; ++i)
      {
        const double centred = rows[r][i] - mean_[i];
        coefficient_[i] += centred * (retention_time[r] - intercept_);
        for (std::size_t j = 0; j <= i; ++j)
        {
          products[i * N_DESCRIPTORS + j] += centred * (rows[r][j] - mean_[j]);
        }
      }
    }
    for (std::size_t i = 0; i < N_DESCRIPTORS; ++i)
    {
      products[i * N_DESCRIPTORS + i] += PENALTY;
    }
    solve(products, coefficient_);
  }

  double RetentionTimeModel::predict(const Peptide& peptide) const
  {
    const std::vector<double> descriptors = describe(peptide);
    double time = intercept_;
    for (std::size_t i = 0; i < N_DESCRIPTORS; ++i)
    {
      time += coefficient_[i] * (descriptors[i] - mean_[i]);
    }
    return time;
  }
}
