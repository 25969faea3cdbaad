// SPDX-License-Identifier: BSD-3-Clause
// Group S of cases.tsv, and the rows of group E that concern statistics.
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <OpenMS/CHEMISTRY/AASequence.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace psmformer::test
{
  namespace
  {
    constexpr int INCOMPATIBLE = 11;

    template <typename Change> void changeHits(PeptideIds& identifications, const Change& change)
    {
      for (auto& identification : identifications)
      {
        auto hits = identification.getHits();
        std::for_each(hits.begin(), hits.end(), change);
        identification.setHits(hits);
      }
    }

    void listExtraFeatures(OpenMS::ProteinIdentification& run, const std::string& names)
    {
      auto parameters = run.getSearchParameters();
      parameters.setMetaValue("extra_features", names);
      run.setSearchParameters(parameters);
    }

    /// Enough to train on, by the engine's score: the small network knows nothing.
    TestRun largeRun()
    {
      TestRunOptions options;
      options.n_spectra = 500;
      options.n_unidentifiable = 250;
      return makeTestRun(options);
    }
  }

  TEST_F(Robustness, E05_WithoutTargetDecoyThereAreScoresAlone)
  {
    changeHits(run_.identifications, [](auto& hit) { hit.removeMetaValue("target_decoy"); });
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(countText(result.output, "run PeptideIndexer"), 1U) << result.output;
    EXPECT_FALSE(out.identifications.at(0).getHits()[0].metaValueExists("PSMFormer:q-value"));
    for (const std::vector<std::string>& option :
         {std::vector<std::string>{"-score_type", "q-value"}, {"-score_type", "pep"}, {"-method", "semi_supervised"}})
    {
      expectExit(rescore(option), INCOMPATIBLE, "run PeptideIndexer");
    }
  }

  TEST_F(Robustness, E08_FewPSMsKeepTheScoreOfTheNetwork)
  {
    write();
    ASSERT_EQ(rescore({"-method", "pretrained"}).exit_code, 0);
    const Identifications expected = output();
    for (const std::string method : {"auto", "semi_supervised"})
    {
      const ToolResult result = rescore({"-method", method});
      const Identifications out = expectRescored(result);
      EXPECT_EQ(countText(result.output, "The calibrated logit is the score of all runs"), 1U) << result.output;
      EXPECT_EQ(result.says("Warning: The calibrated logit"), method == "semi_supervised") << result.output;
      for (std::size_t i = 0; i < out.identifications.size(); ++i)
      {
        EXPECT_EQ(out.identifications[i].getHits()[0].getScore(), expected.identifications[i].getHits()[0].getScore());
      }
    }
  }

  TEST_F(Robustness, E09_LogTellsWhyAFilterMayLeaveNothing)
  {
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    for (const std::string text : {"Best hits: ", " targets, ", " decoys.", "PSMFormer:score quartiles: ",
                                   "Accepted target PSMs          1 % FDR", "\n  expect ", "\n  PSMFormer:score "})
    {
      EXPECT_TRUE(result.says(text)) << text << " is not in " << result.output;
    }
  }

  TEST_F(Robustness, S01_ScoresThatAreNoNumbersLeaveNone)
  {
    run_ = largeRun();
    std::size_t k = 0;
    changeHits(run_.identifications,
               [&](auto& hit)
               {
                 const double infinity = std::numeric_limits<double>::infinity();
                 hit.setMetaValue("sub_score", k % 3 == 0 ? "inf" : k % 3 == 1 ? "1.#INF" : "0.5");
                 hit.setScore(k % 11 == 0 ? infinity : k % 13 == 0 ? -infinity : hit.getScore());
                 ++k;
               });
    listExtraFeatures(run_.run, "sub_score");
    write();
    const ToolResult result = rescore();
    expectRescored(result);
    EXPECT_TRUE(result.says("previous scores are not finite; they are kept as text")) << result.output;
  }

  TEST_F(Robustness, S02_EqualScoresAreOrderedByTheirHash)
  {
    // Isoleucine and leucine are one residue to the network.
    std::size_t n_tied = 0;
    for (auto& identification : run_.identifications)
    {
      auto hits = identification.getHits();
      std::string residues(hits[0].getSequence().toUnmodifiedString());
      std::string twin = residues;
      std::replace(residues.begin(), residues.end(), 'L', 'I');
      std::replace(twin.begin(), twin.end(), 'I', 'L');
      n_tied += residues != twin ? 1 : 0;
      hits[0].setSequence(OpenMS::AASequence::fromString(residues));
      hits[1].setSequence(OpenMS::AASequence::fromString(twin));
      identification.setHits(hits);
    }
    const auto firstSequences = [&]
    {
      write();
      std::vector<std::string> sequences;
      for (const auto& identification : expectRescored(rescore()).identifications)
      {
        EXPECT_EQ(identification.getHits()[0].getScore(), identification.getHits()[1].getScore());
        sequences.emplace_back(identification.getHits()[0].getSequence().toString());
      }
      return sequences;
    };
    const std::vector<std::string> expected = firstSequences();
    const auto n_first_listed = static_cast<std::size_t>(
        std::count_if(expected.begin(), expected.end(),
                      [](const std::string& sequence) { return sequence.find('I') != std::string::npos; }));
    EXPECT_GT(n_first_listed, n_tied / 5);
    EXPECT_LT(n_first_listed, n_tied - n_tied / 5);
    for (auto& identification : run_.identifications)
    {
      auto hits = identification.getHits();
      std::reverse(hits.begin(), hits.end());
      identification.setHits(hits);
    }
    EXPECT_EQ(firstSequences(), expected);
  }

  TEST_F(Robustness, S03_OurFeaturesAreListedOnce)
  {
    for (const std::string present : {"", ",MS:1002252,", "MS:1002252,PSMFormer:logit", "PSMFormer:cosine,,MS:1002252"})
    {
      listExtraFeatures(run_.run, present);
      write();
      const Identifications out = expectRescored(rescore({"-write_features", "all"}));
      const std::string list = ',' + recorded(out, "extra_features") + ',';
      EXPECT_EQ(list.find(",,"), std::string::npos) << list;
      std::istringstream names(list.substr(1, list.size() - 2));
      std::set<std::string> known;
      for (std::string name; std::getline(names, name, ',');)
      {
        EXPECT_TRUE(known.insert(name).second) << name << " is listed twice";
        for (const auto& identification : out.identifications)
        {
          for (const auto& hit : identification.getHits())
          {
            EXPECT_TRUE(hit.metaValueExists(name)) << name;
          }
        }
      }
      EXPECT_EQ(known.count("PSMFormer:logit"), 1U);
    }
  }

  TEST_F(Robustness, S04_ScoresAreSmooth)
  {
    run_ = largeRun();
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(recorded(out, "PSMFormer:method"), "semi_supervised");
    std::map<double, std::size_t> best;
    std::size_t largest = 0;
    for (const auto& identification : out.identifications)
    {
      largest = std::max(largest, ++best[identification.getHits()[0].getScore()]);
    }
    EXPECT_LT(largest, out.identifications.size() / 20) << "nowhere piled up";
  }

  TEST_F(Robustness, S05_EveryHitHasEveryScoreToSwitchTo)
  {
    auto hits = run_.identifications[0].getHits();
    hits[0].setCharge(0);
    run_.identifications[0].setHits(hits);
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const std::string switched = (folder_ / "switched.idXML").string();
    for (const std::string name : {"score", "logit", "cosine", "spectral_angle", "q-value", "PEP", "peptide_q-value"})
    {
      const ToolResult result =
          runProgram("IDScoreSwitcher", {"-in", out_, "-out", switched, "-new_score", "PSMFormer:" + name,
                                         "-new_score_orientation", "higher_better", "-new_score_type", name});
      EXPECT_EQ(result.exit_code, 0) << result.output;
      EXPECT_EQ(countHits(readIdentifications(switched).identifications), countHits(run_.identifications));
    }
  }

  TEST_F(Robustness, S06_MissingSubScoresDropNothing)
  {
    run_ = largeRun();
    std::size_t k = 0;
    changeHits(run_.identifications,
               [&](auto& hit)
               {
                 if (k++ % 6 == 0)
                 {
                   hit.removeMetaValue("MS:1002252");
                 }
               });
    listExtraFeatures(run_.run, "MS:1002252");
    write();
    const ToolResult result = rescore();
    const Identifications out = expectRescored(result);
    EXPECT_EQ(recorded(out, "PSMFormer:method"), "semi_supervised") << result.output;
    EXPECT_TRUE(result.says("Hits: 1000 scored + 0 unscored = 1000.")) << result.output;
  }

  TEST_F(Robustness, S07_MainScoreIsTheUsersChoice)
  {
    write();
    for (const auto& [option, type] : {std::make_pair("score", "PSMFormer:score"), std::make_pair("q-value", "q-value"),
                                       std::make_pair("pep", "pep")})
    {
      const Identifications out = expectRescored(rescore({"-score_type", option}));
      for (const auto& identification : out.identifications)
      {
        EXPECT_EQ(identification.getScoreType(), type);
        EXPECT_EQ(identification.isHigherScoreBetter(), std::string(option) == "score");
      }
    }
  }

  TEST_F(Robustness, S08_UnknownAndSeveralEnginesAreRescored)
  {
    run_ = largeRun();
    run_.run.setSearchEngine("MyEngine");
    for (std::size_t i = 0; i < run_.identifications.size(); i += 2)
    {
      run_.identifications[i].setScoreType("my_score");
    }
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(out.runs.at(0).getSearchEngine(), "MyEngine");
    for (const auto& identification : out.identifications)
    {
      EXPECT_EQ(identification.getScoreType(), "PSMFormer:score");
    }
  }

  TEST_F(Robustness, S09_ConstantSubScoresChangeNothing)
  {
    run_ = largeRun();
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    changeHits(run_.identifications,
               [](auto& hit)
               {
                 hit.setMetaValue("COMET:deltCn", 1.0);
                 hit.setMetaValue("COMET:deltLCn", 0.0);
               });
    listExtraFeatures(run_.run, "COMET:deltCn,COMET:deltLCn");
    write();
    const Identifications out = expectRescored(rescore());
    EXPECT_EQ(recorded(out, "PSMFormer:method"), "semi_supervised");
    for (std::size_t i = 0; i < out.identifications.size(); ++i)
    {
      EXPECT_EQ(out.identifications[i].getHits()[0].getScore(), expected.identifications[i].getHits()[0].getScore());
    }
  }

  TEST_F(Robustness, O09_TrainedScoresAreTheSameForAnyNumberOfThreads)
  {
    run_ = largeRun();
    write();
    ASSERT_EQ(rescore({"-threads", "1", "-test"}).exit_code, 0);
    EXPECT_EQ(recorded(output(), "PSMFormer:method"), "semi_supervised");
    const std::string one = readFile(out_);
    ASSERT_EQ(rescore({"-threads", "2", "-test"}).exit_code, 0);
    EXPECT_EQ(readFile(out_), one);
  }

  TEST_F(Robustness, S10_ToolsThatFollowTakeEveryMainScore)
  {
    write();
    const std::string filtered = (folder_ / "filtered.idXML").string();
    const std::string rated = (folder_ / "rated.idXML").string();
    expectRescored(rescore());
    const ToolResult fdr =
        runProgram("FalseDiscoveryRate", {"-in", out_, "-out", rated, "-protein", "false", "-force"});
    EXPECT_EQ(fdr.exit_code, 0) << fdr.output;
    EXPECT_EQ(readIdentifications(rated).identifications.at(0).getScoreType(), "q-value");
    for (const std::string type : {"q-value", "pep"})
    {
      expectRescored(rescore({"-score_type", type}));
      const ToolResult filter = runProgram("IDFilter", {"-in", out_, "-out", filtered, "-score:pep", "0.5"});
      EXPECT_EQ(filter.exit_code, 0) << filter.output;
      EXPECT_LT(countHits(readIdentifications(filtered).identifications), countHits(run_.identifications));
    }
  }
}
