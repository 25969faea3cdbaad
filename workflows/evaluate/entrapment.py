#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many accepted targets are false, by entrapment: entrapment.py RUNS.tsv FOLDER

Every run was searched against its own proteins and a foreign proteome together, with decoys of both. An accepted hit is of
the foreign proteome when its key (residues, I as L) is in that proteome's digest and not in that of the own proteins: a key
of both counts as the run's own. With N_T accepted own and N_E accepted foreign PSMs the share of false ones among all is
estimated as N_E (1 + 1/r) / (N_T + N_E), the combined estimate of Wen et al. 2025 (doi:10.1038/s41592-025-02719-x); r is
the number of foreign keys per own key that the search looks at, within its limits of length and mass. Runs are pooled in one
ranked list, whose estimate is sum N_E,i (1 + 1/r_i) / sum (N_T,i + N_E,i).

Reads FOLDER/entrapment/indexed (engine's score), rescored (PSMFormer:logit) and joint.idXML (all runs rescored in one file by
PSMFormer's default method), prints a table in Markdown and writes FOLDER/entrapment/table.tsv. Intervals are of 95 %, by bootstrap over spectra.
"""
import sys
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from bootstrap import draws, interval
from psm_lists import bestHitsOfRuns, peptideKey, readColumns
from search_space import keysInRange, readLimits
from table import LIMITS, PSEUDO_COUNTS, bestHits

ENTRAPMENT_PROTEOME = "erwinia"
SCORES = {"engine": ("indexed", "main"), "logit": ("rescored", "PSMFormer:logit"),
          "calibrated logit": ("rescored", "PSMFormer:calibrated_logit")}
BOOTSTRAP_SAMPLES, LEVEL = 1000, 0.95
OWN, FOREIGN, DECOY = "own", "foreign", "decoy"


class Entry(NamedTuple):
    goodness: float
    kind: str        # OWN, FOREIGN or DECOY
    run: str
    spectrum: tuple


class SearchSpace(NamedTuple):
    own: frozenset
    foreign: frozenset  # keys of the foreign proteome that are not own ones

    def ratio(self):
        return len(self.foreign) / len(self.own)


def searchSpace(own, foreign):
    """What a search of both sets of keys can find: a key of both is an own one."""
    return SearchSpace(frozenset(own), frozenset(foreign) - frozenset(own))


def kindOf(hit, space):
    """OWN, FOREIGN or DECOY; stops at a target that the digest does not know, as r would then be wrong."""
    if not hit.target:
        return DECOY
    key = peptideKey(hit.sequence)
    if key in space.foreign:
        return FOREIGN
    if key not in space.own:
        sys.exit(f"entrapment.py: the search found {hit.sequence}, which is no peptide of its databases as digested here; "
                 "mend search_space.py, whose rules have to be those of the search.")
    return OWN


def inOrder(entries):
    """Best first; a decoy precedes targets of its score, so that a tie never adds an accepted target."""
    return sorted(entries, key=lambda entry: (-entry.goodness, entry.kind != DECOY))


def acceptedEnd(entries, limit, pseudo_count, weights=None):
    """Length of the longest leading part with (decoys + pseudo_count) / targets <= limit; weights say how often each counts."""
    targets = decoys = end = 0
    for position, (entry, weight) in enumerate(zip(entries, weights or repeat(1))):
        if entry.kind == DECOY:
            decoys += weight
        else:
            targets += weight
        if targets and (decoys + pseudo_count) / targets <= limit:
            end = position + 1
    return end


def acceptedCounts(entries, limit, pseudo_count, drawn=None):
    """{run: [own, foreign]} of the accepted targets. `drawn` says how often each spectrum counts; by default once."""
    weights = [1 if drawn is None else drawn.get(entry.spectrum, 0) for entry in entries]
    counts = {}
    for entry, weight in zip(entries[:acceptedEnd(entries, limit, pseudo_count, weights)], weights):
        if entry.kind != DECOY:
            counts.setdefault(entry.run, [0, 0])[entry.kind == FOREIGN] += weight
    return counts


def estimate(counts, ratios):
    """The share of false ones among accepted targets; 0 when none is accepted."""
    n_accepted = sum(map(sum, counts.values()))
    n_false = sum(n_foreign * (1 + 1 / ratios[run]) for run, (_, n_foreign) in counts.items())
    return n_false / n_accepted if n_accepted else 0.0


class Row(NamedTuple):
    limit: float
    pseudo_count: int
    n_own: int
    n_foreign: int
    estimate: float
    low: float
    high: float


def measure(entries, ratios):
    """A Row for each FDR limit and formula."""
    settings = [(limit, pseudo_count) for limit in LIMITS for pseudo_count in PSEUDO_COUNTS]
    samples = list(zip(*([estimate(acceptedCounts(entries, *setting, drawn), ratios) for setting in settings]
                         for drawn in draws({e.spectrum for e in entries}, BOOTSTRAP_SAMPLES))))
    rows = []
    for setting, values in zip(settings, samples):
        counts = acceptedCounts(entries, *setting)
        n_own, n_foreign = (sum(c[i] for c in counts.values()) for i in (0, 1))
        rows.append(Row(*setting, n_own, n_foreign, estimate(counts, ratios), *interval(values, LEVEL)))
    return rows


@lru_cache(maxsize=None)
def digestOf(path, limits):
    return frozenset(keysInRange([path], limits))


def readDatabases(runs_path):
    """{run: its database}"""
    return {run: database for run, database, *_ in readColumns(runs_path)}


def readRun(folder, run, database):
    """(search space, {score: entries})"""
    searched = folder / "entrapment" / "indexed" / f"{run}.idXML"
    limits = readLimits(searched)
    space = searchSpace(*(digestOf(folder / "databases" / f"{name}.targets.fasta", limits) for name in (database, ENTRAPMENT_PROTEOME)))
    lists = {score: [Entry(goodness, kindOf(hit, space), run, spectrum) for goodness, hit, spectrum in
                     bestHits(folder / "entrapment" / stage / f"{run}.idXML", name, run)]
             for score, (stage, name) in SCORES.items()}
    return space, lists


def readJoint(path, spaces):
    """The entries of all runs in one file, by its main score."""
    return [Entry(goodness, kindOf(hit, spaces[run]), run, spectrum) for goodness, hit, run, spectrum in bestHitsOfRuns(path, "main")]


def cells(row):
    return f" {row.n_own} + {row.n_foreign} | {row.estimate:.2%} ({row.low:.2%} to {row.high:.2%}) |"


def printRows(label, ratio, score, rows):
    for limit in LIMITS:
        print(f"| {label} | {ratio} | {score} | {limit:.0%} |" + "".join(cells(row) for row in rows if row.limit == limit))


def main(runs_path, folder):
    databases = readDatabases(runs_path)
    print(f"Entrapment with {ENTRAPMENT_PROTEOME}: accepted own + foreign PSMs, estimated share of false ones (95 % interval)\n")
    print("| run | r | score | FDR | D/T accepted | D/T false | (D+1)/T accepted | (D+1)/T false |\n" + "|---" * 8 + "|")
    lines, ratios, spaces = ["run\tr\tscore\tfdr\tpseudo_count\town\tforeign\testimate\tlow\thigh"], {}, {}
    pooled = {score: [] for score in SCORES}

    def report(label, ratio, lists):
        for score, entries in lists.items():
            rows = measure(inOrder(entries), ratios)
            printRows(label, ratio, score, rows)
            lines.extend("\t".join(map(str, (label, ratio, score, *row))) for row in rows)

    for run, database in databases.items():
        space, lists = readRun(folder, run, database)
        spaces[run], ratios[run] = space, space.ratio()
        report(run, f"{ratios[run]:.4f}", lists)
        for score, entries in lists.items():
            pooled[score] += entries
    pooled["PSMFormer:score, one file"] = readJoint(folder / "entrapment" / "joint.idXML", spaces)
    report("all runs", "-", pooled)
    (folder / "entrapment" / "table.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("entrapment.py: name runs.tsv and the folder of an evaluation.")
    main(sys.argv[1], Path(sys.argv[2]))
