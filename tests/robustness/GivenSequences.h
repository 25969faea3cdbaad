// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Outcome.h"

#include <PSMFormer/core/Chemistry.h>
#include <PSMFormer/core/Peptide.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <string>
#include <vector>

namespace psmformer::test
{
  inline constexpr double CARBAMIDOMETHYL = 57.021464; // Da, as the masses below
  inline constexpr double OXIDATION = 15.994915;
  inline constexpr double PHOSPHO = 79.966331;
  inline constexpr double ACETYL = 42.010565;

  inline double massOf(const std::string& residues)
  {
    return monoisotopicMass(makePeptide(residues));
  }

  inline std::string textOf(const OpenMS::PeptideHit& hit)
  {
    return std::string(hit.getSequence().toString());
  }

  /// The first hits of the first `n` identifications after rescoring.
  inline std::vector<OpenMS::PeptideHit> firstHits(const Identifications& out, std::size_t n)
  {
    std::vector<OpenMS::PeptideHit> hits;
    for (std::size_t i = 0; i < n; ++i)
    {
      hits.push_back(out.identifications.at(i).getHits().at(0));
    }
    return hits;
  }

  inline void expectAllScored(const std::vector<OpenMS::PeptideHit>& hits)
  {
    for (const auto& hit : hits)
    {
      EXPECT_EQ(statusOf(hit), "scored") << textOf(hit);
    }
  }

  /// Writes sequences as a search engine wrote them, which OpenMS would write in its own words.
  class GivenSequences
  {
  public:
    explicit GivenSequences(TestRun& run) : run_(run) {}

    /// The next identification gets this one hit, and it and its spectrum the m/z of the mass.
    void add(const std::string& sequence, double mass, int charge = 2)
    {
      ASSERT_LT(sequences_.size(), run_.identifications.size());
      const std::size_t i = sequences_.size();
      auto& identification = run_.identifications[i];
      std::vector<OpenMS::PeptideHit> hits = {identification.getHits().front()};
      hits[0].setSequence(OpenMS::AASequence::fromString(placeholder(i)));
      hits[0].setCharge(charge);
      identification.setHits(hits);
      const double mz = mass / charge + PROTON_MASS;
      identification.setMZ(mz);
      OpenMS::MSSpectrum& spectrum = run_.spectra[run_.spectrum_of_identification[i]];
      auto precursors = spectrum.getPrecursors();
      precursors[0].setMZ(mz);
      precursors[0].setCharge(charge);
      spectrum.setPrecursors(precursors);
      sequences_.push_back(sequence);
    }

    /// Puts the sequences into the idXML.
    void insert(const std::string& file) const
    {
      std::string text = readFile(file);
      for (std::size_t i = 0; i < sequences_.size(); ++i)
      {
        const std::string quoted = "\"" + placeholder(i) + "\"";
        const std::size_t at = text.find(quoted);
        ASSERT_NE(at, std::string::npos);
        std::string sequence = sequences_[i];
        for (std::size_t arrow = sequence.find('>'); arrow != std::string::npos; arrow = sequence.find('>'))
        {
          sequence.replace(arrow, 1, "&gt;");
        }
        text.replace(at, quoted.size(), "\"" + sequence + "\"");
      }
      writeFileAtomically(file, text);
    }

  private:
    static std::string placeholder(std::size_t i)
    {
      std::string digits = std::to_string(i);
      std::transform(digits.begin(), digits.end(), digits.begin(), [](char c) { return "ACDEFGHIKL"[c - '0']; });
      return "MARKER" + digits + "MARKER";
    }

    TestRun& run_;
    std::vector<std::string> sequences_;
  };
}
