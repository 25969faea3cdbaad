# SPDX-License-Identifier: BSD-3-Clause
"""What spectra look like: matched b and y ions, their errors and their share of the intensity."""

import statistics
from bisect import bisect_left
from dataclasses import dataclass, field

from chemistry import AMMONIA, CARBON_MONOXIDE, ISOTOPE_SPACING, PHOSPHORIC_ACID, PROTON, WATER, backbone_ions


def width(mz, tolerance, unit):
    """The tolerance in Th at an m/z."""
    return tolerance if unit == "Da" else tolerance * 1e-6 * mz


def fragment_charge(charge):
    """Highest fragment charge looked for: what the precursor can give, at most 2 (3 from precursors above 4)."""
    return max(1, min(charge - 1, 3 if charge > 4 else 2))


@dataclass
class Matches:
    """Matched b and y ions of a spectrum: ion (series, number, charge) -> position of its most intense peak."""

    ions: dict = field(default_factory=dict)
    theoretical: dict = field(default_factory=dict)
    positions: set = field(default_factory=set)  # of every peak inside a tolerance window
    n_singly_charged: int = 0  # singly charged b and y ions of the peptide


def match(spectrum, peptide=None, tolerance=None, unit=None):
    """Matches of a spectrum with its peptide, by the tolerance it carries unless another is given."""
    tolerance, unit = (spectrum.tolerance, spectrum.unit) if tolerance is None else (tolerance, unit)
    peptide = peptide or spectrum.peptide()
    mzs = [mz for mz, _ in spectrum.peaks]
    found = Matches(n_singly_charged=2 * (len(peptide.residues) - 1))
    for mz, series, number, charge in backbone_ions(peptide, fragment_charge(spectrum.charge)):
        reach = width(mz, tolerance, unit)
        first, best = bisect_left(mzs, mz - reach), None
        for i in range(first, len(mzs)):
            if mzs[i] > mz + reach:
                break
            found.positions.add(i)
            if best is None or spectrum.peaks[i][1] > spectrum.peaks[best][1]:
                best = i
        if best is not None:
            found.ions[series, number, charge] = best
            found.theoretical[series, number, charge] = mz
    return found


def explained_share(spectrum, matches):
    """Share of the summed intensity that lies in matched peaks."""
    total = sum(intensity for _, intensity in spectrum.peaks)
    return sum(spectrum.peaks[i][1] for i in matches.positions) / total if total else 0.0


def unexplained_windows(peptide, charge):
    """m/z of everything the peptide explains: b, y and a ions, their losses and isotopes, the precursor."""
    masses = []
    losses = [0.0, WATER, AMMONIA] + ([PHOSPHORIC_ACID] if "Phospho" in peptide.modifications else [])
    for mz, series, _, z in backbone_ions(peptide, fragment_charge(charge)):
        for loss in losses + ([CARBON_MONOXIDE] if series == "b" else []):
            masses += [mz - loss / z + k * ISOTOPE_SPACING / z for k in range(3)]
    precursor = peptide.mass()
    for z in range(1, charge + 1):
        masses += [(precursor - loss + k * ISOTOPE_SPACING) / z + PROTON
                   for loss in losses + [2 * WATER] for k in range(4)]
    return sorted(masses)


def unexplained_peaks(spectrum, peptide):
    """The peaks that no fragment, isotope or precursor form of the peptide explains."""
    windows = unexplained_windows(peptide, spectrum.charge)
    left = []
    for mz, intensity in spectrum.peaks:
        reach = width(mz, spectrum.tolerance, spectrum.unit)
        at = bisect_left(windows, mz - reach)
        if at == len(windows) or windows[at] > mz + reach:
            left.append((mz, intensity))
    return left


class Summary:
    """Collects what a source looks like; `line` gives the medians."""

    COLUMNS = ("source spectra peaks explained matched_1+ error_ppm spread_ppm error_Da spread_Da spectrum_offset_ppm "
               "isotope_share top10_explained").split()

    def __init__(self):
        self.peaks, self.explained, self.matched, self.ppm, self.dalton, self.offsets = [], [], [], [], [], []
        self.isotopes, self.top = [], []

    def add(self, spectrum):
        matches = match(spectrum)
        self.peaks.append(len(spectrum.peaks))
        self.explained.append(explained_share(spectrum, matches))
        single = sum(charge == 1 for _, _, charge in matches.ions)
        self.matched.append(single / max(1, matches.n_singly_charged))
        errors = [spectrum.peaks[i][0] - matches.theoretical[ion] for ion, i in matches.ions.items()]
        parts = [error / matches.theoretical[ion] * 1e6 for error, ion in zip(errors, matches.ions)]
        self.dalton += errors[:40]
        self.ppm += parts[:40]
        if parts:
            self.offsets.append(statistics.median(parts))
        strongest = sorted(range(len(spectrum.peaks)), key=lambda i: -spectrum.peaks[i][1])[:10]
        self.top.append(sum(i in matches.positions for i in strongest) / max(1, len(strongest)))
        self.add_isotopes(spectrum, matches)

    def add_isotopes(self, spectrum, matches):
        """Share of the singly charged matched ions among the 20 most intense peaks that show a first isotope peak."""
        limit = sorted((intensity for _, intensity in spectrum.peaks), reverse=True)[:20][-1] if spectrum.peaks else 0.0
        mzs = [mz for mz, _ in spectrum.peaks]
        for (_, _, charge), i in matches.ions.items():
            if charge == 1 and spectrum.peaks[i][1] >= limit:
                target = spectrum.peaks[i][0] + ISOTOPE_SPACING
                reach = width(target, spectrum.tolerance, spectrum.unit) if spectrum.unit == "ppm" else 0.25
                at = bisect_left(mzs, target - reach)
                self.isotopes.append(at < len(mzs) and mzs[at] <= target + reach)

    def line(self, source):
        if not self.peaks:
            return f"{source}\t0"
        values = [f"{median(self.peaks):.0f}", f"{median(self.explained):.3f}", f"{median(self.matched):.3f}",
                  f"{median(self.ppm):.2f}", f"{mad(self.ppm):.2f}", f"{median(self.dalton):.4f}",
                  f"{mad(self.dalton):.4f}", f"{1.4826 * mad(self.offsets):.2f}",
                  f"{sum(self.isotopes) / max(1, len(self.isotopes)):.2f}", f"{median(self.top):.2f}"]
        return "\t".join([source, str(len(self.peaks))] + values)


def median(values):
    return statistics.median(values) if values else float("nan")


def mad(values):
    """Median absolute deviation from the median."""
    centre = median(values)
    return median([abs(value - centre) for value in values])
