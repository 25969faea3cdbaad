// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/openms/Compat.h>
#include <PSMFormer/openms/MatchReader.h>
#include <PSMFormer/openms/MatchWriter.h>

#include <OpenMS/CONCEPT/ProgressLogger.h>
#include <OpenMS/DATASTRUCTURES/DefaultParamHandler.h>
#include <OpenMS/METADATA/ProteinIdentification.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace psmformer
{
  /// Accepted targets of one score at 1 and 5 % FDR, the best hit of each identification competing.
  struct AcceptedCounts
  {
    static constexpr std::array<double, 2> THRESHOLDS = {0.01, 0.05};

    std::string score;                                         ///< its name
    std::array<std::size_t, 2> decoys_over_targets = {0, 0};   ///< D / T
    std::array<std::size_t, 2> plus_one_over_targets = {0, 0}; ///< (D + 1) / T
  };

  struct MethodUsed;

  /// What rescoring did, for the log.
  struct RescoringReport
  {
    JoinReport join;
    WritingReport writing;
    std::vector<std::string> feature_names;
    bool has_decoys = false;
    std::size_t n_targets = 0; ///< best hits that compete
    std::size_t n_decoys = 0;
    std::vector<AcceptedCounts> counts; ///< the previous score (when comparable), the calibrated logit (when another is
                                        ///< the score), PSMFormer:score; empty without decoys
    std::array<double, 3> score_quartiles = {0.0, 0.0, 0.0}; ///< of PSMFormer:score over the scored hits
    std::vector<std::string> warnings;
    std::vector<std::string> notes;
  };

  /// The algorithm behind the tool PSMFormer: joins, scores, rescores with the labels, estimates q-values, annotates.
  ///
  /// Its parameters are those options of the tool that neither name a file nor concern the network's run time.
  class PSMRescoring : public OpenMS::DefaultParamHandler, public OpenMS::ProgressLogger
  {
  public:
    PSMRescoring();

    /// Rescores all identifications in place.
    ///
    /// @param provenance  recorded in the search parameters of each run beside method, mode, seed and counts
    /// @throws Error INVALID_INPUT as resolveRuns() and joinMatches() do, with `strict` for any hit that cannot be
    ///         scored, and for q-values, PEPs or semi-supervised rescoring without decoys; OPTION for options that
    ///         contradict each other
    RescoringReport rescore(std::vector<OpenMS::ProteinIdentification>& runs, PeptideIds& identifications,
                            const std::vector<std::string>& spectrum_files, const MatchScorer& scorer,
                            const std::vector<ProvenanceEntry>& provenance) const;

    /// Names of the features that are written with the current parameters, with the prefix "PSMFormer:".
    std::vector<std::string> featureNames() const;

  protected:
    void updateMembers_() override;

  private:
    void refuseWithoutDecoys(bool has_decoys, const std::string& reason) const;
    void refuseUnscored(const JoinReport& report) const;
    std::vector<ProvenanceEntry> ownProvenance(const JoinedMatches& joined, std::size_t run,
                                               const MethodUsed& used) const;

    WritingRules rules_;
    Tolerance fragment_tolerance_;
    bool all_features_ = false;
    bool per_run_ = false;
    bool strict_ = false;
    bool accept_profile_ = false;
    std::uint64_t seed_ = 1;
    std::size_t n_shuffles_ = 0;
    std::string method_;
  };
}
