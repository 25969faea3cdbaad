// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/openms/PSMRescoring.h>

#include <support/ExplainedIntensityScorer.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace psmformer
{
  /// A simulated run of 40 identifications with two hits each, rescored by the intensity that hits explain.
  class PSMRescoringTest : public ::testing::Test
  {
  protected:
    void set(const std::string& name, const std::string& value)
    {
      OpenMS::Param parameters = rescoring_.getParameters();
      parameters.setValue(name, value);
      rescoring_.setParameters(parameters);
    }

    RescoringReport rescore(const MatchScorer& scorer, const std::vector<test::TestRun>& spectra = {})
    {
      std::vector<std::string> files;
      for (const test::TestRun& run : spectra.empty() ? std::vector<test::TestRun>{run_} : spectra)
      {
        files.push_back(test::writeSpectra(run, folder_.path()));
      }
      runs_ = {run_.run};
      identifications_ = run_.identifications;
      return rescoring_.rescore(runs_, identifications_, files, scorer, {{"model", std::string("m@1.0.0")}});
    }

    RescoringReport rescore() { return rescore(test::ExplainedIntensityScorer()); }

    const OpenMS::PeptideHit& hit(std::size_t i, std::size_t h) const { return identifications_[i].getHits().at(h); }

    static double number(const OpenMS::MetaInfoInterface& hit, const std::string& name)
    {
      return static_cast<double>(hit.getMetaValue("PSMFormer:" + name));
    }

    std::string recorded(const std::string& name) const
    {
      return std::string(runs_[0].getSearchParameters().getMetaValue(name).toString());
    }

    void makeUnscorable(std::size_t i)
    {
      auto hits = run_.identifications[i].getHits();
      hits[0].setCharge(0);
      run_.identifications[i].setHits(hits);
    }

    test::TempDir folder_;
    test::TestRun run_ = test::makeTestRun();
    PSMRescoring rescoring_;
    std::vector<OpenMS::ProteinIdentification> runs_;
    PeptideIds identifications_;
  };
}
