// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/BatchPlanner.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace psmformer
{
  /// B spectra (with charge), padded to the largest number of peaks P.
  struct SpectrumBatch
  {
    at::Tensor mz_BP;            ///< Th, float64, 0 on padding
    at::Tensor intensity_BP;     ///< float32
    at::Tensor peak_padding_BP;  ///< bool, true = padding
    at::Tensor precursor_mass_B; ///< Da, float64
    at::Tensor charge_B;         ///< int64
    at::Tensor activation_B;     ///< int64
    at::Tensor log_tolerance_B;  ///< float32, log10 of the fragment tolerance in Th at m/z 500
  };

  /// Q peptides, padded to the longest.
  struct PeptideBatch
  {
    at::Tensor token_QL;   ///< int64, 0 on padding
    at::Tensor mass_QL;    ///< Da, float64, residue with modifications, terminal ones included; 0 on padding
    at::Tensor padding_QL; ///< bool, true = padding
  };

  /// The candidates: N = B x C slots, slot (b, c) is candidate c of spectrum b. Slots without a candidate are padding:
  /// they point at peptide 0 and are thrown away after scoring.
  struct CandidateBatch
  {
    at::Tensor peptide_N;           ///< int64, index into the PeptideBatch
    at::Tensor slot_padding_N;      ///< bool, true = no candidate
    at::Tensor evidence_NSE;        ///< float32; E = channels x IonEvidence::VALUES_PER_CHANNEL; S = L - 1, at least 1
    at::Tensor site_padding_NS;     ///< bool, true = padding
    at::Tensor summary_NG;          ///< float32; G = IonEvidence::SUMMARY_VALUES
    std::vector<std::size_t> match; ///< for each slot the index into MatchTable::matches, or NO_MATCH
    static constexpr std::size_t NO_MATCH = static_cast<std::size_t>(-1);
  };

  /// What goes through the network at once.
  struct MatchTensors
  {
    SpectrumBatch spectra;
    PeptideBatch peptides;
    CandidateBatch candidates;
  };

  /// A spectrum, its candidates and how they explain it, before padding; what collation needs of one row.
  struct PreparedRow
  {
    PreprocessedSpectrum spectrum;
    std::vector<const Peptide*> peptides; ///< not owned
    std::vector<IonEvidence> evidence;    ///< one a peptide
    std::vector<std::size_t> match;       ///< one a peptide
  };

  /// Preprocesses the spectra of a batch and matches the ions of all candidates; `threads` share the rows.
  std::vector<PreparedRow> prepareRows(const MatchTable& table, const MatchBatch& batch, const ModelInputs& inputs,
                                       int threads);

  /// Copies prepared rows into padded tensors on the CPU. Equal peptides are kept once.
  MatchTensors collate(const std::vector<PreparedRow>& rows, const ModelInputs& inputs);

  /// Moves all tensors to a device.
  MatchTensors toDevice(const MatchTensors& tensors, const torch::Device& device);
}
