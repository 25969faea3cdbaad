# SPDX-License-Identifier: BSD-3-Clause
"""What must not be trained on: keys identified in the evaluation runs, and the proteins of the demonstration run.

Predicted spectra also leave out every key of the evaluation databases.
"""

import gzip

from chemistry import peptide_key

EXCLUDED_ACCESSIONS = ("P02769", "P00761")  # bovine serum albumin and porcine trypsin
UNWANTED_PROTEINS = ("albumin", "keratin", "trypsin")


def open_text(path):
    """Opens a text file, gzip-compressed or not."""
    return gzip.open(path, "rt", encoding="ascii") if str(path).endswith(".gz") else open(path, encoding="ascii")


def read_fasta(path):
    """Yields (header without >, residues)."""
    header, residues = None, []
    with open_text(path) as lines:
        for line in lines:
            if line.startswith(">"):
                if header is not None:
                    yield header, "".join(residues)
                header, residues = line[1:].strip(), []
            else:
                residues.append(line.strip().upper())
    if header is not None:
        yield header, "".join(residues)


class Exclusion:
    """Tells why a peptide is left out."""

    def __init__(self, keys, proteins):
        self.keys = keys
        self.proteins = "|".join(peptide_key(protein) for protein in proteins)

    @classmethod
    def from_files(cls, keys_path, fasta_paths):
        """Reads one key a line, and the excluded accessions of the FASTA files; both accessions have to be found."""
        keys = {peptide_key(line.strip()) for line in open(keys_path, encoding="ascii") if line.strip()}
        proteins, found = [], set()
        for path in fasta_paths:
            for header, residues in read_fasta(path):
                names = [accession for accession in EXCLUDED_ACCESSIONS if accession in header]
                if names:
                    found.update(names)
                    proteins.append(residues)
        missing = set(EXCLUDED_ACCESSIONS) - found
        if missing:
            names, files = " or ".join(sorted(missing)), ", ".join(map(str, fasta_paths))
            raise SystemExit(f"prepare.py: no protein {names} in {files}; give --proteins a FASTA that has it.")
        return cls(keys, proteins)

    def reason(self, residues):
        """"identified", "bsa_or_trypsin", or "" for a peptide that may be trained on."""
        key = peptide_key(residues)
        if key in self.keys:
            return "identified"
        return "bsa_or_trypsin" if key in self.proteins else ""


def forms(key):
    """A key and what it would be a decoy of: its reversal, whole and with the C-terminal residue in place."""
    return {key, key[::-1], key[-2::-1] + key[-1]}


def keys_in_proteins(keys, fasta_paths):
    """The keys that are part of a protein of the FASTA files, wherever an enzyme would cut it."""
    length = min(map(len, keys), default=0)
    by_start = {}
    for key in keys:
        by_start.setdefault(key[:length], []).append(key)
    found = set()
    for path in fasta_paths:
        for _, residues in read_fasta(path):
            protein = peptide_key(residues)
            for at in range(len(protein) - length + 1):
                started = by_start.get(protein[at:at + length])
                if started:
                    found.update(key for key in started if protein.startswith(key, at))
    return found


def is_unwanted(header):
    """Whether a protein of the naturals is an albumin, keratin or trypsin by its name."""
    return any(word in header.lower() for word in UNWANTED_PROTEINS)
