// SPDX-License-Identifier: BSD-3-Clause
// Where no hit is right nothing may be accepted: the shipped model on spectra that are shuffled or have no peak.
#include "Rescoring.h"

#include <support/ChangeHits.h>

#include <PSMFormer/core/Random.h>

#include <gmock/gmock.h>

namespace psmformer::test
{
  namespace
  {
    /// 400 spectra, every second one with its peptide among the hits; the engine's scores know nothing.
    class NullData : public Rescoring
    {
    protected:
      NullData()
      {
        TestRunOptions options;
        options.n_spectra = 400;
        options.n_unidentifiable = 200;
        run_ = makeTestRun(options);
        Random random(7);
        changeHits(run_, [&](OpenMS::PeptideHit& hit) { hit.setScore(1.0 + random.uniform()); });
      }

      /// Best hits that are targets with a q-value, (D + 1) / T, of at most 1 %.
      std::size_t accepted(const std::string& method)
      {
        writeSpectra(run_, folder_.path());
        const ToolResult result = rescore({"-model", "base", "-method", method});
        EXPECT_EQ(result.exit_code, 0) << result.output;
        const Identifications rescored = readIdentifications(path("out.idXML"));
        EXPECT_EQ(countStatus(rescored.identifications, "scored"), 800U);
        std::size_t n_accepted = 0;
        for (const auto& identification : rescored.identifications)
        {
          const auto& best = identification.getHits().front();
          n_accepted += best.getMetaValue("target_decoy") != "decoy" &&
                                static_cast<double>(best.getMetaValue("PSMFormer:q-value")) <= 0.01
                            ? 1
                            : 0;
        }
        return n_accepted;
      }

      template <typename Change> void changeMs2(const Change& change)
      {
        for (auto& spectrum : run_.spectra)
        {
          if (spectrum.getMSLevel() == 2)
          {
            change(spectrum);
          }
        }
      }
    };
  }

  TEST_F(NullData, TheSpectraAsTheyAreGiveMany)
  {
    EXPECT_GT(accepted("pretrained"), 150U);
    EXPECT_GT(accepted("auto"), 150U);
  }

  TEST_F(NullData, ShuffledSpectraGiveNothing)
  {
    std::vector<double> mz;
    changeMs2([&](OpenMS::MSSpectrum& spectrum)
              { std::for_each(spectrum.begin(), spectrum.end(), [&](auto& peak) { mz.push_back(peak.getMZ()); }); });
    Random(3).shuffle(mz);
    changeMs2(
        [&](OpenMS::MSSpectrum& spectrum)
        {
          for (auto& peak : spectrum)
          {
            peak.setMZ(mz.back());
            mz.pop_back();
          }
          spectrum.sortByPosition();
        });
    EXPECT_EQ(accepted("pretrained"), 0U);
    EXPECT_EQ(accepted("auto"), 0U);
  }

  TEST_F(NullData, SpectraWithoutAPeakGiveNothing)
  {
    changeMs2([](OpenMS::MSSpectrum& spectrum) { spectrum.clear(false); });
    EXPECT_EQ(accepted("pretrained"), 0U);
    EXPECT_EQ(accepted("auto"), 0U);
  }
}
