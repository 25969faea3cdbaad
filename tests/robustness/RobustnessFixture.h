// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <support/TempDir.h>
#include <support/TestRun.h>
#include <support/ToolRunner.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace psmformer::test
{
  /// A simulated run that a test changes, writes and gives to the real tool. One test a row of cases.tsv, named after
  /// it.
  class Robustness : public ::testing::Test
  {
  protected:
    Robustness();

    /// Makes `model_` a small network of random weights; without activations it does not say which it was trained on.
    void useModelTrainedOn(const std::vector<std::string>& activations);

    /// Writes `run_` to `in_` and as "run.mzML".
    void write();

    /// Runs PSMFormer on `in_` and `spectra_`; a previous output is removed first.
    ToolResult rescore(const std::vector<std::string>& more = {}) const;

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
