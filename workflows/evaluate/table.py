#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of an evaluation: table.py RUNS.tsv FOLDER

Reads FOLDER/searched/<run>.<search>.idXML (engine score) and, where present, FOLDER/rescored/ (PSMFormer:calibrated_logit), counts
target PSMs at 1 and 5 % FDR by decoys/targets and by (decoys + 1)/targets, and peptides (the best PSM of each in a run) by
decoys/targets, for each run and pooled, prints the counts and writes them to FOLDER/table.tsv. Where FalseDiscoveryRate and
IDFilter have filtered the same files, their count stands beside ours. Gains come with a bootstrap interval over spectra.
"""
import sys
from pathlib import Path

from bootstrap import draws, interval
from psm_lists import accepted, firstOfEach, peptideKey, ranked, readColumns, readIdentifications

LIMITS = (0.01, 0.05)
PSEUDO_COUNTS = (0, 1)
SEARCHES = ("tryptic", "unspecific", "modifications", "xtandem", "simple")
POOLS = (("HCD runs", lambda fragmentation: fragmentation == "HCD"), ("all runs", lambda fragmentation: True))
BOOTSTRAP_SAMPLES = 1000


class Scored:
    """The best hit of every spectrum of some runs, by the engine's score and by PSMFormer's calibrated logit."""

    def __init__(self, engine, logit=None, filtered=(None, None)):
        self.engine, self.logit, self.filtered = engine, logit, filtered  # lists of (goodness, hit, spectrum)


def bestHits(path, score, run):
    """ranked() with the spectrum of each hit, so that a bootstrap can draw spectra."""
    result = []
    for identification in readIdentifications(path):
        for value, hit in ranked([identification], score):
            result.append((value, hit, (run, identification.reference)))
    return inOrder(result)


def inOrder(best):
    return sorted(best, key=lambda entry: (-entry[0], entry[1].target))


def count(best, limit, pseudo_count):
    return accepted([entry[:2] for entry in best], limit, pseudo_count)


def bestOfPeptides(best):
    """The first entry of each peptide of a run, of targets and of decoys."""
    return firstOfEach(best, lambda entry: (entry[2][0], entry[1].target, peptideKey(entry[1].sequence)))


def filteredCount(path):
    """Number of identifications that IDFilter left, or None."""
    return sum(bool(i.hits) for i in readIdentifications(path)) if path.exists() else None


def read(folder, run, search):
    """Scored of one search, or None when it was not made."""
    name = f"{run}.{search}"
    searched, rescored = folder / "searched" / f"{name}.idXML", folder / "rescored" / f"{name}.idXML"
    if not searched.exists():
        return None
    logit = bestHits(rescored, "PSMFormer:calibrated_logit", run) if rescored.exists() else None
    filtered = tuple(filteredCount(folder / "accepted" / f"{name}.{by}.idXML") for by in ("engine", "psmformer"))
    return Scored(bestHits(searched, "main", run), logit, filtered)


def pool(parts):
    complete = all(p.logit is not None for p in parts)
    return Scored(inOrder(e for p in parts for e in p.engine), inOrder(e for p in parts for e in p.logit) if complete else None)


def acceptedWeighted(best, weights, limit):
    """accepted() with decoys/targets when each spectrum counts as often as it was drawn."""
    targets = decoys = result = 0
    for _, hit, spectrum in best:
        drawn = weights.get(spectrum, 0)
        if hit.target:
            targets += drawn
        else:
            decoys += drawn
        if targets and decoys / targets <= limit:
            result = targets
    return result


def gainInterval(scored, limit):
    """95 % percentile interval of (logit - engine) accepted targets, spectra drawn with replacement."""
    spectra = {e[2] for e in scored.engine} | {e[2] for e in scored.logit}
    return interval([acceptedWeighted(scored.logit, weights, limit) - acceptedWeighted(scored.engine, weights, limit)
                     for weights in draws(spectra, BOOTSTRAP_SAMPLES)], 0.95)


def cells(scored):
    """(header, engine's count, PSMFormer's count) of one row."""
    for limit in LIMITS:
        for pseudo_count in PSEUDO_COUNTS:
            header = f"{limit:.0%} {'(D+1)/T' if pseudo_count else 'D/T'}"
            ours = None if scored.logit is None else count(scored.logit, limit, pseudo_count)
            yield header, count(scored.engine, limit, pseudo_count), ours
    peptides = Scored(bestOfPeptides(scored.engine), None if scored.logit is None else bestOfPeptides(scored.logit))
    for limit in LIMITS:
        yield f"{limit:.0%} peptides", count(peptides.engine, limit, 0), None if peptides.logit is None else count(peptides.logit, limit, 0)
    yield "1% filtered", *scored.filtered


def text(value):
    return "-" if value is None else str(value)


def printRow(label, search, scored):
    row = [f"{text(engine)} / {text(ours)}" for _, engine, ours in cells(scored)]
    print(f"{label:<14}{search:<15}{len(scored.engine):>8}  " + "".join(f"{c:>15}" for c in row))


def main(runs_path, folder):
    fragmentation = {columns[0]: columns[-1] for columns in readColumns(runs_path)}
    headers = ["1% D/T", "1% (D+1)/T", "5% D/T", "5% (D+1)/T", "1% peptides", "5% peptides", "1% filtered"]
    print("Target PSMs, engine score / PSMFormer's calibrated logit; 'filtered' is FalseDiscoveryRate and IDFilter (D/T)\n")
    print(f"{'run':<14}{'search':<15}{'spectra':>8}  " + "".join(f"{h:>15}" for h in headers))
    lines, intervals = ["run\tsearch\tspectra\tcount\tengine\tpsmformer"], []
    for search in SEARCHES:
        parts = {run: scored for run in fragmentation if (scored := read(folder, run, search)) is not None}
        rows = list(parts.items())
        if len(parts) == len(fragmentation):
            rows += [(name, pool([s for r, s in parts.items() if chosen(fragmentation[r])])) for name, chosen in POOLS]
        for label, scored in rows:
            printRow(label, search, scored)
            for header, engine, ours in cells(scored):
                lines.append(f"{label}\t{search}\t{len(scored.engine)}\t{header}\t{text(engine)}\t{text(ours)}")
            if scored.logit is not None:
                low, high = gainInterval(scored, LIMITS[0])
                intervals.append(f"{label}, {search}: gain at 1% D/T {low:+d} to {high:+d} (95 % of {BOOTSTRAP_SAMPLES} "
                                 "bootstrap samples over spectra)")
    print("\n" + "\n".join(intervals) if intervals else "")
    (folder / "table.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("table.py: name runs.tsv and the folder of an evaluation.")
    main(sys.argv[1], Path(sys.argv[2]))
