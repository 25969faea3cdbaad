// SPDX-License-Identifier: BSD-3-Clause
#include "Batch.h"

#include "ParallelFor.h"

#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Vocabulary.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

namespace psmformer
{
  namespace
  {
    static_assert(sizeof(std::int64_t) == 8, "index tensors are int64");

    constexpr double TOLERANCE_REFERENCE_MZ = 500.0; ///< Th, where the network is told the width of a ppm tolerance

    void requireScorable(const Peptide& peptide, const ModelInputs& inputs)
    {
      require(peptide.length() >= 1 && peptide.length() <= inputs.max_residues, ErrorKind::INVALID_INPUT,
              "The peptide '" + peptide.residues + "' has " + std::to_string(peptide.length()) +
                  " residues; this model scores peptides of 1 to " + std::to_string(inputs.max_residues) + ".");
      require(peptide.residue_mass.size() == peptide.length() && peptide.modification_mass.size() == peptide.length(),
              ErrorKind::INVALID_INPUT,
              "The peptide '" + peptide.residues + "' does not have one mass a residue; read it again.");
    }

    PreparedRow prepareRow(const MatchTable& table, const BatchRow& row, const ModelInputs& inputs,
                           const std::vector<IonChannel>& channels)
    {
      PreparedRow prepared;
      prepared.spectrum = preprocess(table.spectra.at(row.spectrum), row.charge, inputs.preprocessing);
      if (!isTrainedActivation(inputs, prepared.spectrum.activation))
      {
        prepared.spectrum.activation = Activation::UNKNOWN;
      }
      for (const std::size_t match : row.matches)
      {
        const Peptide& peptide = table.peptides.at(table.matches.at(match).peptide);
        requireScorable(peptide, inputs);
        prepared.peptides.push_back(&peptide);
        prepared.evidence.push_back(matchIons(prepared.spectrum, peptide, channels, inputs.preprocessing.max_peaks));
        prepared.match.push_back(match);
      }
      return prepared;
    }

    /// Peptides are equal when the network sees them so: residues and masses.
    struct PeptideLess
    {
      static auto key(const Peptide& peptide)
      {
        return std::tie(peptide.residues, peptide.residue_mass, peptide.modification_mass, peptide.n_term_modification,
                        peptide.c_term_modification);
      }
      bool operator()(const Peptide* a, const Peptide* b) const { return a != b && key(*a) < key(*b); }
    };

    /// The distinct peptides of a batch, in order of appearance.
    struct PeptideIndex
    {
      std::vector<const Peptide*> peptides;
      std::map<const Peptide*, std::int64_t, PeptideLess> index;
      std::size_t longest = 1;

      explicit PeptideIndex(const std::vector<PreparedRow>& rows)
      {
        for (const PreparedRow& row : rows)
        {
          for (const Peptide* peptide : row.peptides)
          {
            if (index.emplace(peptide, static_cast<std::int64_t>(peptides.size())).second)
            {
              peptides.push_back(peptide);
              longest = std::max(longest, peptide->length());
            }
          }
        }
      }
    };

    at::Tensor padding(std::int64_t rows, std::int64_t columns)
    {
      return torch::ones({rows, columns}, torch::kBool);
    }

    SpectrumBatch collateSpectra(const std::vector<PreparedRow>& rows)
    {
      const auto n_spectra = static_cast<std::int64_t>(rows.size());
      std::size_t most_peaks = 1;
      for (const PreparedRow& row : rows)
      {
        most_peaks = std::max(most_peaks, row.spectrum.mz.size());
      }
      const auto n_peaks = static_cast<std::int64_t>(most_peaks);
      SpectrumBatch batch{torch::zeros({n_spectra, n_peaks}, torch::kFloat64),
                          torch::zeros({n_spectra, n_peaks}, torch::kFloat32),
                          padding(n_spectra, n_peaks),
                          torch::zeros({n_spectra}, torch::kFloat64),
                          torch::zeros({n_spectra}, torch::kInt64),
                          torch::zeros({n_spectra}, torch::kInt64),
                          torch::zeros({n_spectra}, torch::kFloat32)};
      auto* mz = batch.mz_BP.data_ptr<double>();
      auto* intensity = batch.intensity_BP.data_ptr<float>();
      auto* is_padding = batch.peak_padding_BP.data_ptr<bool>();
      auto* mass = batch.precursor_mass_B.data_ptr<double>();
      auto* charge = batch.charge_B.data_ptr<std::int64_t>();
      auto* activation = batch.activation_B.data_ptr<std::int64_t>();
      auto* log_tolerance = batch.log_tolerance_B.data_ptr<float>();
      for (std::size_t b = 0; b < rows.size(); ++b)
      {
        const PreprocessedSpectrum& spectrum = rows[b].spectrum;
        std::copy(spectrum.mz.begin(), spectrum.mz.end(), mz + b * most_peaks);
        std::copy(spectrum.intensity.begin(), spectrum.intensity.end(), intensity + b * most_peaks);
        std::fill_n(is_padding + b * most_peaks, spectrum.mz.size(), false);
        mass[b] = spectrum.precursor_mass;
        charge[b] = spectrum.charge;
        activation[b] = static_cast<std::int64_t>(spectrum.activation);
        log_tolerance[b] =
            static_cast<float>(std::log10(spectrum.fragment_tolerance.halfWidth(TOLERANCE_REFERENCE_MZ)));
      }
      return batch;
    }

    PeptideBatch collatePeptides(const PeptideIndex& distinct, const Vocabulary& vocabulary)
    {
      const auto n_peptides = static_cast<std::int64_t>(distinct.peptides.size());
      const auto longest = static_cast<std::int64_t>(distinct.longest);
      PeptideBatch batch{torch::full({n_peptides, longest}, Vocabulary::PADDING, torch::kInt64),
                         torch::zeros({n_peptides, longest}, torch::kFloat64), padding(n_peptides, longest)};
      auto* token = batch.token_QL.data_ptr<std::int64_t>();
      auto* mass = batch.mass_QL.data_ptr<double>();
      auto* is_padding = batch.padding_QL.data_ptr<bool>();
      for (const Peptide* peptide : distinct.peptides)
      {
        const std::vector<std::int64_t> tokens = vocabulary.encode(peptide->residues);
        std::copy(tokens.begin(), tokens.end(), token);
        std::transform(peptide->residue_mass.begin(), peptide->residue_mass.end(), peptide->modification_mass.begin(),
                       mass, std::plus<>());
        mass[0] += peptide->n_term_modification;
        mass[peptide->length() - 1] += peptide->c_term_modification;
        std::fill_n(is_padding, peptide->length(), false);
        token += longest;
        mass += longest;
        is_padding += longest;
      }
      return batch;
    }

    CandidateBatch collateCandidates(const std::vector<PreparedRow>& rows, const PeptideIndex& distinct,
                                     std::size_t n_channels)
    {
      std::size_t most_candidates = 1;
      for (const PreparedRow& row : rows)
      {
        most_candidates = std::max(most_candidates, row.peptides.size());
      }
      const std::size_t n_slots = rows.size() * most_candidates;
      const std::size_t n_sites = std::max<std::size_t>(distinct.longest - 1, 1);
      const std::size_t site_values = n_channels * IonEvidence::VALUES_PER_CHANNEL;
      const auto N = static_cast<std::int64_t>(n_slots);
      const auto S = static_cast<std::int64_t>(n_sites);
      CandidateBatch batch{torch::zeros({N}, torch::kInt64),
                           torch::ones({N}, torch::kBool),
                           torch::zeros({N, S, static_cast<std::int64_t>(site_values)}, torch::kFloat32),
                           padding(N, S),
                           torch::zeros({N, static_cast<std::int64_t>(IonEvidence::SUMMARY_VALUES)}, torch::kFloat32),
                           std::vector<std::size_t>(n_slots, CandidateBatch::NO_MATCH)};
      auto* peptide = batch.peptide_N.data_ptr<std::int64_t>();
      auto* slot_padding = batch.slot_padding_N.data_ptr<bool>();
      auto* evidence = batch.evidence_NSE.data_ptr<float>();
      auto* site_padding = batch.site_padding_NS.data_ptr<bool>();
      auto* summary = batch.summary_NG.data_ptr<float>();
      for (std::size_t b = 0; b < rows.size(); ++b)
      {
        for (std::size_t c = 0; c < rows[b].peptides.size(); ++c)
        {
          const std::size_t slot = b * most_candidates + c;
          const IonEvidence& ions = rows[b].evidence[c];
          peptide[slot] = distinct.index.at(rows[b].peptides[c]);
          slot_padding[slot] = false;
          std::copy(ions.values.begin(), ions.values.end(), evidence + slot * n_sites * site_values);
          std::fill_n(site_padding + slot * n_sites, ions.n_sites, false);
          std::copy(ions.summary.begin(), ions.summary.end(), summary + slot * IonEvidence::SUMMARY_VALUES);
          batch.match[slot] = rows[b].match[c];
        }
      }
      return batch;
    }
  }

  std::vector<PreparedRow> prepareRows(const MatchTable& table, const MatchBatch& batch, const ModelInputs& inputs,
                                       int threads)
  {
    const std::vector<IonChannel> channels = parseIonChannels(inputs.ions);
    std::vector<PreparedRow> rows(batch.rows.size());
    parallelFor(rows.size(), threads,
                [&](std::size_t b) { rows[b] = prepareRow(table, batch.rows[b], inputs, channels); });
    return rows;
  }

  MatchTensors collate(const std::vector<PreparedRow>& rows, const ModelInputs& inputs)
  {
    const PeptideIndex distinct(rows);
    require(!distinct.peptides.empty(), ErrorKind::INTERNAL,
            "A batch without candidates was handed to the network; please report it.");
    return {collateSpectra(rows), collatePeptides(distinct, Vocabulary(inputs.vocabulary)),
            collateCandidates(rows, distinct, inputs.ions.size())};
  }

  MatchTensors toDevice(const MatchTensors& tensors, const torch::Device& device)
  {
    MatchTensors moved = tensors;
    for (at::Tensor* tensor :
         {&moved.spectra.mz_BP, &moved.spectra.intensity_BP, &moved.spectra.peak_padding_BP,
          &moved.spectra.precursor_mass_B, &moved.spectra.charge_B, &moved.spectra.activation_B,
          &moved.spectra.log_tolerance_B, &moved.peptides.token_QL, &moved.peptides.mass_QL, &moved.peptides.padding_QL,
          &moved.candidates.peptide_N, &moved.candidates.slot_padding_N, &moved.candidates.evidence_NSE,
          &moved.candidates.site_padding_NS, &moved.candidates.summary_NG})
    {
      *tensor = tensor->to(device);
    }
    return moved;
  }
}
