// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/MatchScorer.h>
#include <PSMFormer/core/ModelManifest.h>

#include <vector>

namespace psmformer::test
{
  /// Scores by the explained intensity, without a network: what surrounds the network can be tested without a model.
  class ExplainedIntensityScorer : public MatchScorer
  {
  public:
    ExplainedIntensityScorer()
    {
      manifest_.name = "explained_intensity";
      manifest_.version = "1.0.0";
    }

    MatchScores score(const MatchTable& table, const ProgressCallback& progress = {}) const override
    {
      const std::vector<IonChannel> channels = parseIonChannels(manifest_.inputs.ions);
      MatchScores scores;
      for (const PeptideSpectrumMatch& match : table.matches)
      {
        const PreprocessedSpectrum spectrum =
            preprocess(table.spectra[match.spectrum], match.charge, manifest_.inputs.preprocessing);
        const IonEvidence evidence =
            matchIons(spectrum, table.peptides[match.peptide], channels, manifest_.inputs.preprocessing.max_peaks);
        scores.logit.push_back(10.0 * static_cast<double>(evidence.summary[0]) - 3.0);
        scores.cosine.push_back(static_cast<double>(evidence.summary[0]));
        scores.spectral_angle.push_back(static_cast<double>(evidence.summary[5]));
        if (progress)
        {
          progress(scores.logit.size());
        }
      }
      return scores;
    }

    const ModelManifest& manifest() const override { return manifest_; }

    ModelManifest& changeableManifest() { return manifest_; }

  private:
    ModelManifest manifest_ = presetManifest("tiny");
  };
}
