# SPDX-License-Identifier: BSD-3-Clause
"""Training spectra of measured intensities: placed with the errors of an instrument over real unexplained peaks."""

import gzip
import math
import re
from dataclasses import dataclass

from chemistry import (AMMONIA, ISOTOPE_SPACING, NEUTRAL_LOSS, PHOSPHORIC_ACID, PROTON, WATER, fragment_mz,
                       parse_openms, precursor_mz)
from spectra import Spectrum

ION = re.compile(r"^([by])(\d+)(?:-(2?H3PO4|H2O|NH3))?\^(\d):([0-9.eE+-]+)$")
ISOTOPE_PER_DALTON = 5.3e-4  # expected ratio of first isotope to monoisotopic peak, averagine (Senko et al. 1995)
CUTOFF_IONTRAP = 0.28  # low-mass cut-off of resonance excitation as a share of the precursor m/z
PRECURSOR_ERROR = 4.0  # ppm, standard deviation
TABLE_LIMIT = 0.05  # the phospho table ends at 5 % of the most intense ion


@dataclass
class Instrument:
    """An instrument class: how far measured fragments lie from theory, and what a search would match with."""

    name: str
    activation: str
    tolerance: float
    unit: str
    offset_sd: float  # standard deviation of a spectrum's common error
    spread: tuple  # least and most standard deviation within a spectrum
    in_dalton: bool  # unit of the errors: Da, else ppm
    weak_ions: float  # probability that an ion below the table's limit is seen
    merge: float  # Th below which two peaks become one

    def errors(self, rng):
        """A function m/z -> measured m/z, for one spectrum."""
        offset = rng.gauss(0.0, self.offset_sd)
        spread = rng.uniform(*self.spread)
        if self.in_dalton:
            return lambda mz: mz + offset + rng.gauss(0.0, spread)
        return lambda mz: mz * (1.0 + 1e-6 * (offset + rng.gauss(0.0, spread)))


ORBITRAP = Instrument("orbitrap", "HCD", 20.0, "ppm", 3.0, (1.0, 5.0), False, 0.45, 0.004)
QTOF = Instrument("qtof", "CID", 0.025, "Da", 10.0, (8.0, 15.0), False, 0.45, 0.02)
IONTRAP = Instrument("iontrap", "CID", 0.5, "Da", 0.06, (0.06, 0.16), True, 0.6, 0.35)


def draw_instrument(rng):
    """Mostly Orbitrap, a quarter Q-TOF, a fifth ion trap."""
    value = rng.random()
    return IONTRAP if value < 0.20 else QTOF if value < 0.45 else ORBITRAP


def read_intensities(path):
    """Yields (peptide, charge, ions, ...) of a table of intensities, with the text of any further columns.

    Ions are (series, number, loss, charge, intensity).
    """
    with gzip.open(path, "rt", encoding="ascii") as lines:
        next(lines)
        for line in lines:
            text, charge, ions, *further = line.rstrip("\n").split("\t")
            found = [ION.match(ion) for ion in ions.split(";")]
            known = [(i[1], int(i[2]), i[3] or "", int(i[4]), float(i[5])) for i in found if i]
            yield (parse_openms(text), int(charge), known, *further)


def isotope_peaks(mz, charge, intensity, isolation):
    """The first two isotope peaks of a fragment; `isolation` < 1 where the heavy side of the precursor was cut off."""
    ratio = ISOTOPE_PER_DALTON * (mz - PROTON) * charge * isolation
    step = ISOTOPE_SPACING / charge
    return [(mz + step, intensity * ratio), (mz + 2 * step, intensity * ratio * ratio / 2)]


def weak_backbone(peptide, charge, listed, strongest, floor, instrument, rng):
    """b and y ions below the table's limit: log-uniform between the noise floor and the limit."""
    prefix = peptide.prefix_masses()
    limit = TABLE_LIMIT * strongest
    if not 0.0 < floor < limit:
        return []
    peaks = []
    for number in range(2, len(peptide.residues)):
        for series in "by":
            for z in (1, 2) if charge > 2 else (1,):
                if (series, number, z) not in listed and rng.random() < instrument.weak_ions / z**2:
                    intensity = floor * (limit / floor) ** rng.random()
                    peaks.append((fragment_mz(prefix, series, number, z), z, intensity))
    return peaks


def precursor_losses(peptide, charge, strongest, instrument, rng):
    """The precursor without phosphoric acid or water: in ion traps often the base peak of a phosphopeptide."""
    pairs = zip(peptide.residues, peptide.modifications)
    phospho = any(name == "Phospho" and residue in "ST" for residue, name in pairs)
    losses = [(PHOSPHORIC_ACID, 0.7 if instrument.activation == "CID" else 0.4)] if phospho else []
    losses += [(WATER, 0.3), (AMMONIA, 0.2)]
    scale = 1.0 if instrument.in_dalton else 0.3
    return [((peptide.mass() - loss) / charge + PROTON, charge, strongest * scale * rng.uniform(0.1, 1.5))
            for loss, probability in losses if rng.random() < probability]


def signal_peaks(peptide, charge, ions, donor, floor, instrument, rng):
    """Theoretical (m/z, charge, intensity) of everything the peptide gives; intensities as in the table."""
    prefix = peptide.prefix_masses()
    peaks = [(fragment_mz(prefix, s, n, z, NEUTRAL_LOSS[loss]), z, intensity) for s, n, loss, z, intensity in ions]
    backbone = sum(intensity for _, _, loss, _, intensity in ions if not loss)
    strongest = max(intensity for *_, intensity in ions)
    listed = {(s, n, z) for s, n, loss, z, _ in ions if not loss}
    for (series, number), relative in donor.short_ions.items():
        if (series, number, 1) not in listed:
            listed.add((series, number, 1))
            peaks.append((fragment_mz(prefix, series, number, 1), 1, relative * backbone))
    peaks += weak_backbone(peptide, charge, listed, strongest, floor * backbone, instrument, rng)
    return peaks + precursor_losses(peptide, charge, strongest, instrument, rng), backbone


def merge_peaks(peaks, distance):
    """Peaks closer than the instrument resolves become one, at the m/z of the stronger."""
    merged = []
    for mz, intensity in sorted(peaks):
        if merged and mz - merged[-1][0] < distance:
            last_mz, last = merged[-1]
            merged[-1] = (mz if intensity > last else last_mz, intensity + last)
        else:
            merged.append((mz, intensity))
    return merged


def noise_peaks(donor, peptide, reference):
    """The donor's peaks at the scale of a spectrum, without immonium ions of residues the peptide does not have."""
    return [(mz, relative * reference) for mz, relative, residue in donor.noise
            if not residue or residue in peptide.residues]


def noise_floor(donor):
    """The relative intensity below which the donor shows next to no peak (its 5 % quantile)."""
    levels = sorted(relative for _, relative, _ in donor.noise)
    return levels[len(levels) // 20]


def place_intensities(peptide, charge, ions, donor, instrument, rng):
    """The spectrum of a precursor whose relative intensities are known, or None when too few of its ions are left."""
    if all(loss for _, _, loss, _, _ in ions):
        return None
    floor = noise_floor(donor)
    measured = instrument.errors(rng)
    signal, backbone = signal_peaks(peptide, charge, ions, donor, floor, instrument, rng)
    mz = precursor_mz(peptide, charge)
    lowest = CUTOFF_IONTRAP * mz if instrument.in_dalton else 100.0
    isolation = rng.uniform(0.0, 1.0)
    peaks = []
    for position, z, intensity in signal:
        intensity *= math.exp(rng.gauss(0.0, 0.25))
        group = [(position, intensity)] + (isotope_peaks(position, z, intensity, isolation) if z < 3 else [])
        peaks += [(measured(p), i) for p, i in group if i >= floor * backbone and lowest < p < 2000.0]
    if len(peaks) < 5:
        return None
    peaks += noise_peaks(donor, peptide, backbone)
    mz *= 1.0 + 1e-6 * rng.gauss(0.0, PRECURSOR_ERROR)
    return Spectrum("", mz, charge, merge_peaks(peaks, instrument.merge), peptide.notation(),
                    instrument.activation, instrument.tolerance, instrument.unit)


def lay_over(peptide, charge, measured_peaks, reference, donor, instrument, rng):
    """The spectrum of measured fragments over a donor's peaks.

    `measured_peaks` are (m/z, charge, intensity), kept as they are (charge 0: unknown); peak lists of matched fragments
    have no isotope peaks, so these are added beside them. `reference` is the summed intensity of their b and y ions.
    """
    floor = noise_floor(donor) * reference
    isolation = rng.uniform(0.0, 1.0)
    jitter = rng.uniform(0.03, 0.08) if instrument.in_dalton else 0.0005
    peaks = [(mz, intensity) for mz, _, intensity in measured_peaks]
    for mz, z, intensity in measured_peaks:
        if 0 < z < 3:
            isotopes = isotope_peaks(mz, z, intensity, isolation)
            peaks += [(m + rng.gauss(0.0, jitter), i) for m, i in isotopes if i >= floor]
    added = peaks[len(measured_peaks):] + noise_peaks(donor, peptide, reference)
    kept = [mz for mz, _, _ in measured_peaks]
    added = [peak for peak in added if all(abs(peak[0] - mz) >= instrument.merge for mz in kept)]
    mz = precursor_mz(peptide, charge) * (1.0 + 1e-6 * rng.gauss(0.0, PRECURSOR_ERROR))
    return Spectrum("", mz, charge, sorted(peaks[:len(measured_peaks)] + merge_peaks(added, instrument.merge)),
                    peptide.notation(), instrument.activation, instrument.tolerance, instrument.unit)
