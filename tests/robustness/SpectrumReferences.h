// SPDX-License-Identifier: BSD-3-Clause
// The references and native IDs of the simulated run, for group L of cases.tsv.
#pragma once

#include "Outcome.h"
#include "RobustnessFixture.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace psmformer::test
{
  constexpr std::size_t N_HITS = 80; ///< of the simulated run: 40 identifications with two hits each
  inline const std::string THERMO = "controllerType=0 controllerNumber=1 scan=";

  inline OpenMS::MSSpectrum& spectrumOf(TestRun& run, std::size_t identification)
  {
    return run.spectra[run.spectrum_of_identification[identification]];
  }

  /// Scan numbers are counted from 1, positions from 0.
  inline std::size_t scanOf(const TestRun& run, std::size_t identification)
  {
    return run.spectrum_of_identification[identification] + 1;
  }

  inline void setReferences(TestRun& run, const std::function<std::string(std::size_t scan)>& reference)
  {
    for (std::size_t i = 0; i < run.identifications.size(); ++i)
    {
      setReference(run.identifications[i], reference(scanOf(run, i)));
    }
  }

  inline void setNativeIds(TestRun& run, const std::function<std::string(std::size_t scan)>& native_id)
  {
    for (std::size_t s = 0; s < run.spectra.size(); ++s)
    {
      run.spectra[s].setNativeID(native_id(s + 1));
    }
  }

  /// Nothing but the reference can lead to a spectrum.
  inline void removeTimes(TestRun& run)
  {
    for (auto& identification : run.identifications)
    {
      identification.setRT(std::numeric_limits<double>::quiet_NaN());
    }
  }
}
