// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/AcceptanceBootstrap.h>
#include <PSMFormer/core/RescoringTable.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// Some spectra, by position in CompetingSpectra.
  using SpectrumSet = std::vector<std::size_t>;

  /// The best hits of some spectra by one score.
  struct BestHits : ScoredSpectra
  {
    std::vector<std::size_t> hits; ///< of the table

    std::size_t countDecoys() const;
    /// Accepted targets at an FDR, D / T.
    std::size_t countTargets(double limit) const;
    /// Score of the lowest target that is accepted at an FDR, D / T; NaN where none is.
    double lowestAccepted(double limit) const;
  };

  /// The spectra of a table in an order that does not depend on that of the table: by run, native ID, then charge and
  /// peptidoform of the hits.
  class CompetingSpectra
  {
  public:
    /// @param seed  of the hash of the pairing key of the best hit by logit
    CompetingSpectra(const RescoringTable& table, std::uint64_t seed);

    std::size_t size() const { return hits_.size(); }
    const std::vector<std::size_t>& hitsOf(std::size_t spectrum) const { return hits_[spectrum]; }
    std::uint64_t hashOf(std::size_t spectrum) const { return hash_[spectrum]; }

    /// Best hits by a score that is given for each hit of the table; NaN does not compete. A tie goes to the smaller
    /// RescoringHit::tie.
    BestHits bestHits(const SpectrumSet& spectra, const std::vector<double>& score) const;

  private:
    std::size_t bestHit(std::size_t spectrum, const std::vector<double>& score) const;

    const RescoringTable& table_;
    std::vector<std::vector<std::size_t>> hits_;
    std::vector<std::uint64_t> hash_;
  };

  /// One of the scores of all hits, in the order of the table.
  std::vector<double> scoresOf(const RescoringTable& table, double RescoringHit::*score);
}
