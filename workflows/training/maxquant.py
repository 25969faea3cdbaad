# SPDX-License-Identifier: BSD-3-Clause
"""Rows of MaxQuant msms.txt: matched fragments with measured m/z; fixed modifications have to be found.

The modified sequence of MaxQuant names variable modifications only. Fixed ones (carbamidomethyl, oxidised methionine)
and labels (SILAC, propionyl) are chosen per row among those that occur, as the simplest set that explains the row.
"""

import gzip
import itertools
import re
from dataclasses import dataclass

from chemistry import AMMONIA, PHOSPHORIC_ACID, WATER, Peptide, fragment_mz, parse_maxquant

ION = re.compile(r"^([aby])(\d+)(-H2O|-NH3|\*)?(?:\((\d)\+\))?$")
ION_LOSS = {None: 0.0, "-H2O": WATER, "-NH3": AMMONIA, "*": PHOSPHORIC_ACID}
LABELS = [("", "", "")] + [  # N-terminus, K, R
    ("", "Label:2H(4)", "Label:13C(6)"), ("", "Label:13C(6)15N(2)", "Label:13C(6)15N(4)"),
    ("", "Label:13C(6)", "Label:13C(6)"),
    ("Propionyl", "Propionyl", ""), ("Propionyl:13C(3)", "Propionyl:13C(3)", ""), ("", "Propionyl", ""),
    ("", "Propionyl:13C(3)", ""), ("Propionyl", "", ""), ("Propionyl:13C(3)", "", "")]
MIN_EXPLAINED = 0.8  # share of a row's fragments; below it the peptide of the row is not known well enough
SURE_EXPLAINED = 0.95  # no further set of modifications is tried


@dataclass
class Row:
    """A line of the table."""

    source: str
    raw_file: str
    scan: str
    sequence: str
    charge: int
    fragmentation: str
    analyzer: str
    ions: list  # (match of ION, m/z, intensity)

    def is_iontrap(self):
        return self.analyzer == "ITMS"


def read_rows(path):
    """Yields the rows of maxquant_matched_fragments.tsv.gz."""
    with gzip.open(path, "rt", encoding="ascii") as lines:
        next(lines)
        for line in lines:
            (source, raw, scan, sequence, charge, frag, analyzer, _, matches, masses,
             intensities) = line.rstrip("\n").split("\t")
            ions = [(ION.match(name), float(mz), float(intensity)) for name, mz, intensity in
                    zip(matches.split(";"), masses.split(";"), intensities.split(";"))]
            yield Row(source, raw, scan, sequence, int(charge), frag, analyzer, [ion for ion in ions if ion[0]])


def with_modifications(peptide, label, cysteine, methionine):
    """The peptide with the given label, and C and M modified where they carry nothing yet ("" for no modification)."""
    n_term, lysine, arginine = label
    wanted = {"C": cysteine, "M": methionine, "K": lysine, "R": arginine}
    modifications = [name or wanted.get(residue, "") for residue, name in zip(peptide.residues, peptide.modifications)]
    return Peptide(peptide.residues, modifications, peptide.n_term or n_term)


def candidates(peptide):
    """Peptidoforms to try, simplest first, each once."""
    seen = set()
    for methionine, label, cysteine in itertools.product(("", "Oxidation"), LABELS, ("", "Carbamidomethyl")):
        if methionine and not any("Propionyl" in name for name in label):
            continue  # methionine is oxidised as a whole in the propionylated samples only
        candidate = with_modifications(peptide, label, cysteine, methionine)
        if candidate.notation() not in seen:
            seen.add(candidate.notation())
            yield candidate


def ion_errors(row, peptide):
    """(measured - theoretical m/z, theoretical m/z) of every fragment of the row."""
    prefix = peptide.prefix_masses()
    errors = []
    for ion, mz, _ in row.ions:
        theoretical = fragment_mz(prefix, ion[1], int(ion[2]), int(ion[4] or 1), ION_LOSS[ion[3]])
        errors.append((mz - theoretical, theoretical))
    return errors


def explained_ions(row, peptide):
    """Share of the row's fragments within 0.5 Da (ion trap) or 25 ppm of the peptide's."""
    if not row.ions:
        return 0.0
    inside = sum(abs(error) < (0.5 if row.is_iontrap() else 25e-6 * mz) for error, mz in ion_errors(row, peptide))
    return inside / len(row.ions)


def identify(row):
    """The peptidoform that explains the row, or None."""
    best, best_share = None, MIN_EXPLAINED
    for candidate in candidates(parse_maxquant(row.sequence)):
        share = explained_ions(row, candidate)
        if share > best_share:
            best, best_share = candidate, share
        if share > SURE_EXPLAINED:
            break
    return best


def measured_peaks(row):
    """The row's peaks as (m/z, charge, intensity), each once: two ions may share a measured peak."""
    return sorted({(mz, intensity): (mz, int(ion[4] or 1), intensity) for ion, mz, intensity in row.ions}.values())


class FullSpectra:
    """Finds the whole measured spectrum of a row by its fragments, whose m/z the table copies unchanged."""

    def __init__(self, spectra):
        self.spectra = list(spectra)
        self.index = {}
        for position, spectrum in enumerate(self.spectra):
            for mz, _ in spectrum.peaks:
                self.index.setdefault(round(mz, 3), []).append(position)

    def find(self, row):
        """Position of the spectrum that holds at least 95 % of the row's fragments to 0.001 Th, or None."""
        mzs = {mz for _, mz, _ in row.ions}
        counts = {}
        for mz in mzs:
            for position in {p for step in (-0.001, 0.0, 0.001) for p in self.index.get(round(mz + step, 3), ())}:
                counts[position] = counts.get(position, 0) + 1
        best = max(counts, key=lambda position: (counts[position], -position), default=None)
        return best if best is not None and len(mzs) >= 5 and counts[best] >= 0.95 * len(mzs) else None
