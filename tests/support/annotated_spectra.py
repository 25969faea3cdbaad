# SPDX-License-Identifier: BSD-3-Clause
"""Peptides and their spectra, made up, for tests of training."""

import random

RESIDUES = {"G": 57.021464, "A": 71.037114, "S": 87.032028, "P": 97.052764, "V": 99.068414, "T": 101.047679, "L": 113.084064,
            "N": 114.042927, "D": 115.026943, "E": 129.042593, "F": 147.068414, "Y": 163.063329, "R": 156.101111, "K": 128.094963}
PROTON, WATER = 1.007276, 18.010565


def tryptic_sequences(n):
    """n peptides that trypsin could have made, the same each time."""
    draw = random.Random(1)
    return ["".join(draw.choices("GASPVTLNDEFY", k=draw.randint(7, 12))) + draw.choice("KR") for _ in range(n)]


def annotated_spectrum(number, sequence):
    """An MGF entry with the b and y ions of a peptide, charge 2."""
    masses = [RESIDUES[residue] for residue in sequence]
    peaks = [sum(masses[:i]) + PROTON for i in range(1, len(masses))] + \
            [sum(masses[i:]) + WATER + PROTON for i in range(1, len(masses))]
    lines = "\n".join(f"{mz:.4f} {1000 + 10 * rank}" for rank, mz in enumerate(sorted(peaks)))
    return (f"BEGIN IONS\nTITLE=scan={number + 1}\nSCANS={number + 1}\nRTINSECONDS={10 * number}\nSEQ={sequence}\nCHARGE=2+\n"
            f"PEPMASS={(sum(masses) + WATER + 2 * PROTON) / 2:.5f}\nITOL=0.02\nITOLU=Da\n{lines}\nEND IONS\n")
