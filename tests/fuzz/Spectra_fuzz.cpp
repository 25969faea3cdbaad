// SPDX-License-Identifier: BSD-3-Clause
// readAnnotatedSpectra refuses bad files with DAMAGED_INPUT or INVALID_INPUT; the spectra it accepts are sorted and in
// range.
#include "FuzzTarget.h"

#include <PSMFormer/openms/AnnotatedSpectra.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace
{
  using namespace psmformer;

  const std::string MGF = "MASS=Monoisotopic\nBEGIN IONS\nTITLE=sample:7\nPEPMASS=464.7347 1000\nCHARGE=2+\n"
                          "RTINSECONDS=61.5\nSEQ=PEPTIDEK\nITOL=20\nITOLU=ppm\nACTIVATION=HCD\n200.5 3 2+\n100.25\t10\n"
                          "END IONS\n";
  const std::string MSP = "Name: ACDMK/2_2(1,C,Carbamidomethyl)(3,M,Oxidation)_30eV\r\n"
                          "Comment: Mods=2(1,C,Carbamidomethyl)(3,M,Oxidation) HCD=30eV Parent=319.6261\nNum Peaks: 3\n"
                          "100.5 1; 200.5 2 \"y1;b2\"; 300.5 3;\n\nName: PEPTIDEK/2\n"
                          "Comment: Inst=it Mods=1/7,K,Acetyl Parent=485.74 Protein=\"a b\"\nNum peaks: 1\n100.5 1\n";

  /// A folder of this process, so that several can run.
  std::string folder()
  {
    const auto path = std::filesystem::temp_directory_path() / ("psmformer-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(path);
    return path.string();
  }

  void checkExample(const TrainingExample& example)
  {
    const Spectrum& spectrum = example.spectrum;
    fuzz::expect(spectrum.mz.size() == spectrum.intensity.size(), "m/z and intensity differ in number");
    fuzz::expect(std::is_sorted(spectrum.mz.begin(), spectrum.mz.end()), "peaks are not sorted");
    for (const float intensity : spectrum.intensity)
    {
      fuzz::expect(std::isfinite(intensity) && intensity >= 0.0F, "an intensity is not a finite number of at least 0");
    }
    fuzz::expect(example.charge >= 1 && spectrum.fragment_tolerance.known(), "charge or tolerance is missing");
  }
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
  fuzz::writeSeeds(*argc, *argv, {"0" + MGF, "1" + MSP});
  return 0;
}

/// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size == 0)
  {
    return 0;
  }
  static const std::string base = folder() + "/spectra";
  const std::string file = base + (data[0] % 2 == 0 ? ".mgf" : ".msp");
  std::ofstream(file, std::ios::binary) << std::string(data + 1, data + size);
  fuzz::accepts({ErrorKind::DAMAGED_INPUT, ErrorKind::INVALID_INPUT},
                [&]
                {
                  AnnotationDefaults defaults;
                  defaults.fragment_tolerance = {0.5, ToleranceUnit::DA};
                  for (const TrainingExample& example : readAnnotatedSpectra(file, defaults).examples)
                  {
                    checkExample(example);
                  }
                });
  return 0;
}
