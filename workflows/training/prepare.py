#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prepares the training spectra of the base model: annotated MGF files, their counts and what they look like.

prepare.py --data DIR --out DIR --keys FILE --proteins FASTA [FASTA ...] [--naturals FASTA] [--seed N]
"""

import argparse
import random
from pathlib import Path

import maxquant
from chemistry import data_part, parse_maxquant, peptide_key, precursor_mz
from donors import DonorLibrary, donor_of, donor_of_unlabelled
from exclusion import Exclusion, is_unwanted, read_fasta
from ledger import Ledger
from measure import explained_share, match
from sources import COLIMS_LICENCE, HIGH_RESOLUTION, MAXQUANT_LICENCE, PHOSPHO_LICENCE, SOURCES, Source
from spectra import MgfWriter, read_mgf
from synthesis import (IONTRAP, ORBITRAP, PRECURSOR_ERROR, draw_instrument, lay_over, place_intensities,
                       read_intensities)

N_SHUFFLES = 10  # a weak label has to explain more than each of this many inner shuffles of it
MIN_LENGTH, MAX_LENGTH = 6, 50
MIN_PEAKS = 10
LEFT_OUT = "unlabelled_left_out.txt"  # positions of unlabelled spectra that are no noise
MIN_EXPLAINED_WEAK = 0.1  # least share of the intensity that the peptide of a weak label explains


class Preparation:
    """The state that the steps share: where data are, what is excluded, the donors of noise, the counts."""

    def __init__(self, data, out, exclusion, seed):
        self.data, self.out, self.exclusion, self.seed = data, out, exclusion, seed
        self.ledger = Ledger()
        self.hcd_donors, self.iontrap_donors = DonorLibrary(), DonorLibrary()

    def writer(self, name):
        return MgfWriter(self.out / name)

    def refuse(self, peptide):
        """Why a peptide is left out, or ""."""
        if not MIN_LENGTH <= len(peptide.residues) <= MAX_LENGTH:
            return "length"
        return self.exclusion.reason(peptide.residues)

    def emit(self, writer, name, spectrum, facts):
        """Writes a spectrum with the source's activation and tolerance, unless it has too few peaks; counts it."""
        spectrum.activation, spectrum.tolerance, spectrum.unit = facts.activation, facts.tolerance, facts.unit
        if len(spectrum.peaks) < MIN_PEAKS:
            self.ledger.removed(name, spectrum.source(), facts, "few_peaks")
            return False
        writer.write(spectrum)
        self.ledger.wrote(name, spectrum, facts)
        return True


def shuffled(peptide, rng):
    """The peptide with its inner residues in another order; both ends stay."""
    inner = list(range(1, len(peptide.residues) - 1))
    rng.shuffle(inner)
    return peptide.reordered([0] + inner + [len(peptide.residues) - 1])


def label_holds(spectrum, rng):
    """Whether the annotated peptide explains more of the spectrum than any of its inner shuffles."""
    own = explained_share(spectrum, match(spectrum))
    if own < MIN_EXPLAINED_WEAK:
        return False
    peptide = spectrum.peptide()
    return all(explained_share(spectrum, match(spectrum, shuffled(peptide, rng))) < own for _ in range(N_SHUFFLES))


def is_high_resolution(spectrum):
    """Whether most of the intensity that matches within 0.5 Da also does so within 20 ppm."""
    wide = explained_share(spectrum, match(spectrum, tolerance=0.5, unit="Da"))
    return explained_share(spectrum, match(spectrum, tolerance=20.0, unit="ppm")) > 0.6 * wide


def target_of(spectrum):
    """Output file and facts of an annotated spectrum, or None for what is never used (the demonstration's protein)."""
    source = spectrum.source()
    if source == "iontrap_bsa_consensus":
        return None
    if source == "mixed_hcd_2decimals":
        return "real_hcd_academic.mgf.gz", SOURCES[source]
    if source == "cluster_consensus" and is_high_resolution(spectrum):
        return "library_hcd.mgf.gz", HIGH_RESOLUTION
    if source in ("hela_library_matched", "proteometools"):
        return "library_hcd.mgf.gz", SOURCES[source]
    return ("real_hcd.mgf.gz" if SOURCES[source].activation == "HCD" else "iontrap.mgf.gz"), SOURCES[source]


def write_annotated(work):
    """Real annotated spectra, and the donors of noise they give; ProteomeTools extracts wait for their noise."""
    rng = random.Random(f"{work.seed}:annotated")
    names = ("real_hcd.mgf.gz", "real_hcd_academic.mgf.gz", "library_hcd.mgf.gz", "iontrap.mgf.gz")
    writers = {name: work.writer(name) for name in names}
    bare = []
    for file in ("hcd.mgf.gz", "iontrap_and_consensus.mgf.gz"):
        for spectrum in read_mgf(work.data / "annotated" / file):
            target = target_of(spectrum)
            if target is None:
                continue
            name, facts = target
            spectrum.activation, spectrum.tolerance, spectrum.unit = facts.activation, facts.tolerance, facts.unit
            peptide = spectrum.peptide()
            reason = work.refuse(peptide)
            if not reason and facts.weak_labels and not label_holds(spectrum, rng):
                reason = "weak_label"
            if reason:
                work.ledger.removed(name, spectrum.source(), facts, reason)
            elif spectrum.source() == "proteometools":
                bare.append((spectrum, facts))
            elif work.emit(writers[name], name, spectrum, facts) and name != "real_hcd_academic.mgf.gz":
                library = work.hcd_donors if facts.activation == "HCD" else work.iontrap_donors
                library.add(data_part(peptide_key(peptide.residues)), donor_of(spectrum))
    work.hcd_donors.freeze()
    for spectrum, facts in bare:
        work.emit(writers["library_hcd.mgf.gz"], "library_hcd.mgf.gz", over_noise(work, spectrum, rng), facts)
    return writers


def over_noise(work, spectrum, rng):
    """A spectrum of matched peaks only, laid over unexplained peaks of a real one."""
    peptide = spectrum.peptide()
    charges = {i: charge for (_, _, charge), i in match(spectrum, peptide).ions.items()}
    reference = sum(spectrum.peaks[i][1] for i in charges)
    peaks = [(mz, charges.get(i, 0), intensity) for i, (mz, intensity) in enumerate(spectrum.peaks)]
    donor = work.hcd_donors.draw_crossed(data_part(peptide_key(peptide.residues)), spectrum.precursor_mz, rng)
    laid = lay_over(peptide, spectrum.charge, peaks, reference, donor, ORBITRAP, rng)
    laid.title, laid.precursor_mz = spectrum.title, spectrum.precursor_mz
    return laid


def maxquant_facts(row):
    """Where a row was measured, with its licence."""
    licence = COLIMS_LICENCE if row.source == "colims" else MAXQUANT_LICENCE
    if row.is_iontrap():
        return Source("ion trap", "CID", 0.5, "Da", licence)
    return Source("Orbitrap", row.fragmentation, 20.0, "ppm", licence)


def maxquant_rows(work):
    return maxquant.read_rows(work.data / "annotated" / "maxquant_matched_fragments.tsv.gz")


def identified_rows(work):
    """Yields (row, peptidoform, file, facts) of the MaxQuant rows that may be used, each measurement once."""
    seen = set()
    for row in maxquant_rows(work):
        name = "maxquant_iontrap.mgf.gz" if row.is_iontrap() else "maxquant_hcd.mgf.gz"
        facts, source = maxquant_facts(row), "maxquant_" + row.source
        measurement = (row.sequence, row.charge, tuple(mz for _, mz, _ in row.ions))
        plain = parse_maxquant(row.sequence)
        reason = "duplicate" if measurement in seen else work.refuse(plain)
        seen.add(measurement)
        peptide = None if reason else maxquant.identify(row)
        if peptide is None:
            work.ledger.removed(name, source, facts, reason or "unexplained")
        else:
            yield row, peptide, name, facts


def left_out_spectra(work, rows, full):
    """Positions of the whole spectra of rows whose peptide is left out of the training: they are no noise either."""
    positions = {full.find(row) for row in rows
                 if row.is_iontrap() and work.exclusion.reason(parse_maxquant(row.sequence).residues)}
    return positions - {None}


def write_recovered(work, writer, rows):
    """Rows whose whole spectrum is among the unlabelled ones: real ion-trap spectra. Returns the other rows."""
    rng = random.Random(f"{work.seed}:recovered")
    full = maxquant.FullSpectra(read_mgf(work.data / "unlabelled" / "iontrap_cid.mgf.gz"))
    left, used = [], left_out_spectra(work, maxquant_rows(work), full)
    (work.out / LEFT_OUT).write_text("".join(f"{position}\n" for position in sorted(used)), encoding="ascii")
    for row, peptide, name, facts in rows:
        position = full.find(row) if row.is_iontrap() else None
        if position is None:
            left.append((row, peptide, name, facts))
            continue
        if position in used:
            work.ledger.removed("iontrap.mgf.gz", "colims_full", facts, "duplicate")
            continue
        used.add(position)
        spectrum = full.spectra[position]
        spectrum.title, spectrum.charge = f"colims_full:{position + 1}", row.charge
        spectrum.sequence = peptide.notation()
        spectrum.precursor_mz = precursor_mz(peptide, row.charge) * (1.0 + 1e-6 * rng.gauss(0.0, PRECURSOR_ERROR))
        if work.emit(writer, "iontrap.mgf.gz", spectrum, facts):
            work.iontrap_donors.add(data_part(peptide_key(peptide.residues)), donor_of(spectrum))
    for position, spectrum in enumerate(full.spectra):
        if position not in used and len(spectrum.peaks) >= 30:
            work.iontrap_donors.add(data_part(f"noise:{position}"), donor_of_unlabelled(spectrum, rng))
    work.iontrap_donors.freeze()
    return left


def write_maxquant(work, rows):
    """Matched fragments with their measured m/z, over unexplained peaks of real spectra."""
    rng = random.Random(f"{work.seed}:maxquant")
    writers = {name: work.writer(name) for name in ("maxquant_iontrap.mgf.gz", "maxquant_hcd.mgf.gz")}
    for number, (row, peptide, name, facts) in enumerate(rows, 1):
        library, instrument = (work.iontrap_donors, IONTRAP) if row.is_iontrap() else (work.hcd_donors, ORBITRAP)
        mz = precursor_mz(peptide, row.charge)
        donor = library.draw_crossed(data_part(peptide_key(peptide.residues)), mz, rng)
        backbone = {m: intensity for ion, m, intensity in row.ions if ion[1] in "by" and not ion[3]}
        spectrum = lay_over(peptide, row.charge, maxquant.measured_peaks(row), sum(backbone.values()), donor,
                            instrument, rng)
        spectrum.title = f"maxquant_{row.source}:{number}"
        work.emit(writers[name], name, spectrum, facts)
    for writer in writers.values():
        writer.close()


def write_phospho(work, limit):
    """Relative intensities at theoretical m/z with the errors of three instrument classes."""
    name = "phospho_hcd.mgf.gz"
    with work.writer(name) as writer:
        for number, (peptide, charge, ions) in enumerate(read_intensities(
                work.data / "annotated" / "phospho_hcd_intensities.tsv.gz"), 1):
            if limit and number > limit:
                break
            rng = random.Random(f"{work.seed}:phospho:{number}")  # a row does not depend on which others are left out
            instrument = draw_instrument(rng)
            facts = Source(f"made: {instrument.name}", instrument.activation, instrument.tolerance, instrument.unit,
                           PHOSPHO_LICENCE)
            source = "phospho_" + instrument.name
            reason = work.refuse(peptide) or ("few_peaks" if len(ions) < 5 else "")
            if reason:
                work.ledger.removed(name, source, facts, reason)
                continue
            library = work.iontrap_donors if instrument is IONTRAP else work.hcd_donors
            mz = precursor_mz(peptide, charge)
            donor = library.draw_crossed(data_part(peptide_key(peptide.residues)), mz, rng)
            spectrum = place_intensities(peptide, charge, ions, donor, instrument, rng)
            if spectrum is None:
                work.ledger.removed(name, source, facts, "few_peaks")
                continue
            spectrum.title = f"{source}:{number}"
            work.emit(writer, name, spectrum, facts)


def write_naturals(work, path):
    """Natural proteins for negatives of equal mass, without albumins, keratins and trypsins."""
    kept = 0
    with open(work.out / "naturals.fasta", "w", encoding="ascii") as out:
        for header, residues in read_fasta(path):
            if not is_unwanted(header):
                kept += 1
                out.write(f">{header}\n{residues}\n")
    print(f"naturals.fasta: {kept} proteins")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the data folder, with annotated/ and unlabelled/")
    parser.add_argument("--out", type=Path, required=True, help="folder of the files made")
    parser.add_argument("--keys", type=Path, required=True, help="keys identified in the evaluation runs, one a line")
    parser.add_argument("--proteins", type=Path, nargs="+", required=True, help="FASTA with P02769 and P00761")
    parser.add_argument("--naturals", type=Path, help="FASTA file of natural proteins")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="rows of the intensity table to use, 0 for all")
    options = parser.parse_args()

    options.out.mkdir(parents=True, exist_ok=True)
    exclusion = Exclusion.from_files(options.keys, options.proteins)
    work = Preparation(options.data, options.out, exclusion, options.seed)
    writers = write_annotated(work)
    rows = write_recovered(work, writers["iontrap.mgf.gz"], identified_rows(work))
    for writer in writers.values():
        writer.close()
    write_maxquant(work, rows)
    write_phospho(work, options.limit)
    if options.naturals:
        write_naturals(work, options.naturals)
    (options.out / "sources.tsv").write_text(work.ledger.table(), encoding="ascii")
    (options.out / "measurements.tsv").write_text(work.ledger.measurements(), encoding="ascii")
    print(work.ledger.measurements())


if __name__ == "__main__":
    main()
