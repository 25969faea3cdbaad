// SPDX-License-Identifier: BSD-3-Clause
// Group C of cases.tsv: residues and how sequences are written.
#include "GivenSequences.h"
#include "Outcome.h"
#include "RobustnessFixture.h"

namespace psmformer::test
{
  TEST_F(Robustness, C01_SequenceOfAnotherMassIsNotScored)
  {
    GivenSequences given(run_);
    given.add("PEPC[+57.0215]TIDEK", massOf("PEPCTIDEK") + CARBAMIDOMETHYL);
    given.add("PEPC[160.0307]TIDEK", massOf("PEPCTIDEK") + CARBAMIDOMETHYL);
    given.add("PEPC[57.0215]TIDEK", massOf("PEPCTIDEK") + CARBAMIDOMETHYL); // read as the mass of the residue
    given.add("PEPC[103.0092]TIDEK", massOf("PEPCTIDEK") + 103.0092);       // meant as a difference
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hits = firstHits(output(), 4);
    EXPECT_EQ(statusOf(hits[0]), "scored");
    EXPECT_EQ(statusOf(hits[1]), "scored");
    EXPECT_EQ(statusOf(hits[2]), "mass_mismatch");
    EXPECT_EQ(statusOf(hits[3]), "mass_mismatch");
    EXPECT_TRUE(result.says("mass_mismatch 2")) << result.output;
    EXPECT_EQ(textOf(hits[0]), "PEPC(Carbamidomethyl)TIDEK");
  }

  // OpenMS keeps X as the letter, but writes X of a known modified mass as another residue with that mass.

  TEST_F(Robustness, C02_XIsKeptAndNotScored)
  {
    GivenSequences given(run_);
    given.add("PEPTXIDEK", 1000.5);
    given.add("PEPTX[123.4]IDEK", massOf("PEPTIDEK") + 123.4);
    given.add("X[999.9]PEPTIDEK", massOf("PEPTIDEK") + 999.9);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    EXPECT_EQ(countHits(out.identifications), countHits(run_.identifications));
    for (const auto& hit : firstHits(out, 3))
    {
      EXPECT_EQ(statusOf(hit), "unsupported_residue") << textOf(hit);
    }
    EXPECT_EQ(textOf(out.identifications[0].getHits()[0]), "PEPTXIDEK");
    EXPECT_TRUE(result.says("'PEPTY(CLIP_TRAQ_2)IDEK'"))
        << "the text that OpenMS changed is not reported: " << result.output;
  }

  // OpenMS 2.6 refuses a mass on B, Z or J, so that only the plain letters can occur.

  TEST_F(Robustness, C03_AmbiguousResiduesAreKeptAndNotScored)
  {
    GivenSequences given(run_);
    given.add("PEPBTIDEK", massOf("PEPNTIDEK"));
    given.add("PEPZTIDEK", massOf("PEPQTIDEK"));
    given.add("PEPJTIDEK", massOf("PEPLTIDEK"));
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    EXPECT_EQ(countHits(out.identifications), countHits(run_.identifications));
    for (const auto& hit : firstHits(out, 3))
    {
      EXPECT_EQ(statusOf(hit), "unsupported_residue") << textOf(hit);
    }
    EXPECT_EQ(textOf(out.identifications[1].getHits()[0]), "PEPZTIDEK");
  }

  TEST_F(Robustness, C08_NamesInAnotherStyleAreNotInterpreted)
  {
    write();
    ASSERT_EQ(rescore().exit_code, 0);
    const Identifications expected = output();
    auto parameters = run_.run.getSearchParameters();
    parameters.fixed_modifications = {"C,Carbamidomethyl"};
    parameters.variable_modifications = {"ox_M", "M,Oxidation"};
    run_.run.setSearchParameters(parameters);
    write();
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const Identifications out = output();
    expectSameLogits(expected, out);
    EXPECT_EQ(out.runs.at(0).getSearchParameters().fixed_modifications, parameters.fixed_modifications);
    EXPECT_EQ(out.runs.at(0).getSearchParameters().variable_modifications, parameters.variable_modifications);
  }

  TEST_F(Robustness, C08_UnknownNameInASequenceIsNamed)
  {
    GivenSequences given(run_);
    given.add("PEPC(C,Carbamidomethyl)TIDEK", massOf("PEPCTIDEK") + CARBAMIDOMETHYL);
    write();
    given.insert(in_);
    const ToolResult result = rescore();
    EXPECT_EQ(result.exit_code, 3) << result.output;
    EXPECT_TRUE(result.says("PEPC(C,Carbamidomethyl)TIDEK")) << result.output;
    EXPECT_FALSE(hasOutput());
  }

  TEST_F(Robustness, C17_SequencesAndFlanksComeOutAsOpenMSReadThem)
  {
    GivenSequences given(run_);
    given.add("K.PEPTIDER.A", massOf("KPEPTIDERA")); // OpenMS skips the dots
    given.add(".(Acetyl)PEPC[+57.0215]TIDEK.(Amidated)", massOf("PEPCTIDEK") + ACETYL + CARBAMIDOMETHYL - 0.984016);
    given.add("PEPTA[+1234.567]IDEK", massOf("PEPTAIDEK") + 1234.567);
    for (std::size_t i = 0; i < 3; ++i)
    {
      auto hits = run_.identifications[i].getHits();
      auto evidences = hits[0].getPeptideEvidences();
      evidences[0].setAABefore('K');
      evidences[0].setAAAfter('A');
      hits[0].setPeptideEvidences(evidences);
      run_.identifications[i].setHits(hits);
    }
    write();
    given.insert(in_);
    const Identifications read = readIdentifications(in_);
    const ToolResult result = rescore();
    ASSERT_EQ(result.exit_code, 0) << result.output;
    const auto hits = firstHits(output(), 3);
    expectAllScored(hits);
    for (std::size_t i = 0; i < 3; ++i)
    {
      EXPECT_EQ(hits[i].getSequence(), read.identifications[i].getHits()[0].getSequence());
      EXPECT_EQ(hits[i].getPeptideEvidences(), read.identifications[i].getHits()[0].getPeptideEvidences());
    }
  }
}
