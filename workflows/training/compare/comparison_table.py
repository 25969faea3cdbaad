#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of a comparison, as Markdown: comparison_table.py RESULTS

RESULTS is the folder of run.py and baselines.sh. Figures are means over seeds, with the standard deviation where there are
several. README.md says how a configuration is chosen; the sentence below the table applies it.
"""
import json
import math
import statistics
import sys
from pathlib import Path
from typing import NamedTuple

from configurations import GROUPS, read_configurations

THINNINGS = ("all", "35", "15")
SEEDS_NEEDED = 3
STANDARD_ERRORS = 2


class Measured(NamedTuple):
    """What was measured of one model."""

    above: tuple  # by thinning: % of true peptides above all but 1 % of the false ones
    natural: float  # % picked among 20 natural peptides
    hard: float  # % picked among 20 hard ones
    speed: float  # matches per CPU second
    parameters: int = 0
    minutes: float = 0.0  # CPU time of the training

    def value(self):
        """What decides: the mean over the thinnings."""
        return statistics.mean(self.above)


def read_above(path):
    """(true_above_both of all spectra, matches per CPU second) of an output of false_hits."""
    above = speed = None
    for line in path.read_text().splitlines():
        cells = line.split("\t")
        if cells[0] == "all":
            above = float(cells[2])
        if line.startswith("scored: "):
            words = line.split()
            speed = int(words[1]) / max(float(words[4]), 0.01)
    if above is None or speed is None:
        raise ValueError(f"{path} is not the whole output of false_hits; remove it and run again")
    return above, speed


def read_choice(path):
    """(natural, hard): % of all spectra in an output of peptide_choice whose true peptide is picked."""
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    spectra = sum(int(row[1]) for row in rows)
    if not spectra:
        raise ValueError(f"{path} has no spectra; remove it and run again")
    return tuple(sum(int(row[1]) * float(row[column]) for row in rows) / spectra for column in (2, 3))


def read_measured(folder, run):
    above, speeds = zip(*(read_above(folder / f"false_hits.{name}.txt") for name in THINNINGS))
    natural, hard = read_choice(folder / "peptide_choice.txt")
    return Measured(above, natural, hard, statistics.mean(speeds), run.get("parameters", 0),
                    run.get("training_cpu_seconds", 0.0) / 60)


def read_results(results):
    """{configuration: [Measured of each seed]} of all complete runs; ValueError when they differ in spectra."""
    found, samples = {}, set()
    for done in sorted(results.glob("*/seed*/run.json")):
        settings = json.loads((done.parent / "settings.json").read_text())
        samples.add(settings["sample_sha256"])
        found.setdefault(settings["configuration"], []).append(read_measured(done.parent, json.loads(done.read_text())))
    if len(samples) > 1:
        raise ValueError(f"the runs in {results} were made with different spectra; keep them in different folders")
    return found


def read_baselines(results):
    return {path.parent.name: [read_measured(path.parent, {})]
            for path in sorted(results.glob("baselines/*/peptide_choice.txt"))}


def values(runs):
    return [run.value() for run in runs]


def standard_error(runs, others):
    """Of the difference of two means."""
    return math.sqrt(sum(statistics.variance(values(group)) / len(group) for group in (runs, others)))


def is_better(runs, others):
    """Whether a mean is larger by more than the spread; None when there are too few seeds to tell."""
    if min(len(runs), len(others)) < SEEDS_NEEDED:
        return None
    return statistics.mean(values(runs)) - statistics.mean(values(others)) > STANDARD_ERRORS * standard_error(runs, others)


def choose(found):
    """The configuration that the rule takes; None while the reference has too few seeds."""
    if len(found.get("reference", [])) < SEEDS_NEEDED:
        return None
    better = [name for name in found if is_better(found[name], found["reference"])]
    if not better:
        return "reference"
    largest = max(better, key=lambda name: statistics.mean(values(found[name])))
    equals = [name for name in better if not is_better(found[largest], found[name])]
    return max(equals, key=lambda name: statistics.mean(run.speed for run in found[name]))


def cell(figures, digits=1):
    """Mean, and the standard deviation when there are several."""
    text = f"{statistics.mean(figures):.{digits}f}"
    return text + (f" ± {statistics.stdev(figures):.{digits}f}" if len(figures) > 1 else "")


def row(name, runs, reference):
    difference = ""
    if reference and runs is not reference:
        difference = f"{statistics.mean(values(runs)) - statistics.mean(values(reference)):+.1f}"
        if min(len(runs), len(reference)) > 1:
            difference += f" ({STANDARD_ERRORS} SE {STANDARD_ERRORS * standard_error(runs, reference):.1f})"
    minutes = [run.minutes for run in runs]
    cells = [name, str(len(runs)), str(runs[0].parameters or "-")]
    cells += [cell([run.above[i] for run in runs]) for i in range(len(THINNINGS))]
    cells += [cell(values(runs)), difference, cell([run.natural for run in runs]), cell([run.hard for run in runs])]
    cells += [f"{statistics.mean(run.speed for run in runs):.0f}", f"{statistics.mean(minutes):.1f}" if any(minutes) else "-"]
    return "| " + " | ".join(cells) + " |"


HEAD = ["configuration", "seeds", "parameters", "all peaks", "35 peaks", "15 peaks", "mean", "difference", "of 20 natural",
        "of 20 hard", "matches / CPU s", "training CPU min"]


def table(found, baselines, configurations):
    """The lines of the table, group after group, and the sentence with the choice."""
    reference = found.get("reference")
    lines = []
    for group in GROUPS:
        done = [c.name for c in configurations if c.group == group and c.name in found]
        missing = [c.name for c in configurations if c.group == group and c.name not in found]
        lines += section(group, [row(name, found[name], reference) for name in done])
        lines += [f"Not run: {', '.join(missing)}.", ""] if missing else []
    lines += section("baseline", [row(name, runs, reference) for name, runs in baselines.items()])
    choice = choose({name: runs for name, runs in found.items() if name in {c.name for c in configurations}})
    return lines + [f"Chosen by the rule: {choice}." if choice else
                    f"Nothing is chosen yet: the reference has fewer than {SEEDS_NEEDED} seeds."]


def section(name, rows):
    if not rows:
        return []
    return [f"### {name}", "", "| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD), *rows, ""]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("comparison_table.py: name the folder of results.")
    try:
        folder = Path(sys.argv[1])
        print("\n".join(table(read_results(folder), read_baselines(folder), read_configurations())))
    except (ValueError, OSError) as error:
        sys.exit(f"comparison_table.py: {error}")
