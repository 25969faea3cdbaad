#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts training spectra: a table of intensities of natural peptides and their unnatural twins, and its spectra.

distil.py predict --models FILE --naturals FASTA --exclude FASTA ... --keys FILE --proteins FASTA ... --out TABLE
distil.py spectra --table TABLE --data DIR --spectra DIR --out DIR
"""

import argparse
import dataclasses
import gzip
import io
import random
import time
from collections import Counter
from pathlib import Path

from chemistry import data_part, peptide_key, precursor_mz
from digest import candidates, modified, permitted_charges, twin
from donors import donor_of, donor_of_unlabelled
from exclusion import Exclusion, forms, keys_in_proteins, read_fasta
from predictor import Predictor, model_of
from prepare import LEFT_OUT, Preparation
from sources import PREDICTED_LICENCE, Source
from spectra import read_mgf
from synthesis import IONTRAP, ORBITRAP, QTOF, place_intensities, read_intensities

LENGTH_BINS = (8, 10, 13, 17, 22, 28, 40)  # longest peptide of each bin
SHARES = (("HCD", 0.4), ("QTOF", 0.2), ("CID", 0.4))  # of the fragmentations
LEAST_INTENSITY = 1.0  # % of the most intense ion; weaker ones are not written
MIN_IONS = 5
COLUMNS = ("peptide", "charge", "ions", "fragmentation", "kind")

# Fragmentation -> file, instrument. Every predicted ion is in the table: no weak ones are made up beside them.
TARGETS = {"HCD": ("predicted_hcd.mgf.gz", dataclasses.replace(ORBITRAP, weak_ions=0.0)),
           "QTOF": ("predicted_hcd.mgf.gz", dataclasses.replace(QTOF, weak_ions=0.0)),
           "CID": ("predicted_iontrap.mgf.gz", dataclasses.replace(IONTRAP, weak_ions=0.0))}


def length_bin(residues):
    """Number of the bin of a peptide's length."""
    return next(i for i, longest in enumerate(LENGTH_BINS) if len(residues) <= longest)


def choose(found, number, rng):
    """A number of peptides, as (residues, charge), at most a share of them in each cell of charge and length.

    The share leaves a third of the cells room to stay empty: 4+ is rare among short peptides. No key occurs twice.
    """
    filled, seen, chosen = Counter(), set(), []
    per_cell = 1 + number // (2 * len(LENGTH_BINS))
    for residues in found:
        if len(chosen) == number:
            break
        key = peptide_key(residues)
        cells = [(charge, length_bin(residues)) for charge in permitted_charges(residues)]
        cells = [cell for cell in cells if filled[cell] < per_cell]
        if key in seen or not cells:
            continue
        seen.add(key)
        cell = min(cells, key=lambda c: (filled[c], c))
        filled[cell] += 1
        chosen.append((residues, cell[0]))
    rng.shuffle(chosen)
    return chosen


def drawn(shares, rng):
    """A name by its share."""
    return rng.choices([name for name, _ in shares], [share for _, share in shares])[0]


def make_pairs(chosen, rng):
    """Chosen peptides with modifications and twins: (charge, fragmentation, natural, twin, kind); no key twice."""
    seen = {peptide_key(residues) for residues, _ in chosen}
    pairs = []
    for residues, charge in chosen:
        fragmentation = drawn(SHARES, rng)
        natural = modified(residues, charge, fragmentation, rng)
        other, kind = twin(natural, seen, rng)
        if other is not None:
            seen.add(peptide_key(other.residues))
            pairs.append((charge, fragmentation, natural, other, kind))
    return pairs


def without_excluded(pairs, exclusion, fasta_paths):
    """The pairs of which neither peptide, nor what either is a decoy of, is excluded; the counts of pairs by reason."""
    keys = [[peptide_key(peptide.residues) for peptide in pair[2:4]] for pair in pairs]
    found = keys_in_proteins({form for both in keys for key in both for form in forms(key)}, fasta_paths)
    kept, removed = [], Counter()
    for pair, both in zip(pairs, keys):
        reasons = [exclusion.reason(key) for key in both]
        if any(form in found for key in both for form in forms(key)):
            reasons.append("evaluation_database")
        reason = next(filter(None, reasons), "")
        removed[reason or "kept"] += 1
        if not reason:
            kept.append(pair)
    return kept, removed


def ion_text(ions):
    """The ions of a row relative to the most intense one, as `b3^1:45.2;y4^1:100`."""
    strongest = max(intensity for *_, intensity in ions)
    scaled = [(*ion, 100.0 * intensity / strongest) for *ion, intensity in ions] if strongest > 0.0 else []
    return [f"{series}{number}^{z}:{value:.3g}" for series, number, z, value in scaled if value >= LEAST_INTENSITY]


def write_table(path, pairs, predictor, seconds=0):
    """Writes two rows per pair, the natural peptide and its twin, for about so long (0: all). Returns their number."""
    started, rows = time.monotonic(), 0
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 6, file, 0) as packed, io.TextIOWrapper(packed) as out:
        out.write("\t".join(COLUMNS) + "\n")
        for charge, fragmentation, natural, other, kind in pairs:
            if seconds and time.monotonic() - started > seconds:
                break
            model = model_of(natural, charge, fragmentation)
            texts = [ion_text(predictor.ions(peptide.residues, charge, model)) for peptide in (natural, other)]
            if min(map(len, texts)) < MIN_IONS:
                continue
            for peptide, text, name in zip((natural, other), texts, ("natural", kind)):
                out.write("\t".join((peptide.notation(), str(charge), ";".join(text), fragmentation, name)) + "\n")
            rows += 2
    return rows


def predict(options):
    """Digests, draws twins, excludes, predicts; prints the counts."""
    rng = random.Random(f"{options.seed}:distil")
    exclusion = Exclusion.from_files(options.keys, options.proteins)
    chosen = choose(candidates(list(read_fasta(options.naturals)), rng), options.peptides, rng)
    pairs, removed = without_excluded(make_pairs(chosen, rng), exclusion, options.exclude)
    print("pairs: " + ", ".join(f"{count} {name}" for name, count in sorted(removed.items())))
    started = time.monotonic()
    rows = write_table(options.out, pairs, Predictor(options.models), options.seconds)
    print(f"{rows} predicted, {rows / (time.monotonic() - started):.0f} a second")


def fingerprint(spectrum):
    """What tells whether two files hold the same spectrum."""
    return tuple(round(mz, 4) for mz, _ in spectrum.peaks[:8])


def load_donors(work, folder):
    """Noise of the real spectra that prepare.py wrote, and of the unlabelled ones among which they are not."""
    known = set()
    for name, library in (("real_hcd.mgf.gz", work.hcd_donors), ("library_hcd.mgf.gz", work.hcd_donors),
                          ("iontrap.mgf.gz", work.iontrap_donors)):
        for spectrum in read_mgf(folder / name):
            known.add(fingerprint(spectrum))
            if spectrum.source() != "proteometools":  # itself laid over noise
                library.add(data_part(peptide_key(spectrum.peptide().residues)), donor_of(spectrum))
    rng = random.Random(f"{work.seed}:unlabelled")
    left_out = {int(line) for line in (folder / LEFT_OUT).read_text(encoding="ascii").split()}
    for position, spectrum in enumerate(read_mgf(work.data / "unlabelled" / "iontrap_cid.mgf.gz")):
        if len(spectrum.peaks) >= 30 and position not in left_out and fingerprint(spectrum) not in known:
            work.iontrap_donors.add(data_part(f"noise:{position}"), donor_of_unlabelled(spectrum, rng))
    work.hcd_donors.freeze()
    work.iontrap_donors.freeze()


def write_predicted(work, table, limit, seconds):
    """Lays the rows of the table over noise, up to a number of rows or seconds (0: no limit)."""
    started, written = time.monotonic(), 0
    writers = {name: work.writer(name) for name in sorted({name for name, _ in TARGETS.values()})}
    rows = read_intensities(table)
    for number, (peptide, charge, ions, fragmentation, kind) in enumerate(rows, 1):
        if limit and number > limit or seconds and number % 2 and time.monotonic() - started > seconds:  # whole pairs
            break
        rng = random.Random(f"{work.seed}:predicted:{number}")
        name, instrument = TARGETS[fragmentation]
        facts = Source(f"predicted: {instrument.name}", instrument.activation, instrument.tolerance, instrument.unit,
                       PREDICTED_LICENCE)
        library = work.iontrap_donors if fragmentation == "CID" else work.hcd_donors
        part = data_part(peptide_key(peptide.residues))
        donor = library.draw_crossed(part, precursor_mz(peptide, charge), rng)
        donor.short_ions = {}  # they are predicted
        spectrum = place_intensities(peptide, charge, ions, donor, instrument, rng)
        source = f"predicted_{instrument.name}_{kind}"
        if spectrum is None:
            work.ledger.removed(name, source, facts, "few_peaks")
            continue
        spectrum.title = f"{source}:{number}"
        written += work.emit(writers[name], name, spectrum, facts)
    for writer in writers.values():
        writer.close()
    print(f"{written} spectra, {written / (time.monotonic() - started):.0f} a second")


def write_spectra(options):
    """Lays the table over noise; writes counts and measurements beside the spectra."""
    options.out.mkdir(parents=True, exist_ok=True)
    work = Preparation(options.data, options.out, None, options.seed)
    load_donors(work, options.spectra)
    write_predicted(work, options.table, options.limit, options.seconds)
    (options.out / "predicted_sources.tsv").write_text(work.ledger.table(), encoding="ascii")
    (options.out / "predicted_measurements.tsv").write_text(work.ledger.measurements(), encoding="ascii")
    print(work.ledger.measurements())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(required=True)
    first = steps.add_parser("predict", help="make the table of predicted intensities")
    first.add_argument("--models", type=Path, required=True, help="the compiled models of MS2PIP")
    first.add_argument("--naturals", type=Path, required=True, help="FASTA file of natural proteins")
    first.add_argument("--exclude", type=Path, nargs="+", required=True, help="FASTA files of the evaluation")
    first.add_argument("--keys", type=Path, required=True, help="keys identified in the evaluation runs, one a line")
    first.add_argument("--proteins", type=Path, nargs="+", required=True, help="FASTA with P02769 and P00761")
    first.add_argument("--peptides", type=int, default=150000, help="natural peptides; each gets a twin")
    first.add_argument("--out", type=Path, required=True, help="the table, gzip-compressed")
    first.set_defaults(step=predict)
    second = steps.add_parser("spectra", help="lay the table over noise")
    second.add_argument("--table", type=Path, required=True)
    second.add_argument("--data", type=Path, required=True, help="the data folder, with unlabelled/")
    second.add_argument("--spectra", type=Path, required=True, help="the folder that prepare.sh made")
    second.add_argument("--out", type=Path, required=True, help="folder of the files made")
    second.add_argument("--limit", type=int, default=0, help="rows of the table to use, 0 for all")
    second.set_defaults(step=write_spectra)
    for step in (first, second):
        step.add_argument("--seed", type=int, default=1)
        step.add_argument("--seconds", type=float, default=0, help="write for about so long, 0 for all")
    options = parser.parse_args()
    options.step(options)


if __name__ == "__main__":
    main()
