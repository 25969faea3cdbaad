// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Spectrum.h>

namespace psmformer
{
  std::string activationName(Activation activation)
  {
    switch (activation)
    {
    case Activation::CID:
      return "CID";
    case Activation::HCD:
      return "HCD";
    case Activation::ETD:
      return "ETD";
    case Activation::ETHCD:
      return "EThcD";
    case Activation::UNKNOWN:
      break;
    }
    return "unknown";
  }
}
