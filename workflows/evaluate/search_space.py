# SPDX-License-Identifier: BSD-3-Clause
"""Which peptides a search could find: keys of a tryptic digest within the limits of length and mass that its idXML states.

A key is the residues without modifications, I as L. Masses are those of MH+ with carbamidomethylated cysteine, as Comet
applies its limits to the form without variable modifications.
"""
import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "training"))

from chemistry import MODIFICATION_MASS, PROTON, RESIDUE_MASS, WATER, parse_openms, peptide_key, precursor_mz  # noqa: E402
from digest import MISSED_CLEAVAGES, tryptic  # noqa: E402
from exclusion import read_fasta  # noqa: E402

MASS = {**RESIDUE_MASS, "C": RESIDUE_MASS["C"] + MODIFICATION_MASS["Carbamidomethyl"]}  # Da
PARAMETER = re.compile(r'name="CometAdapter:1:(\w+)" value="([^"]*)"')


class Limits(NamedTuple):
    shortest: int
    longest: int
    lightest: float  # Da, of MH+
    heaviest: float


def readLimits(path):
    """The limits that CometAdapter wrote into an idXML; stops when the search was another than the digest here."""
    with open(path, encoding="iso-8859-1") as file:
        head = re.match(r".*?<ProteinIdentification ", file.read(), re.DOTALL)
    stated = dict(PARAMETER.findall(head[0] if head else ""))
    searched = stated.get("enzyme"), stated.get("num_enzyme_termini"), stated.get("missed_cleavages"), stated.get("clip_nterm_methionine")
    if searched != ("Trypsin", "fully", str(MISSED_CLEAVAGES), "false"):
        sys.exit(f"search_space.py: {path} is no search by CometAdapter for fully tryptic peptides with up to "
                 f"{MISSED_CLEAVAGES} missed cleavages; search it with workflows/evaluate/entrapment.sh.")
    lightest, heaviest = stated["digest_mass_range"].split(":")
    return Limits(int(stated["min_peptide_length"]), int(stated["max_peptide_length"]), float(lightest), float(heaviest))


def isInRange(residues, limits):
    """Whether the search looks at the peptide; one with a residue of unknown mass is not in range."""
    if not limits.shortest <= len(residues) <= limits.longest or not MASS.keys() >= set(residues):
        return False
    return limits.lightest <= sum(map(MASS.__getitem__, residues)) + WATER + PROTON <= limits.heaviest


def keysInRange(fasta_paths, limits):
    """Distinct keys of the proteins' peptides in range."""
    peptides = {p for path in fasta_paths for _, protein in read_fasta(path) for p in tryptic(protein)}
    return {peptide_key(p) for p in peptides if isInRange(p, limits)}


def sharedKeys(keys, fasta_paths):
    """Those of the keys that a tryptic digest of the proteins has too."""
    wanted = set(keys)
    return wanted & {peptide_key(p) for path in fasta_paths for _, protein in read_fasta(path) for p in tryptic(protein)}


def precursorMz(sequence, charge):
    """m/z in Th of a protonated peptide in OpenMS notation."""
    return precursor_mz(parse_openms(sequence), charge)
