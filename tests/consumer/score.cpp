// SPDX-License-Identifier: BSD-3-Clause
// score <model file>: prints the logits of a peptide and of its reversal for the noiseless spectrum of the peptide.
#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Peptide.h>
#include <PSMFormer/core/PeptideSpectrumMatch.h>
#include <PSMFormer/model/PSMScorer.h>

#include <algorithm>
#include <cstdio>
#include <exception>

int main(int argc, char** argv)
{
  if (argc != 2)
  {
    std::fputs("score <model file>\n", stderr);
    return 2;
  }
  try
  {
    psmformer::MatchTable table;
    table.peptides = {psmformer::makePeptide("LVNELTEFAK"), psmformer::makePeptide("AFETLENVLK")};
    psmformer::Spectrum spectrum;
    spectrum.native_id = "scan=1";
    spectrum.precursor_charge = 2;
    spectrum.precursor_mz = psmformer::massToCharge(table.peptides[0], 2);
    spectrum.activation = psmformer::Activation::HCD;
    spectrum.fragment_tolerance = {20.0, psmformer::ToleranceUnit::PPM};
    for (const auto& channel : psmformer::parseIonChannels({"b1", "y1"}))
    {
      for (std::size_t site = 0; site + 1 < table.peptides[0].length(); ++site)
      {
        spectrum.mz.push_back(psmformer::fragmentMz(table.peptides[0], site, channel));
      }
    }
    std::sort(spectrum.mz.begin(), spectrum.mz.end());
    spectrum.intensity.assign(spectrum.mz.size(), 1.0F);
    table.spectra = {spectrum};
    table.matches = {{0, 0, 2, {0, 0}}, {0, 1, 2, {0, 1}}};
    const psmformer::MatchScores scores = psmformer::PSMScorer(argv[1], {}).score(table);
    std::printf("%.4f %.4f\n", scores.logit[0], scores.logit[1]);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
