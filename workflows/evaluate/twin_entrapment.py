#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many accepted targets are false, by shuffled twins: twin_entrapment.py RUNS.tsv TWINS SEED...

As entrapment.py, with a twin of every protein (twins.py) in the place of a foreign proteome, and a search of every run for
each seed: TWINS/<seed>/indexed (engine's score), rescored (PSMFormer:logit) and joint.idXML (all runs rescored in one file by
PSMFormer's default method). r is the number of twin keys per own key that the search looks at, nearly 1. Two estimates (Wen et al. 2025, doi:10.1038/s41592-025-02719-x), of N_E accepted twins and N_T
accepted own ones:
  combined  N_E (1 + 1/r) / (N_T + N_E), of PSMs and of peptides (the best PSM of each key of a run);
  paired    (N_E + N_1 + 2 N_2) / (N_T + N_E), of peptides: N_1 accepted twins whose own peptide is not accepted, N_2
            accepted twins that stand above their accepted own peptide.
Runs are pooled in one ranked list. Prints means over the seeds in Markdown, with intervals of 95 % by bootstrap over seeds and
spectra (a spectrum is drawn as often in the searches of all seeds), and writes TWINS/table.tsv.
"""
import random
import sys
from functools import lru_cache
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from bootstrap import SEED, draws, interval
from entrapment import DECOY, FOREIGN, LEVEL, OWN, acceptedCounts, acceptedEnd, estimate, inOrder, kindOf, readDatabases, searchSpace
from psm_lists import bestHitsOfRuns, firstOfEach, peptideKey
from search_space import isInRange, readLimits
from table import LIMITS, PSEUDO_COUNTS, bestHits

from digest import tryptic  # of ../training, which search_space.py has made importable
from exclusion import read_fasta

SCORES = {"engine": ("indexed", "main"), "logit": ("rescored", "PSMFormer:logit"),
          "calibrated logit": ("rescored", "PSMFormer:calibrated_logit")}
JOINT = "PSMFormer:score, one file"
ESTIMATES = ("combined, PSMs", "combined, peptides", "paired, peptides")
BOOTSTRAP_SAMPLES = 200


class Entry(NamedTuple):
    goodness: float
    kind: str        # OWN, FOREIGN (a twin) or DECOY
    run: str
    spectrum: tuple
    key: str


class Search(NamedTuple):
    """All runs, searched with the twins of one seed."""
    entries: list   # best first
    ratios: dict    # run -> r
    own_keys: dict  # run -> {twin's key: key of its own peptide}


@lru_cache(maxsize=None)
def pairs(fasta, limits):
    """({twin's key: own key}, all own keys) of what the search looks at; FASTA is what twins.py has written."""
    proteins = [protein for _, protein in read_fasta(fasta)]
    n_own = len(proteins) // 2
    own_key_of, own = {}, set()
    for protein, twin_protein in zip(proteins[:n_own], proteins[n_own:]):
        for peptide, twin in zip(tryptic(protein), tryptic(twin_protein)):
            if isInRange(peptide, limits):
                own.add(peptideKey(peptide))
                own_key_of[peptideKey(twin)] = peptideKey(peptide)
    return own_key_of, frozenset(own)


def bestOfPeptides(entries):
    """The first entry of each key, run and label."""
    return firstOfEach(entries, lambda entry: (entry.run, entry.kind == DECOY, entry.key))


def pairedEstimate(accepted, own_keys):
    """The paired estimate of a list of peptides, best first, decoys among them."""
    position = {(e.run, e.key): p for p, e in enumerate(accepted) if e.kind == OWN}
    n_false = n_accepted = 0
    for p, entry in enumerate(accepted):
        n_accepted += entry.kind != DECOY
        if entry.kind == FOREIGN:
            own = position.get((entry.run, own_keys[entry.run][entry.key]))
            n_false += 2 if own is None else 3 if own > p else 1
    return n_false / n_accepted if n_accepted else 0.0


def estimates(search, settings, drawn=None):
    """The values of ESTIMATES for each (limit, pseudo count); `drawn` says how often each spectrum counts, by default once."""
    entries = search.entries if drawn is None else [e for e in search.entries if e.spectrum in drawn]
    peptides = bestOfPeptides(entries)
    return [(estimate(acceptedCounts(entries, *setting, drawn), search.ratios),
             estimate(acceptedCounts(peptides, *setting), search.ratios),
             pairedEstimate(peptides[:acceptedEnd(peptides, *setting)], search.own_keys)) for setting in settings]


def measure(searches, settings):
    """For each setting (accepted PSMs, mean over the seeds and interval of each of ESTIMATES); searches: one a seed."""
    def means(drawn_searches, drawn=None):
        of_seeds = [estimates(search, settings, drawn) for search in drawn_searches]
        return [[mean(values) for values in zip(*of_setting)] for of_setting in zip(*of_seeds)]

    generator = random.Random(SEED)
    spectra = {e.spectrum for search in searches for e in search.entries}
    samples = [means(generator.choices(searches, k=len(searches)), drawn) for drawn in draws(spectra, BOOTSTRAP_SAMPLES)]
    rows = []
    for setting, here, of_setting in zip(settings, means(searches), zip(*samples)):
        accepted = mean(sum(map(sum, acceptedCounts(s.entries, *setting).values())) for s in searches)
        rows.append((accepted, [(value, *interval(column, LEVEL)) for value, column in zip(here, zip(*of_setting))]))
    return rows


def bestOfRuns(folder, score, runs):
    """Yields (goodness, hit, run, spectrum) of the best hits by one of SCORES or JOINT; FOLDER is that of a seed."""
    if score == JOINT:
        yield from bestHitsOfRuns(folder / "joint.idXML", "main")
        return
    stage, name = SCORES[score]
    for run in runs:
        for goodness, hit, spectrum in bestHits(folder / stage / f"{run}.idXML", name, run):
            yield goodness, hit, run, spectrum


def readSearch(folder, databases, seed, score):
    spaces, own_keys = {}, {}
    for run, database in databases.items():
        limits = readLimits(folder / seed / "indexed" / f"{run}.idXML")
        own_keys[run], own = pairs(folder / seed / "databases" / f"{database}.targets.fasta", limits)
        spaces[run] = searchSpace(own, own_keys[run])
    entries = [Entry(goodness, kindOf(hit, spaces[run]), run, spectrum, peptideKey(hit.sequence))
               for goodness, hit, run, spectrum in bestOfRuns(folder / seed, score, databases)]
    return Search(inOrder(entries), {run: space.ratio() for run, space in spaces.items()}, own_keys)


def main(runs_path, folder, seeds):
    databases = readDatabases(runs_path)
    print(f"Shuffled twins, {len(seeds)} seeds: estimated share of false ones among accepted targets (95 % interval)\n")
    print("| score | FDR | formula | accepted | " + " | ".join(ESTIMATES) + " |\n" + "|---" * (4 + len(ESTIMATES)) + "|")
    lines = ["score\tfdr\tpseudo_count\taccepted\testimate\tmean\tlow\thigh"]
    for score in (*SCORES, JOINT):
        searches = [readSearch(folder, databases, seed, score) for seed in seeds]
        settings = [(limit, pseudo_count) for limit in LIMITS for pseudo_count in PSEUDO_COUNTS]
        for (limit, pseudo_count), (accepted, rows) in zip(settings, measure(searches, settings)):
            cells = " | ".join(f"{value:.2%} ({low:.2%} to {high:.2%})" for value, low, high in rows)
            print(f"| {score} | {limit:.0%} | {'(D+1)/T' if pseudo_count else 'D/T'} | {accepted:.0f} | {cells} |", flush=True)
            lines += ["\t".join(map(str, (score, limit, pseudo_count, accepted, name, *row))) for name, row in zip(ESTIMATES, rows)]
    (folder / "table.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("twin_entrapment.py: name runs.tsv, the folder of twins.sh and the seeds.")
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
