# SPDX-License-Identifier: BSD-3-Clause
"""Peptides to predict spectra of: digests of natural proteins, their charges, modifications and unnatural twins."""

from chemistry import PROTON, RESIDUE_MASS, WATER, Peptide, data_part, peptide_key
from exclusion import is_unwanted
from prepare import shuffled

MIN_LENGTH, MAX_LENGTH = 7, 40
MISSED_CLEAVAGES = 2
RESIDUES_PER_WINDOW = 40  # one peptide of unspecific cleavage per so many residues
LOWEST_MZ, HIGHEST_MZ = 300.0, 1600.0  # of precursors that instruments select
TWIN_TRIES = 60
CARBAMIDOMETHYL, OXIDATION, ACETYL, TMT = 0.85, 0.2, 0.04, 0.08  # shares of peptides, methionines, N-termini, peptides
PREDICTED = frozenset("ACDEFGHIKLMNPQRSTVWY")


def tryptic(protein):
    """Yields the peptides of a protein cut behind K and R, but not before P."""
    ends = [i + 1 for i in range(len(protein) - 1) if protein[i] in "KR" and protein[i + 1] != "P"]
    bounds = [0] + ends + [len(protein)]
    for i, start in enumerate(bounds[:-1]):
        for end in bounds[i + 1:i + 2 + MISSED_CLEAVAGES]:
            yield protein[start:end]


def windows(protein, rng):
    """Yields peptides cut anywhere."""
    for _ in range(len(protein) // RESIDUES_PER_WINDOW):
        length = rng.randint(MIN_LENGTH, MAX_LENGTH)
        start = rng.randint(0, max(0, len(protein) - length))
        yield protein[start:start + length]


def candidates(proteins, rng):
    """Yields peptides of the proteins in random order of the proteins, tryptic ones and others."""
    rng.shuffle(proteins)
    for header, protein in proteins:
        if is_unwanted(header):
            continue
        for residues in [*tryptic(protein), *windows(protein, rng)]:
            if MIN_LENGTH <= len(residues) <= MAX_LENGTH and PREDICTED.issuperset(residues):
                yield residues


def permitted_charges(residues):
    """2 to 4, at most one more than there are basic residues, where the precursor lies in the usual range of m/z."""
    most = max(2, 1 + sum(residues.count(basic) for basic in "KRH"))
    mass = WATER + sum(map(RESIDUE_MASS.__getitem__, residues))
    return [z for z in (2, 3, 4) if z <= most and LOWEST_MZ <= mass / z + PROTON <= HIGHEST_MZ]


def modified(residues, charge, fragmentation, rng):
    """The peptide with the modifications of a usual sample; TMT where its model applies (2+, HCD)."""
    tmt = charge == 2 and fragmentation == "HCD" and rng.random() < TMT
    alkylated = rng.random() < CARBAMIDOMETHYL
    names = []
    for residue in residues:
        oxidised = residue == "M" and rng.random() < OXIDATION
        names.append("Oxidation" if oxidised else "Carbamidomethyl" if residue == "C" and alkylated else
                     "TMT6plex" if residue == "K" and tmt else "")
    return Peptide(residues, names, "TMT6plex" if tmt else "Acetyl" if rng.random() < ACETYL else "")


def twin(peptide, taken, rng):
    """(unnatural peptide, "reversed" or "shuffled"), or (None, "") when none is found.

    It has the composition, the C-terminal residue and the part of the peptide. `taken` are keys that it must not have.
    Half are reversed but for the last residue, where that is of the same part.
    """
    part = data_part(peptide_key(peptide.residues))
    last = len(peptide.residues) - 1
    for attempt in range(TWIN_TRIES):
        reverse = attempt == 0 and rng.random() < 0.5
        other = peptide.reordered([*range(last - 1, -1, -1), last]) if reverse else shuffled(peptide, rng)
        key = peptide_key(other.residues)
        if key not in taken and data_part(key) == part:
            return other, "reversed" if reverse else "shuffled"
    return None, ""
