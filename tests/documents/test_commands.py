#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the commands of the documents, as they stand there: python3 test_commands.py

All blocks of shell commands of a document (those that begin with ```sh) are one script, run in a folder that looks like the
repository after the build. PSMFORMER names the tool, WORKFLOW_EXAMPLE the folder that tests/workflows/small_example.sh made, a cut
of the example run. TestWholeExample takes the example run itself, and compares what is printed with what the tutorial shows.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from annotated_spectra import annotated_spectrum, tryptic_sequences  # noqa: E402

TOOLS = Path(os.environ["PSMFORMER"]).resolve().parent
EXAMPLE = Path(os.environ["WORKFLOW_EXAMPLE"])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Every document with commands, and the class that runs them.
RUN = {"PSMFormer.md": "TestToolPages", "PSMFormerTrainer.md": "TestToolPages", "tutorial-proteins.md": "TestTutorials",
       "tutorial-immunopeptidomics.md": "TestTutorials"}
SEARCH_OF_SIMULATED_SPECTRA = """
source workflows/chain.sh
gzip spectra.mgf
FileConverter -in run.mgf -out run.mzML -no_progress
make_decoy_database proteins.fasta database.fasta
search_with_comet run.mzML database.fasta comet.idXML 20 0.02 0 high_res "${tryptic_search[@]}"
index_peptides comet.idXML database.fasta searched.idXML
"""


def blocks(document, language):
    """The texts of the blocks of one language."""
    return [text for kind, text in BLOCK.findall((ROOT / "share/doc" / document).read_text(encoding="utf-8")) if kind == language]


class Commands(unittest.TestCase):
    """A folder with what the documents take for granted."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="psmformer-documents-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("share", "workflows"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/bin").symlink_to(TOOLS)

    def place_example(self, spectra, proteins):
        """Files that get_example.sh takes for its own, so that nothing is downloaded."""
        example = self.folder / "build/example"
        example.mkdir()
        (example / "background.fasta").write_text("(not needed)\n")
        shutil.copyfile(spectra, example / "BSA1.mzML")
        shutil.copyfile(proteins, example / "database.fasta")

    def run_commands(self, document, blocks_before=()):
        """Runs all commands of a document and returns what they print."""
        script = "set -euo pipefail\n" + "".join([*blocks_before, *blocks(document, "sh")])
        environment = dict(os.environ, PATH=f"{TOOLS}:{os.environ['PATH']}", OPENMS_DISABLE_UPDATE_CHECK="ON",
                           OPENMS_HOME_PATH=str(self.folder))
        result = subprocess.run(["bash"], input=script, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])
        return result.stdout


class TestEveryDocument(unittest.TestCase):
    def test_is_run(self):
        documents = {path.name for path in (ROOT / "share/doc").glob("*.md") if blocks(path.name, "sh")}
        self.assertEqual(documents, set(RUN), "a document with commands needs a test that runs them")
        for name in set(RUN.values()):
            self.assertTrue(any(method.startswith("test_") for method in dir(globals()[name])))


class TestTutorials(Commands):
    def setUp(self):
        super().setUp()
        self.place_example(EXAMPLE / "late.mzML", EXAMPLE / "proteins.fasta")

    def test_proteins(self):
        printed = self.run_commands("tutorial-proteins.md")
        self.assertIn("P02769", printed.splitlines()[-1] + printed.splitlines()[-2], "albumin was digested")
        self.assertGreater((self.folder / "build/tutorial-proteins/report.html").stat().st_size, 50000)

    def test_immunopeptidomics(self):
        self.run_commands("tutorial-immunopeptidomics.md")
        peptides = (self.folder / "build/tutorial-immunopeptidomics/peptides.txt").read_text().split()
        albumin = "".join((ROOT / "share/PSMFormer/example/proteins.fasta").read_text().split("\n"))
        self.assertTrue(all(8 <= len(peptide) <= 12 and peptide.isalpha() for peptide in peptides), peptides)
        self.assertTrue(any(peptide in albumin for peptide in peptides), peptides)


class TestToolPages(Commands):
    def test_psmformer(self):
        for name, source in (("searched.idXML", "shell/indexed.idXML"), ("run.mzML", "late.mzML")):
            shutil.copyfile(EXAMPLE / source, self.folder / name)
        self.run_commands("PSMFormer.md")
        self.assertIn("<PeptideHit", (self.folder / "accepted.idXML").read_text())

    def test_psmformer_trainer(self):
        """On simulated spectra: a short cut of a run has too few peptides for three folds."""
        sequences = tryptic_sequences(150)
        proteins = ["".join(sequences[i:i + 10]) for i in range(0, len(sequences), 10)]
        (self.folder / "proteins.fasta").write_text("".join(f">P{i}\n{protein}\n" for i, protein in enumerate(proteins)))
        (self.folder / "run.mgf").write_text("".join(annotated_spectrum(*entry) for entry in enumerate(sequences)))
        (self.folder / "spectra.mgf").write_text("".join(annotated_spectrum(*entry) for entry in enumerate(sequences[:24])))
        self.run_commands("PSMFormerTrainer.md", [SEARCH_OF_SIMULATED_SPECTRA])
        for name in ("my.safetensors", "tuned.safetensors", "loss.tsv", "rescored.idXML", "MODEL_CARD.md"):
            self.assertGreater((self.folder / name).stat().st_size, 0, name)


class TestWholeExample(Commands):
    def setUp(self):
        super().setUp()
        self.place_example(ROOT / "build/example/BSA1.mzML", ROOT / "build/example/database.fasta")

    def test_the_list_of_proteins_is_the_one_shown(self):
        shown = blocks("tutorial-proteins.md", "")[-1].split()
        printed = self.run_commands("tutorial-proteins.md").split()[-len(shown):]
        self.assertEqual(printed[::2], shown[::2])
        for probability, expected in zip(printed[1::2], shown[1::2]):
            self.assertAlmostEqual(float(probability), float(expected), delta=0.01)

    def test_the_peptides_without_an_enzyme_are_those_shown(self):
        self.run_commands("tutorial-immunopeptidomics.md")
        shown = set(blocks("tutorial-immunopeptidomics.md", "")[-1].split())
        found = set((self.folder / "build/tutorial-immunopeptidomics/peptides.txt").read_text().split())
        self.assertLessEqual(len(shown ^ found), 1, (shown, found))


if __name__ == "__main__":
    if not (EXAMPLE / "shell/accepted.idXML").is_file():
        print("SKIPPED: no network")  # small_example.sh could not get the example run
        sys.exit(77)
    sys.exit(unittest.main())
