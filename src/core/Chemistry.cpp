// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Chemistry.h>

#include <array>
#include <cstddef>

namespace psmformer
{
  namespace
  {
    constexpr double NONE = 0.0;

    // Letters A to Z. The values of OpenMS 2.6's ResidueDB to 10 decimals: negatives are built with this table and
    // positives with OpenMS, and the network must not tell them by the last digits. Differs: U, where OpenMS 2.6 takes
    // the lightest isotope of selenium (74); here it is 80, the most abundant one, as in search engines.
    constexpr std::array<double, 26> RESIDUE_MASSES = {
        71.0371141595,  // A
        NONE,           // B
        103.0091848895, // C
        115.0269441595, // D
        129.0425942233, // E
        147.0684142871, // F
        57.0214640957,  // G
        137.0589122233, // H
        113.0840643509, // I
        NONE,           // J
        128.0949633828, // K
        113.0840643509, // L
        131.0404850171, // M
        114.0429281914, // N
        237.1477276061, // O
        97.0527642233,  // P
        128.0585782552, // Q
        156.1011113828, // R
        87.0320291595,  // S
        101.0476792233, // T
        150.9536355,    // U
        99.0684142871,  // V
        186.0793133190, // W
        NONE,           // X
        163.0633292871, // Y
        NONE,           // Z
    };
  }

  std::optional<double> residueMass(char letter)
  {
    if (letter < 'A' || letter > 'Z')
    {
      return std::nullopt;
    }
    const double mass = RESIDUE_MASSES[static_cast<std::size_t>(letter - 'A')];
    return mass > 0.0 ? std::optional<double>(mass) : std::nullopt;
  }
}
