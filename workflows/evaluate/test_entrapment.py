#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the entrapment estimate: python3 workflows/evaluate/test_entrapment.py"""

import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import entrapment  # noqa: E402
from entrapment import DECOY, FOREIGN, OWN, Entry, acceptedCounts, estimate, inOrder, kindOf, searchSpace  # noqa: E402
from psm_lists import Hit  # noqa: E402
from search_space import Limits, isInRange, keysInRange, readLimits  # noqa: E402

LIMITS = Limits(5, 63, 600.0, 5000.0)
IDXML_HEAD = """<SearchParameters id="SP_0">
{}</SearchParameters>
<IdentificationRun><ProteinIdentification score_type="" >"""
STATED = {"enzyme": "Trypsin", "num_enzyme_termini": "fully", "missed_cleavages": "2", "clip_nterm_methionine": "false",
          "min_peptide_length": "6", "max_peptide_length": "50", "digest_mass_range": "700:4000"}


def entries(kinds, run="a"):
    """Entries with falling scores, each of its own spectrum; o, f, d for the kinds."""
    named = {"o": OWN, "f": FOREIGN, "d": DECOY}
    return [Entry(-float(i), named[kind], run, (run, i)) for i, kind in enumerate(kinds)]


def hit(sequence, target=True):
    return Hit(sequence, 2, target, {})


def keysOf(proteins, limits=LIMITS):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "proteins.fasta")
        path.write_text("".join(f">p{i}\n{protein}\n" for i, protein in enumerate(proteins)))
        return keysInRange([path], limits)


class TestSearchSpace(unittest.TestCase):
    def test_keys_are_those_of_up_to_two_missed_cleavages_and_none_before_proline(self):
        self.assertEqual(keysOf(["AAAAAAAAK" + "CCCCCR" + "GGGGKPGGGGR" + "EEEEEEE"]),
                         {"AAAAAAAAK", "AAAAAAAAKCCCCCR", "AAAAAAAAKCCCCCRGGGGKPGGGGR", "CCCCCR", "CCCCCRGGGGKPGGGGR",
                          "CCCCCRGGGGKPGGGGREEEEEEE", "GGGGKPGGGGR", "GGGGKPGGGGREEEEEEE", "EEEEEEE"})

    def test_isobaric_variants_are_one_key(self):
        self.assertEqual(keysOf(["PEPTIDEK", "PEPTLDEK"]), {"PEPTLDEK"})

    def test_limits_of_length_and_mass_are_those_of_the_search(self):
        # MH+ of n alanines: n * 71.037114 + 18.010565 + 1.007276 Da; of n cysteines, carbamidomethylated: n * 160.030649 + ...
        at = 12 * 71.03711379 + 18.0105646837 + 1.0072764667710
        self.assertTrue(isInRange("A" * 12, LIMITS._replace(lightest=at - 1e-6)))
        self.assertFalse(isInRange("A" * 12, LIMITS._replace(lightest=at + 1e-6)))
        self.assertTrue(isInRange("A" * 12, LIMITS._replace(heaviest=at + 1e-6)))
        self.assertFalse(isInRange("A" * 12, LIMITS._replace(heaviest=at - 1e-6)))
        self.assertTrue(isInRange("C" * 5, LIMITS._replace(lightest=819.0)))  # 819.17 Da, 534.06 without the modification
        self.assertFalse(isInRange("WWWW", LIMITS))
        self.assertTrue(isInRange("A" * 63, LIMITS))
        self.assertFalse(isInRange("A" * 64, LIMITS))
        self.assertFalse(isInRange("PEPTXIDEK", LIMITS))

    def test_limits_are_read_from_the_search_and_another_search_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.idXML")
            for changed, is_readable in (({}, True), ({"missed_cleavages": "1"}, False), ({"enzyme": "Lys-C"}, False),
                                         ({"num_enzyme_termini": "semi"}, False), ({"clip_nterm_methionine": "true"}, False)):
                stated = "".join(f'<UserParam type="string" name="CometAdapter:1:{name}" value="{value}"/>\n'
                                 for name, value in {**STATED, **changed}.items())
                path.write_text(IDXML_HEAD.format(stated))
                if is_readable:
                    self.assertEqual(readLimits(path), Limits(6, 50, 700.0, 4000.0))
                else:
                    with self.assertRaises(SystemExit):
                        readLimits(path)

    def test_r_counts_distinct_keys_and_shared_ones_as_own(self):
        own = keysOf(["AAAAAAAAK", "AAAAAAAAK", "PEPTIDEK", "CCCCCCR", "EEEEEEEK"])
        foreign = keysOf(["PEPTLDEK", "GGGGGGGGGGGK", "GGGGGGGGGGGK", "AAAK"])  # shared; new; again; out of range
        space = searchSpace(own, foreign)
        self.assertEqual(space.foreign, {"GGGGGGGGGGGK"})
        self.assertEqual(space.ratio(), 1 / 4)


class TestKinds(unittest.TestCase):
    SPACE = searchSpace({"PEPTLDEK", "ELVLSK"}, {"ELVLSK", "AAAAAAAAK"})

    def test_a_shared_key_is_own_whichever_protein_it_was_found_in(self):
        self.assertEqual(kindOf(hit("ELVISK"), self.SPACE), OWN)
        self.assertEqual(kindOf(hit("PEPTIDEK"), self.SPACE), OWN)

    def test_a_key_of_the_foreign_proteome_alone_is_foreign_with_modifications_too(self):
        self.assertEqual(kindOf(hit(".(Acetyl)AAAAAAAAK"), self.SPACE), FOREIGN)

    def test_a_decoy_is_a_decoy_whatever_its_key(self):
        self.assertEqual(kindOf(hit("AAAAAAAAK", target=False), self.SPACE), DECOY)

    def test_a_target_that_the_digest_does_not_know_stops(self):
        with self.assertRaises(SystemExit):
            kindOf(hit("WWWWWWWWK"), self.SPACE)


class TestAcceptedCounts(unittest.TestCase):
    def test_both_kinds_of_targets_count_in_the_fdr_and_are_told_apart(self):
        ranked = entries("ooofodofd")  # 7 targets, 1 decoy before the last
        self.assertEqual(acceptedCounts(ranked, 0.0, 0), {"a": [4, 1]})
        self.assertEqual(acceptedCounts(ranked, 1 / 7, 0), {"a": [5, 2]})
        self.assertEqual(acceptedCounts(ranked, 0.1, 1), {})
        self.assertEqual(acceptedCounts(ranked, 0.2, 1), {"a": [4, 1]})
        self.assertEqual(acceptedCounts(ranked, 2 / 7, 1), {"a": [5, 2]})

    def test_a_tie_with_a_decoy_adds_no_accepted_target(self):
        tied = [Entry(1.0, OWN, "a", ("a", 1)), Entry(0.0, FOREIGN, "a", ("a", 2)), Entry(0.0, DECOY, "a", ("a", 3))]
        self.assertEqual(acceptedCounts(inOrder(tied), 0.0, 0), {"a": [1, 0]})

    def test_weights_are_copies_of_a_spectrum(self):
        ranked = entries("oofod")
        drawn = {("a", 0): 2, ("a", 2): 3, ("a", 4): 1}  # without spectra 1 and 3
        copies = [e for e in ranked for _ in range(drawn.get(e.spectrum, 0))]
        for limit in (0.0, 0.2, 0.5):
            self.assertEqual(acceptedCounts(ranked, limit, 0, drawn), acceptedCounts(copies, limit, 0))
        self.assertEqual(acceptedCounts(ranked, 0.0, 0, drawn), {"a": [2, 3]})

    def test_runs_are_counted_apart_in_one_ranked_list(self):
        ranked = inOrder(entries("of") + entries("oof", "b"))
        self.assertEqual(acceptedCounts(ranked, 0.0, 0), {"a": [1, 1], "b": [2, 1]})


class TestJoint(unittest.TestCase):
    IDENTIFICATION = """<PeptideIdentification score_type="q" higher_score_better="{}" spectrum_reference="scan=1">
<PeptideHit score="{}" sequence="{}" charge="2"><UserParam type="string" name="target_decoy" value="target"/></PeptideHit>
</PeptideIdentification>"""
    RUN = """<IdentificationRun><ProteinIdentification score_type=""><UserParam type="stringList" name="spectra_data"
 value="[{}]"/></ProteinIdentification>{}</IdentificationRun>"""

    def test_each_identification_is_judged_by_the_proteins_of_its_run(self):
        spaces = {"a": searchSpace({"AAAAAAAAK"}, {"PEPTLDEK"}), "b": searchSpace({"PEPTLDEK"}, {"AAAAAAAAK"})}
        hit = self.IDENTIFICATION.format("true", "1.5", "PEPTIDEK")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "joint.idXML")
            path.write_text("<IdXML>" + self.RUN.format("/data/b.mzML", hit) + self.RUN.format("a.mzML", hit + hit) + "</IdXML>")
            found = entrapment.readJoint(path, spaces)
        self.assertEqual(found, [Entry(1.5, OWN, "b", ("b", 0)), Entry(1.5, FOREIGN, "a", ("a", 1)), Entry(1.5, FOREIGN, "a", ("a", 2))])


class TestEstimate(unittest.TestCase):
    def test_combined_estimate_of_one_run(self):
        self.assertAlmostEqual(estimate({"a": [98, 2]}, {"a": 0.5}), 2 * (1 + 1 / 0.5) / 100)
        self.assertAlmostEqual(estimate({"a": [50, 50]}, {"a": 1.0}), 1.0)

    def test_runs_of_different_r_are_pooled_by_their_own_r(self):
        self.assertAlmostEqual(estimate({"a": [98, 2], "b": [47, 3]}, {"a": 0.5, "b": 2.0}), (2 * 3 + 3 * 1.5) / 150)

    def test_nothing_accepted_holds_nothing_false(self):
        self.assertEqual(estimate({}, {"a": 1.0}), 0.0)

    def test_it_finds_the_share_of_false_targets(self):
        # 300 true own hits lead; of 100 random ones behind, a share r / (1 + r) is foreign.
        ranked = entries("o" * 300 + "oooof" * 20)
        self.assertAlmostEqual(estimate(acceptedCounts(ranked, 0.0, 0), {"a": 0.25}), 100 / 400)

    def test_the_interval_holds_the_estimate_and_more_spectra_narrow_it(self):
        narrow, wide = (entrapment.measure(entries("oooooooof" * n), {"a": 1.0})[0] for n in (40, 10))
        for row in (narrow, wide):
            self.assertAlmostEqual(row.estimate, 2 / 9)
            self.assertLess(row.low, 2 / 9)
            self.assertGreater(row.high, 2 / 9)
        self.assertLess(1.5 * (narrow.high - narrow.low), wide.high - wide.low)


if __name__ == "__main__":
    unittest.main()
