#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the comparison with mokapot and Percolator: python3 workflows/evaluate/test_references.py"""
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import references  # noqa: E402
from table import count  # noqa: E402
from test_joint import idXML  # noqa: E402

PIN = ("SpecId\tLabel\tScanNr\tExpMass\tCalcMass\tPSMFormer:logit\tPSMFormer:length\tPSMFormer:lengthy\tCOMET:deltCn\tCharge2\tPeptide\tProteins\n"
       "a:scan=1:1.1\t1\t1\t900\t900\t5\t8\t1\t0.5\t1\tK.PEPTIDEK.A\tP1\tP2\n"
       "a:scan=1:1.2\t-1\t1\t900\t900\t4\t8\t1\t0.25\t1\tK.EPPTIDEK.A\tDECOY_P1\n"
       "a:scan%3A2%20x:2.1\t-1\t2\t900\t900\t1\t8\t1\t0.5\t1\tK.PEPTIDEK.A\tDECOY_P3\n")
MOKAPOT = ("SpecId\tLabel\tScanNr\tPeptide\tmokapot score\tmokapot q-value\tmokapot PEP\tProteins\n"
           "a:scan=1:1.2\tTrue\t1\tPEPTIDEK\t{}\t1\t1\t\"P1\tP2\n"
           "a:scan=1:1.1\tTrue\t1\tPEPTIDEK\t{}\t1\t1\tP1\n"
           "a:scan%3A2%20x:2.1\tTrue\t1\tPEPTIDEK\t0.5\t1\t1\tP1\n")
PERCOLATOR = ("PSMId\tscore\tq-value\tposterior_error_prob\tpeptide\tproteinIds\n"
              "a:scan=1:1.1\t2.5\t0\t0\tK.PEPTIDEK.A\tP1\tP2\n")


class TestReferences(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def test_only_features_that_any_engine_has_stay(self):
        references.engineFeatures(self.write("all.tsv", PIN), self.folder / "engine.tsv")
        rows = [line.split("\t") for line in (self.folder / "engine.tsv").read_text().splitlines()]
        self.assertEqual(rows[0], ["SpecId", "Label", "ScanNr", "ExpMass", "CalcMass", "PSMFormer:length", "COMET:deltCn", "Charge2",
                                   "Peptide", "Proteins"])
        self.assertEqual(rows[1][5:], ["8", "0.5", "1", "K.PEPTIDEK.A", "P1", "P2"])
        self.assertEqual(rows[2][5:], ["8", "0.25", "1", "K.EPPTIDEK.A", "DECOY_P1"])

    def test_the_best_hit_of_each_identification_counts_with_the_label_of_the_input(self):
        labels = {"a:scan=1:1.1": True, "a:scan=1:1.2": False, "a:scan%3A2%20x:2.1": False}
        for scores, target in (((3, 2), False), ((2, 3), True)):
            best = references.ofReference(self.write("m.tsv", MOKAPOT.format(*scores)), labels)
            self.assertEqual([(value, hit.target, spectrum) for value, hit, spectrum in best],
                             [(3.0, target, ("a", "scan=1")), (0.5, False, ("a", "scan:2 x"))])
        best = references.ofReference(self.write("p.tsv", PERCOLATOR), labels)
        self.assertEqual([(value, hit.target, spectrum) for value, hit, spectrum in best], [(2.5, True, ("a", "scan=1"))])

    def test_a_table_of_something_else_stops(self):
        with self.assertRaisesRegex(SystemExit, "no columns of names and scores"):
            references.ofReference(self.write("x.tsv", "SpecId\tq-value\na:b:1.1\t0\n"), {})

    def evaluation(self):
        """Two spectra: ours accepts both, the counts and mokapot one, of two draws the second."""
        target, decoy = ("target", 1e-9, 5.0, 3.0), ("decoy", 1e-3, 6.0, 0.0)
        for name in ("semi_supervised/joint/tryptic.idXML", "references/tryptic.idXML"):
            self.write(name, idXML([[target], [target, decoy]]))
        self.write("references/tryptic.all.tsv", PIN)
        rows = [("semi_supervised, engine features", "a.tryptic.idXML", 2, 0), ("semi_supervised, engine features", "b.tryptic.idXML", 1, 1),
                ("logit", "a.tryptic.idXML", 9, 0)]
        self.write("references/tryptic.ours.tsv", "score\trun\tspectrum\tvalue\tdecoy\n"
                   + "".join(f"{score}\t{run}\tscan=1\t{value}\t{decoy}\n" for score, run, value, decoy in rows))
        for draw, scores in ((1, (3, 2)), (2, (2, 3))):
            self.write(f"references/mokapot/tryptic.engine.{draw}.tsv", MOKAPOT.format(*scores))

    def test_all_lists_are_counted_in_one_way(self):
        self.evaluation()
        lists = references.readLists(self.folder, "tryptic")
        self.assertEqual({name: count(best, 0.01, 0) for name, best in lists.items()},
                         {"Comet's E-value": 2, "logit": 0, "calibrated logit": 2, "PSMFormer:score": 2, "PSMFormer:score, with PSMFeatureExtractor": 2,
                          "our rescoring, engine features": 1, "mokapot, engine features, draw 1": 0, "mokapot, engine features, draw 2": 1})
        self.assertEqual({spectrum for _, _, spectrum in lists["our rescoring, engine features"]}, {("a", "scan=1"), ("b", "scan=1")})

    def test_the_report_names_what_was_not_measured_and_both_draws(self):
        self.evaluation()
        text = "\n".join(references.report(self.folder, "tryptic"))
        self.assertIn("| mokapot, engine features, draw 2 | 1 | 0 | 1 | 0 |", text)
        self.assertIn("| PSMFormer:score | mokapot, engine features, draw 2 | +1, +100.0% | ", text)
        self.assertIn("| PSMFormer:score | mokapot, engine features, draw 1 | +2 | ", text)
        self.assertIn("Percolator: not measured", text)
        self.write("references/percolator/tryptic.all.tsv", PERCOLATOR)
        text = "\n".join(references.report(self.folder, "tryptic"))
        self.assertIn("| Percolator, all features | 1 | 0 | 1 | 0 |", text)
        self.assertNotIn("not measured", text)


if __name__ == "__main__":
    unittest.main()
