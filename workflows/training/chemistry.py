# SPDX-License-Identifier: BSD-3-Clause
"""Masses, peptide notation, fragment m/z, peptide keys and the split, for the preparation of training spectra."""

import hashlib
import re
from dataclasses import dataclass, field

PROTON = 1.0072764667710  # CODATA 2014, the value of OpenMS
WATER = 18.0105646837
AMMONIA = 17.0265491015
PHOSPHORIC_ACID = 97.9768956  # H3PO4
CARBON_MONOXIDE = 27.9949146
ISOTOPE_SPACING = 1.0033548378  # 13C - 12C

# Monoisotopic residue masses in Da, from the compositions and the IUPAC/CIAAW atomic masses.
RESIDUE_MASS = {
    "G": 57.02146372, "A": 71.03711379, "S": 87.03202841, "P": 97.05276385, "V": 99.06841392, "T": 101.04767847,
    "C": 103.00918448, "L": 113.08406398, "I": 113.08406398, "N": 114.04292744, "D": 115.02694303, "Q": 128.05857751,
    "K": 128.09496302, "E": 129.04259309, "M": 131.04048461, "H": 137.05891186, "F": 147.06841391, "R": 156.10111103,
    "Y": 163.06332854, "W": 186.07931295, "U": 150.95363558, "O": 237.14772687,
}

# Unimod titles and monoisotopic deltas in Da of the modifications that occur in the data.
MODIFICATION_MASS = {
    "Acetyl": 42.010565, "Carbamidomethyl": 57.021464, "Deamidated": 0.984016, "GG": 114.042927, "Oxidation": 15.994915,
    "Phospho": 79.966331, "Propionyl": 56.026215, "Propionyl:13C(3)": 59.036279, "TMT6plex": 229.162932,
    "Label:13C(6)": 6.020129,
    "Label:2H(4)": 4.025107, "Label:13C(6)15N(2)": 8.014199, "Label:13C(6)15N(4)": 10.008269,
}

# What MaxQuant writes in brackets behind a residue, or behind the opening underscore for the N-terminus.
MAXQUANT_NAME = {
    "ac": "Acetyl", "Acetyl (Protein N-term)": "Acetyl", "ox": "Oxidation", "Oxidation (M)": "Oxidation",
    "ph": "Phospho", "gl": "GG",
}

NEUTRAL_LOSS = {"": 0.0, "H2O": WATER, "NH3": AMMONIA, "H3PO4": PHOSPHORIC_ACID, "2H3PO4": 2 * PHOSPHORIC_ACID}


@dataclass
class Peptide:
    """A peptidoform: residues, the modification of each residue ("" for none) and of the N-terminus."""

    residues: str
    modifications: list = field(default_factory=list)
    n_term: str = ""

    def __post_init__(self):
        if not self.modifications:
            self.modifications = [""] * len(self.residues)

    def notation(self):
        """The sequence in OpenMS notation."""
        start = f".({self.n_term})" if self.n_term else ""
        return start + "".join(r + (f"({m})" if m else "") for r, m in zip(self.residues, self.modifications))

    def prefix_masses(self):
        """Neutral masses in Da of the first i residues with their modifications, i = 0 ... length."""
        masses = [MODIFICATION_MASS[self.n_term] if self.n_term else 0.0]
        for residue, name in zip(self.residues, self.modifications):
            masses.append(masses[-1] + RESIDUE_MASS[residue] + (MODIFICATION_MASS[name] if name else 0.0))
        return masses

    def reordered(self, order):
        """The peptide with its residues, each with its modification, in another order of positions."""
        residues = "".join(self.residues[i] for i in order)
        return Peptide(residues, [self.modifications[i] for i in order], self.n_term)

    def mass(self):
        """Monoisotopic mass in Da of the neutral peptide."""
        return self.prefix_masses()[-1] + WATER


def closing_bracket(text, start):
    """Position of the bracket that closes the one at `start`; names (Propionyl:13C(3)) hold brackets themselves."""
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise ValueError(f"bracket without end in '{text}'")


def parse_brackets(text, names):
    """Peptide of a text of residues with bracketed names behind them; `names` translates what the brackets hold."""
    residues, modifications, n_term = [], [], ""
    position = 0
    while position < len(text):
        if text[position] == "(":
            end = closing_bracket(text, position)
            name = names[text[position + 1:end]]
            if not residues:
                n_term = name
            else:
                modifications[-1] = name
            position = end + 1
            continue
        if text[position] not in RESIDUE_MASS:
            raise ValueError(f"unknown residue '{text[position]}' in '{text}'")
        residues.append(text[position])
        modifications.append("")
        position += 1
    return Peptide("".join(residues), modifications, n_term)


def parse_openms(text):
    """Peptide of a sequence in OpenMS notation, e.g. .(Acetyl)PEPM(Oxidation)K."""
    return parse_brackets(text.lstrip("."), {name: name for name in MODIFICATION_MASS})


def parse_maxquant(text):
    """Peptide of a MaxQuant modified sequence, e.g. _(ac)M(ox)PEPTIDEK_ or _pSPEPK_, without fixed modifications."""
    inner = re.sub(r"p([STY])", r"\1(ph)", text.strip("_"))
    return parse_brackets(inner, MAXQUANT_NAME)


def precursor_mz(peptide, charge):
    """m/z of the protonated peptide in Th."""
    return (peptide.mass() + charge * PROTON) / charge


def fragment_mass(prefix, series, number, loss=0.0):
    """Neutral mass in Da of a b or y fragment (or a) from the prefix masses of its peptide."""
    if series == "y":
        return prefix[-1] - prefix[-1 - number] + WATER - loss
    return prefix[number] - loss - (CARBON_MONOXIDE if series == "a" else 0.0)


def fragment_mz(prefix, series, number, charge, loss=0.0):
    """m/z in Th of a fragment ion."""
    return fragment_mass(prefix, series, number, loss) / charge + PROTON


def backbone_ions(peptide, max_charge):
    """All b and y ions as (m/z, series, number, charge)."""
    prefix = peptide.prefix_masses()
    return [(fragment_mz(prefix, series, number, charge), series, number, charge)
            for series in "by" for number in range(1, len(peptide.residues)) for charge in range(1, max_charge + 1)]


def peptide_key(residues):
    """The residues with I = L: peptides of one key cannot be told apart by fragment masses."""
    return residues.replace("I", "L")


def data_part(key):
    """Part of a key: first byte of SHA-256(key) modulo 10; 0 is test, 1 validation, everything else training."""
    return {0: "test", 1: "validation"}.get(hashlib.sha256(key.encode()).digest()[0] % 10, "training")
