// SPDX-License-Identifier: BSD-3-Clause
#include "TestRun.h"

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Random.h>

#include <OpenMS/CHEMISTRY/AASequence.h>
#include <OpenMS/FORMAT/IdXMLFile.h>
#include <OpenMS/FORMAT/MzMLFile.h>
#include <OpenMS/METADATA/PeptideEvidence.h>
#include <OpenMS/METADATA/Precursor.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace psmformer::test
{
  namespace
  {
    constexpr double SECONDS_PER_SCAN = 2.5;
    constexpr int CHARGE = 2;

    std::string trypticPeptide(Random& random)
    {
      const std::string letters = "ADEFGHILNPQSTVWY";
      std::string residues;
      const std::size_t length = 8 + random.below(8);
      for (std::size_t i = 0; i + 1 < length; ++i)
      {
        residues += letters[random.below(letters.size())];
      }
      return residues + (random.below(2) == 0 ? 'K' : 'R');
    }

    /// The inner residues in another order: same ends, same mass.
    std::string permuted(const std::string& residues, Random& random)
    {
      std::vector<char> inner(residues.begin() + 1, residues.end() - 1);
      random.shuffle(inner);
      return residues.front() + std::string(inner.begin(), inner.end()) + residues.back();
    }

    OpenMS::MSSpectrum emptySpectrum(unsigned level, std::size_t scan, const TestRunOptions& options)
    {
      OpenMS::MSSpectrum spectrum;
      spectrum.setMSLevel(level);
      spectrum.setRT(SECONDS_PER_SCAN * static_cast<double>(scan));
      spectrum.setNativeID(options.native_id_prefix + std::to_string(scan));
      spectrum.setType(OpenMS::SpectrumSettings::SpectrumType::CENTROID);
      return spectrum;
    }

    void addPeak(OpenMS::MSSpectrum& spectrum, double mz, double intensity)
    {
      OpenMS::Peak1D peak;
      peak.setMZ(mz);
      peak.setIntensity(static_cast<OpenMS::Peak1D::IntensityType>(intensity));
      spectrum.push_back(peak);
    }

    OpenMS::MSSpectrum simulatedMs2(const Peptide& peptide, bool identifiable, std::size_t scan,
                                    const TestRunOptions& options, Random& random)
    {
      OpenMS::MSSpectrum spectrum = emptySpectrum(2, scan, options);
      OpenMS::Precursor precursor;
      precursor.setMZ(massToCharge(peptide, CHARGE));
      precursor.setCharge(CHARGE);
      precursor.setActivationMethods({OpenMS::Precursor::ActivationMethod::HCID});
      spectrum.setPrecursors({precursor});
      for (std::size_t site = 0; identifiable && site + 1 < peptide.length(); ++site)
      {
        for (const IonType type : {IonType::B, IonType::Y})
        {
          if (random.uniform() < 0.85)
          {
            const double mz = fragmentMz(peptide, site, {type, 1});
            addPeak(spectrum, mz * (1.0 + 3e-6 * random.normal()), 500.0 + 5000.0 * random.uniform());
          }
        }
      }
      for (int noise = 0; noise < 25; ++noise)
      {
        addPeak(spectrum, 120.0 + 1200.0 * random.uniform(), 50.0 + 500.0 * random.uniform());
      }
      spectrum.sortByPosition();
      return spectrum;
    }

    OpenMS::PeptideHit makeHit(const std::string& residues, double score, bool is_decoy, const std::string& accession)
    {
      OpenMS::PeptideHit hit(score, 1, CHARGE, OpenMS::AASequence::fromString(residues));
      hit.setMetaValue("target_decoy", is_decoy ? "decoy" : "target");
      hit.setMetaValue("MS:1002252", 1.0 / (1.0 + score));
      OpenMS::PeptideEvidence evidence;
      evidence.setProteinAccession(accession);
      evidence.setStart(10);
      evidence.setEnd(10 + static_cast<OpenMS::Int>(residues.size()) - 1);
      hit.setPeptideEvidences({evidence});
      return hit;
    }

    OpenMS::PeptideIdentification simulatedIdentification(const std::string& residues, bool identifiable,
                                                          const OpenMS::MSSpectrum& spectrum,
                                                          const TestRunOptions& options, Random& random)
    {
      OpenMS::PeptideIdentification identification;
      identification.setIdentifier(options.name);
      identification.setScoreType("expect");
      identification.setHigherScoreBetter(false);
      identification.setRT(spectrum.getRT());
      identification.setMZ(spectrum.getPrecursors()[0].getMZ());
      setReference(identification, std::string(spectrum.getNativeID()));
      std::vector<OpenMS::PeptideHit> hits;
      for (std::size_t h = 0; h < options.n_hits; ++h)
      {
        const bool is_true = h == 0 && identifiable;
        const bool is_decoy = !is_true && random.below(2) == 0;
        const double score = is_true ? std::pow(10.0, -1.0 - 4.0 * random.uniform()) : 1.0 + 99.0 * random.uniform();
        hits.push_back(makeHit(is_true ? residues : permuted(residues, random), score, is_decoy,
                               is_decoy ? "DECOY_protein" : "protein"));
      }
      identification.setHits(hits);
      identification.sort();
      return identification;
    }

    OpenMS::ProteinIdentification makeRun(const TestRunOptions& options)
    {
      OpenMS::ProteinIdentification run;
      run.setIdentifier(options.name);
      run.setSearchEngine("Comet");
      run.setSearchEngineVersion("simulated");
      run.setDateTime(OpenMS::DateTime::now());
      OpenMS::ProteinIdentification::SearchParameters parameters;
      parameters.fragment_mass_tolerance = 20.0;
      parameters.fragment_mass_tolerance_ppm = true;
      parameters.precursor_mass_tolerance = 10.0;
      parameters.precursor_mass_tolerance_ppm = true;
      run.setSearchParameters(parameters);
      run.setHits({OpenMS::ProteinHit(0.0, 1, "protein", ""), OpenMS::ProteinHit(0.0, 1, "DECOY_protein", "")});
      run.setPrimaryMSRunPath({options.name + ".mzML"});
      return run;
    }
  }

  TestRun makeTestRun(const TestRunOptions& options)
  {
    Random random(options.seed);
    TestRun result;
    result.name = options.name;
    result.run = makeRun(options);
    std::size_t scan = 0;
    for (std::size_t s = 0; s < options.n_spectra; ++s)
    {
      if (s % 10 == 0)
      {
        result.spectra.addSpectrum(emptySpectrum(1, ++scan, options));
      }
      const bool identifiable = s + options.n_unidentifiable < options.n_spectra;
      const std::string residues = trypticPeptide(random);
      const OpenMS::MSSpectrum spectrum = simulatedMs2(makePeptide(residues), identifiable, ++scan, options, random);
      result.spectrum_of_identification.push_back(result.spectra.size());
      result.identifications.push_back(simulatedIdentification(residues, identifiable, spectrum, options, random));
      result.spectra.addSpectrum(spectrum);
    }
    return result;
  }

  void setReference(OpenMS::PeptideIdentification& identification, const std::string& reference)
  {
    identification.setMetaValue("spectrum_reference", reference);
  }

  TestRun mergeRuns(const std::vector<TestRun>& runs)
  {
    TestRun merged = runs.front();
    merged.identifications.clear();
    merged.spectrum_of_identification.clear();
    OpenMS::StringList files;
    for (std::size_t r = 0; r < runs.size(); ++r)
    {
      files.push_back(runs[r].name + ".mzML");
      for (auto identification : runs[r].identifications)
      {
        identification.setIdentifier(merged.run.getIdentifier());
        identification.setMetaValue("id_merge_index", static_cast<int>(r));
        merged.identifications.push_back(identification);
      }
    }
    merged.run.setPrimaryMSRunPath(files);
    return merged;
  }

  std::string writeSpectra(const TestRun& run, const std::filesystem::path& folder)
  {
    const std::string file = (folder / (run.name + ".mzML")).string();
    OpenMS::MzMLFile().store(file, run.spectra);
    return file;
  }

  std::string toAnnotatedMgf(const TestRun& run)
  {
    std::ostringstream text;
    text.precision(10);
    for (std::size_t i = 0; i < run.identifications.size(); ++i)
    {
      const auto& hit = run.identifications[i].getHits().front();
      const auto& spectrum = run.spectra[run.spectrum_of_identification[i]];
      text << "BEGIN IONS\nTITLE=simulated:" << i << "\nPEPMASS=" << spectrum.getPrecursors().front().getMZ()
           << "\nCHARGE=" << hit.getCharge() << "+\nSEQ=" << hit.getSequence().toString()
           << "\nITOL=20\nITOLU=ppm\nACTIVATION=HCD\n";
      for (const auto& peak : spectrum)
      {
        text << peak.getMZ() << ' ' << peak.getIntensity() << '\n';
      }
      text << "END IONS\n";
    }
    return text.str();
  }

  std::string writeIdentifications(const std::vector<TestRun>& runs, const std::filesystem::path& file)
  {
    Identifications all;
    for (const TestRun& run : runs)
    {
      all.runs.push_back(run.run);
      all.identifications.insert(all.identifications.end(), run.identifications.begin(), run.identifications.end());
    }
    OpenMS::IdXMLFile().store(file.string(), all.runs, all.identifications);
    return file.string();
  }

  Identifications readIdentifications(const std::filesystem::path& file)
  {
    Identifications all;
    OpenMS::IdXMLFile().load(file.string(), all.runs, all.identifications);
    return all;
  }

  std::size_t countHits(const PeptideIds& identifications)
  {
    std::size_t n = 0;
    for (const auto& identification : identifications)
    {
      n += identification.getHits().size();
    }
    return n;
  }

  std::size_t countStatus(const PeptideIds& identifications, const std::string& status)
  {
    std::size_t n = 0;
    for (const auto& identification : identifications)
    {
      for (const auto& hit : identification.getHits())
      {
        n += std::string(hit.getMetaValue("PSMFormer:status").toString()) == status ? 1 : 0;
      }
    }
    return n;
  }
}
