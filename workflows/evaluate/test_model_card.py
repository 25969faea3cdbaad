#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of model_card.py: test_model_card.py"""
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import model_card

FALSE_HITS = ("== test\nlogit above 1 % of the false hits: rival 0.10, foreign 0.20\n"
              "group\tspectra\ttrue_above_both\ttrue_above_rival\ttrue_above_foreign\trival_above\tforeign_above\n"
              "all\t200\t95.0\t96.5\t98.5\t1.0\t1.0\na\t100\t1.0\t2.0\t3.0\t4.0\t5.0\n"
              "== test:35\ngroup\tspectra\ttrue_above_both\ttrue_above_rival\ttrue_above_foreign\n"
              "all\t200\t85.0\t86.5\t88.5\n")
TABLE = ("run\tsearch\tspectra\tcount\tengine\tpsmformer\n"
         + "".join(f"x\ttryptic\t9\t{count}\t{k}\t{10 + k}\n" for k, count in enumerate(
             ("1% D/T", "1% (D+1)/T", "5% D/T", "5% (D+1)/T", "1% peptides", "5% peptides"))))


class TestModelCard(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("card.md", "# Model m 1.0.0\n\nTrained by someone.\n\n## Data\n")
        self.write("sources.tsv", "source\tinstrument\tactivation\ttolerance\tunit\tlicence\ttraining\tvalidation\tmore\n"
                                  "s\tOrbitrap\tHCD\t20\tppm\tMIT\t7\t3\t1\n")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def card(self, notes=None):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            model_card.main(self.folder / "card.md", self.folder, [self.folder / "sources.tsv"], notes)
        return printed.getvalue()

    def test_what_was_not_measured_is_said(self):
        card = self.card()
        self.assertEqual(card.count("Not measured"), 15)
        self.assertTrue(card.startswith("# Model m 1.0.0\n"))
        self.assertIn("| s | Orbitrap | HCD | 20 | ppm | MIT | 7 | 3 |", card)
        self.assertIn("(`workflows/evaluate/twins.sh`)", card)
        self.assertIn("(`workflows/training/compare/baselines.sh`)", card)
        self.assertIn("## Training\n\nTrained by someone.\n\n## Data", card)

    def test_measurements_stand_in_their_sections(self):
        self.write("table.tsv", TABLE)
        self.write("table.txt", "nothing\nall runs, tryptic: gain at 1% D/T +1 to +9\n")
        self.write("held_out/false_hits.txt", FALSE_HITS)
        self.write("held_out/peptide_choice.txt", "chosen: 7 of 7\n")
        self.write("entrapment/table.md", "its table\n")
        card = self.card(self.write("notes.md", "What a person says.\n"))
        self.assertIn("# Model m 1.0.0\n\nWhat a person says.\n\n## Measured", card)
        self.assertIn("| x | tryptic | 0 | 10 | 1 | 11 | 2 | 12 | 3 | 13 | 4 | 14 | 5 | 15 |", card)
        self.assertIn("* all runs, tryptic: gain at 1% D/T +1 to +9", card)
        self.assertIn("## False targets by entrapment\n\nits table\n", card)
        self.assertIn("chosen: 7 of 7", card)
        self.assertEqual(card.count("Not measured"), 12)

    def test_false_hits_are_taken_by_the_names_of_their_columns(self):
        self.assertEqual(model_card.falseHits(FALSE_HITS),
                         [["test", "200", "96.5 %", "98.5 %"], ["test:35", "200", "86.5 %", "88.5 %"]])


if __name__ == "__main__":
    unittest.main()
