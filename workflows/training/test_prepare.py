#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the preparation of training spectra: python3 workflows/training/test_prepare.py"""

import gzip
import os
import random
import sys
import tempfile
import unittest
from collections import Counter
from itertools import islice
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import maxquant  # noqa: E402
import prepare  # noqa: E402
from chemistry import (PROTON, RESIDUE_MASS, Peptide, backbone_ions, data_part,  # noqa: E402
                       fragment_mz, parse_maxquant, parse_openms, peptide_key, precursor_mz)
from donors import Donor, DonorLibrary, donor_of  # noqa: E402
from exclusion import Exclusion, is_unwanted  # noqa: E402
from measure import explained_share, match, unexplained_peaks  # noqa: E402
from spectra import MgfWriter, Spectrum, read_mgf  # noqa: E402
from synthesis import IONTRAP, ORBITRAP, lay_over, merge_peaks, place_intensities  # noqa: E402

SHARED = Path(os.environ.get("PSMFORMER_SHARED", HERE.parents[1] / ".." / "shared"))
DATA = SHARED / "data"
needs_data = unittest.skipUnless((DATA / "annotated").is_dir(), "SKIPPED: no ../shared")


def perfect_spectrum(sequence, charge=2):
    """Every singly charged b and y ion of a peptide at its theoretical m/z."""
    peptide = parse_openms(sequence)
    peaks = sorted((mz, 100.0) for mz, *_ in backbone_ions(peptide, 1))
    return Spectrum("test:1", precursor_mz(peptide, charge), charge, peaks, sequence, "HCD", 20.0, "ppm")


class NoiseDonors(unittest.TestCase):
    def test_spectra_of_peptides_that_are_left_out_are_no_noise(self):
        """Neither with their peptide nor without: a table of rows, and the whole spectra without a label."""
        sequences = ["SAMPLEK", "ELVISK", "DECAYINGR"]
        spectra = [perfect_spectrum(sequence) for sequence in sequences]
        rows = [maxquant.Row("a", "raw", "1", f"_{sequence}_", 2, "CID", analyzer, [(None, *peak) for peak in spectrum.peaks])
                for sequence, spectrum in zip(sequences, spectra) for analyzer in ("ITMS", "FTMS")]
        work = prepare.Preparation(None, None, Exclusion({"ELVLSK"}, ["MKDECAYLNGRK"]), 1)
        self.assertEqual(prepare.left_out_spectra(work, rows, maxquant.FullSpectra(spectra)), {1, 2})
        self.assertEqual(prepare.left_out_spectra(work, rows[:2], maxquant.FullSpectra(spectra)), set())


class Masses(unittest.TestCase):
    def test_residues_from_their_composition(self):
        atoms = {"C": 12.0, "H": 1.00782503223, "N": 14.00307400443, "O": 15.99491461957, "S": 31.9720711744}  # NIST
        for residue, (c, h, n, o, sulphur) in COMPOSITIONS.items():
            mass = c * atoms["C"] + h * atoms["H"] + n * atoms["N"] + o * atoms["O"] + sulphur * atoms["S"]
            self.assertAlmostEqual(RESIDUE_MASS[residue], mass, delta=2e-6, msg=residue)

    def test_known_peptide(self):
        # angiotensin I, a common calibrant: [M+H]+ 1296.6848 Th
        self.assertAlmostEqual(precursor_mz(Peptide("DRVYIHPFHL"), 1), 1296.6848, places=3)

    def test_b_and_y_are_complementary(self):
        peptide = parse_openms(".(Acetyl)M(Oxidation)C(Carbamidomethyl)PEPTS(Phospho)IDEK")
        prefix = peptide.prefix_masses()
        for number in range(1, len(peptide.residues)):
            b = fragment_mz(prefix, "b", number, 1)
            y = fragment_mz(prefix, "y", len(peptide.residues) - number, 1)
            self.assertAlmostEqual(b + y - 2 * PROTON, peptide.mass(), places=6)

    def test_charge_and_loss(self):
        prefix = Peptide("GK").prefix_masses()
        self.assertAlmostEqual(fragment_mz(prefix, "y", 1, 1), 147.11280, places=4)
        self.assertAlmostEqual(fragment_mz(prefix, "y", 1, 2), (147.11280 + PROTON) / 2, places=4)
        self.assertAlmostEqual(fragment_mz(Peptide("AAK").prefix_masses(), "a", 2, 1), 115.0866, places=3)

    @needs_data
    def test_precursors_of_real_spectra(self):
        """PEPMASS is a measured value: 25 ppm, or the 13C peak (up to the third) that the instrument picked."""
        seen = 0
        for spectrum in islice(read_mgf(DATA / "annotated" / "hcd.mgf.gz"), 0, None, 7):
            mass = spectrum.peptide().mass()
            delta = spectrum.precursor_mz * spectrum.charge - spectrum.charge * PROTON - mass
            isotope = round(delta / 1.00335)
            self.assertIn(isotope, range(-2, 4), spectrum.title)
            self.assertLess(abs(delta - isotope * 1.00335) / mass * 1e6, 26.0, spectrum.title)
            seen += 1
        self.assertGreater(seen, 800)


class Notation(unittest.TestCase):
    def test_openms_round_trip(self):
        for text in (".(Acetyl)M(Oxidation)PEPC(Carbamidomethyl)K", "PEPTIDE",
                     ".(Propionyl:13C(3))AK(Propionyl:13C(3))"):
            self.assertEqual(parse_openms(text).notation(), text)

    def test_maxquant(self):
        self.assertEqual(parse_maxquant("_(ac)M(ox)PEPK_").notation(), ".(Acetyl)M(Oxidation)PEPK")
        long_names = parse_maxquant("_(Acetyl (Protein N-term))AM(Oxidation (M))R_")
        self.assertEqual(long_names.notation(), ".(Acetyl)AM(Oxidation)R")
        self.assertEqual(parse_maxquant("_ApSY(ph)K(gl)_").notation(), "AS(Phospho)Y(Phospho)K(GG)")

    def test_errors(self):
        with self.assertRaises(KeyError):
            parse_maxquant("_A(xx)K_")
        with self.assertRaises(ValueError):
            parse_openms("PEPX")
        with self.assertRaises(ValueError):
            parse_openms("PEPM(Oxidation")


class Splits(unittest.TestCase):
    def test_key(self):
        self.assertEqual(peptide_key("PEPTIDEK"), "PEPTLDEK")

    def test_part_is_first_byte_modulo_ten(self):
        for key, part in EXPECTED_PARTS.items():
            self.assertEqual(data_part(key), part, key)

    def test_exclusion(self):
        exclusion = Exclusion({"LLK"}, ["MKWVTFISLL", "AAAWWK"])
        self.assertEqual(exclusion.reason("ILK"), "identified")
        self.assertEqual(exclusion.reason("VTFLSI"), "bsa_or_trypsin")
        self.assertEqual(exclusion.reason("SLLAAA"), "")  # spans two proteins
        self.assertTrue(is_unwanted("sp|P02769|ALBU_BOVIN Serum albumin"))
        self.assertFalse(is_unwanted("sp|P00330|ADH1_YEAST Alcohol dehydrogenase 1"))


# First byte of `printf %s KEY | sha256sum` modulo 10: 0 test, 1 validation, else training.
EXPECTED_PARTS = {"QQQK": "test", "CNQR": "test", "DEYK": "validation", "GVTR": "validation", "PEPTLDEK": "training",
                  "AAAAAAAK": "training"}


# Atoms C, H, N, O, S of the residues.
COMPOSITIONS = {
    "G": (2, 3, 1, 1, 0), "A": (3, 5, 1, 1, 0), "S": (3, 5, 1, 2, 0), "P": (5, 7, 1, 1, 0), "V": (5, 9, 1, 1, 0),
    "T": (4, 7, 1, 2, 0), "C": (3, 5, 1, 1, 1), "L": (6, 11, 1, 1, 0), "I": (6, 11, 1, 1, 0), "N": (4, 6, 2, 2, 0),
    "D": (4, 5, 1, 3, 0), "Q": (5, 8, 2, 2, 0), "K": (6, 12, 2, 1, 0), "E": (5, 7, 1, 3, 0), "M": (5, 9, 1, 1, 1),
    "H": (6, 7, 3, 1, 0), "F": (9, 9, 1, 1, 0), "R": (6, 12, 4, 1, 0), "Y": (9, 9, 1, 2, 0), "W": (11, 10, 2, 1, 0),
    "O": (12, 19, 3, 2, 0),
}


class Measures(unittest.TestCase):
    def test_perfect_spectrum_is_explained(self):
        spectrum = perfect_spectrum("PEPTLDEK")
        self.assertAlmostEqual(explained_share(spectrum, match(spectrum)), 1.0)
        self.assertEqual(unexplained_peaks(spectrum, spectrum.peptide()), [])

    def test_noise_is_unexplained(self):
        spectrum = perfect_spectrum("PEPTLDEK")
        spectrum.peaks = sorted(spectrum.peaks + [(333.3, 1400.0)])
        self.assertAlmostEqual(explained_share(spectrum, match(spectrum)), 0.5)
        self.assertEqual(unexplained_peaks(spectrum, spectrum.peptide()), [(333.3, 1400.0)])

    def test_donor_scale(self):
        spectrum = perfect_spectrum("PEPTLDEK")
        spectrum.peaks = sorted(spectrum.peaks + [(333.3, 700.0)])
        donor = donor_of(spectrum)
        self.assertEqual([(mz, round(relative, 6)) for mz, relative, _ in donor.noise], [(333.3, 0.5)])
        self.assertEqual(set(donor.short_ions), {("y", 1), ("y", 2), ("b", 2)})


class Synthesis(unittest.TestCase):
    DONOR = Donor(450.0, [(150.0 + 7.3 * i, 0.001 * (1 + i % 9), "") for i in range(100)], {("y", 1): 0.1})
    IONS = [(series, number, "", 1, 10.0 * number) for series in "by" for number in range(3, 8)]

    def place(self, instrument, seed):
        return place_intensities(Peptide("SAMPLEYK"), 2, self.IONS, self.DONOR, instrument, random.Random(seed))

    def test_seeded(self):
        self.assertEqual(self.place(ORBITRAP, 1), self.place(ORBITRAP, 1))
        self.assertNotEqual(self.place(ORBITRAP, 1).peaks, self.place(ORBITRAP, 2).peaks)

    def test_ions_are_where_the_tolerance_finds_them(self):
        for instrument in (ORBITRAP, IONTRAP):
            matches = match(self.place(instrument, 3))
            lowest = 0.28 * 470.0 if instrument is IONTRAP else 0.0
            prefix = Peptide("SAMPLEYK").prefix_masses()
            wanted = [ion for ion in self.IONS if fragment_mz(prefix, ion[0], ion[1], 1) > lowest]
            found = sum((series, number, 1) in matches.ions for series, number, *_ in wanted)
            self.assertGreaterEqual(found, 0.8 * len(wanted), instrument.name)

    def test_iontrap_has_a_low_mass_cutoff(self):
        self.assertGreater(min(mz for mz, _ in self.place(IONTRAP, 1).peaks), 0.28 * 460.0 - 1.0)

    def test_measured_peaks_are_kept(self):
        measured = [(300.123, 1, 50.0), (450.321, 1, 80.0)]
        spectrum = lay_over(Peptide("SAMPLEYK"), 2, measured, 130.0, self.DONOR, ORBITRAP, random.Random(1))
        for mz, _, intensity in measured:
            self.assertIn((mz, intensity), spectrum.peaks)
        self.assertEqual(spectrum.peaks, sorted(spectrum.peaks))
        self.assertGreater(len(spectrum.peaks), 90)

    def test_merge(self):
        merged = merge_peaks([(100.0, 1.0), (100.001, 3.0), (101.0, 2.0)], 0.01)
        self.assertEqual(merged, [(100.001, 4.0), (101.0, 2.0)])

    def test_donors_stay_in_their_part(self):
        library = DonorLibrary()
        for i in range(50):
            library.add("test", Donor(400.0 + i, [(200.0, 1.0, "")], {}))
            library.add("training", Donor(400.0 + i, [(300.0, 1.0, "")], {}))
        library.freeze()
        rng = random.Random(1)
        drawn = [library.draw_crossed("test", 420.0, rng) for _ in range(50)]
        self.assertEqual({mz for donor in drawn for mz, *_ in donor.noise}, {200.0})


class MaxQuantRows(unittest.TestCase):
    def row(self, peptide, sequence):
        prefix = parse_openms(peptide).prefix_masses()
        ions = [(maxquant.ION.match(f"{s}{n}"), fragment_mz(prefix, s, n, 1), 1.0) for s in "by" for n in range(1, 8)]
        return maxquant.Row("x", "raw", "1", sequence, 2, "HCD", "FTMS", ions)

    def test_fixed_modifications_and_labels_are_found(self):
        for peptide, sequence in (("ACLMGSTK", "_ACLMGSTK_"),
                                  ("AC(Carbamidomethyl)LM(Oxidation)GSTK", "_ACLM(ox)GSTK_"),
                                  ("ACLMGSTK(Label:2H(4))", "_ACLMGSTK_"),
                                  (".(Propionyl)ACLM(Oxidation)GSTK(Propionyl)", "_ACLMGSTK_")):
            self.assertEqual(maxquant.identify(self.row(peptide, sequence)).notation(), peptide)

    def test_unexplained_row_is_refused(self):
        self.assertIsNone(maxquant.identify(self.row("SLVSNFWK", "_ACLMGSTK_")))

    def test_full_spectrum_is_found_by_its_fragments(self):
        row = self.row("ACLMGSTK", "_ACLMGSTK_")
        peaks = sorted([(mz, 1.0) for _, mz, _ in row.ions] + [(500.5, 2.0)])
        full = maxquant.FullSpectra([perfect_spectrum("PEPTLDEK"), Spectrum("whole:1", 400.0, 2, peaks)])
        self.assertEqual(full.find(row), 1)
        self.assertIsNone(full.find(self.row("SLVSNFWK", "_SLVSNFWK_")))

    @needs_data
    def test_most_real_rows_are_explained(self):
        path = DATA / "annotated" / "maxquant_matched_fragments.tsv.gz"
        results = Counter(maxquant.identify(row) is not None for row in islice(maxquant.read_rows(path), 0, None, 10))
        self.assertGreater(results[True], 900)
        self.assertGreater(results[True] / sum(results.values()), 0.95)


class Files(unittest.TestCase):
    def test_round_trip_and_reproducible_bytes(self):
        spectrum = perfect_spectrum("PEPTLDEK")
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in ("a.mgf.gz", "b.mgf.gz")]
            for path in paths:
                with MgfWriter(path) as writer:
                    writer.write(spectrum)
            self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())
            (read,) = read_mgf(paths[0])
            text = gzip.decompress(paths[0].read_bytes()).decode()
        self.assertEqual((read.sequence, read.charge, read.tolerance, read.unit, read.activation),
                         ("PEPTLDEK", 2, 20.0, "ppm", "HCD"))
        self.assertEqual(len(read.peaks), len(spectrum.peaks))
        self.assertTrue(text.startswith("BEGIN IONS\nTITLE=test:1\nPEPMASS="))


if __name__ == "__main__":
    unittest.main()
