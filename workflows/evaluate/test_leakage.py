#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the leakage diagnostics: python3 workflows/evaluate/test_leakage.py"""

import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from blank import activations, blanked  # noqa: E402
from bootstrap import draws, interval  # noqa: E402
from leakage import Row, Scored, areaInterval, areaUnderCurve, readSearch, searchesOf, tieGroups  # noqa: E402
from leakage import BLANKED, CONTROL, ENGINE, MODEL  # noqa: E402
from search_space import precursorMz, sharedKeys  # noqa: E402
from unshared import withoutKeys  # noqa: E402

HIT = ('\t\t\t<PeptideHit score="{score}" sequence="{sequence}" charge="2" >\n'
       '\t\t\t\t<UserParam type="string" name="target_decoy" value="{kind}"/>\n{more}\t\t\t</PeptideHit>\n')
IDENTIFICATION = ('\t\t<PeptideIdentification score_type="expect" higher_score_better="{higher}" MZ="500.5" RT="{rt}" '
                  'spectrum_reference="{reference}" >\n{hits}\t\t</PeptideIdentification>\n')


def hitText(sequence, score, kind="target", logit=None):
    more = "" if logit is None else f'\t\t\t\t<UserParam type="float" name="PSMFormer:logit" value="{logit}"/>\n' \
        f'\t\t\t\t<UserParam type="float" name="PSMFormer:calibrated_logit" value="{logit}"/>\n'
    return HIT.format(sequence=sequence, score=score, kind=kind, more=more)


def idxml(identifications, higher="false"):
    """The text of an idXML of (reference, hits)."""
    return "<IdXML>\n" + "".join(IDENTIFICATION.format(higher=higher, reference=reference, rt=10.5 + i, hits="".join(hits))
                                 for i, (reference, hits) in enumerate(identifications)) + "</IdXML>\n"


def hits(targets, decoys):
    """Hits with these logits, each of its own spectrum."""
    return ([Scored(logit, True, ("a", f"t{i}")) for i, logit in enumerate(targets)] +
            [Scored(logit, False, ("a", f"d{i}")) for i, logit in enumerate(decoys)])


def areaByPairs(scored):
    """The area once more, by its definition."""
    targets, decoys = ([h.score for h in scored if h.target == kind] for kind in (True, False))
    return sum((t > d) + (t == d) / 2 for t in targets for d in decoys) / (len(targets) * len(decoys))


class TestArea(unittest.TestCase):
    def test_order_alone_decides(self):
        self.assertEqual(areaUnderCurve(tieGroups(hits([3.0, 2.5], [1.0, -7.0, 2.0]))), 1.0)
        self.assertEqual(areaUnderCurve(tieGroups(hits([1.0, -7.0], [2.5]))), 0.0)
        self.assertEqual(areaUnderCurve(tieGroups(hits([1.0, 3.0], [2.0]))), 0.5)

    def test_a_tie_counts_half_in_whatever_order_it_is_given(self):
        for scored in (hits([1.0], [1.0]), hits([1.0], [1.0])[::-1]):
            self.assertEqual(areaUnderCurve(tieGroups(scored)), 0.5)
        self.assertEqual(areaUnderCurve(tieGroups(hits([1.0, 2.0], [1.0]))), 0.75)

    def test_it_is_the_share_of_pairs_with_many_ties(self):
        generator = random.Random(1)
        scored = hits([generator.randint(0, 5) for _ in range(40)], [generator.randint(0, 4) for _ in range(30)])
        self.assertAlmostEqual(areaUnderCurve(tieGroups(scored)), areaByPairs(scored))

    def test_weights_are_copies_of_a_spectrum(self):
        scored = hits([1.0, 2.0, 2.0], [0.0, 2.0, 3.0])
        drawn = {("a", "t0"): 2, ("a", "t2"): 1, ("a", "d1"): 3}
        copies = [h for h in scored for _ in range(drawn.get(h.spectrum, 0))]
        self.assertAlmostEqual(areaUnderCurve(tieGroups(scored), drawn), areaByPairs(copies))


class TestBootstrap(unittest.TestCase):
    def test_every_draw_has_as_many_spectra_and_none_is_like_the_last(self):
        samples = list(draws(set("abcdefgh"), 50))
        self.assertTrue(all(sum(drawn.values()) == 8 and set(drawn) <= set("abcdefgh") for drawn in samples))
        self.assertGreater(len({tuple(sorted(drawn.items())) for drawn in samples}), 40)
        self.assertEqual(samples, list(draws(set("hgfedcba"), 50)))

    def test_the_interval_leaves_out_both_tails(self):
        self.assertEqual(interval(range(1000), 0.95), (25, 974))
        self.assertEqual(interval(reversed(range(1000)), 0.99), (5, 994))

    def test_hits_of_one_spectrum_stay_together(self):
        # Ten spectra, each with 20 equal hits: as uncertain as ten hits, not as 200.
        generator = random.Random(3)
        alone = [Scored(generator.random(), i % 2 == 0, ("a", i)) for i in range(20)]
        together = [h for h in alone for _ in range(20)]
        apart = [h._replace(spectrum=("a", (h.spectrum[1], k))) for k, h in enumerate(together)]
        width = {name: high - low for name, (low, high) in
                 (("alone", areaInterval(tieGroups(alone))), ("together", areaInterval(tieGroups(together))),
                  ("apart", areaInterval(tieGroups(apart))))}
        self.assertEqual(width["together"], width["alone"])
        self.assertLess(width["apart"], 0.5 * width["together"])

    def test_a_leak_lies_outside_the_interval_and_none_inside(self):
        generator = random.Random(2)
        for shift, is_inside in ((0.0, True), (0.5, False)):
            scored = hits([generator.gauss(shift, 1) for _ in range(300)], [generator.gauss(0, 1) for _ in range(300)])
            low, high = areaInterval(tieGroups(scored))
            self.assertEqual(low <= 0.5 <= high, is_inside)


class TestVerdict(unittest.TestCase):
    def test_it_needs_a_half_inside_a_narrow_interval_of_enough_hits(self):
        for row, verdict in ((Row(3000, 3000, 0.51, 0.491, 0.529), "passed"), (Row(2999, 3000, 0.51, 0.491, 0.529), "too few hits"),
                             (Row(3000, 2999, 0.51, 0.491, 0.529), "too few hits"), (Row(3000, 3000, 0.52, 0.501, 0.539), "failed"),
                             (Row(3000, 3000, 0.48, 0.461, 0.499), "failed"), (Row(3000, 3000, 0.51, 0.488, 0.532), "too few hits")):
            self.assertEqual(row.verdict(), verdict)


class TestSharedKeys(unittest.TestCase):
    def test_keys_of_the_samples_own_peptides_are_found_with_i_as_l(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "own.fasta")
            path.write_text(">p\nAAAKGEPTIDEK\nGGGR\n")
            self.assertEqual(sharedKeys({"GEPTLDEK", "AAAKGEPTLDEK", "EPTLDEK", "EKGGGR", "WWWK"}, [path]),
                             {"GEPTLDEK", "AAAKGEPTLDEK"})

    def test_their_hits_go_and_the_next_takes_the_place(self):
        text = idxml([("scan=1", [hitText("PEPTIDEK", 1), hitText("AAAAK", 2, "decoy")]),
                      ("scan=2", [hitText("M(Oxidation)PEPTIDEK", 1)]),
                      ("scan=3", [hitText("M(Oxidation)AAAAK", 1, "decoy"), hitText("AAAAK", 2)])])
        kept, left_out = withoutKeys(text, {"PEPTLDEK", "MAAAAK"})
        self.assertEqual(left_out, 2)
        found = {i.get("spectrum_reference"): [h.get("sequence") for h in i] for i in ElementTree.fromstring(kept)}
        self.assertEqual(found, {"scan=1": ["AAAAK"], "scan=2": ["M(Oxidation)PEPTIDEK"], "scan=3": ["AAAAK"]})

    def test_an_identification_without_a_hit_goes(self):
        kept, _ = withoutKeys(idxml([("scan=1", [hitText("PEPTIDEK", 1)]), ("scan=2", [hitText("AAAAK", 1)])]), {"PEPTLDEK"})
        self.assertEqual([i.get("spectrum_reference") for i in ElementTree.fromstring(kept)], ["scan=2"])


class TestBlank(unittest.TestCase):
    MZML = ('<spectrum id="scan=7" index="0" >\n<cvParam name="ms level" value="1"/>\n</spectrum>\n'
            '<spectrum id="scan=8" index="1" >\n<precursor><activation>\n<cvParam accession="MS:1000422"/>\n</activation>'
            '</precursor>\n</spectrum>\n<spectrum id="scan=9" index="2" >\n<precursor><activation>\n'
            '<cvParam accession="MS:1000133"/>\n</activation></precursor>\n</spectrum>\n')

    def setUp(self):
        searched = idxml([("scan=9", [hitText("AC(Carbamidomethyl)DK", 1), hitText("AAAAK", 2)]), ("scan=8", [hitText("AAAAR", 1)])])
        text, mzml = blanked(searched, activations(self.MZML))
        self.identifications = list(ElementTree.fromstring(text))
        self.spectra = list(ElementTree.fromstring(mzml.split("?>\n", 1)[1]).iter("{http://psi.hupo.org/ms/mzml}spectrum"))

    def values(self, spectrum):
        return {p.get("accession"): p.get("value") for p in spectrum.iter("{http://psi.hupo.org/ms/mzml}cvParam")}

    def test_each_first_hit_has_a_spectrum_of_its_own_without_a_peak(self):
        self.assertEqual([[h.get("sequence") for h in i] for i in self.identifications], [["AC(Carbamidomethyl)DK"], ["AAAAR"]])
        self.assertEqual([i.get("spectrum_reference") for i in self.identifications], [s.get("id") for s in self.spectra])
        self.assertEqual([s.get("defaultArrayLength") for s in self.spectra], ["0", "0"])
        self.assertFalse(any(b.text for s in self.spectra for b in s.iter("{http://psi.hupo.org/ms/mzml}binary")))

    def test_the_precursor_is_that_of_the_peptide(self):
        # ACDK: residues 71.037114 + 160.030649 + 115.026943 + 128.094963, water 18.010565, two protons of 1.007276 Da.
        expected = (71.03711379 + 160.03064848 + 115.02694303 + 128.09496302 + 18.0105646837) / 2 + 1.0072764667710
        self.assertAlmostEqual(precursorMz("AC(Carbamidomethyl)DK", 2), expected, places=5)
        for value in (self.identifications[0].get("MZ"), self.values(self.spectra[0])["MS:1000744"]):
            self.assertAlmostEqual(float(value), expected, places=5)

    def test_fragmentation_and_time_stay_those_of_the_spectrum_searched(self):
        self.assertIn("MS:1000133", self.values(self.spectra[0]))
        self.assertIn("MS:1000422", self.values(self.spectra[1]))
        self.assertEqual([self.values(s)["MS:1000016"] for s in self.spectra], [i.get("RT") for i in self.identifications])


class TestReading(unittest.TestCase):
    def test_searches_are_the_parts_searched_of_what_is_foreign_to_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            runs, foreign = Path(folder, "runs.tsv"), Path(folder, "foreign.tsv")
            runs.write_text("# run\tdatabase\tppm\na\tyeast\t20\nb\tecoli\t20\n")
            foreign.write_text("# database\tforeign\tparts\tsearched\necoli\thuman\t3\t2\nyeast\tecoli\t1\t1\n")
            self.assertEqual(searchesOf(runs, foreign), [("a", "a.ecoli_1"), ("b", "b.human_1"), ("b", "b.human_2")])

    def test_each_rank_1_has_the_logit_of_its_own_hit_and_spectrum(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "searched").mkdir()
            (folder / "rescored").mkdir()
            (folder / "searched/s.idXML").write_text(idxml([
                ("scan=8", [hitText("AAAAK", 0.1), hitText("CCCCK", 5, "decoy")]),
                ("scan=3", [hitText("EEEEK", 0.2, "decoy")]), ("scan=5", [hitText("OOOOK", 0.2)])]))
            (folder / "rescored/s.idXML").write_text(idxml([
                ("scan=8", [hitText("CCCCK", 2, "decoy", logit=2.0), hitText("AAAAK", 1, logit=1.0)]),
                ("scan=3", [hitText("EEEEK", 3, "decoy", logit=3.0)])], higher="true"))
            (folder / "rescored/s.blank.idXML").write_text(idxml([
                ("scan=2", [hitText("EEEEK", -3, "decoy", logit=-3.0)]),
                ("scan=1", [hitText("AAAAK", -1, logit=-1.0)])], higher="true"))
            found, n_unscored = readSearch(folder, "a", "s")
            self.assertEqual(found[ENGINE], [Scored(1.0, True, ("a", "scan=8")), Scored(3.0, False, ("a", "scan=3"))])
            self.assertEqual(found[MODEL], [Scored(2.0, False, ("a", "scan=8")), Scored(3.0, False, ("a", "scan=3"))])
            self.assertEqual(sorted(found[BLANKED]), [Scored(-3.0, False, ("a", "scan=3")), Scored(-1.0, True, ("a", "scan=8"))])
            self.assertEqual([(h.score, h.target) for h in found[CONTROL]], [(-0.1, True), (-0.2, False), (-0.2, True)])
            self.assertEqual(n_unscored, 2)


if __name__ == "__main__":
    unittest.main()
