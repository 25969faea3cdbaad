#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Peptide keys that a search engine identifies in the evaluation runs: what training must not contain.

identified_keys.py IDXML...   prints one key (residues without modifications, I as L) per line, sorted: every best hit
that is a target with q <= 5 % (decoys / targets, the engine's main score), in any of the files.
"""
import sys

from psm_lists import acceptedHits, peptideKey, ranked, readIdentifications

Q_VALUE_LIMIT = 0.05


def identifiedKeys(paths):
    """The set of keys identified in any of the idXML files."""
    keys = set()
    for path in paths:
        keys.update(peptideKey(h.sequence) for h in acceptedHits(ranked(readIdentifications(path), "main"), Q_VALUE_LIMIT))
    return keys


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("identified_keys.py: no idXML given; name the searched idXML files (after PeptideIndexer).")
    print("\n".join(sorted(identifiedKeys(sys.argv[1:]))))
