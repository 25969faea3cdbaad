#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a model tells decoys from false targets: leakage.py RUNS.tsv FOREIGN.tsv FOLDER

The runs were searched against proteomes foreign to them (FOREIGN.tsv), without the keys they share with the sample's own
proteins and contaminants, so that all targets are as false as the decoys. A model that has learned how decoys look would
give one of the two a larger logit. The area under the ROC curve (the chance that a target's logit lies above a decoy's, a
tie counting half; Hanley and McNeil 1982, doi:10.1148/radiology.143.1.7063747) of rank-1 hits must be 0.50 within its 99 %
interval, which may be no wider than +-0.02; so must that of the same hits with their spectra blanked.

Rank 1 is the first by the engine's score, which knows nothing of the model, and as a second row the first by the logit. The
engine's own score stands beside them: where it is not at 0.50 either, not all targets are false.
Reads FOLDER/searched and FOLDER/rescored, prints a table in Markdown and writes FOLDER/table.tsv. Intervals are by bootstrap
over spectra: all hits of a spectrum, from all searches of its run, are drawn together.
"""
import sys
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from bootstrap import draws, interval
from psm_lists import ranked, readColumns, readIdentifications

LOGIT, CALIBRATED_LOGIT = "PSMFormer:logit", "PSMFormer:calibrated_logit"
BOOTSTRAP_SAMPLES, LEVEL = 1000, 0.99
HALF_WIDTH = 0.02
FEWEST = 3000  # targets, and decoys
ENGINE, MODEL, BLANKED = "logit, engine's rank 1", "logit, logit's rank 1", "logit, engine's rank 1, spectrum blanked"
CALIBRATED = "calibrated logit, its rank 1"
CONTROL = "engine's score, engine's rank 1"


class Scored(NamedTuple):
    score: float     # larger is better
    target: bool
    spectrum: tuple  # (run, native ID)


def tieGroups(hits):
    """Lists of hits of equal score, lowest first."""
    return [list(group) for _, group in groupby(sorted(hits, key=lambda hit: hit.score), lambda hit: hit.score)]


def areaUnderCurve(groups, drawn=None):
    """Chance that a target lies above a decoy; a tie counts half. `drawn` says how often each spectrum counts, by default once."""
    targets = decoys = above = 0
    for group in groups:
        tied = [0, 0]
        for hit in group:
            tied[hit.target] += 1 if drawn is None else drawn.get(hit.spectrum, 0)
        above += tied[True] * (decoys + tied[False] / 2)
        decoys += tied[False]
        targets += tied[True]
    return above / (targets * decoys) if targets and decoys else 0.5


def areaInterval(groups):
    """Percentile interval of the area, spectra drawn with replacement."""
    spectra = {hit.spectrum for group in groups for hit in group}
    return interval([areaUnderCurve(groups, drawn) for drawn in draws(spectra, BOOTSTRAP_SAMPLES)], LEVEL)


def rankOne(identifications, score):
    """(native ID, goodness by the score, hit) of the best hit of every identification that has one."""
    return [(i.reference, *best[0]) for i in identifications if (best := ranked([i], score))]


def readSearch(folder, run, name):
    """({which rank 1: scored hits}, number of the engine's rank-1 hits that PSMFormer did not score, as they are or blanked)"""
    searched, rescored, blanked = (list(readIdentifications(folder / f"{path}.idXML")) for path in
                                   (f"searched/{name}", f"rescored/{name}", f"rescored/{name}.blank"))
    logits = {(i.reference, h.sequence, h.charge): h.values[LOGIT] for i in rescored for h in i.hits}
    # blank.py numbers its spectra by the identifications of the search.
    blank = [(searched[int(reference.removeprefix("scan=")) - 1].reference, logit, hit)
             for reference, logit, hit in rankOne(blanked, LOGIT)]
    engine = rankOne(searched, "main")
    scored = [(reference, logits.get((reference, hit.sequence, hit.charge)), hit) for reference, _, hit in engine]
    by_logit = [entry for entry in scored if entry[1] is not None]
    found = {which: [Scored(score, hit.target, (run, reference)) for reference, score, hit in entries] for which, entries in
             ((ENGINE, by_logit), (BLANKED, blank), (MODEL, rankOne(rescored, LOGIT)), (CALIBRATED, rankOne(rescored, CALIBRATED_LOGIT)),
              (CONTROL, engine))}
    return found, 2 * len(engine) - len(by_logit) - len(blank)


class Row(NamedTuple):
    targets: int
    decoys: int
    area: float
    low: float
    high: float

    def verdict(self):
        """Whether the diagnostic is passed, or that it can tell nothing yet."""
        if min(self.targets, self.decoys) < FEWEST or (self.high - self.low) / 2 > HALF_WIDTH:
            return "too few hits"
        return "passed" if self.low <= 0.5 <= self.high else "failed"


def measure(hits):
    groups = tieGroups(hits)
    n_targets = sum(hit.target for hit in hits)
    return Row(n_targets, len(hits) - n_targets, areaUnderCurve(groups), *areaInterval(groups))


def searchesOf(runs_path, foreign_path):
    """(run, name) of every search that entrapment.sh makes."""
    return [(run, f"{run}.{foreign}_{part}") for run, database, *_ in readColumns(runs_path)
            for of, foreign, _, searched in readColumns(foreign_path) if of == database
            for part in range(1, int(searched) + 1)]


def main(runs_path, foreign_path, folder):
    hits, n_unscored = {}, 0
    for run, name in searchesOf(runs_path, foreign_path):
        found, missing = readSearch(folder, run, name)
        n_unscored += missing
        for which, scored in found.items():
            for label in ("all runs", run):
                hits.setdefault((label, which), []).extend(scored)
    print("Leakage: area under the ROC curve, false targets against decoys (99 % interval)\n")
    print("| run | score and hits | targets | decoys | area | half width | |\n" + "|---" * 7 + "|")
    lines = ["run\thits\ttargets\tdecoys\tarea\tlow\thigh"]
    for (label, which), scored in hits.items():
        row = measure(scored)
        is_judged = label == "all runs" and which != CONTROL
        verdict = row.verdict() if is_judged else ""
        print(f"| {label} | {which} | {row.targets} | {row.decoys} | {row.area:.3f} ({row.low:.3f} to {row.high:.3f}) | "
              f"{(row.high - row.low) / 2:.3f} | {verdict} |")
        lines.append("\t".join(map(str, (label, which, *row))))
    print(f"\nHits without a logit: {n_unscored}")
    (folder / "table.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("leakage.py: name runs.tsv, foreign.tsv and the folder of the searches against foreign proteomes.")
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
