#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Takes the hits that might be true out of a search against a foreign proteome: unshared.py IN.idXML OUT.idXML FASTA...

A hit is left out, target or decoy, when its key (residues, I as L) is also that of a peptide of the FASTA files: the
sample's own proteins and contaminants. The next hit takes its place, as if the search had not known the peptide; an
identification without a hit is left out too. Prints how many hits went.
"""
import re
import sys

from psm_lists import peptideKey
from replicate import IDENTIFICATION
from search_space import sharedKeys

HIT = re.compile(r"[ \t]*<PeptideHit .*?</PeptideHit>\n", re.DOTALL)
SEQUENCE = re.compile(r'<PeptideHit [^>]*sequence="([^"]*)"')


def withoutKeys(text, keys):
    """(text of an idXML without hits of these keys, number of hits left out)."""
    left_out = 0

    def keptHit(match):
        nonlocal left_out
        is_shared = peptideKey(SEQUENCE.search(match[0])[1]) in keys
        left_out += is_shared
        return "" if is_shared else match[0]

    def keptIdentification(match):
        identification = HIT.sub(keptHit, match[0])
        return identification if "<PeptideHit " in identification else ""

    return IDENTIFICATION.sub(keptIdentification, text), left_out


def main(idxml, out, fasta_paths):
    with open(idxml, encoding="iso-8859-1") as file:
        text = file.read()
    keys = {peptideKey(sequence) for sequence in SEQUENCE.findall(text)}
    text, left_out = withoutKeys(text, sharedKeys(keys, fasta_paths))
    with open(out, "w", encoding="iso-8859-1") as file:
        file.write(text)
    print(f"{left_out} hits of shared keys left out")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("unshared.py: name the idXML to read, the one to write, and the FASTA files of the sample's proteins.")
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
