// SPDX-License-Identifier: BSD-3-Clause
#include "RobustnessFixture.h"

namespace psmformer::test
{
  Robustness::Robustness()
      : in_((folder_ / "in.idXML").string()), spectra_((folder_ / "run.mzML").string()),
        out_((folder_ / "out.idXML").string()), model_((folder_ / "tiny.safetensors").string())
  {
    useModelTrainedOn({});
  }

  void Robustness::useModelTrainedOn(const std::vector<std::string>& activations)
  {
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

  ToolResult Robustness::rescore(const std::vector<std::string>& more) const
  {
    std::filesystem::remove(out_);
    std::vector<std::string> arguments = {"-in", in_,      "-in_spectra", spectra_,      "-out",
                                          out_,  "-model", model_,        "-no_progress"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(PSMFORMER_TOOL, arguments);
  }

  bool Robustness::hasOutput() const
  {
    return std::filesystem::exists(out_);
  }
}
