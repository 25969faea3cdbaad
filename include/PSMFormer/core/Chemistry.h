// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace psmformer
{
  /// Mass of the proton in Da (CODATA 2006; the value of OpenMS Constants::PROTON_MASS_U).
  constexpr double PROTON_MASS = 1.0072764667710;
  /// Monoisotopic mass of water in Da.
  constexpr double WATER_MASS = 18.0105646837036;
  /// Monoisotopic mass of ammonia in Da: c = b + NH3, z = y - NH3.
  constexpr double AMMONIA_MASS = 17.0265491015;
  /// Monoisotopic mass of the hydrogen atom in Da: the z ion of ETD carries one more (the z radical).
  constexpr double HYDROGEN_MASS = 1.0078250319;
  /// Monoisotopic mass of carbon monoxide in Da: a = b - CO.
  constexpr double CARBON_MONOXIDE_MASS = 27.9949146221;
  /// Mass difference between 13C and 12C in Da: the spacing of isotope peaks.
  constexpr double ISOTOPE_SPACING = 1.0033548378;

  /// Monoisotopic residue mass in Da of the 20 standard amino acids and of U and O; nothing for other letters.
  ///
  /// Tools take residue masses from OpenMS; this table serves where OpenMS is not linked (model-only build, generated
  /// negatives), and a test holds it equal to OpenMS's ResidueDB.
  std::optional<double> residueMass(char letter);
}
