// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/PeptideKey.h>
#include <PSMFormer/core/PeptidePool.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/openms/TrainingData.h>
#include <PSMFormer/openms/TrainingReader.h>

#include <support/ExpectError.h>
#include <support/TempDir.h>
#include <support/TestRun.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::TempDir;

    TrainingExample makeExample(const std::string& residues, int charge = 2, const std::string& source = "a")
    {
      return {{}, makePeptide(residues), charge, {}, source};
    }

    /// Random peptides; seeded.
    std::vector<TrainingExample> makeExamples(std::size_t count)
    {
      const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
      Random random(3);
      std::vector<TrainingExample> examples;
      for (std::size_t k = 0; k < count; ++k)
      {
        std::string residues;
        for (std::size_t n = 7 + random.below(8); n > 0; --n)
        {
          residues += letters[random.below(letters.size())];
        }
        examples.push_back(makeExample(residues));
      }
      return examples;
    }

    std::set<std::string> keysOf(const std::vector<TrainingExample>& examples)
    {
      std::set<std::string> keys;
      for (const TrainingExample& example : examples)
      {
        keys.insert(peptideKey(example.peptide.residues));
      }
      return keys;
    }

    std::vector<std::string> common(const std::set<std::string>& a, const std::set<std::string>& b)
    {
      std::vector<std::string> both;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      return both;
    }
  }

  TEST(TrainingSplit, NoKeyIsInTwoPartsAndNoneIsExcluded)
  {
    const std::vector<TrainingExample> examples = makeExamples(3000);
    std::set<std::string> excluded;
    for (std::size_t k = 0; k < examples.size(); k += 5)
    {
      excluded.insert(peptideKey(examples[k].peptide.residues));
    }
    const TrainingSplit split = splitExamples(examples, excluded, ModelInputs());
    const std::set<std::string> training = keysOf(split.training);
    const std::set<std::string> validation = keysOf(split.validation);
    EXPECT_TRUE(common(training, validation).empty());
    EXPECT_TRUE(common(training, excluded).empty());
    EXPECT_TRUE(common(validation, excluded).empty());
    for (const std::string& key : split.keys)
    {
      EXPECT_NE(dataPart(key), DataPart::TEST);
    }
    EXPECT_EQ(split.keys.size(), training.size() + validation.size());
    EXPECT_EQ(split.training.size() + split.validation.size() + split.n_test + split.n_excluded + split.n_unsupported,
              examples.size());
    // 4 of 5 are left, of these about 8 of 10 for training and 1 of 10 each for validation and test
    EXPECT_NEAR(static_cast<double>(split.training.size()), 1920.0, 100.0);
    EXPECT_NEAR(static_cast<double>(split.validation.size()), 240.0, 50.0);
    EXPECT_EQ(split.sources.at("a").first, split.training.size());
    EXPECT_EQ(split.sources.at("a").second, split.validation.size());
  }

  TEST(TrainingData, WithoutAFoldHasNoneOfItsPeptides)
  {
    TrainingData data;
    data.split = splitExamples(makeExamples(1000), {}, ModelInputs());
    for (TrainingExample& example : data.split.training)
    {
      data.natural_peptides.push_back(example.peptide.residues);
      example.other_candidates = {makePeptide("PEPTIDEK"), makePeptide("ELVISK"), makePeptide("SAMPLER")};
    }
    const FoldRule rule{3, 4};
    std::map<std::string, int> n_left_out;
    for (std::size_t fold = 0; fold < rule.count; ++fold)
    {
      const TrainingData kept = withoutFold(data, rule, fold);
      for (const auto* examples : {&kept.split.training, &kept.split.validation})
      {
        for (const TrainingExample& example : *examples)
        {
          ASSERT_NE(rule.foldOf(example.peptide.residues), fold);
          for (const Peptide& other : example.other_candidates)
          {
            ASSERT_NE(rule.foldOf(other.residues), fold);
          }
        }
      }
      const std::set<std::string> training = keysOf(kept.split.training);
      for (const std::string& key : keysOf(data.split.training))
      {
        n_left_out[key] += training.count(key) == 0 ? 1 : 0;
      }
      for (const std::string& natural : kept.natural_peptides)
      {
        ASSERT_NE(rule.foldOf(natural), fold);
      }
      EXPECT_LT(kept.natural_peptides.size(), data.natural_peptides.size());
      EXPECT_EQ(keysOf(withoutFold(data, rule, fold).split.training), training);
    }
    for (const auto& [key, count] : n_left_out)
    {
      ASSERT_EQ(count, 1) << key;
    }
    data.split.validation.resize(1);
    const std::size_t its_fold = rule.foldOf(data.split.validation.front().peptide.residues);
    expectError(ErrorKind::INVALID_INPUT, "fewer folds", [&] { withoutFold(data, rule, its_fold); });
  }

  TEST(TrainingSplit, IsoleucineAndLeucineAreOneKey)
  {
    const std::vector<TrainingExample> examples = {makeExample("PEPTIDEK"), makeExample("PEPTLDEK")};
    const TrainingSplit all = splitExamples(examples, {}, ModelInputs());
    EXPECT_TRUE(all.training.empty() || all.validation.empty());
    EXPECT_EQ(splitExamples(examples, {"PEPTLDEK"}, ModelInputs()).keys.size(), 0u);
  }

  TEST(TrainingSplit, WhatTheModelDoesNotTakeIsLeftOut)
  {
    ModelInputs inputs;
    inputs.max_residues = 10;
    inputs.max_charge = 3;
    inputs.vocabulary = "ACDEFGHIKLMNPQRSTVWY";
    std::vector<TrainingExample> examples = makeExamples(200);
    examples.erase(std::remove_if(examples.begin(), examples.end(),
                                  [](const TrainingExample& example) {
                                    return dataPart(peptideKey(example.peptide.residues)) != DataPart::TRAINING ||
                                           example.peptide.length() > 10;
                                  }),
                   examples.end());
    ASSERT_GE(examples.size(), 20u);
    examples.resize(20);
    examples[0].charge = 4;
    examples[1].charge = 0;
    const TrainingSplit split = splitExamples(examples, {}, inputs);
    EXPECT_EQ(split.n_unsupported, 2u);
    EXPECT_EQ(split.training.size(), 18u);
    inputs.max_residues = 6;
    EXPECT_EQ(splitExamples(examples, {}, inputs).n_unsupported, 20u);
  }

  TEST(TrainingSplit, ExcludedPeptidesAreNoCandidatesEither)
  {
    std::vector<TrainingExample> examples = makeExamples(50);
    for (TrainingExample& example : examples)
    {
      example.other_candidates = {makePeptide("LLLLK"), makePeptide("AAAAK")};
    }
    const TrainingSplit split = splitExamples(examples, {"LLLLK"}, ModelInputs());
    ASSERT_FALSE(split.training.empty());
    for (const TrainingExample& example : split.training)
    {
      ASSERT_EQ(example.other_candidates.size(), 1u);
      EXPECT_EQ(example.other_candidates[0].residues, "AAAAK");
    }
    EXPECT_THAT(withoutKeys({"AAAAK", "ILILK", "LLLLK"}, {"LLLLK"}), ::testing::ElementsAre("AAAAK"));
  }

  TEST(PeptideKeys, AreReadFromText)
  {
    const TempDir folder;
    writeFileAtomically(folder / "keys.txt", "# identified\nPEPTIDEK\r\n\n  AAAAK \nPEPTLDEK\n");
    EXPECT_EQ(readPeptideKeys((folder / "keys.txt").string()), (std::set<std::string>{"AAAAK", "PEPTLDEK"}));
    writeFileAtomically(folder / "keys.txt", "AAAAK\nPEPM(Oxidation)K\n");
    expectError(ErrorKind::DAMAGED_INPUT, "'PEPM(Oxidation)K' is not a peptide of letters A to Z in line 2",
                [&] { readPeptideKeys((folder / "keys.txt").string()); });
    expectError(ErrorKind::NOT_FOUND, "missing.txt", [] { readPeptideKeys("missing.txt"); });
  }

  namespace
  {
    /// A simulated run with q-values: 0.001 for the identifiable spectra, 0.2 for the others.
    class IdentifiedSpectraTest : public ::testing::Test
    {
    protected:
      IdentifiedSpectraTest()
      {
        test::TestRunOptions options;
        options.n_hits = 4;
        run_ = test::makeTestRun(options);
        n_identifiable_ = options.n_spectra - options.n_unidentifiable;
        for (std::size_t k = 0; k < run_.identifications.size(); ++k)
        {
          auto hits = run_.identifications[k].getHits();
          for (auto& hit : hits)
          {
            hit.setMetaValue("q-value", k < n_identifiable_ ? 0.001 : 0.2);
          }
          run_.identifications[k].setHits(hits);
        }
      }

      IdentifiedSpectra read(const IdentificationFilter& filter = {})
      {
        const std::string spectra = test::writeSpectra(run_, folder_.path());
        const std::string identifications = test::writeIdentifications({run_}, folder_ / "run.idXML");
        return readIdentifiedSpectra({identifications}, {spectra}, ModelInputs(), filter);
      }

      TempDir folder_;
      test::TestRun run_;
      std::size_t n_identifiable_ = 0;
    };
  }

  TEST_F(IdentifiedSpectraTest, ConfidentTargetsBecomeExamples)
  {
    const IdentifiedSpectra read_spectra = read();
    EXPECT_EQ(read_spectra.n_identifications, run_.identifications.size());
    EXPECT_EQ(read_spectra.examples.size(), n_identifiable_);
    EXPECT_EQ(read_spectra.n_above_threshold, run_.identifications.size() - n_identifiable_);
    EXPECT_EQ(read_spectra.n_not_scorable, 0u);
    for (std::size_t k = 0; k < read_spectra.examples.size(); ++k)
    {
      const TrainingExample& example = read_spectra.examples[k];
      const auto& hits = run_.identifications[k].getHits();
      EXPECT_EQ(example.peptide.residues, std::string(hits[0].getSequence().toUnmodifiedString()));
      EXPECT_EQ(example.charge, hits[0].getCharge());
      EXPECT_EQ(example.source, run_.name + ".mzML");
      EXPECT_FALSE(example.spectrum.mz.empty());
      EXPECT_TRUE(example.spectrum.fragment_tolerance.known());
      std::set<std::string> targets;
      for (std::size_t h = 1; h < hits.size(); ++h)
      {
        if (hits[h].getMetaValue("target_decoy").toString() != "decoy")
        {
          targets.insert(std::string(hits[h].getSequence().toUnmodifiedString()));
        }
      }
      std::set<std::string> others;
      for (const Peptide& peptide : example.other_candidates)
      {
        others.insert(peptide.residues);
      }
      EXPECT_EQ(others, targets);
    }
    EXPECT_FALSE(read_spectra.examples[0].other_candidates.empty());
  }

  TEST_F(IdentifiedSpectraTest, ThresholdIsInclusiveAndCandidatesAreLimited)
  {
    IdentificationFilter filter;
    filter.max_q_value = 0.2;
    filter.max_other_candidates = 0;
    const IdentifiedSpectra read_spectra = read(filter);
    EXPECT_GT(read_spectra.examples.size(), n_identifiable_);
    EXPECT_TRUE(std::all_of(read_spectra.examples.begin(), read_spectra.examples.end(),
                            [](const TrainingExample& example) { return example.other_candidates.empty(); }));
  }

  TEST_F(IdentifiedSpectraTest, BestHitThatIsADecoyIsNoExample)
  {
    auto hits = run_.identifications[0].getHits();
    hits[0].setMetaValue("target_decoy", "decoy");
    run_.identifications[0].setHits(hits);
    EXPECT_EQ(read().examples.size(), n_identifiable_ - 1);
  }

  TEST_F(IdentifiedSpectraTest, MissingQValuesAndNoConfidentMatchAreErrors)
  {
    IdentificationFilter filter;
    filter.max_q_value = 0.0001;
    expectError(ErrorKind::INVALID_INPUT, "0.0001", [&] { read(filter); });
    for (auto& identification : run_.identifications)
    {
      auto hits = identification.getHits();
      for (auto& hit : hits)
      {
        hit.removeMetaValue("q-value");
      }
      identification.setHits(hits);
    }
    expectError(ErrorKind::INVALID_INPUT, "has no q-values", [&] { read(); });
  }

  TEST_F(IdentifiedSpectraTest, MainScoreCanBeTheQValue)
  {
    for (std::size_t k = 0; k < run_.identifications.size(); ++k)
    {
      auto hits = run_.identifications[k].getHits();
      for (std::size_t h = 0; h < hits.size(); ++h)
      {
        hits[h].setScore(k < n_identifiable_ && h == 0 ? 0.005 : 0.5);
        hits[h].removeMetaValue("q-value");
      }
      run_.identifications[k].setHits(hits);
      run_.identifications[k].setScoreType("q-value");
      run_.identifications[k].setHigherScoreBetter(false);
    }
    EXPECT_EQ(read().examples.size(), n_identifiable_);
  }
}
