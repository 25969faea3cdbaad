#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the figures of README.md with what its commands print: python3 test_figures.py [TestDemo | TestRuns | TestSpeed]

Counts may differ by 0.2 %, at least by 1: processors round differently. Time and memory fail beyond three times what is stated.
PSMFORMER names the tool, PSMFORMER_SHARED the data folder; build/evaluate is taken for the searches, build for the demo.
"""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DATA = Path(os.environ.get("PSMFORMER_SHARED", ROOT.parent / "shared")) / "data/runs"
EVALUATE, RESULTS = ROOT / "workflows/evaluate", ROOT / "build/evaluate"
TIMES_STATED = 3


def printed_by(*command):
    """What a command prints; the test fails when it fails."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"'{' '.join(map(str, command))}' ended with {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def stated(pattern, text=README):
    """The groups of the one place where the text matches, as numbers."""
    found = re.findall(pattern, text)
    if len(found) != 1:
        raise AssertionError(f"'{pattern}' is {len(found)} times in: {text[-2000:]}")
    return [float(number.replace(",", "")) for number in (found[0] if isinstance(found[0], tuple) else found)]


class Figures(unittest.TestCase):
    def assertSameCounts(self, expected, measured):
        self.assertEqual(len(expected), len(measured))
        for count, found in zip(expected, measured):
            self.assertAlmostEqual(count, found, delta=max(1, 0.002 * count), msg=f"README {expected}, now {measured}")


class TestDemo(Figures):
    def test_counts(self):
        demo = printed_by(ROOT / "workflows/demo.sh")
        for score in (r"Comet \(E-value\)", "PSMFormer"):
            row = rf"(?m)^  {score} +(\d+) +(\d+)$"
            self.assertSameCounts(stated(row), stated(row, demo))


@unittest.skipUnless(DATA.is_dir(), "SKIPPED: no ../shared")
class TestRuns(Figures):
    def test_counts_of_the_tryptic_searches(self):
        printed_by(EVALUATE / "run.sh", "--search-only", RESULTS)
        printed_by(EVALUATE / "semi_supervised.sh", RESULTS)
        table = (RESULTS / "semi_supervised/tryptic.joint.md").read_text(encoding="utf-8")
        for row, name in (("Comet's E-value", "engine"), ("calibrated logit, [^|]*", "calibrated logit"),
                          ("PSMFormer:score, [^|]*", "PSMFormer:score")):
            of_readme = stated(rf"(?m)^\| {row} \| (\d+) \| (\d+) \| \d+ \| \d+ \|$")
            now = stated(rf"(?m)^\| {name} \| (\d+) \| \d+ \| (\d+) \| \d+ \|$", table)
            self.assertSameCounts(of_readme, now)


@unittest.skipUnless(DATA.is_dir(), "SKIPPED: no ../shared")
class TestSpeed(Figures):
    def test_time_and_memory(self):
        printed_by(EVALUATE / "run.sh", "--search-only", RESULTS)
        printed = printed_by(sys.executable, "-B", EVALUATE / "performance.py", os.environ["PSMFORMER"], RESULTS)
        seconds, gigabytes = stated(r"100,000 PSMs take (\d+) s and ([\d.]+) GB of memory on two cores")
        now_seconds, now_megabytes = stated(r"PSMs, 2 threads: ([\d.]+) s, \d+ PSMs a minute, peak memory (\d+) MB", printed)
        self.assertLess(now_seconds, TIMES_STATED * seconds)
        self.assertLess(now_megabytes / 1000, TIMES_STATED * gigabytes)


if __name__ == "__main__":
    unittest.main()
