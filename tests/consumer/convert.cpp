// SPDX-License-Identifier: BSD-3-Clause
// Prints residues and modification mass of a peptide in OpenMS's notation.
#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/openms/ResidueTokens.h>

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <cstdio>

int main()
{
  const auto peptide = psmformer::toPeptide(OpenMS::AASequence::fromString("SHC(Carbamidomethyl)IAEVEK"));
  std::printf("%s %.4f\n", peptide->residues.c_str(), peptide->modification_mass[2]);
}
