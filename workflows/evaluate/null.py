#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is accepted where nothing is right: null.py FOLDER

Reads FOLDER/joint.idXML (searches of shuffled spectra, all runs in one file) and FOLDER/rescored/*.blank.idXML (first hits
of the ordinary searches, their spectra without a peak). Prints target PSMs at 1 and 5 % FDR, and ends with 1 when (D+1)/T
accepts one at 1 %. On blank spectra only the calibrated logit is looked at: the engine has seen the peaks.
"""
import sys
from pathlib import Path

from psm_lists import bestHitsOfRuns
from table import LIMITS, PSEUDO_COUNTS, count, inOrder

SCORES = {"Comet's E-value": "-expect", "calibrated logit": "PSMFormer:calibrated_logit", "PSMFormer:score": "PSMFormer:score"}
SETTINGS = [(limit, pseudo_count) for limit in LIMITS for pseudo_count in PSEUDO_COUNTS]


def readLists(folder):
    """(spectra, run, score, best hits) of every list that is looked at."""
    joint = folder / "joint.idXML"
    lists = {name: list(bestHitsOfRuns(joint, score)) for name, score in SCORES.items()}
    blank = {path.name.split(".")[0]: list(bestHitsOfRuns(path, SCORES["calibrated logit"])) for path in sorted((folder / "rescored").glob("*.blank.idXML"))}
    if not all(lists.values()) or not blank:
        sys.exit(f"null.py: {joint} or the files beside it have no scored hits; make them: workflows/evaluate/null.sh")
    for name, entries in lists.items():
        yield "shuffled", "all runs", name, entries
    yield "blank", "all runs", "calibrated logit", [entry for entries in blank.values() for entry in entries]
    for run in sorted({entry[2] for entry in lists["calibrated logit"]}):
        yield "shuffled", run, "calibrated logit", [entry for entry in lists["calibrated logit"] if entry[2] == run]
    for run, entries in blank.items():
        yield "blank", run, "calibrated logit", entries


def main(folder):
    print("| spectra | run | score | targets | decoys | " + " | ".join(f"{limit:.0%} {'(D+1)/T' if one else 'D/T'}" for limit, one in SETTINGS) + " |")
    print("|---" * (5 + len(SETTINGS)) + "|")
    wrong = []
    for spectra, run, score, entries in readLists(folder):
        best = inOrder((goodness, hit, spectrum) for goodness, hit, _, spectrum in entries)
        n_targets = sum(hit.target for _, hit, _ in best)
        counts = [count(best, *setting) for setting in SETTINGS]
        if counts[SETTINGS.index((0.01, 1))]:
            wrong.append(f"{spectra}, {run}, {score}")
        print(f"| {spectra} | {run} | {score} | {n_targets} | {len(best) - n_targets} | " + " | ".join(map(str, counts)) + " |")
    if wrong:
        print(f"\n(D+1)/T accepts PSMs at 1 % FDR where none is right: {'; '.join(wrong)}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("null.py: name the folder of the searches.")
    sys.exit(main(Path(sys.argv[1])))
