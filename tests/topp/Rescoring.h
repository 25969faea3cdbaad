// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <support/TempDir.h>
#include <support/TestRun.h>
#include <support/ToolRunner.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace psmformer::test
{
  /// A simulated run in files, a small model of random weights, and the tool PSMFormer.
  class Rescoring : public ::testing::Test
  {
  protected:
    void SetUp() override
    {
      writeSpectra(run_, folder_.path());
      writeIdentifications({run_}, path("in.idXML"));
      std::filesystem::copy_file(PSMFORMER_TINY_MODEL, folder_ / "tiny.safetensors");
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

    std::vector<std::string> arguments() const
    {
      return {"-in",    path("in.idXML"),         "-in_spectra", path("run.mzML"), "-out", path("out.idXML"),
              "-model", path("tiny.safetensors"), "-no_progress"};
    }

    /// Runs the tool with these options instead of, or in addition to, the ordinary ones; an option without value is a
    /// flag.
    ToolResult rescore(const std::vector<std::string>& options = {}) const
    {
      std::vector<std::string> all = arguments();
      if (!options.empty())
      {
        for (std::size_t k = 0; k + 1 < all.size(); k += 2)
        {
          if (all[k] == options.front())
          {
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(k), all.begin() + static_cast<std::ptrdiff_t>(k) + 2);
            break;
          }
        }
      }
      all.insert(all.end(), options.begin(), options.end());
      return runProgram(PSMFORMER_TOOL, all);
    }

    TempDir folder_;
    TestRun run_ = makeTestRun();
  };
}
