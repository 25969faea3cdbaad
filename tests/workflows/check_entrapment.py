#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether false targets are as many as the FDR says: check_entrapment.py entrapment/table.tsv leakage/table.tsv

Of all runs: the 95 % interval of the estimated share of false targets that pass 1 % by (D + 1) / T is not entirely above 1 %,
for the logit, the calibrated logit and the default score; and 0.50 lies in the 99 % interval, no wider than +-0.02, of the area
under the ROC curve of false targets against decoys, with their spectra and with blank ones.
"""
import csv
import sys

FDR, AREA, HALF_WIDTH = 0.01, 0.5, 0.02
SCORES = ("logit", "calibrated logit", "PSMFormer:score, one file")
HITS = ("logit, engine's rank 1", "logit, engine's rank 1, spectrum blanked")


def rows(path, column):
    """{value of the column: row} of all runs."""
    with open(path, encoding="utf-8") as lines:
        return {row[column]: row for row in csv.DictReader(lines, delimiter="\t") if row["run"] == "all runs"
                and float(row.get("fdr", FDR)) == FDR and row.get("pseudo_count", "1") == "1"}


def faults(entrapment, leakage):
    found = [f"{score}: at least {float(entrapment[score]['low']):.2%} of the targets accepted at {FDR:.0%} are false"
             for score in SCORES if float(entrapment[score]["low"]) > FDR]
    for hits in HITS:
        low, high = (float(leakage[hits][end]) for end in ("low", "high"))
        if not low <= AREA <= high:
            found.append(f"{hits}: the area is {low:.3f} to {high:.3f}, without {AREA}")
        if (high - low) / 2 > HALF_WIDTH:
            found.append(f"{hits}: {low:.3f} to {high:.3f} is too wide to tell; search more")
    return found


if __name__ == "__main__":
    problems = faults(rows(sys.argv[1], "score"), rows(sys.argv[2], "hits"))
    print("\n".join(problems) or "False targets are as many as the FDR says.")
    sys.exit(1 if problems else 0)
