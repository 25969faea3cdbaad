// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace psmformer
{
  namespace
  {
    constexpr double NO_ION = std::numeric_limits<double>::quiet_NaN();

    bool holdsNTerminus(IonType type)
    {
      return type == IonType::A || type == IonType::B || type == IonType::C;
    }

    /// What the bond that broke adds to the residues and the terminal modification of a fragment, in Da.
    double terminalGroup(IonType type)
    {
      switch (type)
      {
      case IonType::A:
        return -CARBON_MONOXIDE_MASS;
      case IonType::B:
        return 0.0;
      case IonType::C:
        return AMMONIA_MASS;
      case IonType::Y:
        return WATER_MASS;
      case IonType::Z:
        return WATER_MASS - AMMONIA_MASS + HYDROGEN_MASS;
      }
      return 0.0;
    }

    /// What tells the peak that is looked for from that of the intact fragment, in Da; `loss` is that of modifications.
    double formOffset(IonForm form, double loss)
    {
      switch (form)
      {
      case IonForm::INTACT:
        return 0.0;
      case IonForm::MODIFICATION_LOSS:
        return loss > 0.0 ? -loss : NO_ION;
      case IonForm::WATER_LOSS:
        return -WATER_MASS;
      case IonForm::AMMONIA_LOSS:
        return -AMMONIA_MASS;
      case IonForm::ISOTOPE:
        return ISOTOPE_SPACING;
      }
      return 0.0;
    }

    /// Masses and losses of all prefixes and suffixes, so that each of them is summed once for all channels.
    class FragmentMasses
    {
    public:
      explicit FragmentMasses(const Peptide& peptide) : n_sites_(peptide.length() < 2 ? 0 : peptide.length() - 1)
      {
        prefix_mass_.resize(n_sites_);
        suffix_mass_.resize(n_sites_);
        prefix_loss_.resize(n_sites_);
        suffix_loss_.resize(n_sites_);
        double mass = peptide.n_term_modification;
        double loss = 0.0;
        for (std::size_t s = 0; s < n_sites_; ++s)
        {
          mass += peptide.residue_mass[s] + peptide.modification_mass[s];
          loss = std::max(loss, peptide.neutral_loss[s]);
          prefix_mass_[s] = mass;
          prefix_loss_[s] = loss;
        }
        mass = peptide.c_term_modification;
        loss = 0.0;
        for (std::size_t s = n_sites_; s-- > 0;)
        {
          mass += peptide.residue_mass[s + 1] + peptide.modification_mass[s + 1];
          loss = std::max(loss, peptide.neutral_loss[s + 1]);
          suffix_mass_[s] = mass;
          suffix_loss_[s] = loss;
        }
      }

      std::size_t sites() const { return n_sites_; }

      double mz(std::size_t site, const IonChannel& channel) const
      {
        const bool n_terminal = holdsNTerminus(channel.type);
        const double mass = (n_terminal ? prefix_mass_[site] : suffix_mass_[site]) + terminalGroup(channel.type);
        const double loss = n_terminal ? prefix_loss_[site] : suffix_loss_[site];
        return (mass + formOffset(channel.form, loss)) / channel.charge + PROTON_MASS;
      }

    private:
      std::size_t n_sites_;
      std::vector<double> prefix_mass_;
      std::vector<double> suffix_mass_;
      std::vector<double> prefix_loss_;
      std::vector<double> suffix_loss_;
    };

    bool isLookedFor(const IonChannel& channel, const PreprocessedSpectrum& spectrum)
    {
      const bool electron_transfer = spectrum.activation == Activation::ETD || spectrum.activation == Activation::ETHCD;
      if ((channel.type == IonType::C || channel.type == IonType::Z) && !electron_transfer)
      {
        return false;
      }
      return channel.charge == 1 || spectrum.charge > channel.charge;
    }

    /// Index of the most intense peak within the window (ties: the nearer, then the lower); -1 when there is none.
    int bestPeak(const PreprocessedSpectrum& spectrum, double mz, double half_width)
    {
      int best = -1;
      auto it = std::lower_bound(spectrum.mz.begin(), spectrum.mz.end(), mz - half_width);
      for (; it != spectrum.mz.end() && *it <= mz + half_width; ++it)
      {
        const auto i = static_cast<std::size_t>(it - spectrum.mz.begin());
        const auto b = static_cast<std::size_t>(best);
        if (best < 0 || spectrum.intensity[i] > spectrum.intensity[b] ||
            (spectrum.intensity[i] == spectrum.intensity[b] &&
             std::abs(spectrum.mz[i] - mz) < std::abs(spectrum.mz[b] - mz)))
        {
          best = static_cast<int>(i);
        }
      }
      return best;
    }

    void writeMatch(float* values, const PreprocessedSpectrum& spectrum, std::size_t peak, double mz, double half_width,
                    double log_ranks)
    {
      values[0] = 1.0F;
      values[1] = spectrum.intensity[peak];
      values[2] = static_cast<float>(std::max(0.0, 1.0 - std::log(spectrum.rank[peak]) / log_ranks));
      values[3] = static_cast<float>(std::clamp((spectrum.mz[peak] - mz) / half_width, -1.0, 1.0));
    }

    /// Matches the ions of channel number `c`.
    void matchChannel(const PreprocessedSpectrum& spectrum, const FragmentMasses& fragments, const IonChannel& channel,
                      std::size_t c, double log_ranks, IonEvidence& evidence)
    {
      for (std::size_t s = 0; s < evidence.n_sites; ++s)
      {
        const double mz = fragments.mz(s, channel);
        if (!(mz > 0.0)) // also true for NaN: the channel has no such ion
        {
          continue;
        }
        const double half_width = spectrum.fragment_tolerance.halfWidth(mz);
        const int peak = bestPeak(spectrum, mz, half_width);
        if (peak >= 0)
        {
          const std::size_t cell = s * evidence.n_channels + c;
          evidence.peak[cell] = peak;
          writeMatch(&evidence.values[cell * IonEvidence::VALUES_PER_CHANNEL], spectrum, static_cast<std::size_t>(peak),
                     mz, half_width, log_ranks);
        }
      }
    }

    double ratio(double part, double whole)
    {
      return whole > 0.0 ? part / whole : 0.0;
    }

    /// Share of the possible singly charged ions of the main series that were matched.
    double mainSeriesShare(const PreprocessedSpectrum& spectrum, const std::vector<IonChannel>& channels,
                           const IonEvidence& evidence)
    {
      const bool etd = spectrum.activation == Activation::ETD;
      const IonType n_terminal = etd ? IonType::C : IonType::B;
      const IonType c_terminal = etd ? IonType::Z : IonType::Y;
      std::size_t possible = 0;
      std::size_t matched = 0;
      for (std::size_t c = 0; c < channels.size(); ++c)
      {
        const IonChannel& channel = channels[c];
        if (channel.charge != 1 || channel.form != IonForm::INTACT ||
            (channel.type != n_terminal && channel.type != c_terminal))
        {
          continue;
        }
        possible += evidence.n_sites;
        for (std::size_t s = 0; s < evidence.n_sites; ++s)
        {
          matched += evidence.peak[s * channels.size() + c] >= 0 ? 1 : 0;
        }
      }
      return ratio(static_cast<double>(matched), static_cast<double>(possible));
    }

    std::vector<float> summarise(const PreprocessedSpectrum& spectrum, const std::vector<IonChannel>& channels,
                                 const IonEvidence& evidence)
    {
      std::vector<bool> used(spectrum.mz.size(), false);
      for (const int peak : evidence.peak)
      {
        if (peak >= 0)
        {
          used[static_cast<std::size_t>(peak)] = true;
        }
      }
      const auto explainedShare = [&](int last_rank)
      {
        double explained = 0.0;
        double total = 0.0;
        for (std::size_t i = 0; i < used.size(); ++i)
        {
          if (spectrum.rank[i] <= last_rank)
          {
            total += spectrum.intensity[i];
            explained += used[i] ? spectrum.intensity[i] : 0.0;
          }
        }
        return ratio(explained, total);
      };
      const auto n_peaks = static_cast<double>(used.size());
      const auto n_used = static_cast<double>(std::count(used.begin(), used.end(), true));
      const double values[IonEvidence::SUMMARY_VALUES] = {explainedShare(std::numeric_limits<int>::max()),
                                                          ratio(n_used, n_peaks),
                                                          std::log10(1.0 + n_peaks) / 3.0,
                                                          explainedShare(10),
                                                          explainedShare(25),
                                                          mainSeriesShare(spectrum, channels, evidence)};
      std::vector<float> summary;
      for (const double value : values)
      {
        summary.push_back(static_cast<float>(value));
      }
      return summary;
    }
  }

  std::string IonChannel::name() const
  {
    const char letters[] = {'b', 'y', 'c', 'z', 'a'};
    const char* const suffixes[] = {"", "-loss", "-H2O", "-NH3", "+1"};
    return std::string(1, letters[static_cast<std::size_t>(type)]) + std::to_string(charge) +
           suffixes[static_cast<std::size_t>(form)];
  }

  IonChannel parseIonChannel(const std::string& name)
  {
    for (const IonType type : {IonType::B, IonType::Y, IonType::C, IonType::Z, IonType::A})
    {
      for (int charge = 1; charge <= 9; ++charge)
      {
        for (const IonForm form : {IonForm::INTACT, IonForm::MODIFICATION_LOSS, IonForm::WATER_LOSS,
                                   IonForm::AMMONIA_LOSS, IonForm::ISOTOPE})
        {
          const IonChannel channel{type, charge, form};
          if (channel.name() == name)
          {
            return channel;
          }
        }
      }
    }
    throw Error(ErrorKind::INVALID_INPUT,
                "Ion name '" + name +
                    "' is not known; write a, b, y, c or z, a charge of 1 to 9 and, where wanted, '-loss' "
                    "(of modifications), '-H2O', '-NH3' or '+1' (isotope), as in 'y2' or "
                    "'b1-loss'.");
  }

  std::vector<IonChannel> parseIonChannels(const std::vector<std::string>& names)
  {
    std::vector<IonChannel> channels(names.size());
    std::transform(names.begin(), names.end(), channels.begin(), parseIonChannel);
    return channels;
  }

  double fragmentMz(const Peptide& peptide, std::size_t site, const IonChannel& channel)
  {
    require(site + 1 < peptide.length(), ErrorKind::INVALID_INPUT,
            "Peptide '" + peptide.residues + "' has no cleavage site " + std::to_string(site) + ".");
    const bool n_terminal = holdsNTerminus(channel.type);
    const std::size_t first = n_terminal ? 0 : site + 1;
    const std::size_t last = n_terminal ? site : peptide.length() - 1;
    double mass = n_terminal ? peptide.n_term_modification : peptide.c_term_modification;
    double loss = 0.0;
    for (std::size_t i = first; i <= last; ++i)
    {
      mass += peptide.residue_mass[i] + peptide.modification_mass[i];
      loss = std::max(loss, peptide.neutral_loss[i]);
    }
    mass += terminalGroup(channel.type) + formOffset(channel.form, loss);
    return (mass + channel.charge * PROTON_MASS) / channel.charge;
  }

  IonEvidence matchIons(const PreprocessedSpectrum& spectrum, const Peptide& peptide,
                        const std::vector<IonChannel>& channels, std::size_t max_peaks)
  {
    if (!spectrum.fragment_tolerance.known())
    {
      throw Error(ErrorKind::INVALID_INPUT,
                  "Peptide '" + peptide.residues +
                      "' cannot be matched: the fragment tolerance is not known; give it as an option.");
    }
    const FragmentMasses fragments(peptide);
    const double log_ranks = std::log(static_cast<double>(std::max<std::size_t>(max_peaks, 1)) + 1.0);
    IonEvidence evidence;
    evidence.n_sites = fragments.sites();
    evidence.n_channels = channels.size();
    evidence.values.assign(evidence.n_sites * evidence.n_channels * IonEvidence::VALUES_PER_CHANNEL, 0.0F);
    evidence.peak.assign(evidence.n_sites * evidence.n_channels, -1);
    for (std::size_t c = 0; c < channels.size(); ++c)
    {
      if (isLookedFor(channels[c], spectrum))
      {
        matchChannel(spectrum, fragments, channels[c], c, log_ranks, evidence);
      }
    }
    evidence.summary = summarise(spectrum, channels, evidence);
    return evidence;
  }
}
