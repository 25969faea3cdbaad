// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Peptide.h>

#include <cstddef>
#include <vector>

namespace psmformer
{
  /// Predicts the retention time of a peptide within one run: ridge regression on its composition.
  ///
  /// The descriptors are the counts of each residue, the number of modified residues and the logarithm of the length;
  /// the penalty is 1 on the squared coefficients of the centred descriptors. Retention as a sum over residues: Meek
  /// 1980, doi:10.1073/pnas.77.3.1632; the logarithm of the length: Mant et al. 1988. A modest model, made anew for
  /// each run, so that no gradient has to be known.
  class RetentionTimeModel
  {
  public:
    /// Fewer peptides than this are not fitted: about two for each descriptor.
    static constexpr std::size_t MIN_PEPTIDES = 60;

    /// @param peptides        not null, at least MIN_PEPTIDES
    /// @param retention_time  of each, in s, finite
    /// @throws Error INTERNAL for fewer peptides or lengths that differ
    RetentionTimeModel(const std::vector<const Peptide*>& peptides, const std::vector<double>& retention_time);

    /// In s.
    double predict(const Peptide& peptide) const;

  private:
    std::vector<double> mean_; ///< of the descriptors
    std::vector<double> coefficient_;
    double intercept_ = 0.0;
  };
}
