// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <support/TempDir.h>
#include <support/TestRun.h>
#include <support/ToolRunner.h>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace psmformer::test
{
  /// Position of the run of an identification; the identifiers themselves are made anew whenever OpenMS reads a file.
  std::size_t runOf(const Identifications& all, std::size_t identification);

  /// A simulated run that a test changes, writes and gives to the real tool. One test a row of cases.tsv, named after
  /// it.
  class Robustness : public ::testing::Test
  {
  protected:
    Robustness();

    /// Makes `model_` the small network of random weights that says which activations it was trained on.
    void useModelTrainedOn(const std::vector<std::string>& activations);

    /// Writes `run_` to `in_` and as "run.mzML".
    void write();

    /// Writes several runs to one `in_`, each with spectra of its own name, and returns the paths of these.
    std::vector<std::string> write(const std::vector<TestRun>& runs);

    /// Runs PSMFormer on `in_` and `spectra_`; a previous output is removed first.
    ToolResult rescore(const std::vector<std::string>& more = {}) const;

    /// Runs PSMFormer on `in_` and these files.
    ToolResult rescoreWith(const std::vector<std::string>& spectra, const std::vector<std::string>& more = {}) const;

    /// The tool stopped with this exit code and this text, and left no output.
    void expectExit(const ToolResult& result, int exit_code, const std::string& text) const;

    /// The output of a run that went well: every identification of `in_` with every of its hits, evidences and meta
    /// values, a status on each and finite numbers only.
    Identifications expectRescored(const ToolResult& result) const;

    /// `PSMFormer:logit` of every hit when each run is rescored by itself.
    std::map<std::string, double> logitsOneByOne(const std::vector<TestRun>& runs);

    bool hasOutput() const;
    Identifications output() const { return readIdentifications(out_); }

    TempDir folder_;
    TestRun run_ = makeTestRun();
    std::string in_;
    std::string spectra_;
    std::string out_;
    std::string model_;
  };
}
