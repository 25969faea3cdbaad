#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the baselines: python3 workflows/training/compare/test_baselines.py"""

import contextlib
import gzip
import io
import math
import random
import subprocess
import sys
import tempfile
import unittest
from array import array
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import baselines  # noqa: E402
from baselines import FEATURES  # noqa: E402

TRUE_WEIGHTS = {"explained_intensity": 3.0, "matched_y1": 0.5, "length": -0.1}


def drawn_candidates(number, seed=1):
    """Features, and labels drawn by a logistic model of TRUE_WEIGHTS; a positive counts 4 times, as the fit weighs it."""
    rng = random.Random(seed)
    columns, labels = [array("d") for _ in FEATURES], array("d")
    for _ in range(number):
        values = {"explained_intensity": rng.random(), "matched_y1": float(rng.randrange(10)), "length": 7.0 + rng.randrange(20)}
        logit = sum(weight * values[name] for name, weight in TRUE_WEIGHTS.items()) - 2.0
        labels.append(float(rng.random() < 1.0 / (1.0 + math.exp(-logit))))
        for column, name in zip(columns, FEATURES):
            column.append(values.get(name, 0.0))
    return columns, labels


class Regression(unittest.TestCase):
    def test_linear_equations(self):
        solution = baselines.solve([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [4.0, 0.0, 5.0]], [5.0, 3.0, 13.0])
        self.assertAlmostEqual(2 * solution[1] + solution[2], 5.0)
        self.assertAlmostEqual(solution[0] + solution[1], 3.0)
        self.assertAlmostEqual(4 * solution[0] + 5 * solution[2], 13.0)

    def test_weights_of_known_data_are_found(self):
        columns, labels = drawn_candidates(6000)
        weights = baselines.fit(columns, labels)
        for name, expected in TRUE_WEIGHTS.items():
            self.assertAlmostEqual(weights[name], expected, delta=0.2 * abs(expected) + 0.02, msg=name)
        # The positives count 4 times: the odds, and with them the intercept, are that much higher.
        self.assertAlmostEqual(weights["intercept"], -2.0 + math.log(4.0), delta=0.4)
        self.assertEqual(weights["matched_b1"], 0.0)  # constant in the data

    def test_gradient_vanishes_at_the_fit(self):
        columns, labels = drawn_candidates(500)
        weights = baselines.fit(columns, labels)
        ridge = baselines.RIDGE * len(labels)
        for i, name in enumerate(FEATURES):
            _, mean, deviation = baselines.standardise(columns[i])
            slope = -ridge * weights[name] * deviation
            for r, label in enumerate(labels):
                logit = weights["intercept"] + sum(weights[n] * columns[k][r] for k, n in enumerate(FEATURES))
                share = 1.0 / (1.0 + math.exp(-logit))
                slope += (4.0 if label else 1.0) * (label - share) * (columns[i][r] - mean) / deviation
            self.assertAlmostEqual(slope, 0.0, delta=1e-3, msg=name)

    def test_no_rows_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "features.gz")
            path.write_bytes(gzip.compress(("spectrum\ttrue\t" + "\t".join(FEATURES) + "\n").encode()))
            with self.assertRaisesRegex(ValueError, "no rows"):
                baselines.read_features(path)

    def test_the_command_reads_columns_by_name_and_writes_weights(self):
        columns, labels = drawn_candidates(300)
        order = ["precursor_error_ppm", *reversed(FEATURES)]
        lines = ["spectrum\ttrue\t" + "\t".join(order)]
        for r, label in enumerate(labels):
            row = {name: column[r] for name, column in zip(FEATURES, columns)}
            lines.append(f"{r}\t{label:.0f}\t" + "\t".join(f"{row.get(name, 9.0)!r}" for name in order))
        with tempfile.TemporaryDirectory() as folder:
            features, weights = Path(folder, "features.gz"), Path(folder, "weights.tsv")
            features.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))
            subprocess.run([sys.executable, "-B", str(HERE / "baselines.py"), "fit", str(features), str(weights)], check=True,
                           capture_output=True)
            expected = baselines.fit(columns, labels)
            found = baselines.read_weights(weights)
        self.assertEqual(set(found), {"intercept", *FEATURES})
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, places=6)


class Scores(unittest.TestCase):
    VALUES = {**dict.fromkeys(FEATURES, 0.0), "matched_b1": 3.0, "matched_y1": 4.0, "explained_intensity": 0.5}

    def test_hyperscore(self):
        self.assertAlmostEqual(baselines.hyperscore(self.VALUES), math.log(6 * 24 * 0.5))
        self.assertAlmostEqual(baselines.hyperscore({**self.VALUES, "explained_intensity": 0.0}), math.log(6 * 24 * 1e-6))

    def test_weighted_sum(self):
        self.assertAlmostEqual(baselines.score({"intercept": 2.0, "matched_b1": 0.5}, self.VALUES), 3.5)
        self.assertAlmostEqual(baselines.score({"hyperscore": 1.0}, self.VALUES), math.log(72))


def identification(scan, hits):
    """The idXML of a spectrum; a hit is (sequence, target, engine score, logit, explained intensity)."""
    text = (f'<PeptideIdentification score_type="E" higher_score_better="false" MZ="1" RT="1" '
            f'spectrum_reference="scan={scan}">')
    for sequence, target, engine, logit, explained in hits:
        values = {**Scores.VALUES, "explained_intensity": explained, "logit": logit, "peptide_mass": 900.0}
        text += f'<PeptideHit score="{engine}" sequence="{sequence}" charge="2">'
        text += f'<UserParam type="string" name="target_decoy" value="{"target" if target else "decoy"}"/>'
        text += "".join(f'<UserParam type="float" name="PSMFormer:{name}" value="{value}"/>' for name, value in values.items())
        text += "</PeptideHit>"
    return text + "</PeptideIdentification>"


class Table(unittest.TestCase):
    """Two runs of ten spectra: the logit accepts all ten, the baseline is wrong in two spectra, the engine in five."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        for name in ("searched", "features", "baselines"):
            (self.folder / name).mkdir()
        (self.folder / "baselines" / "intensity.tsv").write_text("explained_intensity\t1\n")
        (self.folder / "runs.tsv").write_text("# run\nfirst\tx\tHCD\nsecond\tx\tCID\n")
        spectra = [identification(n, [("PEPTIDEK", True, n if n < 5 else 90 + n, 5.0, 0.9 - 0.05 * n if n < 8 else 0.1),
                                      ("EDITPEPK", False, 50 - n, -5.0, 0.2)]) for n in range(10)]
        for run in ("first", "second"):
            for kind in ("searched", "features"):
                (self.folder / kind / f"{run}.tryptic.idXML").write_text("<IdXML>" + "".join(spectra) + "</IdXML>")

    def printed(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            baselines.print_table(self.folder / "runs.tsv", self.folder)
        return out.getvalue()

    def test_counts_of_each_run_and_pooled(self):
        lines = self.printed().splitlines()
        self.assertEqual(lines[0], "| run | search | spectra | 1% engine | 1% logit | 1% intensity | 5% engine | 5% logit | "
                         "5% intensity |")
        self.assertIn("| first | tryptic | 10 | 5 | 10 | 8 | 5 | 10 | 8 |", lines)
        self.assertIn("| 2 runs | tryptic | 20 | 10 | 20 | 16 | 10 | 20 | 16 |", lines)

    def test_the_gain_has_an_interval(self):
        self.assertRegex(self.printed(), r"tryptic, pooled: logit - intensity at 1 % \+\d+ to \+\d+")

    def test_hits_that_could_not_be_scored_are_last(self):
        path = self.folder / "features" / "first.tryptic.idXML"
        path.write_text(path.read_text().replace('name="PSMFormer:peptide_mass" value="900.0"',
                                                 'name="PSMFormer:peptide_mass" value="0"', 2))
        self.assertIn("| first | tryptic | 10 | 5 | 10 | 7 | 5 | 10 | 7 |", self.printed())

    def test_without_weights_it_says_what_to_do(self):
        (self.folder / "baselines" / "intensity.tsv").unlink()
        with self.assertRaisesRegex(ValueError, "baselines.sh"):
            self.printed()


if __name__ == "__main__":
    unittest.main()
