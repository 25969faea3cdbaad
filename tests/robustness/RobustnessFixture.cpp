// SPDX-License-Identifier: BSD-3-Clause
#include "RobustnessFixture.h"

#include "Outcome.h"

#include <OpenMS/METADATA/PeptideEvidence.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace psmformer::test
{
  namespace
  {
    using OpenMS::PeptideHit;

    std::string keyOf(const PeptideHit& hit)
    {
      std::string key = std::string(hit.getSequence().toString()) + '/' + std::to_string(hit.getCharge());
      for (const auto& evidence : hit.getPeptideEvidences())
      {
        key += ' ' + std::string(evidence.getProteinAccession());
      }
      return key;
    }

    /// The score and every number that this tool has written.
    void expectFinite(const PeptideHit& hit)
    {
      EXPECT_TRUE(std::isfinite(hit.getScore())) << keyOf(hit);
      std::vector<OmsString> keys;
      hit.getKeys(keys);
      for (const auto& key : keys)
      {
        const auto& value = hit.getMetaValue(key);
        if (std::string(key).rfind("PSMFormer:", 0) == 0 && value.valueType() == OpenMS::DataValue::DOUBLE_VALUE)
        {
          EXPECT_TRUE(std::isfinite(static_cast<double>(value))) << keyOf(hit) << ", " << key;
        }
      }
    }

    void expectSameMetaValues(const PeptideHit& before, const PeptideHit& after)
    {
      std::vector<OmsString> keys;
      before.getKeys(keys);
      for (const auto& key : keys)
      {
        if (std::string(key).rfind("PSMFormer:", 0) != 0)
        {
          EXPECT_TRUE(before.getMetaValue(key) == after.getMetaValue(key)) << keyOf(after) << ", " << key;
        }
      }
    }

    void expectSameHits(const OpenMS::PeptideIdentification& before, const OpenMS::PeptideIdentification& after)
    {
      EXPECT_EQ(spectrumReference(before), spectrumReference(after));
      ASSERT_EQ(before.getHits().size(), after.getHits().size());
      std::multimap<std::string, const PeptideHit*> open;
      for (const PeptideHit& hit : before.getHits())
      {
        open.emplace(keyOf(hit), &hit);
      }
      for (const PeptideHit& hit : after.getHits())
      {
        const auto found = open.find(keyOf(hit));
        ASSERT_NE(found, open.end()) << keyOf(hit) << " was not in the input";
        expectSameMetaValues(*found->second, hit);
        open.erase(found);
        EXPECT_TRUE(hit.metaValueExists("PSMFormer:status")) << keyOf(hit);
        expectFinite(hit);
      }
    }
  }

  std::size_t runOf(const Identifications& all, std::size_t identification)
  {
    std::size_t run = 0;
    while (run < all.runs.size() &&
           all.runs[run].getIdentifier() != all.identifications[identification].getIdentifier())
    {
      ++run;
    }
    return run;
  }

  Robustness::Robustness()
      : in_((folder_ / "in.idXML").string()), spectra_((folder_ / "run.mzML").string()),
        out_((folder_ / "out.idXML").string()), model_(PSMFORMER_TINY_MODEL)
  {
  }

  void Robustness::useModelTrainedOn(const std::vector<std::string>& activations)
  {
    model_ = (folder_ / "trained.safetensors").string();
    std::vector<std::string> arguments = {model_, "1"};
    arguments.insert(arguments.end(), activations.begin(), activations.end());
    const ToolResult result = runProgram(PSMFORMER_MAKE_TINY_MODEL, arguments);
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }

  void Robustness::write()
  {
    writeSpectra(run_, folder_.path());
    writeIdentifications({run_}, in_);
  }

  std::vector<std::string> Robustness::write(const std::vector<TestRun>& runs)
  {
    std::vector<std::string> files;
    for (const TestRun& run : runs)
    {
      files.push_back(writeSpectra(run, folder_.path()));
    }
    writeIdentifications(runs, in_);
    return files;
  }

  ToolResult Robustness::rescore(const std::vector<std::string>& more) const
  {
    return rescoreWith({spectra_}, more);
  }

  ToolResult Robustness::rescoreWith(const std::vector<std::string>& spectra,
                                     const std::vector<std::string>& more) const
  {
    std::filesystem::remove(out_);
    std::vector<std::string> arguments = {"-in", in_, "-out", out_, "-model", model_, "-no_progress", "-in_spectra"};
    arguments.insert(arguments.end(), spectra.begin(), spectra.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(PSMFORMER_TOOL, arguments);
  }

  void Robustness::expectExit(const ToolResult& result, int exit_code, const std::string& text) const
  {
    EXPECT_EQ(result.exit_code, exit_code) << result.output;
    EXPECT_TRUE(result.says(text)) << "expected '" << text << "' in: " << result.output;
    EXPECT_FALSE(hasOutput());
  }

  Identifications Robustness::expectRescored(const ToolResult& result) const
  {
    EXPECT_EQ(result.exit_code, 0) << result.output;
    if (!hasOutput())
    {
      ADD_FAILURE() << "no output: " << result.output;
      return {};
    }
    const Identifications before = readIdentifications(in_);
    Identifications after = output();
    EXPECT_EQ(before.runs.size(), after.runs.size());
    EXPECT_EQ(before.identifications.size(), after.identifications.size());
    for (std::size_t i = 0; i < std::min(before.identifications.size(), after.identifications.size()); ++i)
    {
      EXPECT_EQ(runOf(before, i), runOf(after, i));
      expectSameHits(before.identifications[i], after.identifications[i]);
    }
    return after;
  }

  std::map<std::string, double> Robustness::logitsOneByOne(const std::vector<TestRun>& runs)
  {
    std::map<std::string, double> all;
    for (const TestRun& run : runs)
    {
      const auto logits = logitsOf(expectRescored(rescoreWith(write({run}))));
      all.insert(logits.begin(), logits.end());
    }
    return all;
  }

  bool Robustness::hasOutput() const
  {
    return std::filesystem::exists(out_);
  }
}
