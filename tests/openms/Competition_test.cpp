// SPDX-License-Identifier: BSD-3-Clause
#include <Competition.h>
#include <PeptideCompetition.h>

#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/TargetDecoy.h>

#include <support/TestRun.h>

#include <OpenMS/ANALYSIS/ID/FalseDiscoveryRate.h>
#include <OpenMS/CHEMISTRY/AASequence.h>

#include <gmock/gmock.h>

#include <algorithm>

namespace psmformer
{
  namespace
  {
    using ::testing::ElementsAre;

    OpenMS::PeptideIdentification tiedIdentification(const std::vector<std::string>& sequences)
    {
      OpenMS::PeptideIdentification identification;
      std::vector<OpenMS::PeptideHit> hits;
      for (const std::string& sequence : sequences)
      {
        hits.emplace_back(1.0, 1, 2, OpenMS::AASequence::fromString(sequence));
      }
      identification.setHits(hits);
      return identification;
    }

    std::vector<std::string> rankedSequences(const std::vector<std::string>& sequences, std::uint64_t seed)
    {
      const auto identification = tiedIdentification(sequences);
      const std::vector<HitAnnotation> hits(sequences.size(), {MatchStatus::SCORED, 1.0, 1.0, {}});
      std::vector<std::string> ranked;
      for (const std::size_t h : rankHits(identification, "scan=1", hits, seed))
      {
        ranked.push_back(sequences[h]);
      }
      return ranked;
    }

    TEST(Competition, TiesDoNotDependOnTheOrderOfTheInput)
    {
      EXPECT_EQ(rankedSequences({"PEPTIDEK", "PETPIDEK", "PEDITPEK"}, 1),
                rankedSequences({"PEDITPEK", "PEPTIDEK", "PETPIDEK"}, 1));
    }

    TEST(Competition, TiesDependOnTheSeed)
    {
      std::size_t n_first = 0;
      for (std::uint64_t seed = 0; seed < 100; ++seed)
      {
        n_first += rankedSequences({"PEPTIDEK", "PETPIDEK"}, seed)[0] == "PEPTIDEK" ? 1 : 0;
      }
      EXPECT_GT(n_first, 30U);
      EXPECT_LT(n_first, 70U);
    }

    TEST(Competition, TwinsAreToldApartByTheirPreviousScore)
    {
      auto identification = tiedIdentification({"PEPTIDEK", "PEPTIDEK"});
      auto hits = identification.getHits();
      hits[1].setScore(0.5);
      identification.setHits(hits);
      const std::vector<HitAnnotation> scores(2, {MatchStatus::SCORED, 1.0, 1.0, {}});
      EXPECT_THAT(rankHits(identification, "scan=1", scores, 1), ElementsAre(1, 0));
      std::reverse(hits.begin(), hits.end());
      identification.setHits(hits);
      EXPECT_THAT(rankHits(identification, "scan=1", scores, 1), ElementsAre(0, 1));
    }

    TEST(Competition, UnscoredHitsComeLast)
    {
      const auto identification = tiedIdentification({"PEPTIDEK", "PETPIDEK", "PEDITPEK"});
      const std::vector<HitAnnotation> hits = {{MatchStatus::NO_CHARGE, 5.0, 1.0, {}},
                                               {MatchStatus::SCORED, 1.0, 1.0, {}},
                                               {MatchStatus::SCORED, 2.0, 1.0, {}}};
      EXPECT_THAT(rankHits(identification, "scan=1", hits, 1), ElementsAre(2, 1, 0));
    }

    TEST(Competition, DecoysAreKnownFromTargetDecoyAlone)
    {
      auto identification = tiedIdentification({"PEPTIDEK", "PETPIDEK"});
      auto hits = identification.getHits();
      hits[0].setMetaValue("target_decoy", "target+decoy");
      hits[1].setMetaValue("target_decoy", "decoy");
      identification.setHits(hits);
      const DecoyKnowledge decoys = readDecoys({identification});
      EXPECT_TRUE(decoys.usable);
      EXPECT_THAT(decoys.is_decoy[0], ElementsAre(false, true));
      hits[0].removeMetaValue("target_decoy");
      identification.setHits(hits);
      EXPECT_FALSE(readDecoys({identification}).usable);
      EXPECT_THAT(readDecoys({identification}).reason, ::testing::HasSubstr("1 of 2"));
    }

    TEST(Competition, ListsAreOneOrOneEachRunAndFile)
    {
      RunAssignment assignment;
      assignment.run_of_identification = {0, 0, 1, 0};
      assignment.file_of_identification = {0, 1, 1, 0};
      EXPECT_THAT(competitionLists(assignment, false), ElementsAre(ElementsAre(0, 1, 2, 3)));
      EXPECT_THAT(competitionLists(assignment, true), ElementsAre(ElementsAre(0, 3), ElementsAre(1), ElementsAre(2)));
    }

    /// OpenMS 2.6 computes D / T in spite of its help text; with pseudo-count 0 ours must agree score by score.
    TEST(Competition, WithoutPseudoCountTheQValuesAreThoseOfFalseDiscoveryRate)
    {
      Random random(3);
      std::vector<double> scores;
      std::vector<bool> is_decoy;
      PeptideIds identifications;
      for (int i = 0; i < 400; ++i)
      {
        const bool decoy = random.below(3) == 0;
        auto identification = tiedIdentification({"PEPTIDEK"});
        identification.setScoreType("score");
        identification.setHigherScoreBetter(true);
        auto hits = identification.getHits();
        scores.push_back(random.normal() + (decoy ? 0.0 : 1.5));
        is_decoy.push_back(decoy);
        hits[0].setScore(scores.back());
        hits[0].setMetaValue("target_decoy", decoy ? "decoy" : "target");
        identification.setHits(hits);
        identifications.push_back(identification);
      }
      const std::vector<double> expected = computeQValues(scores, is_decoy, 0);

      OpenMS::FalseDiscoveryRate tool;
      auto parameters = tool.getParameters();
      parameters.setValue("add_decoy_peptides", "true");
      tool.setParameters(parameters);
      tool.apply(identifications);
      for (std::size_t i = 0; i < scores.size(); ++i)
      {
        if (!is_decoy[i]) // the tool gives decoys the value of the next worse target
        {
          ASSERT_EQ(identifications[i].getHits().size(), 1U);
          EXPECT_NEAR(identifications[i].getHits()[0].getScore(), expected[i], 1e-12) << scores[i];
        }
      }
    }

    TEST(Competition, BestHitsCompeteAndLowerRankedOnesGetTheQValueOfTheirScore)
    {
      Annotation annotation;
      DecoyKnowledge decoys;
      decoys.usable = true;
      // Best hits: targets 5, 4, 1 and decoy 3; a second hit with score 4.5.
      annotation.hits = {{{MatchStatus::SCORED, 5.0, 1.0, {}}, {MatchStatus::SCORED, 4.5, 1.0, {}}},
                         {{MatchStatus::SCORED, 4.0, 1.0, {}}},
                         {{MatchStatus::SCORED, 3.0, 1.0, {}}},
                         {{MatchStatus::SCORED, 1.0, 1.0, {}}},
                         {{MatchStatus::NO_CHARGE, 0.0, 1.0, {}}}};
      annotation.order = {{0, 1}, {0}, {0}, {0}, {0}};
      decoys.is_decoy = {{false, true}, {false}, {true}, {false}, {false}};
      std::size_t n_targets = 0;
      std::size_t n_decoys = 0;
      estimateQValues({{0, 1, 2, 3, 4}}, decoys, annotation, n_targets, n_decoys);
      EXPECT_EQ(n_targets, 3U);
      EXPECT_EQ(n_decoys, 1U);
      EXPECT_DOUBLE_EQ(annotation.hits[1][0].q_value, 1.0 / 2.0);
      EXPECT_DOUBLE_EQ(annotation.hits[0][0].q_value, 1.0 / 2.0);
      EXPECT_DOUBLE_EQ(annotation.hits[0][1].q_value, 1.0 / 2.0) << "between 5 and 4: the q-value of 4";
      EXPECT_DOUBLE_EQ(annotation.hits[3][0].q_value, 2.0 / 3.0);
      EXPECT_DOUBLE_EQ(annotation.hits[4][0].q_value, 1.0) << "unscored";
      // Pools: pseudo-decoy, 5 and 4 with share 1/3; decoy 3 and target 1 with share 1/2.
      EXPECT_DOUBLE_EQ(annotation.hits[0][0].posterior_error, 0.5);
      EXPECT_GT(annotation.hits[1][0].posterior_error, 0.5) << "below the middle of its pool";
      EXPECT_GT(annotation.hits[0][1].posterior_error, annotation.hits[0][0].posterior_error);
      EXPECT_LT(annotation.hits[0][1].posterior_error, annotation.hits[1][0].posterior_error);
      EXPECT_DOUBLE_EQ(annotation.hits[3][0].posterior_error, 1.0);
      EXPECT_DOUBLE_EQ(annotation.hits[4][0].posterior_error, 1.0) << "unscored";
    }

    /// Identifications with one scored hit each: peptide and score.
    Annotation oneHitEach(const std::vector<std::pair<std::string, double>>& hits, MatchTable& table)
    {
      Annotation annotation;
      for (std::size_t i = 0; i < hits.size(); ++i)
      {
        const auto known = std::find_if(table.peptides.begin(), table.peptides.end(),
                                        [&](const Peptide& peptide) { return peptide.residues == hits[i].first; });
        const auto peptide = static_cast<std::size_t>(known - table.peptides.begin());
        if (known == table.peptides.end())
        {
          table.peptides.push_back(makePeptide(hits[i].first));
        }
        table.matches.push_back({0, peptide, 2, {i, 0}});
        annotation.hits.push_back({{MatchStatus::SCORED, hits[i].second, 1.0, {}}});
        annotation.order.push_back({0});
      }
      return annotation;
    }

    TEST(Competition, APeptidoformHasOneQValueByItsBestPSM)
    {
      MatchTable table;
      // PEPTIDEK and its reversal are a pair, which the target wins; AAAGGK wins nothing and has no partner.
      Annotation annotation =
          oneHitEach({{"PEPTIDEK", 5.0}, {"PEPTIDEK", 1.0}, {"EDITPEPK", 4.0}, {"AAAGGK", 3.0}, {"CCCK", 2.0}}, table);
      DecoyKnowledge decoys;
      decoys.is_decoy = {{false}, {false}, {true}, {false}, {true}};
      // A second, lower-ranked hit of the last identification, whose peptide is the best of none.
      table.peptides.push_back(makePeptide("DDDK"));
      table.matches.push_back({0, table.peptides.size() - 1, 2, {4, 1}});
      annotation.hits[4].push_back({MatchStatus::SCORED, 1.5, 1.0, {}});
      annotation.order[4].push_back(1);
      decoys.is_decoy[4].push_back(false);
      estimatePeptideQValues({{0, 1, 2, 3, 4}}, decoys, table, annotation);
      // In the list: targets 5 and 3, decoy 2.
      EXPECT_DOUBLE_EQ(annotation.hits[0][0].peptide_q_value, 0.5);
      EXPECT_DOUBLE_EQ(annotation.hits[1][0].peptide_q_value, 0.5) << "that of its peptidoform";
      EXPECT_DOUBLE_EQ(annotation.hits[2][0].peptide_q_value, 1.0) << "lost against its partner";
      EXPECT_DOUBLE_EQ(annotation.hits[3][0].peptide_q_value, 0.5);
      EXPECT_DOUBLE_EQ(annotation.hits[4][0].peptide_q_value, 1.0);
      EXPECT_DOUBLE_EQ(annotation.hits[4][1].peptide_q_value, 1.0);
      // In lists of their own the pair does not meet.
      estimatePeptideQValues({{0, 1}, {2, 3, 4}}, decoys, table, annotation);
      EXPECT_DOUBLE_EQ(annotation.hits[0][0].peptide_q_value, 1.0) << "(0 + 1) / 1";
    }
  }
}
