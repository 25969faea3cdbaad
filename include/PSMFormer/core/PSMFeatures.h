// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/ModelManifest.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>

#include <cstddef>
#include <string>
#include <vector>

namespace psmformer
{
  /// Everything a scalar feature may look at. No decoy flag, no accession, no engine score: features are label-free.
  struct FeatureContext
  {
    const PreprocessedSpectrum& spectrum;
    const Peptide& peptide;
    const IonEvidence& evidence;
    const std::vector<IonChannel>& channels;
  };

  /// One scalar feature of a PSM; adding a feature means adding one row to the table in PSMFeatures.cpp.
  struct PSMFeature
  {
    std::string name; ///< as written to idXML after "PSMFormer:"
    std::string unit; ///< "1", "Da", "ppm", "residues"
    std::string description;
    double (*compute)(const FeatureContext&);
  };

  /// All features, in the order in which they are written.
  const std::vector<PSMFeature>& psmFeatures();

  /// The features of every match: one row a match, one column a feature; all finite.
  std::vector<std::vector<double>> computeFeatures(const MatchTable& table, const ModelInputs& inputs);

  /// The difference between the precursor mass and the peptide's mass, after the best isotope shift of -1 to 3.
  struct PrecursorError
  {
    double ppm = 0.0;
    double da = 0.0;
    int isotope = 0;
  };

  /// Compares a measured precursor m/z with the peptide's m/z at a charge >= 1.
  PrecursorError precursorError(double precursor_mz, int charge, const Peptide& peptide);
}
