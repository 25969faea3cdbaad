#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the Snakemake and the CWL workflow and compares them with the shell chain: python3 test_twins.py [TestSnakemake | TestCwl]

PSMFORMER names the tool, WORKFLOW_EXAMPLE the folder that small_example.sh made.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from identifications import comparableText, readHits  # noqa: E402

WORKFLOWS = HERE.parents[1] / "workflows"
EXAMPLE = Path(os.environ["WORKFLOW_EXAMPLE"])
SHELL = EXAMPLE / "shell"
PSMFORMER = Path(os.environ["PSMFORMER"])


def run(*command, folder):
    # The workflows find the tool as a user's would: on PATH.
    environment = os.environ | {"PATH": f"{PSMFORMER.parent}:{os.environ['PATH']}"}
    result = subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False,
                            stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]} ends with {result.returncode}:\n{result.stdout[-4000:]}{result.stderr[-6000:]}")
    return result.stdout + result.stderr


def commandOf(program):
    """The words of the only command in workflows/README.md that begins with a program."""
    command, = re.findall(rf"`({program} [^`]+)`", (WORKFLOWS / "README.md").read_text())
    return command.split()


class Twin(unittest.TestCase):
    """What holds for every twin; 'made' names its files."""

    made = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.made = cls.runWorkflow()

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def assertSameMatches(self):
        self.assertRegex(self.made["report"].read_text(), r"<title>\d+ PSMs at 1 % FDR")
        accepted = readHits(self.made["accepted"])
        self.assertGreater(len(accepted), 10)
        self.assertEqual(accepted, readHits(SHELL / "accepted.idXML"))
        self.assertEqual(readHits(self.made["rescored"]), readHits(SHELL / "psmformer.idXML"))
        self.assertEqual(comparableText(self.made["accepted"]), comparableText(SHELL / "accepted.idXML"))
        self.assertIn("PSMFormer:score", self.made["mztab"].read_text())


class TestSnakemake(Twin):
    @classmethod
    def runWorkflow(cls):
        """The command of workflows/README.md as it stands there; the example is a cut of it."""
        (cls.folder / "workflows").symlink_to(WORKFLOWS)
        for place, source in (("demo/BSA1.mzML", "late.mzML"), ("example/database.fasta", "proteins.fasta")):
            (cls.folder / "build" / place).parent.mkdir(parents=True)
            (cls.folder / "build" / place).symlink_to(EXAMPLE / source)
        cls.command = commandOf("snakemake")
        run(*cls.command, folder=cls.folder)
        out = cls.folder / "build/snakemake"
        return {"accepted": out / "BSA1.accepted.idXML", "rescored": out / "BSA1.psmformer.idXML", "mztab": out / "BSA1.mzTab",
                "report": out / "BSA1.html", "database": out / "database.fasta"}

    def test_it_accepts_what_the_shell_chain_accepts(self):
        self.assertSameMatches()
        self.assertEqual(self.made["database"].read_bytes(), (SHELL / "database.fasta").read_bytes())

    def test_a_second_run_has_nothing_to_do(self):
        self.assertIn("Nothing to be done", run(*self.command, folder=self.folder))

    def test_a_step_that_is_gone_is_made_again_with_what_follows_from_it(self):
        self.made["rescored"].touch()
        plan = run(*self.command, "--dry-run", "--rerun-triggers", "mtime", folder=self.folder)
        self.assertIn("rule q_values", plan)
        self.assertNotIn("rule search", plan)


class TestCwl(Twin):
    @classmethod
    def runWorkflow(cls):
        chain = WORKFLOWS / "cwl/chain.cwl"
        run("cwltool", "--validate", "--disable-color", chain, folder=cls.folder)
        inputs = {"spectra": {"class": "File", "path": str(EXAMPLE / "late.mzML")},
                  "proteins": {"class": "File", "path": str(EXAMPLE / "proteins.fasta")},
                  "fragment_tolerance": 0.5025, "fragment_bin_offset": 0.4, "instrument": "low_res"}
        (cls.folder / "inputs.json").write_text(json.dumps(inputs))
        # The command of workflows/README.md. With PATH, what keeps OpenMS from asking for updates must reach the tools.
        (cls.folder / "workflows").symlink_to(WORKFLOWS)
        program, *words = commandOf("cwltool")
        run(program, "--disable-color", "--preserve-environment", "OPENMS_DISABLE_UPDATE_CHECK", "--outdir", "out", *words,
            folder=cls.folder)
        out = cls.folder / "out"
        return {"accepted": out / "accepted.idXML", "rescored": out / "psmformer.idXML", "mztab": out / "accepted.mzTab",
                "report": out / "report.html"}

    def test_it_accepts_what_the_shell_chain_accepts(self):
        self.assertSameMatches()


if __name__ == "__main__":
    if not (SHELL / "accepted.idXML").is_file():
        print("SKIPPED: no network")  # small_example.sh could not get the example run
        sys.exit(77)
    sys.exit(unittest.main())
