// SPDX-License-Identifier: BSD-3-Clause
#include "GoldenValues.h"

#include "RawTensors.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Random.h>

#include <algorithm>

namespace psmformer
{
  namespace
  {
    constexpr std::uint64_t SEED = 20;
    constexpr std::size_t NOISE_PEAKS = 40;

    Peptide syntheticPeptide(std::size_t length, const ModelInputs& inputs, Random& random)
    {
      std::string letters;
      for (const char letter : inputs.vocabulary)
      {
        letters += residueMass(letter) ? std::string(1, letter) : "";
      }
      require(!letters.empty(), ErrorKind::INVALID_MODEL,
              "The vocabulary '" + inputs.vocabulary + "' has no residue of known mass; name amino acids.");
      std::string residues;
      for (std::size_t i = 0; i < std::min(length, inputs.max_residues); ++i)
      {
        residues += letters[random.below(letters.size())];
      }
      return makePeptide(residues);
    }

    Spectrum noise(const std::string& native_id, double precursor_mz, int charge, std::size_t n_peaks, Random& random)
    {
      Spectrum spectrum;
      spectrum.native_id = native_id;
      spectrum.precursor_mz = precursor_mz;
      spectrum.precursor_charge = charge;
      for (std::size_t i = 0; i < n_peaks; ++i)
      {
        spectrum.mz.push_back(100.0 + 1200.0 * random.uniform());
        spectrum.intensity.push_back(static_cast<float>(1.0 + 50.0 * random.uniform()));
      }
      return spectrum;
    }

    void addFragments(Spectrum& spectrum, const Peptide& peptide, Random& random)
    {
      for (const char* ion : {"b1", "y1"})
      {
        for (std::size_t site = 0; site + 1 < peptide.length(); ++site)
        {
          spectrum.mz.push_back(fragmentMz(peptide, site, parseIonChannel(ion)) * (1.0 + 3e-6 * random.normal()));
          spectrum.intensity.push_back(static_cast<float>(30.0 + 100.0 * random.uniform()));
        }
      }
    }

    /// Reads tensors of one file and complains about them by name.
    class GoldenReader
    {
    public:
      GoldenReader(const SafetensorsFile& content, const std::string& source) : content_(content), source_(source)
      {
        for (const auto& [name, tensor] : content.tensors)
        {
          n_left_ += name.compare(0, GOLDEN_PREFIX.size(), GOLDEN_PREFIX) == 0 ? 1 : 0;
        }
      }

      template <typename T> std::vector<T> read(const std::string& name)
      {
        const auto found = content_.tensors.find(GOLDEN_PREFIX + name);
        check(found != content_.tensors.end(), name, "is missing");
        check(found->second.type == tensorTypeOf<T>() && found->second.shape.size() == 1, name,
              "is " + describeTensor(found->second.type, found->second.shape) +
                  ", another type or shape than expected");
        --n_left_;
        return fromRawTensor<T>(found->second);
      }

      template <typename T> std::vector<T> read(const std::string& name, std::size_t count)
      {
        std::vector<T> values = read<T>(name);
        check(values.size() == count, name,
              "has " + std::to_string(values.size()) + " values instead of " + std::to_string(count));
        return values;
      }

      /// Lengths of the parts of a tensor: none negative, in sum as many as the tensor has.
      std::vector<std::size_t> readLengths(const std::string& name, std::size_t total)
      {
        std::vector<std::size_t> lengths;
        std::size_t left = total;
        for (const std::int64_t length : read<std::int64_t>(name))
        {
          check(length >= 0 && static_cast<std::size_t>(length) <= left, name, "does not fit the values it counts");
          lengths.push_back(static_cast<std::size_t>(length));
          left -= lengths.back();
        }
        check(left == 0, name, "does not fit the values it counts");
        return lengths;
      }

      void check(bool condition, const std::string& name, const std::string& what) const
      {
        require(condition, ErrorKind::INVALID_MODEL,
                "Model file '" + source_ + "' is damaged: the tensor '" + GOLDEN_PREFIX + name + "' " + what +
                    "; fetch or train the model again.");
      }

      /// Golden tensors that were not read.
      std::size_t left() const { return n_left_; }

    private:
      const SafetensorsFile& content_;
      const std::string& source_;
      std::size_t n_left_ = 0;
    };

    /// The next `length` values of a flat tensor.
    template <typename T> std::vector<T> take(const std::vector<T>& values, std::size_t& position, std::size_t length)
    {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(position);
      position += length;
      return std::vector<T>(first, first + static_cast<std::ptrdiff_t>(length));
    }

    std::vector<Spectrum> readSpectra(GoldenReader& reader)
    {
      const auto mz = reader.read<double>("spectrum.mz");
      const auto intensity = reader.read<float>("spectrum.intensity", mz.size());
      const auto n_peaks = reader.readLengths("spectrum.n_peaks", mz.size());
      const std::size_t n = n_peaks.size();
      const auto precursor_mz = reader.read<double>("spectrum.precursor_mz", n);
      const auto charge = reader.read<std::int64_t>("spectrum.charge", n);
      const auto activation = reader.read<std::int64_t>("spectrum.activation", n);
      const auto tolerance = reader.read<double>("spectrum.tolerance", n);
      const auto tolerance_in_ppm = reader.read<std::int64_t>("spectrum.tolerance_in_ppm", n);
      std::vector<Spectrum> spectra(n);
      std::size_t mz_position = 0;
      std::size_t intensity_position = 0;
      for (std::size_t i = 0; i < n; ++i)
      {
        reader.check(charge[i] >= 1 && charge[i] <= 100, "spectrum.charge", "holds an impossible charge");
        reader.check(activation[i] >= 0 && activation[i] <= static_cast<std::int64_t>(Activation::ETHCD),
                     "spectrum.activation", "holds an unknown value");
        spectra[i].native_id = "golden=" + std::to_string(i);
        spectra[i].mz = take(mz, mz_position, n_peaks[i]);
        spectra[i].intensity = take(intensity, intensity_position, n_peaks[i]);
        spectra[i].precursor_mz = precursor_mz[i];
        spectra[i].precursor_charge = static_cast<int>(charge[i]);
        spectra[i].activation = static_cast<Activation>(activation[i]);
        spectra[i].fragment_tolerance = {tolerance[i],
                                         tolerance_in_ppm[i] != 0 ? ToleranceUnit::PPM : ToleranceUnit::DA};
      }
      return spectra;
    }

    std::vector<Peptide> readPeptides(GoldenReader& reader)
    {
      const auto residues = reader.read<std::int64_t>("peptide.residues");
      const auto lengths = reader.readLengths("peptide.length", residues.size());
      const auto modification_mass = reader.read<double>("peptide.modification_mass", residues.size());
      std::vector<Peptide> peptides;
      std::size_t position = 0;
      std::size_t modification_position = 0;
      for (const std::size_t length : lengths)
      {
        std::string letters;
        for (const std::int64_t letter : take(residues, position, length))
        {
          reader.check(letter >= 'A' && letter <= 'Z' && residueMass(static_cast<char>(letter)), "peptide.residues",
                       "holds a letter without a mass");
          letters += static_cast<char>(letter);
        }
        peptides.push_back(makePeptide(letters));
        peptides.back().modification_mass = take(modification_mass, modification_position, length);
      }
      return peptides;
    }

    std::vector<PeptideSpectrumMatch> allPairs(const MatchTable& table)
    {
      std::vector<PeptideSpectrumMatch> matches;
      for (std::size_t s = 0; s < table.spectra.size(); ++s)
      {
        for (std::size_t p = 0; p < table.peptides.size(); ++p)
        {
          matches.push_back({s, p, table.spectra[s].precursor_charge, {s, p}});
        }
      }
      return matches;
    }

    void writeSpectra(const std::vector<Spectrum>& spectra, SafetensorsFile& content)
    {
      std::vector<double> mz;
      std::vector<float> intensity;
      std::vector<std::int64_t> n_peaks;
      std::vector<double> precursor_mz;
      std::vector<std::int64_t> charge;
      std::vector<std::int64_t> activation;
      std::vector<double> tolerance;
      std::vector<std::int64_t> tolerance_in_ppm;
      for (const Spectrum& spectrum : spectra)
      {
        mz.insert(mz.end(), spectrum.mz.begin(), spectrum.mz.end());
        intensity.insert(intensity.end(), spectrum.intensity.begin(), spectrum.intensity.end());
        n_peaks.push_back(static_cast<std::int64_t>(spectrum.mz.size()));
        precursor_mz.push_back(spectrum.precursor_mz);
        charge.push_back(spectrum.precursor_charge);
        activation.push_back(static_cast<std::int64_t>(spectrum.activation));
        tolerance.push_back(spectrum.fragment_tolerance.value);
        tolerance_in_ppm.push_back(spectrum.fragment_tolerance.unit == ToleranceUnit::PPM ? 1 : 0);
      }
      const std::string prefix = GOLDEN_PREFIX + "spectrum.";
      content.tensors[prefix + "mz"] = toRawTensor(mz);
      content.tensors[prefix + "intensity"] = toRawTensor(intensity);
      content.tensors[prefix + "n_peaks"] = toRawTensor(n_peaks);
      content.tensors[prefix + "precursor_mz"] = toRawTensor(precursor_mz);
      content.tensors[prefix + "charge"] = toRawTensor(charge);
      content.tensors[prefix + "activation"] = toRawTensor(activation);
      content.tensors[prefix + "tolerance"] = toRawTensor(tolerance);
      content.tensors[prefix + "tolerance_in_ppm"] = toRawTensor(tolerance_in_ppm);
    }

    void writePeptides(const std::vector<Peptide>& peptides, SafetensorsFile& content)
    {
      std::vector<std::int64_t> residues;
      std::vector<std::int64_t> length;
      std::vector<double> modification_mass;
      for (const Peptide& peptide : peptides)
      {
        residues.insert(residues.end(), peptide.residues.begin(), peptide.residues.end());
        length.push_back(static_cast<std::int64_t>(peptide.length()));
        modification_mass.insert(modification_mass.end(), peptide.modification_mass.begin(),
                                 peptide.modification_mass.end());
      }
      const std::string prefix = GOLDEN_PREFIX + "peptide.";
      content.tensors[prefix + "residues"] = toRawTensor(residues);
      content.tensors[prefix + "length"] = toRawTensor(length);
      content.tensors[prefix + "modification_mass"] = toRawTensor(modification_mass);
    }
  }

  MatchTable goldenMatches(const ModelInputs& inputs)
  {
    Random random(SEED);
    MatchTable table;
    for (const std::size_t length : {8U, 14U, 1U, 25U})
    {
      table.peptides.push_back(syntheticPeptide(length, inputs, random));
    }
    table.peptides[1].modification_mass.back() = 15.994915;
    const Peptide& own = table.peptides[1];
    table.spectra.push_back(noise("golden=0", massToCharge(own, 2), 2, NOISE_PEAKS, random));
    addFragments(table.spectra.back(), own, random);
    table.spectra.back().activation = Activation::HCD;
    table.spectra.back().fragment_tolerance = {20.0, ToleranceUnit::PPM};
    table.spectra.push_back(noise("golden=1", massToCharge(own, 2), 2, 0, random));
    table.spectra.back().fragment_tolerance = {0.02, ToleranceUnit::DA};
    table.spectra.push_back(noise("golden=2", massToCharge(table.peptides[3], 3), 3, 8 * NOISE_PEAKS, random));
    table.spectra.back().activation = Activation::ETD;
    table.spectra.back().fragment_tolerance = {0.5, ToleranceUnit::DA};
    table.matches = allPairs(table);
    return table;
  }

  void writeGoldenValues(const GoldenValues& golden, SafetensorsFile& content)
  {
    writeSpectra(golden.table.spectra, content);
    writePeptides(golden.table.peptides, content);
    content.tensors[GOLDEN_PREFIX + "logit"] = toRawTensor(golden.logit);
  }

  GoldenValues readGoldenValues(const SafetensorsFile& content, const std::string& source)
  {
    GoldenReader reader(content, source);
    GoldenValues golden;
    golden.table.spectra = readSpectra(reader);
    golden.table.peptides = readPeptides(reader);
    golden.table.matches = allPairs(golden.table);
    golden.logit = reader.read<float>("logit", golden.table.matches.size());
    reader.check(!golden.logit.empty(), "logit", "is empty");
    reader.check(reader.left() == 0, "*", "has members that this program does not know");
    return golden;
  }
}
