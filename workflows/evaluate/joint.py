#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What PSMFormer accepts of all runs in one file: joint.py RESCORED.idXML

Prints target PSMs at 1 and 5 % FDR (D/T and (D+1)/T) by the E-value of the engine, the network's logit, as it is and calibrated, and
PSMFormer:score, and what the score gains on the others at 1 % (D/T), with 95 % intervals by bootstrap over spectra.
"""
import sys

from psm_lists import bestHitsOfRuns
from table import LIMITS, PSEUDO_COUNTS, Scored, count, gainInterval, inOrder

SCORES = {"engine": "-expect", "logit": "PSMFormer:logit", "calibrated logit": "PSMFormer:calibrated_logit",
          "PSMFormer:score": "PSMFormer:score"}


def main(path):
    lists = {name: inOrder([(goodness, hit, spectrum) for goodness, hit, _, spectrum in bestHitsOfRuns(path, score)])
             for name, score in SCORES.items()}
    if not lists["engine"]:
        sys.exit(f"joint.py: {path} has no meta value 'expect'; rescore a search by Comet with -mode replace.")
    settings = [(limit, pseudo_count) for limit in LIMITS for pseudo_count in PSEUDO_COUNTS]
    print("| score | " + " | ".join(f"{limit:.0%} {'(D+1)/T' if one else 'D/T'}" for limit, one in settings) + " |")
    print("|---" * (1 + len(settings)) + "|")
    for name, best in lists.items():
        print(f"| {name} | " + " | ".join(str(count(best, *setting)) for setting in settings) + " |")
    print()
    for other in ("engine", "logit", "calibrated logit"):
        low, high = gainInterval(Scored(engine=lists[other], logit=lists["PSMFormer:score"]), LIMITS[0])
        print(f"PSMFormer:score against {other}, 1 % D/T: {low:+d} to {high:+d} (95 %)")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("joint.py: name the rescored file.")
    main(sys.argv[1])
