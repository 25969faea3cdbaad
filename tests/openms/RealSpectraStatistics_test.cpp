// SPDX-License-Identifier: BSD-3-Clause
// Semi-supervised rescoring of measured spectra whose peptide is known, so that false targets can be counted.
#include <PSMFormer/core/PSMFeatures.h>
#include <PSMFormer/core/Random.h>
#include <PSMFormer/core/SemiSupervised.h>
#include <PSMFormer/core/TargetDecoy.h>
#include <PSMFormer/model/LogisticRegression.h>
#include <PSMFormer/openms/AnnotatedSpectra.h>

#include <support/ExplainedIntensityScorer.h>
#include <support/SharedData.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>

namespace psmformer
{
  namespace
  {
    constexpr double NOT_KNOWN = std::numeric_limits<double>::quiet_NaN();

    /// The inner residues in another order.
    Peptide shuffled(const Peptide& peptide, Random& random)
    {
      std::vector<std::size_t> order(peptide.length());
      std::iota(order.begin(), order.end(), std::size_t(0));
      std::vector<std::size_t> inner(order.begin() + 1, order.end() - 1);
      random.shuffle(inner);
      std::copy(inner.begin(), inner.end(), order.begin() + 1);
      Peptide result = peptide;
      for (std::size_t i = 0; i < order.size(); ++i)
      {
        result.residues[i] = peptide.residues[order[i]];
        result.residue_mass[i] = peptide.residue_mass[order[i]];
        result.modification_mass[i] = peptide.modification_mass[order[i]];
        result.neutral_loss[i] = peptide.neutral_loss[order[i]];
      }
      return result;
    }

    /// Spectra with two candidates each: in every second one the true peptide (a target) is one of them, the others are
    /// shuffled, targets or decoys with the same chance.
    struct KnownSearch
    {
      MatchTable matches;
      RescoringTable table;
      std::vector<bool> is_true;

      explicit KnownSearch(const std::vector<TrainingExample>& examples)
      {
        Random random(1);
        for (const TrainingExample& example : examples)
        {
          const bool has_true = matches.spectra.size() % 2 == 0;
          matches.spectra.push_back(example.spectrum);
          table.spectra.push_back({"run", std::to_string(table.spectra.size()), NOT_KNOWN});
          add(has_true ? example.peptide : shuffled(example.peptide, random), example.charge, has_true, random);
          add(shuffled(example.peptide, random), example.charge, false, random);
        }
        const test::ExplainedIntensityScorer scorer;
        const MatchScores scores = scorer.score(matches);
        const auto features = computeFeatures(matches, scorer.manifest().inputs);
        for (const PSMFeature& feature : psmFeatures())
        {
          table.feature_names.push_back(feature.name);
        }
        for (std::size_t h = 0; h < table.hits.size(); ++h)
        {
          table.hits[h].logit = scores.logit[h];
          table.features.insert(table.features.end(), features[h].begin(), features[h].end());
        }
        table.peptides = matches.peptides;
      }

      void add(const Peptide& peptide, int charge, bool is_true_peptide, Random& random)
      {
        matches.matches.push_back({matches.spectra.size() - 1, matches.peptides.size(), charge, {}});
        const bool is_decoy = !is_true_peptide && random.below(2) == 0;
        table.hits.push_back(
            {matches.spectra.size() - 1, matches.peptides.size(), charge, is_decoy, 0.0, NOT_KNOWN, random.next()});
        matches.peptides.push_back(peptide);
        table.peptidoforms.push_back(peptide.residues + std::to_string(table.peptidoforms.size()));
        is_true.push_back(is_true_peptide);
      }

      /// Accepted targets at 1 % FDR, (D + 1) / T, and the false ones among them.
      std::pair<std::size_t, std::size_t> accepted(const std::vector<double>& score) const
      {
        std::vector<std::size_t> best;
        std::vector<double> scores;
        std::vector<bool> is_decoy;
        for (std::size_t h = 0; h < table.hits.size(); h += 2)
        {
          best.push_back(score[h] > score[h + 1] ? h : h + 1);
          scores.push_back(score[best.back()]);
          is_decoy.push_back(table.hits[best.back()].is_decoy);
        }
        const std::vector<double> q_values = computeQValues(scores, is_decoy, 1);
        std::pair<std::size_t, std::size_t> counts;
        for (std::size_t k = 0; k < best.size(); ++k)
        {
          if (!is_decoy[k] && q_values[k] <= 0.01)
          {
            ++counts.first;
            counts.second += is_true[best[k]] ? 0 : 1;
          }
        }
        return counts;
      }
    };
  }

  TEST(RealSpectraStatistics, MoreTruePeptidesAndFewFalseOnes)
  {
    const std::filesystem::path folder = test::sharedData("annotated");
    if (!std::filesystem::exists(folder))
    {
      GTEST_SKIP() << "SKIPPED: no ../shared";
    }
    AnnotationDefaults defaults;
    defaults.fragment_tolerance = {0.02, ToleranceUnit::DA};
    std::vector<TrainingExample> examples = readAnnotatedSpectra((folder / "hcd.mgf.gz").string(), defaults).examples;
    Random(3).shuffle(examples);
    examples.resize(2000);
    const KnownSearch search(examples);
    const SemiSupervisedResult result = rescoreSemiSupervised(search.table, LogisticRegression());
    ASSERT_TRUE(result.is_trained) << result.reason;
    std::vector<double> logit;
    for (const RescoringHit& hit : search.table.hits)
    {
      logit.push_back(hit.logit);
    }
    const auto [before, false_before] = search.accepted(logit);
    const auto [after, false_after] = search.accepted(result.scores);
    RecordProperty("before", static_cast<int>(before));
    RecordProperty("after", static_cast<int>(after));
    EXPECT_GT(after, before) << false_before << " of them false";
    EXPECT_LT(static_cast<double>(false_after), 0.025 * static_cast<double>(after)) << "of " << after;
  }
}
