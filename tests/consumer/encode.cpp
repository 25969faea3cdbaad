// SPDX-License-Identifier: BSD-3-Clause
// Prints the token ids of a peptide's residues and its m/z at charge 2.
#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/Vocabulary.h>

#include <cstdio>

int main(int argc, char** argv)
{
  const std::string residues = argc > 1 ? argv[1] : "PEPTIDEK";
  for (const auto id : psmformer::Vocabulary().encode(residues))
  {
    std::printf("%lld ", static_cast<long long>(id));
  }
  std::printf("%.4f\n", psmformer::massToCharge(psmformer::makePeptide(residues), 2));
}
