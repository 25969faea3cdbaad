// SPDX-License-Identifier: BSD-3-Clause
// Group C of cases.tsv: modifications.
#include "GivenSequences.h"
#include "Outcome.h"
#include "RobustnessFixture.h"

#include <algorithm>
#include <sys/resource.h>

namespace psmformer::test
{
  namespace
  {
    double logitOf(const OpenMS::PeptideHit& hit)
    {
      return static_cast<double>(hit.getMetaValue("PSMFormer:logit"));
    }

    std::size_t countLines(const std::string& text)
    {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
  }

  TEST_F(Robustness, C04_ModificationOfSeveralResiduesHasItsMassOnEach)
  {
    GivenSequences given(run_);
    for (const std::string residue : {"M", "W", "P", "C"})
    {
      given.add("EEA" + residue + "(Oxidation)LTIDEK", massOf("EEA" + residue + "LTIDEK") + OXIDATION);
    }
    for (const std::string residue : {"S", "T", "Y"})
    {
      given.add("EEA" + residue + "(Phospho)LTIDEK", massOf("EEA" + residue + "LTIDEK") + PHOSPHO);
    }
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectAllScored(firstHits(output(), 7));
  }

  TEST_F(Robustness, C05_OpenSearchHasThousandsOfMasses)
  {
    TestRunOptions options;
    options.n_spectra = 1500;
    options.n_unidentifiable = 0;
    options.n_hits = 1;
    run_ = makeTestRun(options);
    const auto peak_memory = [this]
    {
      const ToolResult result = rescore();
      EXPECT_EQ(result.exit_code, 0) << result.output;
      rusage usage{};
      getrusage(RUSAGE_CHILDREN, &usage);
      return static_cast<double>(usage.ru_maxrss);
    };
    write();
    const double plain = peak_memory();
    GivenSequences given(run_);
    for (std::size_t i = 0; i < options.n_spectra; ++i)
    {
      const int difference = 200000 + 731 * static_cast<int>(i); // mDa
      const std::string digits = std::to_string(difference);
      given.add("PEPTA[+" + digits.substr(0, digits.size() - 3) + "." + digits.substr(digits.size() - 3) + "]IDEK",
                massOf("PEPTAIDEK") + 0.001 * difference);
    }
    write();
    given.insert(in_);
    EXPECT_LT(peak_memory(), 1.25 * plain);
    EXPECT_EQ(countStatus(output().identifications, "scored"), options.n_spectra);
  }

  TEST_F(Robustness, C06_TerminalModificationsOfEachKindAreEncoded)
  {
    GivenSequences given(run_);
    given.add(".(Acetyl)PEPTIDEK", massOf("PEPTIDEK") + ACETYL);
    given.add(".(Acetyl (Protein N-term))PEPTIDEK", massOf("PEPTIDEK") + ACETYL);
    given.add(".(Gln->pyro-Glu)QPEPTIDEK", massOf("QPEPTIDEK") - 17.026549);
    given.add(".(Pyro-carbamidomethyl)CPEPTIDEK", massOf("CPEPTIDEK") + 39.994915);
    given.add("PEPTIDEK.(Amidated)", massOf("PEPTIDEK") - 0.984016);
    given.add("PEPTIDEK.(Methyl)", massOf("PEPTIDEK") + 14.015650);
    given.add(".[+300.1234]PEPTIDEK", massOf("PEPTIDEK") + 300.1234);
    given.add("PEPTIDEK.[+300.1234]", massOf("PEPTIDEK") + 300.1234);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectAllScored(firstHits(output(), 8));
  }

  // The unsigned form is the mass of the modified terminus, with its hydrogen; meant as a difference, the peptide is
  // one hydrogen heavier, which cannot be told from an isotope error.

  TEST_F(Robustness, C07_LoneTerminalModificationInBrackets)
  {
    GivenSequences given(run_);
    given.add("[+57.0215]PEPTIDEK", massOf("PEPTIDEK") + CARBAMIDOMETHYL);
    given.add("n[58.0293]PEPTIDEK", massOf("PEPTIDEK") + CARBAMIDOMETHYL);
    given.add("[57.0215]PEPTIDEK", massOf("PEPTIDEK") + 57.0215 - 1.007825);
    given.add("[57.0215]PEPTIDEK", massOf("PEPTIDEK") + CARBAMIDOMETHYL);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectAllScored(firstHits(output(), 4));
  }

  TEST_F(Robustness, C09_MassDifferencesAreAsGoodAsNames)
  {
    GivenSequences named(run_);
    named.add("PEPC(Carbamidomethyl)TIDEK", massOf("PEPCTIDEK") + CARBAMIDOMETHYL);
    named.add(".(Acetyl)PEPTIDEK", massOf("PEPTIDEK") + ACETYL);
    named.add("PEPTA[+1234.567]IDEK", massOf("PEPTAIDEK") + 1234.567);
    write();
    named.insert(in_);
    ASSERT_EQ(rescore().exit_code, 0);
    const auto expected = firstHits(output(), 3);
    expectAllScored(expected);

    GivenSequences by_mass(run_);
    by_mass.add("PEPC[+57.0215]TIDEK", massOf("PEPCTIDEK") + CARBAMIDOMETHYL);
    by_mass.add("[+42.0106]PEPTIDEK", massOf("PEPTIDEK") + ACETYL);
    by_mass.add("PEPTA[+1234.567]IDEK", massOf("PEPTAIDEK") + 1234.567);
    write();
    by_mass.insert(in_);
    ASSERT_EQ(rescore().exit_code, 0);
    const auto hits = firstHits(output(), 3);
    for (std::size_t i = 0; i < hits.size(); ++i)
    {
      EXPECT_EQ(textOf(hits[i]), textOf(expected[i]));
      EXPECT_NEAR(logitOf(hits[i]), logitOf(expected[i]), 1e-5);
    }
  }

  TEST_F(Robustness, C10_RareModificationsAreNotLoggedOneByOne)
  {
    const auto log_of = [this](int n_copies)
    {
      GivenSequences given(run_);
      for (int copy = 0; copy < n_copies; ++copy)
      {
        for (const int charge : {1, 2, 3, 4})
        {
          given.add("PEPC(Cysteinyl)TIDEK", massOf("PEPCTIDEK") + 119.004099, charge);
          given.add(".(Acetyl)PEPTIDEK", massOf("PEPTIDEK") + ACETYL, charge);
        }
      }
      write();
      given.insert(in_);
      const ToolResult result = rescore();
      EXPECT_EQ(result.exit_code, 0) << result.output;
      expectAllScored(firstHits(output(), static_cast<std::size_t>(8 * n_copies)));
      return result.output;
    };
    const std::string once = log_of(1);
    // 24 PSMs more; lines about accepted PSMs may come or go.
    EXPECT_LT(countLines(log_of(4)), countLines(once) + 6) << once;
  }

  TEST_F(Robustness, C11_IsotopeLabelsAreScored)
  {
    GivenSequences given(run_);
    given.add("PEPTIDEK(Label:13C(6)15N(2))", massOf("PEPTIDEK") + 8.014199);
    given.add(".(TMT6plex)PEPTIDEK(TMT6plex)", massOf("PEPTIDEK") + 2 * 229.162932);
    given.add("PEPTIDER(Label:13C(6)15N(4))", massOf("PEPTIDER") + 10.008269);
    given.add("PEPTIDEN(Label:15N(2))K", massOf("PEPTIDENK") + 1.994070);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    expectAllScored(firstHits(out, 4));
    EXPECT_EQ(countHits(out.identifications), countHits(run_.identifications));
  }

  // In OpenMS 2.6 "amidated BS3" (UNIMOD:1789) is known by that name, by number and by mass.

  TEST_F(Robustness, C12_CrossLinkerRemnantIsEncodedByMass)
  {
    GivenSequences given(run_);
    given.add("PEPTK[+155.0946]IDEK", massOf("PEPTKIDEK") + 155.094629);
    given.add("PEPTK(UNIMOD:1789)IDEK", massOf("PEPTKIDEK") + 155.094629);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hits = firstHits(output(), 2);
    expectAllScored(hits);
  }

  TEST_F(Robustness, C13_TwoModificationsAtOneSiteAreEncoded)
  {
    GivenSequences given(run_);
    given.add(".(Acetyl)S(Phospho)EPTIDEK", massOf("SEPTIDEK") + ACETYL + PHOSPHO);
    given.add(".(Acetyl)SEPTIDEK", massOf("SEPTIDEK") + ACETYL + PHOSPHO);
    given.add("S(Phospho)EPTIDEK", massOf("SEPTIDEK") + ACETYL + PHOSPHO);
    given.add(".(Acetyl)C(Carbamidomethyl)EPTIDEK", massOf("CEPTIDEK") + ACETYL + CARBAMIDOMETHYL);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hits = firstHits(output(), 4);
    EXPECT_EQ(statusOf(hits[0]), "scored"); // only both together have the mass of the precursor
    EXPECT_EQ(statusOf(hits[1]), "mass_mismatch");
    EXPECT_EQ(statusOf(hits[2]), "mass_mismatch");
    EXPECT_EQ(statusOf(hits[3]), "scored");
    EXPECT_EQ(textOf(hits[0]), ".(Acetyl)S(Phospho)EPTIDEK");
  }

  // OpenMS reads +39.995 of a first C as the terminal Pyro-carbamidomethyl; 39.9950 as the mass of the residue.

  TEST_F(Robustness, C14_UnusualModificationOfTheFirstResidue)
  {
    GivenSequences given(run_);
    given.add("C[+39.9950]PEPTIDEK", massOf("CPEPTIDEK") + 39.994915, 3);
    given.add("C[143.0041]PEPTIDEK", massOf("CPEPTIDEK") + 39.994915, 3);
    given.add("C[39.9950]PEPTIDEK", massOf("CPEPTIDEK") + 39.994915, 3);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hits = firstHits(output(), 3);
    EXPECT_EQ(statusOf(hits[0]), "scored");
    EXPECT_EQ(statusOf(hits[1]), "scored");
    EXPECT_EQ(statusOf(hits[2]), "mass_mismatch");
  }

  TEST_F(Robustness, C15_NegativeMassDifferences)
  {
    GivenSequences given(run_);
    given.add("PEPTS[-18.010565]IDEK", massOf("PEPTSIDEK") - 18.010565);
    given.add("PEPTS[-1.5678]IDEK", massOf("PEPTSIDEK") - 1.5678);
    given.add(".[-30.0101]PEPTIDEK", massOf("PEPTIDEK") - 30.0101);
    given.add("PEPTW[-100.01]K", massOf("PEPTWK") - 100.01);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    expectAllScored(firstHits(output(), 4));
  }

  TEST_F(Robustness, C16_UntrainedModificationsAreFlagged)
  {
    GivenSequences given(run_);
    given.add("PEPTIDEK", massOf("PEPTIDEK"));
    given.add("PEPC(Cysteinyl)TIDEK", massOf("PEPCTIDEK") + 119.004099);
    given.add(".[+300.1234]PEPTIDEK", massOf("PEPTIDEK") + 300.1234);
    write();
    given.insert(in_);
    const ToolResult result = rescore({"-write_features", "all"});
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hits = firstHits(output(), 3);
    expectAllScored(hits);
    EXPECT_EQ(static_cast<double>(hits[0].getMetaValue("PSMFormer:trained_modifications")), 1.0);
    EXPECT_EQ(static_cast<double>(hits[1].getMetaValue("PSMFormer:trained_modifications")), 0.0);
    EXPECT_EQ(static_cast<double>(hits[2].getMetaValue("PSMFormer:trained_modifications")), 0.0);
  }
}
