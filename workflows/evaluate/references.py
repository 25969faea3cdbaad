#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The default score beside the references that references.sh makes.

    references.py engine_features ALL.tsv ENGINE.tsv   a Percolator input without the features that only PSMFormer has
    references.py table FOLDER SEARCH                  prints the table; FOLDER is that of the evaluation

Every list is counted in one way: the best hit of each identification, targets and decoys together, whatever q-values a
program has written. The intervals draw spectra with replacement, the same for both lists.
"""
import csv
import sys
from pathlib import Path
from urllib.parse import unquote

from psm_lists import Hit, ranked, readIdentificationsOfRuns
from table import BOOTSTRAP_SAMPLES, LIMITS, PSEUDO_COUNTS, Scored, count, gainInterval, inOrder

PREFIX = "PSMFormer:"
# What an engine's own Percolator input holds as well; the charges have columns without prefix.
OF_ANY_ENGINE = ("precursor_error_ppm", "precursor_error_da", "absolute_precursor_error_ppm", "isotope_offset", "length",
                 "missed_cleavages", "peptide_mass")
OURS, WITH_EXTRACTOR = "PSMFormer:score", "PSMFormer:score, with PSMFeatureExtractor"
ENGINE_ONLY = "our rescoring, engine features"


def engineFeatures(path, out):
    """Writes a Percolator input without the columns of PSMFormer that no engine has."""
    with open(path, encoding="utf-8") as lines, open(out, "w", encoding="utf-8") as output:
        header = next(lines).rstrip("\n").split("\t")
        kept = [k for k, name in enumerate(header)
                if not name.startswith(PREFIX) or name[len(PREFIX):] in OF_ANY_ENGINE]
        output.write("\t".join(header[k] for k in kept) + "\n")
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            output.write("\t".join([cells[k] for k in kept] + cells[len(header):]) + "\n")  # proteins have several cells


def ofIdXML(path, score):
    """Best hits of a rescored file; a spectrum is (run, native ID)."""
    return inOrder((value, hit, (run, identification.reference)) for run, identification in readIdentificationsOfRuns(path)
                   for value, hit in ranked([identification], score))


def ofCounts(path, score):
    """Best hits that semi_supervised_counts has written."""
    return inOrder((float(row["value"]), Hit("", 0, row["decoy"] == "0", {}), (row["run"].split(".")[0], row["spectrum"]))
                   for row in readTable(path) if row["score"] == score)


def ofReference(path, labels):
    """Best hits of a table of mokapot or Percolator; `labels` tells a target by the name of the hit,
    <run>:<native ID>:<identification>.<hit>, as -out_pin writes it."""
    best = {}
    for row in readTable(path):
        name = row.get("SpecId") or row.get("PSMId")
        score = row.get("mokapot score") or row.get("score")
        if name is None or score is None:
            sys.exit(f"references.py: {path} has no columns of names and scores; give a table of mokapot or Percolator.")
        run, native_id, position = name.split(":", 1)[0], *name.split(":", 1)[1].rsplit(":", 1)
        entry = (float(score), Hit("", 0, labels[name], {}), (unquote(run), unquote(native_id)))
        identification = position.split(".")[0]
        if identification not in best or entry[0] > best[identification][0]:
            best[identification] = entry
    return inOrder(best.values())


def readTable(path):
    """Rows of a tab-separated table as dictionaries; further cells of a row (proteins) do not matter."""
    with open(path, encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def readLists(folder, search):
    """Every list of a search by its name."""
    references, rescored = folder / "references", folder / "semi_supervised" / "joint" / f"{search}.idXML"
    counts = references / f"{search}.ours.tsv"
    labels = {row["SpecId"]: row["Label"] == "1" for row in readTable(references / f"{search}.all.tsv")}
    lists = {"Comet's E-value": ofIdXML(rescored, "-expect"), "logit": ofIdXML(rescored, "PSMFormer:logit"),
             "calibrated logit": ofIdXML(rescored, "PSMFormer:calibrated_logit"),
             OURS: ofIdXML(rescored, "PSMFormer:score"),
             WITH_EXTRACTOR: ofIdXML(references / f"{search}.idXML", "PSMFormer:score"),
             ENGINE_ONLY: ofCounts(counts, "semi_supervised, engine features")}
    for features, title in (("engine", "engine features"), ("all", "all features")):
        for path in sorted((references / "mokapot").glob(f"{search}.{features}.*.tsv")):
            lists[f"mokapot, {title}, draw {path.stem.split('.')[-1]}"] = ofReference(path, labels)
        path = references / "percolator" / f"{search}.{features}.tsv"
        if path.exists():
            lists[f"Percolator, {title}"] = ofReference(path, labels)
    return lists


def byCount(lists, start):
    """The names of the lists that begin so, by what they accept at 1 % (D/T)."""
    return sorted((name for name in lists if name.startswith(start)), key=lambda name: count(lists[name], LIMITS[0], 0))


def gain(lists, ours, theirs):
    more, less = (count(lists[name], LIMITS[0], 0) for name in (ours, theirs))
    low, high = gainInterval(Scored(engine=lists[theirs], logit=lists[ours]), LIMITS[0])
    percent = f", {(more - less) / less:+.1%}" if less else ""
    return f"| {ours} | {theirs} | {more - less:+d}{percent} | {low:+d} to {high:+d} |"


def references(lists):
    """What ours is compared with: of mokapot's draws the middle one and the one that accepts most."""
    yield ENGINE_ONLY
    for start in ("mokapot, engine", "mokapot, all"):
        draws = byCount(lists, start)
        yield from dict.fromkeys([draws[(len(draws) - 1) // 2], draws[-1]] if draws else [])
    yield from byCount(lists, "Percolator")


def report(folder, search):
    """The table in Markdown."""
    lists = readLists(folder, search)
    settings = [(limit, pseudo_count) for limit in LIMITS for pseudo_count in PSEUDO_COUNTS]
    yield "| score | " + " | ".join(f"{limit:.0%} {'(D+1)/T' if one else 'D/T'}" for limit, one in settings) + " |"
    yield "|---" * (1 + len(settings)) + "|"
    for name, best in lists.items():
        yield f"| {name} | " + " | ".join(str(count(best, *setting)) for setting in settings) + " |"
    yield (f"\nGains at 1 % (D/T), with the 95 % interval of {BOOTSTRAP_SAMPLES} samples of the spectra, the same for both; of mokapot's "
           "draws the middle one and the one that accepts most:\n\n| score | against | gain | 95 % |\n|---|---|---|---|")
    for theirs in references(lists):
        for ours in (OURS, WITH_EXTRACTOR):
            yield gain(lists, ours, theirs)
    if not byCount(lists, "Percolator"):
        yield "\nPercolator: not measured, there was none on the PATH."


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "engine_features":
        engineFeatures(*arguments[1:])
    elif len(arguments) == 3 and arguments[0] == "table":
        print("\n".join(report(Path(arguments[1]), arguments[2])))
    else:
        sys.exit("references.py: name engine_features and two Percolator inputs, or table, the folder of an evaluation and a search.")


if __name__ == "__main__":
    main(sys.argv[1:])
