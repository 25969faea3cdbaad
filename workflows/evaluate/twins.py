#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Adds a shuffled twin to every protein: twins.py PROTEINS.fasta OUT.fasta SEED

Every stretch between two tryptic cleavage sites is shuffled but for its first and last residue, so that the digest of a twin
is that of its protein, peptide by peptide: same ends, composition, mass and missed cleavages. K or R before P stay before it,
for they are no cleavage sites. The order is decided by the seed and the stretch (I as L) alone: a stretch has one twin
wherever it occurs. Stretches that cannot be shuffled into another (AAAAK) stay as they are; what they share with the
proteins counts as theirs in the estimate. After the entrapment databases of FDRBench (Wen et al. 2025,
doi:10.1038/s41592-025-02719-x).
"""
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "training"))

from chemistry import peptide_key  # noqa: E402
from exclusion import read_fasta  # noqa: E402

PREFIX = "TWIN_"
STRETCH = re.compile(r".*?[KR](?!P)|.+$")
UNIT = re.compile(r"[KR]P|.")  # what is moved as one
TRIES = 20


def twinOfStretch(stretch, seed):
    """The residues between two cleavage sites in another order, the first and the last unit in their places."""
    units = UNIT.findall(stretch)
    generator = random.Random(f"{seed} {peptide_key(stretch)}")
    inner = list(range(1, len(units) - 1))
    for _ in range(TRIES):
        generator.shuffle(inner)
        twin = "".join([units[0], *(units[i] for i in inner), *units[1:][-1:]])
        if peptide_key(twin) != peptide_key(stretch):
            return twin
    return stretch


def twinOfProtein(protein, seed):
    return "".join(twinOfStretch(stretch, seed) for stretch in STRETCH.findall(protein))


def main(fasta, out, seed):
    proteins = list(read_fasta(fasta))
    with open(out, "w", encoding="ascii") as file:
        for header, protein in proteins:
            file.write(f">{header}\n{protein}\n")
        for header, protein in proteins:
            file.write(f">{PREFIX}{header}\n{twinOfProtein(protein, seed)}\n")
    print(f"{len(proteins)} proteins and their twins")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("twins.py: name the FASTA file to read, the one to write, and a seed.")
    main(*sys.argv[1:])
