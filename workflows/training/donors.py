# SPDX-License-Identifier: BSD-3-Clause
"""Unexplained peaks of real spectra, to lay measured fragment intensities over."""

import random
from bisect import bisect_left
from dataclasses import dataclass

from chemistry import PROTON, RESIDUE_MASS, CARBON_MONOXIDE
from measure import match, unexplained_peaks, width

IMMONIUM = {residue: mass - CARBON_MONOXIDE + PROTON for residue, mass in RESIDUE_MASS.items()}
NEIGHBOURS = 60  # donors of the nearest precursor m/z to draw from
SHORT_IONS = [("y", 1), ("y", 2), ("b", 2)]  # missing from the tables, taken from the donor


@dataclass
class Donor:
    """What a real spectrum lends: intensities are relative to the summed intensity of its matched b and y ions."""

    precursor_mz: float
    noise: list  # (m/z, relative intensity, immonium residue or "")
    short_ions: dict  # (series, number) -> relative intensity


def immonium_residue(mz, tolerance, unit):
    """The residue whose immonium ion lies at this m/z, or ""."""
    if mz > 160.0:
        return ""
    return next((r for r, ion in IMMONIUM.items() if abs(ion - mz) < width(mz, tolerance, unit)), "")


def donor_of(spectrum):
    """The donor of an annotated spectrum, or None when too little of it is explained."""
    peptide = spectrum.peptide()
    matches = match(spectrum, peptide)
    reference = sum(spectrum.peaks[i][1] for i in set(matches.ions.values()))
    if len(matches.ions) < 5 or reference <= 0.05 * sum(intensity for _, intensity in spectrum.peaks):
        return None
    noise = [(mz, intensity / reference, immonium_residue(mz, spectrum.tolerance, spectrum.unit))
             for mz, intensity in unexplained_peaks(spectrum, peptide)]
    short = {(series, number): spectrum.peaks[matches.ions[series, number, 1]][1] / reference
             for series, number in SHORT_IONS if (series, number, 1) in matches.ions}
    return Donor(spectrum.precursor_mz, noise, short) if noise else None


def donor_of_unlabelled(spectrum, rng):
    """A donor of a whole spectrum of unknown peptide; its scale is drawn around that of annotated spectra."""
    total = sum(intensity for _, intensity in spectrum.peaks)
    share = min(0.7, max(0.1, rng.gauss(0.42, 0.13)))
    scale = (1.0 - share) / share / total
    return Donor(spectrum.precursor_mz, [(mz, intensity * scale, "") for mz, intensity in spectrum.peaks], {})


class DonorLibrary:
    """Donors by data part, found by precursor m/z; a training spectrum gets no peak of a test spectrum."""

    def __init__(self):
        self.parts = {}

    def add(self, part, donor):
        if donor is not None:
            self.parts.setdefault(part, []).append(donor)

    def freeze(self):
        """Sorts the donors; to be called once, after the last `add`."""
        for donors in self.parts.values():
            donors.sort(key=lambda donor: donor.precursor_mz)
        self.keys = {part: [donor.precursor_mz for donor in donors] for part, donors in self.parts.items()}

    def draw(self, part, precursor_mz, rng: random.Random):
        """One of the donors of nearest precursor m/z."""
        donors = self.parts[part]
        at = bisect_left(self.keys[part], precursor_mz)
        first = max(0, min(at - NEIGHBOURS // 2, len(donors) - NEIGHBOURS))
        return donors[rng.randrange(first, min(len(donors), first + NEIGHBOURS))]

    def draw_crossed(self, part, precursor_mz, rng):
        """A donor made of the low end of one and the high end of another: more variety than there are spectra."""
        low, high = self.draw(part, precursor_mz, rng), self.draw(part, precursor_mz, rng)
        cut = rng.uniform(0.3, 2.0) * precursor_mz
        noise = [peak for peak in low.noise if peak[0] < cut] + [peak for peak in high.noise if peak[0] >= cut]
        return Donor(precursor_mz, noise, low.short_ions)
