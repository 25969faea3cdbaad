#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the predicted training spectra: python3 workflows/training/test_distil.py"""

import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import digest  # noqa: E402
import distil  # noqa: E402
from chemistry import Peptide, data_part, fragment_mz, parse_openms, peptide_key, precursor_mz  # noqa: E402
from donors import Donor  # noqa: E402
from exclusion import Exclusion, forms, keys_in_proteins  # noqa: E402
from measure import match  # noqa: E402
from predictor import Predictor, model_of  # noqa: E402
from prepare import Preparation  # noqa: E402
from spectra import read_mgf  # noqa: E402
from synthesis import read_intensities  # noqa: E402

NO_EXCLUSION = Exclusion(set(), [])


def proteins(number, seed=1):
    """Random proteins."""
    rng = random.Random(seed)
    return [(f"protein {i}", "M" + "".join(rng.choices("ACDEFGHIKLMNPQRSTVWY", k=300))) for i in range(number)]


def pairs(number=60, seed=1):
    rng = random.Random(seed)
    return distil.make_pairs(distil.choose(digest.candidates(proteins(40), rng), number, rng), rng)


class Digest(unittest.TestCase):
    def test_tryptic(self):
        found = list(digest.tryptic("AAKCCRPDDKEE"))
        self.assertEqual(found, ["AAK", "AAKCCRPDDK", "AAKCCRPDDKEE", "CCRPDDK", "CCRPDDKEE", "EE"])

    def test_unwanted_proteins_and_unknown_residues_are_left_out(self):
        found = [("Keratin, type I", "A" * 30 + "K"), ("other", "CCCCCCCXCK"), ("another", "DDDDDDDK")]
        self.assertEqual(set(digest.candidates(found, random.Random(1))), {"DDDDDDDK"})

    def test_charges_need_basic_residues_and_a_usual_precursor(self):
        self.assertEqual(digest.permitted_charges("SAMPLEYNESTLAK"), [2])
        self.assertEqual(digest.permitted_charges("SAMPHEYKESTLAK"), [2, 3, 4])
        self.assertEqual(digest.permitted_charges("GGHHKAK"), [2])  # 3+ and 4+ are below 300 Th

    def test_no_key_twice_and_no_cell_too_full(self):
        chosen = distil.choose(["SAMPLEYK", "SAMPIEYK"], 10, random.Random(1))
        self.assertEqual(len(chosen), 1)
        rng = random.Random(1)
        chosen = distil.choose(digest.candidates(proteins(40), rng), 280, rng)
        cells = Counter((charge, distil.length_bin(residues)) for residues, charge in chosen)
        self.assertEqual(len(chosen), 280)
        self.assertLessEqual(max(cells.values()), 21)
        self.assertEqual({charge for charge, _ in cells}, {2, 3, 4})


class Twins(unittest.TestCase):
    def test_seeded(self):
        self.assertEqual(pairs(seed=3), pairs(seed=3))
        self.assertNotEqual(pairs(seed=3), pairs(seed=4))

    def test_composition_part_and_last_residue_are_kept(self):
        found = pairs()
        for _, _, natural, other, kind in found:
            residues = list(zip(natural.residues, natural.modifications))
            others = list(zip(other.residues, other.modifications))
            self.assertEqual(sorted(residues), sorted(others))
            self.assertEqual((residues[-1], natural.n_term), (others[-1], other.n_term))
            self.assertNotEqual(peptide_key(natural.residues), peptide_key(other.residues))
            self.assertEqual(data_part(peptide_key(natural.residues)), data_part(peptide_key(other.residues)))
            if kind == "reversed":
                self.assertEqual(residues[-2::-1], others[:-1])
        self.assertEqual({kind for *_, kind in found}, {"reversed", "shuffled"})

    def test_no_key_twice(self):
        keys = [peptide_key(peptide.residues) for pair in pairs() for peptide in pair[2:4]]
        self.assertEqual(len(keys), len(set(keys)))

    def test_peptide_without_another_order_has_no_twin(self):
        self.assertEqual(digest.twin(Peptide("AAAAAAK"), {"AAAAAAK"}, random.Random(1)), (None, ""))


class Leaving(unittest.TestCase):
    """What is left out: keys of the evaluation databases, decoys of them, keys identified."""

    def left(self, protein, exclusion=NO_EXCLUSION):
        with tempfile.TemporaryDirectory() as folder:
            fasta = Path(folder) / "evaluation.fasta"
            fasta.write_text(f">other\nMACDEFG\n>planted\n{protein[:10]}\n{protein[10:]}\n", encoding="ascii")
            return distil.without_excluded(pairs(), exclusion, [fasta])

    def test_nothing_planted(self):
        kept, removed = self.left("WWWWWWWWWWWWWWWW")
        self.assertEqual((kept, dict(removed)), (pairs(), {"kept": len(pairs())}))

    def test_planted_natural_twin_and_decoys(self):
        pair = pairs()[5]
        for planted in pair[2].residues, pair[3].residues:
            for form in forms(planted):
                kept, removed = self.left("GG" + form.replace("L", "I") + "W")
                self.assertEqual(removed, {"kept": len(pairs()) - 1, "evaluation_database": 1})
                self.assertNotIn(pair, kept)

    def test_identified_key(self):
        pair = pairs()[7]
        kept, removed = self.left("WWWWWWWWWWWWWWWW", Exclusion({peptide_key(pair[2].residues)}, []))
        self.assertEqual(removed["identified"], 1)
        self.assertNotIn(pair, kept)

    def test_every_key_of_a_protein_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            fasta = Path(folder) / "a.fasta"
            fasta.write_text(">a\nMKIAAPLEQ\n", encoding="ascii")
            keys = {"MKL", "LAAPL", "PLEQ", "MKLAAPLEQ", "LAAPK", "EQM"}
            self.assertEqual(keys_in_proteins(keys, [fasta]), keys - {"LAAPK", "EQM"})
            self.assertEqual(keys_in_proteins(set(), [fasta]), set())


# A library with MS2PIP's interface: three features per site (its number, the residue left of it, the charge), and trees
# that give minus one of them, less the offset.
MODELS_C = """
static unsigned int v[300];
unsigned int* get_v_ms2pip(int n, unsigned short* residues, unsigned short* modified, int charge)
{
  v[0] = 3 * (n - 1);
  for (int i = 0; i < n - 1; ++i) { v[1 + 3 * i] = i + 1; v[2 + 3 * i] = residues[i + 1]; v[3 + 3 * i] = charge; }
  return v;
}
#define TREE(name, feature) float score_##name(unsigned int* f) { return -(float)f[feature] - 0.5f; }
TREE(HCD_B, 0) TREE(HCD_Y, 1) TREE(HCD_B2, 2) TREE(HCD_Y2, 2) TREE(CID_B, 0) TREE(CID_Y, 0) TREE(CID_B2, 0)
TREE(CID_Y2, 0) TREE(TTOF5600_B, 0) TREE(TTOF5600_Y, 1) TREE(TMT_B, 0) TREE(TMT_Y, 0)
"""


@unittest.skipUnless(shutil.which("gcc"), "SKIPPED: no gcc")
class CompiledModels(unittest.TestCase):
    def test_features_of_a_site_give_its_b_and_its_y_ion(self):
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "models.so"
            subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=MODELS_C.encode(),
                           check=True)
            predictor = Predictor(library)
            found = {ion[:3]: round(ion[3] + 0.001, 6) for ion in predictor.ions("ACLK", 3, "HCD")}
            short = predictor.ions("ACLK", 2, "TTOF5600")
        expected = {("b", 1, 1): 2**-1, ("b", 2, 1): 2**-2, ("b", 3, 1): 2**-3,  # by site
                    ("y", 3, 1): 1.0, ("y", 2, 1): 2**-1, ("y", 1, 1): round(2**-7, 6)}  # by code: A 0, C 1, L as I 7
        expected |= {(series, number, 2): 2**-3 for series in "by" for number in (1, 2, 3)}  # by charge
        self.assertEqual(found, expected)
        self.assertEqual({charge for _, _, charge, _ in short}, {1})


class FixedPredictor:
    """Every b and y ion, the more intense the longer."""

    def ions(self, residues, charge, model):
        return [(series, n, 1, n / 100.0) for series in "by" for n in range(1, len(residues))]


class Spectra(unittest.TestCase):
    def work(self, folder):
        work = Preparation(None, Path(folder), None, 1)
        for part in ("test", "validation", "training"):
            for library in (work.hcd_donors, work.iontrap_donors):
                for i in range(20):
                    noise = [(150.0 + 7.3 * k, 0.001 * (1 + k % 9), "") for k in range(150)]
                    library.add(part, Donor(400.0 + 20 * i, noise, {("y", 1): 0.5}))
        work.hcd_donors.freeze()
        work.iontrap_donors.freeze()
        return work

    def made(self, folder):
        table = Path(folder) / "table.tsv.gz"
        rows = distil.write_table(table, pairs(), FixedPredictor())
        distil.write_predicted(self.work(folder), table, 0, 0)
        return table, rows, [list(read_mgf(Path(folder) / name)) for name in ("predicted_hcd.mgf.gz",
                                                                               "predicted_iontrap.mgf.gz")]

    def test_models(self):
        plain, labelled = Peptide("SAMPLEYK"), parse_openms(".(TMT6plex)SAMPLEYK(TMT6plex)")
        models = [model_of(plain, 2, "HCD"), model_of(labelled, 2, "HCD"), model_of(plain, 2, "QTOF"),
                  model_of(plain, 3, "QTOF"), model_of(plain, 4, "CID")]
        self.assertEqual(models, ["HCD", "TMT", "TTOF5600", "HCD", "CID"])

    def test_ions_of_a_row(self):
        ions = [("b", 2, 1, 0.02), ("y", 3, 2, 0.05), ("y", 4, 1, 0.0004)]
        self.assertEqual(distil.ion_text(ions), ["b2^1:40", "y3^2:100"])  # 0.8 % is below the limit
        self.assertEqual(distil.ion_text([("b", 2, 1, 0.0)]), [])

    def test_table_to_spectra(self):
        with tempfile.TemporaryDirectory() as folder:
            table, rows, files = self.made(folder)
            written = list(read_intensities(table))
            self.assertEqual((len(written), rows), (2 * len(pairs()), 2 * len(pairs())))
            self.assertEqual([row[4] for row in written[::2]], ["natural"] * len(pairs()))
            self.assertEqual(sum(map(len, files)), rows)
            for spectrum in files[0] + files[1]:
                number = int(spectrum.title.split(":")[1])
                peptide, charge, ions, fragmentation, kind = written[number - 1]
                self.assertEqual((spectrum.sequence, spectrum.charge), (peptide.notation(), charge))
                self.assertEqual(spectrum.source().split("_")[2], kind)
                self.assertEqual(spectrum.unit, "ppm" if fragmentation == "HCD" else "Da")
                self.assertAlmostEqual(spectrum.precursor_mz, precursor_mz(peptide, charge), delta=0.03)
                self.strong_ions_are_matched(spectrum, peptide, ions)

    def strong_ions_are_matched(self, spectrum, peptide, ions):
        """Below 900 Th, where 0.025 Da is wide for a Q-TOF."""
        lowest = max(100.0, 0.28 * spectrum.precursor_mz if spectrum.tolerance == 0.5 else 0.0)
        prefix, matches = peptide.prefix_masses(), match(spectrum)
        strong = [ion for ion in ions if ion[4] > 40.0 and lowest < fragment_mz(prefix, *ion[:2], 1) < 900.0]
        found = sum((series, number, 1) in matches.ions for series, number, *_ in strong)
        self.assertGreaterEqual(found, 0.7 * len(strong), spectrum.title)

    def test_reproducible_bytes(self):
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            self.made(first)
            self.made(second)
            for name in ("table.tsv.gz", "predicted_hcd.mgf.gz", "predicted_iontrap.mgf.gz"):
                self.assertEqual((Path(first) / name).read_bytes(), (Path(second) / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
