#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reading and counting of identifications for the evaluation, with Python's standard library alone.

The counts are made here and not by the tools under test, so that a mistake in a tool cannot hide itself.
An idXML becomes a list of `Identification`; `ranked` takes the best hit of each one by a score, and `accepted` counts
targets at a false discovery rate by target-decoy competition.
"""
import gzip
import math
import re
import xml.etree.ElementTree as ElementTree
from pathlib import PurePath
from typing import NamedTuple


class Hit(NamedTuple):
    sequence: str    # with modifications in OpenMS notation
    charge: int
    target: bool     # "target" and "target+decoy" both count as target
    values: dict     # every numeric meta value; the main score under "main"


class Identification(NamedTuple):
    reference: str   # native ID of the spectrum
    score_type: str
    higher_score_better: bool
    hits: list


def readColumns(path):
    """The lines of a table such as runs.tsv as lists of their columns, without comments."""
    with open(path, encoding="ascii") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def number(text):
    """The text as a float, or None."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def readIdentifications(path):
    """Yield the identifications of an idXML (plain or gzip) in file order."""
    for _, identification in readIdentificationsOfRuns(path):
        yield identification


def readIdentificationsOfRuns(path):
    """readIdentifications() with the run of each: the base name of the first file in spectra_data, "" where it is not stated."""
    run = ""
    with (gzip.open(path) if str(path).endswith(".gz") else open(path, "rb")) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag == "ProteinIdentification":
                own = {u.get("name"): u.get("value") for u in element.findall("UserParam")}
                run = PurePath(own.get("spectra_data", "").strip("[]").split(",")[0]).stem
            if element.tag != "PeptideIdentification":
                continue
            own = {u.get("name"): u.get("value") for u in element.findall("UserParam")}
            hits = [readHit(h) for h in element.findall("PeptideHit")]
            yield run, Identification(element.get("spectrum_reference") or own.get("spectrum_reference", ""),
                                      element.get("score_type"), element.get("higher_score_better") == "true", hits)
            element.clear()


def readHit(element):
    """One PeptideHit element."""
    text = {u.get("name"): u.get("value") for u in element.findall("UserParam")}
    values = {k: number(v) for k, v in text.items() if number(v) is not None}
    values["main"] = number(element.get("score"))
    return Hit(element.get("sequence"), int(element.get("charge")), "target" in text.get("target_decoy", ""), values)


def goodness(identification, hit, score):
    """The hit's score, larger is better; -inf when absent or not finite. '-name' means that lower is better."""
    name = score.lstrip("-")
    value = hit.values.get(name)
    if value is None or not math.isfinite(value):
        return -math.inf
    lower = score.startswith("-") or (name == "main" and not identification.higher_score_better)
    return -value if lower else value


def ranked(identifications, score):
    """The best hit of each identification as (goodness, hit), best first.

    A tie within an identification goes to the hit listed first: Comet rounds its E-values, and its order knows more.
    In the list decoys precede targets of equal score, so that such a tie never adds an accepted target.
    """
    best = []
    for identification in identifications:
        scored = [(goodness(identification, hit, score), hit) for hit in identification.hits]
        scored = [entry for entry in scored if entry[0] > -math.inf]
        if scored:
            best.append(max(scored, key=lambda entry: entry[0]))
    best.sort(key=lambda entry: (-entry[0], entry[1].target))
    return best


def firstOfEach(entries, key):
    """The first entry of each value of `key`, in their order."""
    first = {}
    for entry in entries:
        first.setdefault(key(entry), entry)
    return list(first.values())


def bestHitsOfRuns(path, score):
    """Yields (goodness, hit, run, spectrum) of the best hit of each identification of a file that may hold several runs.

    The spectrum is (run, number of the identification): runs may use one native ID.
    """
    for number, (run, identification) in enumerate(readIdentificationsOfRuns(path)):
        for goodness, hit in ranked([identification], score):
            yield goodness, hit, run, (run, number)


def accepted(best, limit, pseudo_count=0):
    """Number of targets in the longest leading part of `best` with (decoys + pseudo_count) / targets <= limit."""
    targets = decoys = result = 0
    for _, hit in best:
        targets += hit.target
        decoys += not hit.target
        if targets and (decoys + pseudo_count) / targets <= limit:
            result = targets
    return result


def acceptedHits(best, limit):
    """The accepted target hits themselves."""
    wanted = accepted(best, limit)
    return [hit for _, hit in best if hit.target][:wanted]


def peptideKey(sequence):
    """Residues without modifications, I written as L: what mass spectrometry can tell apart of a sequence."""
    bare = re.sub(r"\([^()]*(\([^()]*\)[^()]*)*\)|\[[^\]]*\]", "", sequence)
    return re.sub(r"[^A-Z]", "", bare).replace("I", "L")
