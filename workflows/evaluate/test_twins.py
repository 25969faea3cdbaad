#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the shuffled twins and their estimates: python3 workflows/evaluate/test_twins.py"""

import random
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import twin_entrapment  # noqa: E402
import twins  # noqa: E402
from digest import tryptic  # noqa: E402
from entrapment import DECOY, FOREIGN, OWN, searchSpace  # noqa: E402
from search_space import Limits  # noqa: E402
from twin_entrapment import Entry, Search, bestOfPeptides, estimates, measure, pairedEstimate, pairs  # noqa: E402

LIMITS = Limits(5, 63, 600.0, 5000.0)
PROTEIN = "MKWVTFISLLLLFSSAYSRGVFRRDTHKPSEIAHRPFKDLGEEHFKPGLVLIAFSQYLQQCPFDEHVKLVNELTEFAKKK"


def peptides(kinds, run="a"):
    """Entries with falling scores: o1 and t1 for own peptide 1 and its twin, d for a decoy."""
    named = {"o": OWN, "t": FOREIGN, "d": DECOY}
    return [Entry(-float(i), named[k[0]], run, (run, i), k) for i, k in enumerate(kinds.split())]


OWN_KEYS = {"a": {f"t{i}": f"o{i}" for i in range(10)}}


class TestTwins(unittest.TestCase):
    def test_the_digest_of_a_twin_is_that_of_its_protein_in_another_order(self):
        for seed in "12":
            pairs_of_peptides = list(zip(tryptic(PROTEIN), tryptic(twins.twinOfProtein(PROTEIN, seed)), strict=True))
            changed = [own != twin for own, twin in pairs_of_peptides]
            self.assertGreater(sum(changed), 0.6 * len(changed))
            for own, twin in pairs_of_peptides:
                self.assertEqual((own[0], own[-1], sorted(own)), (twin[0], twin[-1], sorted(twin)))

    def test_random_proteins_keep_their_cleavage_sites(self):
        generator = random.Random(3)
        for _ in range(300):
            protein = "".join(generator.choices("AGKRP", k=30))
            own, twin = (list(tryptic(p)) for p in (protein, twins.twinOfProtein(protein, "1")))
            self.assertEqual(list(map(len, own)), list(map(len, twin)), protein)

    def test_a_stretch_has_one_twin_wherever_it_occurs_and_isobaric_ones_have_isobaric_twins(self):
        once = twins.twinOfProtein("AEDIGSFK", "1")
        self.assertTrue(twins.twinOfProtein("GGGKAEDIGSFK", "1").endswith(once))
        self.assertEqual(twins.twinOfStretch("AEDLGSFK", "1"), once.replace("I", "L"))

    def test_seeds_differ_and_what_cannot_be_shuffled_stays(self):
        stretch = "DAFLGSFLYEYSR"
        self.assertGreater(len({twins.twinOfStretch(stretch, str(seed)) for seed in range(10)}), 8)
        for unchanged in ("K", "AK", "AGK", "AAAAK", "ALIIK"):
            self.assertEqual(twins.twinOfStretch(unchanged, "1"), unchanged)

    def test_the_file_holds_the_proteins_and_their_twins(self):
        with tempfile.TemporaryDirectory() as folder:
            fasta, out = Path(folder, "in.fasta"), Path(folder, "out.fasta")
            fasta.write_text(f">sp|P1 first\n{PROTEIN[:40]}\n{PROTEIN[40:]}\n>sp|P2\nAAAAK\n")
            twins.main(fasta, out, "1")
            self.assertEqual(out.read_text().split("\n")[:-1], [
                ">sp|P1 first", PROTEIN, ">sp|P2", "AAAAK",
                ">TWIN_sp|P1 first", twins.twinOfProtein(PROTEIN, "1"), ">TWIN_sp|P2", "AAAAK"])

    def test_pairs_hold_what_the_search_looks_at(self):
        with tempfile.TemporaryDirectory() as folder:
            fasta, both = Path(folder, "in.fasta"), Path(folder, "both.fasta")
            fasta.write_text(f">p\n{PROTEIN}\n>q\nAAAAAAAAK\n")
            twins.main(fasta, both, "1")
            own_key_of, own = pairs(both, LIMITS)
            self.assertLessEqual(set(own_key_of.values()), own)
            self.assertEqual(own_key_of["AAAAAAAAK"], "AAAAAAAAK")
            space = searchSpace(own, own_key_of)
            self.assertNotIn("AAAAAAAAK", space.foreign)
            self.assertGreater(space.ratio(), 0.8)
            self.assertNotIn("GVFR", own)


class TestReading(unittest.TestCase):
    def test_the_best_hits_of_one_file_know_their_runs(self):
        identification = """<PeptideIdentification score_type="s" higher_score_better="true" spectrum_reference="scan=1">
<PeptideHit score="2" sequence="PEPTIDEK" charge="2"/><PeptideHit score="3" sequence="PEPTIDER" charge="2"/></PeptideIdentification>"""
        run = """<IdentificationRun><ProteinIdentification score_type=""><UserParam name="spectra_data" value="[x/{}.mzML]"/>
</ProteinIdentification>{}</IdentificationRun>"""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "joint.idXML").write_text("<IdXML>" + run.format("b", identification) + run.format("a", identification) + "</IdXML>")
            found = list(twin_entrapment.bestOfRuns(Path(folder), twin_entrapment.JOINT, ["a", "b"]))
        self.assertEqual([(goodness, hit.sequence, name, spectrum) for goodness, hit, name, spectrum in found],
                         [(3.0, "PEPTIDER", "b", ("b", 0)), (3.0, "PEPTIDER", "a", ("a", 1))])


class TestEstimates(unittest.TestCase):
    def test_only_the_best_psm_of_a_peptide_counts_and_a_decoy_of_its_key_beside_it(self):
        first, second, decoy = Entry(2.0, OWN, "a", ("a", 1), "K"), Entry(1.0, OWN, "a", ("a", 2), "K"), Entry(0.0, DECOY, "a", ("a", 3), "K")
        elsewhere = Entry(0.0, OWN, "b", ("b", 1), "K")
        self.assertEqual(bestOfPeptides([first, second, decoy, elsewhere]), [first, decoy, elsewhere])

    def test_paired_estimate_by_hand(self):
        self.assertAlmostEqual(pairedEstimate(peptides("o1 o2 o3"), OWN_KEYS), 0.0)
        self.assertAlmostEqual(pairedEstimate(peptides("o1 o2 o3 t4"), OWN_KEYS), (1 + 1) / 4)        # own one not accepted
        self.assertAlmostEqual(pairedEstimate(peptides("o1 t2 d o2 o3"), OWN_KEYS), (1 + 2) / 4)      # above its own one
        self.assertAlmostEqual(pairedEstimate(peptides("o1 o2 o3 t1"), OWN_KEYS), 1 / 4)              # below its own one
        self.assertAlmostEqual(pairedEstimate([], OWN_KEYS), 0.0)

    def test_the_combined_estimates_of_psms_and_peptides(self):
        entries = [e._replace(goodness=-i, spectrum=("a", i)) for i, e in enumerate(peptides("o1 o1 o1 o2 t3 o4 d d"))]
        values, = estimates(Search(entries, {"a": 0.5}, OWN_KEYS), [(0.0, 0)])
        self.assertAlmostEqual(values[0], 1 * 3 / 6)
        self.assertAlmostEqual(values[1], 1 * 3 / 4)
        self.assertAlmostEqual(values[2], 2 / 4)

    def test_all_estimates_find_the_share_of_false_targets(self):
        """Of 40 accepted false ones of 400 half are twins, each the only one of its pair."""
        kinds = [f"o{i}" for i in range(360)] + [f"{'ot'[i % 2]}{1000 + i}" for i in range(40)]
        search = Search(peptides(" ".join(kinds)), {"a": 1.0}, {"a": {f"t{i}": f"o{i}" for i in range(2000)}})
        for value in estimates(search, [(0.01, 0)])[0]:
            self.assertAlmostEqual(value, 0.1)

    def test_means_over_the_seeds_lie_within_their_interval(self):
        searches = [Search(peptides(kinds), {"a": 1.0}, OWN_KEYS) for kinds in ("o1 o2 o3 t4 o5 d", "o1 o2 t3 t4 o5 d")]
        samples, twin_entrapment.BOOTSTRAP_SAMPLES = twin_entrapment.BOOTSTRAP_SAMPLES, 40
        try:
            (accepted, rows), = measure(searches, [(0.05, 0)])
        finally:
            twin_entrapment.BOOTSTRAP_SAMPLES = samples
        self.assertEqual(accepted, 5)
        self.assertAlmostEqual(rows[0][0], (2 / 5 + 4 / 5) / 2)
        for value, low, high in rows:
            self.assertTrue(low <= value <= high)
            self.assertLess(low, high)

    def test_what_differs_between_seeds_widens_the_interval(self):
        own = " ".join(f"o{i}" for i in range(100))
        searches = [Search(peptides(kinds), {"a": 1.0}, OWN_KEYS) for kinds in (own, own + " t1 t2 t3 t4 t5 t6 t7 t8")]
        (_, rows), = measure(searches, [(0.05, 0)])
        self.assertEqual(rows[0][1], 0.0, "one sample in four has the first seed alone")


if __name__ == "__main__":
    unittest.main()
