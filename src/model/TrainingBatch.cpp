// SPDX-License-Identifier: BSD-3-Clause
#include "TrainingBatch.h"

#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptideVariants.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace psmformer
{
  namespace
  {
    /// Half width at m/z 500, in Th, from which a spectrum counts as low-resolution: ion traps lie at 0.3 to 0.6,
    /// Orbitrap and time-of-flight instruments below 0.05.
    constexpr double COARSE_TOLERANCE = 0.1;

    constexpr double PPM = 1e-6;

    constexpr int STRANGER_ATTEMPTS = 200;
    constexpr double MIN_STRANGER_DIFFERENCE = 5.0; ///< Da
    constexpr double MAX_STRANGER_SHARE = 0.3;      ///< of the peptide's mass, or m/z where charges differ
    constexpr int MIN_NEW_CHARGE = 2;               ///< searches hardly look at less

    bool isCoarse(const Spectrum& spectrum)
    {
      return spectrum.fragment_tolerance.halfWidth(500.0) >= COARSE_TOLERANCE;
    }

    /// Sets allowed (b, q) where peptide q has the mass but not the key of the true peptide of spectrum b.
    void markAllowed(at::Tensor& allowed_BQ, const at::TensorAccessor<std::int64_t, 2>& index_BC,
                     const std::vector<double>& mass_Q, const std::vector<std::string>& key_Q, double same_mass_ppm)
    {
      auto allowed = allowed_BQ.accessor<bool, 2>();
      for (std::int64_t b = 0; b < allowed.size(0); ++b)
      {
        const auto own = static_cast<std::size_t>(index_BC[b][0]);
        const double tolerance = same_mass_ppm * PPM * mass_Q[own];
        for (std::size_t q = 0; q < mass_Q.size(); ++q)
        {
          allowed[b][static_cast<std::int64_t>(q)] =
              std::abs(mass_Q[q] - mass_Q[own]) <= tolerance && key_Q[q] != key_Q[own];
        }
      }
    }
  }

  TrainingRowMaker::TrainingRowMaker(const std::vector<TrainingExample>& examples, const PeptidePool& pool,
                                     const ModelInputs& inputs, const TrainingParameters& parameters,
                                     std::uint64_t seed, bool augmented)
      : examples_(examples), pool_(pool), inputs_(inputs), parameters_(parameters), seed_(seed), augmented_(augmented),
        channels_(parseIonChannels(inputs.ions))
  {
    for (std::size_t k = 0; k < examples_.size(); ++k)
    {
      const bool is_coarse = isCoarse(examples_[k].spectrum);
      (is_coarse ? coarse_ : fine_).push_back(k);
      of_charge_[{is_coarse, examples_[k].charge}].push_back(k);
    }
  }

  std::vector<double> TrainingRowMaker::masses() const
  {
    std::vector<double> masses;
    for (const TrainingExample& example : examples_)
    {
      masses.push_back(monoisotopicMass(example.peptide));
    }
    return masses;
  }

  std::optional<Peptide> TrainingRowMaker::drawUnnatural(const Peptide& peptide, Random& random) const
  {
    // Each class occurs among the positives about as often as among the negatives, and at least now and then.
    const NegativeMix& mix = parameters_.negatives;
    const std::size_t shuffled = std::max<std::size_t>(mix.shuffled, 1);
    const std::size_t reversed = std::max<std::size_t>(mix.reversed, 1);
    const std::size_t swapped = std::max<std::size_t>(mix.swapped, 1);
    const std::size_t substituted = std::max<std::size_t>(mix.substituted, 1);
    const std::size_t drawn = random.below(shuffled + reversed + swapped + substituted);

    std::optional<Peptide> variant;
    if (drawn < reversed)
    {
      variant = reverseResidues(peptide, drawFreeResidues(random));
    }
    else if (drawn < reversed + swapped)
    {
      variant = swapNeighbours(peptide, random, drawFreeResidues(random));
    }
    else if (drawn < reversed + swapped + substituted)
    {
      variant = substituteNearIsobaric(peptide, mix.mass_tolerance, random);
    }
    // Peaks can be moved only between peptides with the same number of cleavage sites.
    const bool fits = variant && variant->length() == peptide.length();
    return fits ? variant : shuffleResidues(peptide, random, drawFreeResidues(random));
  }

  Spectrum TrainingRowMaker::augmentSpectrum(const Spectrum& spectrum, Random& random) const
  {
    const std::vector<std::size_t>& others = isCoarse(spectrum) ? coarse_ : fine_;
    const Spectrum& noise = examples_[others[random.below(others.size())]].spectrum;
    Spectrum augmented = augment(spectrum, noise, parameters_.augmentation, random);
    const double span = std::log(parameters_.max_tolerance_factor / parameters_.min_tolerance_factor);
    augmented.fragment_tolerance.value *= parameters_.min_tolerance_factor * std::exp(span * random.uniform());
    return augmented;
  }

  std::vector<Peptide> TrainingRowMaker::candidates(const PreprocessedSpectrum& spectrum, const Peptide& positive,
                                                    const std::vector<Peptide>& others, Random& random) const
  {
    std::vector<Peptide> peptides = {positive};
    for (Peptide& negative : drawNegatives(spectrum, positive, others, pool_, parameters_.negatives, channels_,
                                           inputs_.preprocessing.max_peaks, random))
    {
      if (negative.length() <= inputs_.max_residues)
      {
        peptides.push_back(std::move(negative));
      }
    }
    return peptides;
  }

  bool TrainingRowMaker::relocate(Spectrum& spectrum, Peptide& peptide, int charge, Random& random) const
  {
    const std::optional<Peptide> variant = drawUnnatural(peptide, random);
    if (!variant)
    {
      return false;
    }
    RelocatedMatch moved = relocatePeaks(spectrum, peptide, *variant, charge, channels_);
    // A substituted peptide is a little heavier or lighter; the error of the precursor stays what it was.
    moved.spectrum.precursor_mz += massToCharge(moved.peptide, charge) - massToCharge(peptide, charge);
    spectrum = std::move(moved.spectrum);
    peptide = std::move(moved.peptide);
    return true;
  }

  const TrainingExample* TrainingRowMaker::drawStranger(const TrainingExample& own, Random& random) const
  {
    const std::vector<std::size_t>& others = isCoarse(own.spectrum) ? coarse_ : fine_;
    for (int attempt = 0; attempt < STRANGER_ATTEMPTS; ++attempt)
    {
      const TrainingExample& other = examples_[others[random.below(others.size())]];
      const double difference = std::abs(monoisotopicMass(other.peptide) - monoisotopicMass(own.peptide));
      // Not the precursor's isotopes, and not so far that the fragments betray it by their m/z range alone.
      const bool suits =
          difference > MIN_STRANGER_DIFFERENCE && difference < MAX_STRANGER_SHARE * monoisotopicMass(own.peptide);
      if (suits && other.charge == own.charge)
      {
        return &other;
      }
    }
    return nullptr;
  }

  const TrainingExample* TrainingRowMaker::drawRecharged(const TrainingExample& own, Random& random) const
  {
    std::vector<const std::vector<std::size_t>*> others;
    for (const int charge : {own.charge - 1, own.charge + 1, own.charge + 2})
    {
      const auto found = of_charge_.find({isCoarse(own.spectrum), charge});
      if (charge >= MIN_NEW_CHARGE && found != of_charge_.end())
      {
        others.push_back(&found->second);
      }
    }
    if (others.empty())
    {
      return nullptr;
    }
    const std::vector<std::size_t>& of_one_charge = *others[random.below(others.size())];
    const double own_mz = massToCharge(own.peptide, own.charge);
    for (int attempt = 0; attempt < STRANGER_ATTEMPTS; ++attempt)
    {
      const TrainingExample& other = examples_[of_one_charge[random.below(of_one_charge.size())]];
      if (std::abs(massToCharge(other.peptide, other.charge) - own_mz) < MAX_STRANGER_SHARE * own_mz)
      {
        return &other;
      }
    }
    return nullptr;
  }

  bool TrainingRowMaker::makeForeign(Spectrum& spectrum, Peptide& peptide, int& charge, Random& random,
                                     const TrainingExample& own) const
  {
    // The highest charges are rare among spectra of known peptides, and frequent among those a search cannot explain.
    const bool is_recharged = parameters_.recharged_share > 0.0 && random.uniform() < parameters_.recharged_share;
    const TrainingExample* stranger = is_recharged ? drawRecharged(own, random) : nullptr;
    stranger = stranger == nullptr ? drawStranger(own, random) : stranger;
    if (stranger == nullptr)
    {
      return false;
    }
    if (random.uniform() < parameters_.unexplained_share)
    {
      spectrum = withoutExplainedPeaks(spectrum, peptide, own.charge, channels_);
    }
    spectrum.precursor_mz += massToCharge(stranger->peptide, stranger->charge) - massToCharge(peptide, own.charge);
    peptide = stranger->peptide;
    charge = stranger->charge;
    return true;
  }

  TrainingRow TrainingRowMaker::makeRow(std::size_t epoch, std::size_t index, RowKind kind) const
  {
    const TrainingExample& example = examples_[index];
    Random random = Random::forItem(seed_, epoch, index);
    Spectrum spectrum = example.spectrum;
    Peptide positive = example.peptide;
    int charge = example.charge;

    TrainingRow row;
    row.example = index;
    const bool changed = (kind == RowKind::RELOCATED && relocate(spectrum, positive, example.charge, random)) ||
                         (kind == RowKind::FOREIGN && makeForeign(spectrum, positive, charge, random, example));
    row.kind = changed ? kind : RowKind::REAL;
    if (augmented_)
    {
      spectrum = augmentSpectrum(spectrum, random);
    }
    row.prepared.spectrum = preprocess(spectrum, charge, inputs_.preprocessing);
    // The other candidates of the search have the mass that a foreign spectrum no longer has.
    row.peptides = candidates(row.prepared.spectrum, positive,
                              row.kind == RowKind::FOREIGN ? std::vector<Peptide>() : example.other_candidates, random);
    for (std::size_t k = 0; k < row.peptides.size(); ++k)
    {
      row.prepared.peptides.push_back(&row.peptides[k]);
      row.prepared.evidence.push_back(
          matchIons(row.prepared.spectrum, row.peptides[k], channels_, inputs_.preprocessing.max_peaks));
      row.prepared.match.push_back(k);
    }
    return row;
  }

  TrainingBatch TrainingRowMaker::makeBatch(std::size_t epoch, const std::vector<std::size_t>& indices,
                                            const std::vector<RowKind>& kinds) const
  {
    std::vector<TrainingRow> rows;
    rows.reserve(indices.size());
    for (const std::size_t index : indices)
    {
      rows.push_back(makeRow(epoch, index, kinds[index]));
    }
    return collateTraining(std::move(rows), inputs_, parameters_.same_mass_ppm);
  }

  TrainingBatch collateTraining(std::vector<TrainingRow> rows, const ModelInputs& inputs, double same_mass_ppm)
  {
    std::vector<PreparedRow> prepared;
    prepared.reserve(rows.size());
    for (TrainingRow& row : rows)
    {
      prepared.push_back(std::move(row.prepared));
    }
    TrainingBatch batch;
    batch.tensors = collate(prepared, inputs);
    const auto n_spectra = static_cast<std::int64_t>(rows.size());
    const std::int64_t n_peptides = batch.tensors.peptides.token_QL.size(0);
    const at::Tensor peptide_BC = batch.tensors.candidates.peptide_N.view({n_spectra, -1});
    batch.positive_B = peptide_BC.select(1, 0).clone();
    batch.relocated_B = torch::zeros({n_spectra}, torch::kBool);
    batch.foreign_B = torch::zeros({n_spectra}, torch::kBool);
    batch.allowed_BQ = torch::zeros({n_spectra, n_peptides}, torch::kBool);

    const auto index_BC = peptide_BC.accessor<std::int64_t, 2>();
    std::vector<double> mass_Q(static_cast<std::size_t>(n_peptides));
    std::vector<std::string> key_Q(static_cast<std::size_t>(n_peptides));
    for (std::int64_t b = 0; b < n_spectra; ++b)
    {
      const TrainingRow& row = rows[static_cast<std::size_t>(b)];
      batch.rows.push_back(row.example);
      batch.relocated_B[b] = row.kind == RowKind::RELOCATED;
      batch.foreign_B[b] = row.kind == RowKind::FOREIGN;
      for (std::size_t c = 0; c < row.peptides.size(); ++c)
      {
        const auto q = static_cast<std::size_t>(index_BC[b][static_cast<std::int64_t>(c)]);
        mass_Q[q] = monoisotopicMass(row.peptides[c]);
        key_Q[q] = peptideKey(row.peptides[c].residues);
      }
    }
    markAllowed(batch.allowed_BQ, index_BC, mass_Q, key_Q, same_mass_ppm);
    batch.allowed_BQ &= batch.foreign_B.logical_not().unsqueeze(1);
    return batch;
  }
}
