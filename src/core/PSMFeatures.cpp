// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/PSMFeatures.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace psmformer
{
  namespace
  {
    bool isMatched(const FeatureContext& context, std::size_t site, std::size_t channel)
    {
      return context.evidence.peak[site * context.evidence.n_channels + channel] >= 0;
    }

    template <IonType type, int charge> double matchedIons(const FeatureContext& context)
    {
      std::size_t n_matched = 0;
      for (std::size_t c = 0; c < context.channels.size(); ++c)
      {
        const IonChannel& channel = context.channels[c];
        if (channel.type == type && channel.charge == charge && channel.form == IonForm::INTACT)
        {
          for (std::size_t s = 0; s < context.evidence.n_sites; ++s)
          {
            n_matched += isMatched(context, s, c) ? 1 : 0;
          }
        }
      }
      return static_cast<double>(n_matched);
    }

    /// Most neighbouring sites in a row with an ion of the series, of any charge.
    template <IonType type> double longestRun(const FeatureContext& context)
    {
      std::size_t longest = 0;
      std::size_t run = 0;
      for (std::size_t s = 0; s < context.evidence.n_sites; ++s)
      {
        bool matched = false;
        for (std::size_t c = 0; c < context.channels.size(); ++c)
        {
          const IonChannel& channel = context.channels[c];
          matched = matched || (channel.type == type && channel.form == IonForm::INTACT && isMatched(context, s, c));
        }
        run = matched ? run + 1 : 0;
        longest = std::max(longest, run);
      }
      return static_cast<double>(longest);
    }

    double explainedSites(const FeatureContext& context)
    {
      std::size_t n_explained = 0;
      for (std::size_t s = 0; s < context.evidence.n_sites; ++s)
      {
        const auto first = context.evidence.peak.begin() + static_cast<std::ptrdiff_t>(s * context.channels.size());
        const auto last = first + static_cast<std::ptrdiff_t>(context.channels.size());
        n_explained += std::any_of(first, last, [](int peak) { return peak >= 0; }) ? 1 : 0;
      }
      const std::size_t n_sites = context.evidence.n_sites;
      return n_sites == 0 ? 0.0 : static_cast<double>(n_explained) / static_cast<double>(n_sites);
    }

    double median(std::vector<double> values)
    {
      if (values.empty())
      {
        return 0.0;
      }
      std::sort(values.begin(), values.end());
      const std::size_t middle = values.size() / 2;
      return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
    }

    /// Errors of all matched fragments in units of the tolerance.
    std::vector<double> fragmentErrors(const FeatureContext& context)
    {
      std::vector<double> errors;
      for (std::size_t cell = 0; cell < context.evidence.peak.size(); ++cell)
      {
        if (context.evidence.peak[cell] >= 0)
        {
          errors.push_back(context.evidence.values[cell * IonEvidence::VALUES_PER_CHANNEL + 3]);
        }
      }
      return errors;
    }

    double fragmentErrorMedian(const FeatureContext& context)
    {
      return median(fragmentErrors(context));
    }

    double fragmentErrorSpread(const FeatureContext& context)
    {
      std::vector<double> errors = fragmentErrors(context);
      const double centre = median(errors);
      std::transform(errors.begin(), errors.end(), errors.begin(), [&](double e) { return std::abs(e - centre); });
      return median(errors);
    }

    /// Sites after K or R that trypsin should have cut: not before P, and not the peptide's own end.
    double missedCleavages(const FeatureContext& context)
    {
      const std::string& residues = context.peptide.residues;
      int n_missed = 0;
      for (std::size_t i = 0; i + 1 < residues.size(); ++i)
      {
        n_missed += (residues[i] == 'K' || residues[i] == 'R') && residues[i + 1] != 'P' ? 1 : 0;
      }
      return n_missed;
    }

    PrecursorError precursorErrorOf(const FeatureContext& context)
    {
      if (context.spectrum.precursor_mass <= 0.0 || context.spectrum.charge < 1)
      {
        return {};
      }
      const double mz = context.spectrum.precursor_mass / context.spectrum.charge + PROTON_MASS;
      return precursorError(mz, context.spectrum.charge, context.peptide);
    }

    template <std::size_t index> double summaryValue(const FeatureContext& context)
    {
      return context.evidence.summary[index];
    }

    std::vector<PSMFeature> makeFeatures()
    {
      using Context = const FeatureContext&;
      return {
          {"explained_intensity", "1", "explained share of the square-root intensity", summaryValue<0>},
          {"explained_peaks", "1", "share of the peaks that an ion explains", summaryValue<1>},
          {"explained_top_10", "1", "explained share of the intensity of the 10 most intense peaks", summaryValue<3>},
          {"explained_top_25", "1", "explained share of the intensity of the 25 most intense peaks", summaryValue<4>},
          {"matched_share", "1", "matched share of the possible ions 1+ of the main series", summaryValue<5>},
          {"matched_b1", "1", "number of matched b ions 1+", matchedIons<IonType::B, 1>},
          {"matched_b2", "1", "number of matched b ions 2+", matchedIons<IonType::B, 2>},
          {"matched_y1", "1", "number of matched y ions 1+", matchedIons<IonType::Y, 1>},
          {"matched_y2", "1", "number of matched y ions 2+", matchedIons<IonType::Y, 2>},
          {"matched_c1", "1", "number of matched c ions 1+", matchedIons<IonType::C, 1>},
          {"matched_c2", "1", "number of matched c ions 2+", matchedIons<IonType::C, 2>},
          {"matched_z1", "1", "number of matched z ions 1+", matchedIons<IonType::Z, 1>},
          {"matched_z2", "1", "number of matched z ions 2+", matchedIons<IonType::Z, 2>},
          {"longest_run_b", "1", "most consecutive sites with a b ion", longestRun<IonType::B>},
          {"longest_run_y", "1", "most consecutive sites with a y ion", longestRun<IonType::Y>},
          {"explained_sites", "1", "share of the cleavage sites with any ion", explainedSites},
          {"fragment_error_median", "1", "median fragment error / tolerance", fragmentErrorMedian},
          {"fragment_error_spread", "1", "median absolute deviation of fragment error / tolerance",
           fragmentErrorSpread},
          {"precursor_error_ppm", "ppm", "precursor error after the isotope offset",
           [](Context c)
           {
             return precursorErrorOf(c).ppm;
           }},
          {"precursor_error_da", "Da", "precursor error after the isotope offset",
           [](Context c)
           {
             return precursorErrorOf(c).da;
           }},
          {"absolute_precursor_error_ppm", "ppm", "size of the precursor error after the isotope offset",
           [](Context c)
           {
             return std::abs(precursorErrorOf(c).ppm);
           }},
          {"isotope_offset", "1", "isotope peak that was picked as precursor, -1 to 3",
           [](Context c)
           {
             return static_cast<double>(precursorErrorOf(c).isotope);
           }},
          {"charge", "1", "charge of the match",
           [](Context c)
           {
             return static_cast<double>(c.spectrum.charge);
           }},
          {"length", "residues", "length of the peptide",
           [](Context c)
           {
             return static_cast<double>(c.peptide.length());
           }},
          {"missed_cleavages", "1", "sites inside that trypsin should have cut", missedCleavages},
          {"peptide_mass", "Da", "monoisotopic mass of the peptide with modifications",
           [](Context c)
           {
             return monoisotopicMass(c.peptide);
           }},
          {"peaks", "1", "number of peaks after preprocessing",
           [](Context c)
           {
             return static_cast<double>(c.spectrum.mz.size());
           }},
      };
    }

    std::vector<double> computeRow(const FeatureContext& context)
    {
      std::vector<double> row;
      for (const PSMFeature& feature : psmFeatures())
      {
        row.push_back(feature.compute(context));
      }
      return row;
    }
  }

  const std::vector<PSMFeature>& psmFeatures()
  {
    static const std::vector<PSMFeature> features = makeFeatures();
    return features;
  }

  std::vector<std::vector<double>> computeFeatures(const MatchTable& table, const ModelInputs& inputs)
  {
    const std::vector<IonChannel> channels = parseIonChannels(inputs.ions);
    const auto pairOf = [&](std::size_t match)
    {
      return std::make_tuple(table.matches[match].spectrum, table.matches[match].charge);
    };
    std::vector<std::size_t> order(table.matches.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pairOf(a) < pairOf(b); });

    std::vector<std::vector<double>> features(table.matches.size());
    PreprocessedSpectrum spectrum;
    for (std::size_t i = 0; i < order.size(); ++i)
    {
      const PeptideSpectrumMatch& match = table.matches[order[i]];
      if (i == 0 || pairOf(order[i]) != pairOf(order[i - 1]))
      {
        spectrum = preprocess(table.spectra[match.spectrum], match.charge, inputs.preprocessing);
      }
      const Peptide& peptide = table.peptides[match.peptide];
      const IonEvidence evidence = matchIons(spectrum, peptide, channels, inputs.preprocessing.max_peaks);
      features[order[i]] = computeRow({spectrum, peptide, evidence, channels});
    }
    return features;
  }

  PrecursorError precursorError(double precursor_mz, int charge, const Peptide& peptide)
  {
    if (!std::isfinite(precursor_mz) || precursor_mz <= 0.0 || charge < 1)
    {
      return {};
    }
    const double expected = monoisotopicMass(peptide);
    const double difference = (precursor_mz - PROTON_MASS) * charge - expected;
    PrecursorError best{0.0, difference, 0};
    // From the likely to the unlikely, so that a tie goes to the smaller shift.
    for (const int isotope : {1, -1, 2, 3})
    {
      const double shifted = difference - isotope * ISOTOPE_SPACING;
      if (std::abs(shifted) < std::abs(best.da))
      {
        best.da = shifted;
        best.isotope = isotope;
      }
    }
    best.ppm = expected > 0.0 ? best.da / expected * 1e6 : 0.0;
    return best;
  }
}
