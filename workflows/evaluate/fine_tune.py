#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What fine-tuning in folds changes: fine_tune.py RUNS.tsv FOLDER

Prints target PSMs at 1 and 5 % FDR (D/T) of the tryptic searches of each run and of all of them: by the engine's score
(FOLDER/searched), the model's logit (FOLDER/tuned/confident) and the logit of the model fine-tuned on the run
(FOLDER/tuned/rescored), with the 95 % bootstrap interval over spectra of what fine-tuning gains at 1 %.
"""
import sys
from pathlib import Path

from psm_lists import readColumns
from table import LIMITS, Scored, bestHits, count, gainInterval, inOrder


def readRun(folder, run):
    """The best hits by engine, model and fine-tuned model."""
    return [bestHits(folder / "searched" / f"{run}.tryptic.idXML", "main", run),
            bestHits(folder / "tuned" / "confident" / f"{run}.idXML", "PSMFormer:calibrated_logit", run),
            bestHits(folder / "tuned" / "rescored" / f"{run}.tryptic.idXML", "PSMFormer:calibrated_logit", run)]


def pooled(runs):
    """The best hits of several runs, score by score."""
    return [inOrder(entry for best in by_score for entry in best) for by_score in zip(*runs)]


def row(label, scores):
    """One line of the table."""
    counts = [" / ".join(str(count(best, limit, 0)) for best in scores) for limit in LIMITS]
    low, high = gainInterval(Scored(engine=scores[1], logit=scores[2]), LIMITS[0])
    gain = count(scores[2], LIMITS[0], 0) - count(scores[1], LIMITS[0], 0)
    return f"| {label} | {counts[0]} | {counts[1]} | {gain:+d} ({low:+d} to {high:+d}) |"


def main(runs_path, folder):
    names = [columns[0] for columns in readColumns(runs_path)]
    runs = [readRun(folder, name) for name in names]
    print("Target PSMs (D/T): engine / model / fine-tuned model\n")
    print("| run | 1 % | 5 % | gain by fine-tuning at 1 % |\n| --- | --- | --- | --- |")
    for name, scores in zip(names, runs):
        print(row(name, scores))
    print(row("all runs", pooled(runs)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("fine_tune.py: name runs.tsv and the folder of an evaluation.")
    main(sys.argv[1], Path(sys.argv[2]))
