#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of table.py: test_table.py"""
import unittest

from psm_lists import Hit
from table import Scored, bestOfPeptides, cells


def entry(goodness, sequence, target, run="a", spectrum=0):
    return goodness, Hit(sequence, 2, target, {}), (run, str(spectrum))


class TestTable(unittest.TestCase):
    def test_a_peptide_counts_once_in_a_run_as_target_and_as_decoy(self):
        best = [entry(9, "PEPTIDEK", True), entry(8, "PEPTLDEK", True), entry(7, "PEPTIDEK", True, "b"), entry(6, "AAAK", False),
                entry(5, "AAAK", False), entry(4, "PEPTIDEK", False)]
        self.assertEqual([e[0] for e in bestOfPeptides(best)], [9, 7, 6, 4])

    def test_the_cells_are_psms_and_peptides(self):
        engine = [entry(100 - k, "ACDEFGHIK"[k % 3:], True, spectrum=k) for k in range(40)] + [entry(1, "DECAYK", False)]
        counts = {name: (by_engine, ours) for name, by_engine, ours in cells(Scored(engine, engine[:20]))}
        self.assertEqual(counts["1% D/T"], (40, 20))
        self.assertEqual(counts["5% (D+1)/T"], (40, 20))
        self.assertEqual(counts["1% peptides"], (3, 3))
        self.assertEqual(counts["1% filtered"], (None, None))


if __name__ == "__main__":
    unittest.main()
