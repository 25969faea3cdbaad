// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/RetentionTimeModel.h>

#include <support/Builders.h>
#include <support/ExpectError.h>

#include <gtest/gtest.h>

#include <cmath>

namespace psmformer
{
  namespace
  {
    std::vector<Peptide> randomPeptides(std::size_t n, std::uint64_t seed)
    {
      Random random(seed);
      std::vector<Peptide> peptides;
      for (std::size_t i = 0; i < n; ++i)
      {
        peptides.push_back(makePeptide(test::randomResidues(7 + random.below(15), random)));
        if (random.below(4) == 0)
        {
          peptides.back().modification_mass[0] = 15.994915;
        }
      }
      return peptides;
    }

    /// Hydrophobic residues are held back, modified ones are not.
    double retention(const Peptide& peptide)
    {
      double time = 600.0 + 300.0 * std::log(static_cast<double>(peptide.length()));
      for (const char residue : peptide.residues)
      {
        time += std::string("FILWVM").find(residue) != std::string::npos ? 120.0 : -5.0;
      }
      return time - (peptide.modification_mass[0] != 0.0 ? 90.0 : 0.0);
    }

    RetentionTimeModel fit(const std::vector<Peptide>& peptides)
    {
      std::vector<const Peptide*> pointers;
      std::vector<double> times;
      for (const Peptide& peptide : peptides)
      {
        pointers.push_back(&peptide);
        times.push_back(retention(peptide));
      }
      return {pointers, times};
    }
  }

  TEST(RetentionTimeModel, PredictsUnseenPeptides)
  {
    const RetentionTimeModel model = fit(randomPeptides(500, 1));
    for (const Peptide& peptide : randomPeptides(100, 2))
    {
      EXPECT_NEAR(model.predict(peptide), retention(peptide), 15.0) << peptide.residues;
    }
  }

  TEST(RetentionTimeModel, FewPeptidesAndUnseenResiduesGiveFiniteTimes)
  {
    std::vector<Peptide> peptides(RetentionTimeModel::MIN_PEPTIDES, makePeptide("PEPTIDEK"));
    const RetentionTimeModel constant = fit(peptides);
    EXPECT_NEAR(constant.predict(makePeptide("PEPTIDEK")), retention(peptides[0]), 1e-6);
    EXPECT_TRUE(std::isfinite(constant.predict(makePeptide("WWUOW"))));
    peptides.pop_back();
    test::expectError(ErrorKind::INTERNAL, "at least 60", [&] { fit(peptides); });
  }
}
