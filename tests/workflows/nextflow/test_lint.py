#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests that the checks of Nextflow files find faults, and that the pipeline has none: python3 test_lint.py

PSMFORMER names the tool. Each test of a rule makes one fault in a copy of the pipeline.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from lint import lint, toolOf  # noqa: E402
from source import readBlocks, runGroovy  # noqa: E402

PIPELINE = HERE.parents[2] / "workflows/nextflow"
PSMFORMER = os.environ["PSMFORMER"]


def tools():
    """The programs that the processes run."""
    return {toolOf(block) for path in PIPELINE.rglob("*.nf") for block in readBlocks(path) if block.kind == "process"}


class TestLint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.ini_folder = Path(cls.temporary.name) / "ini"
        cls.ini_folder.mkdir()
        for tool in tools():
            program = PSMFORMER if tool == "PSMFormer" else tool
            subprocess.run([program, "-write_ini", str(cls.ini_folder / f"{tool}.ini")], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def faultsAfter(self, name, old, new):
        """What lint says when old is replaced by new in one file of the pipeline."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "nextflow"
            shutil.copytree(PIPELINE, copy)
            file = copy / name
            text = file.read_text()
            self.assertIn(old, text)
            file.write_text(text.replace(old, new, 1))
            return "\n".join(lint(copy, self.ini_folder))

    def test_the_pipeline_is_without_findings(self):
        self.assertEqual(lint(PIPELINE, self.ini_folder), [])

    def test_each_kind_of_fault_is_found(self):
        module = "modules/local/psmformer/main.nf"
        workflow = "workflows/rescoring.nf"
        cases = [
            (module, "    label 'process_medium'\n", "", "has no 'label'"),
            (module, "    stub:\n", "", "has no 'stub:'"),
            (module, "emit: idxml", "emit idxml", "'emit' without its colon"),
            (module, "emit: pin", "emit: idxml", "two outputs have one name"),
            (module, "emit: versions, ", "", "says no version"),
            (module, "$report $args", "$report", "does not pass ext.args on"),
            (module, "-in_spectra", "-in_spektra", "PSMFormer has no option -in_spektra"),
            (module, "path model", "path weights", "its inputs are"),
            (module, "emit: report", "emit: html", "its outputs are not those of PSMFORMER"),
            ("conf/modules.config", "-isotope_error", "-isotope_errors", "CometAdapter has no option -isotope_errors"),
            ("conf/modules.config", "withName: 'IDMERGER'", "withName: 'IDMERGE'", "there is no process IDMERGE"),
            ("conf/modules.config", "params.num_hits", "params.n_hits", "params.n_hits is not in nextflow.config"),
            ("nextflow.config", "    num_hits = 5", "    num_hits = 6", "the default of num_hits"),
            ("nextflow.config", "    num_hits = 5\n", "", "differ in num_hits"),
            ("nextflow.config", "conda.enabled = true", "conda.enabled = true\n process { withName: 'PSMFORMER' { cpus = 1 } }",
             "withName: 'PSMFORMER' stands twice"),
            (workflow, "IDMERGER.out.idxml", "IDMERGER.out.merged", "IDMERGER.out.merged: there is no such output"),
            (workflow, "single), model)", "single))", "PSMFORMER takes 2 inputs and is called with 1"),
            (workflow, "idmerger/main'", "merger/main'", "which does not define it"),
            (workflow, "FILECONVERTER(runs)", "runs.view()", "FILECONVERTER is included and never called"),
            (workflow, "MZTABEXPORTER(IDFILTER", "TABLE(IDFILTER", "TABLE is called and neither defined nor included"),
            (workflow, "channel.empty", "Channel.empty", "'Channel.' is written 'channel.'"),
            (workflow, "{ _meta, file -> file }", "{ it[1] }", "'it' needs a name"),
        ]
        for name, old, new, expected in cases:
            with self.subTest(fault=expected):
                self.assertIn(expected, self.faultsAfter(name, old, new))


class TestTables(unittest.TestCase):
    def test_environments_name_their_packages_with_a_version(self):
        environments = list(PIPELINE.rglob("environment.yml"))
        self.assertEqual(len(environments), len(list(PIPELINE.glob("modules/local/*/main.nf"))))
        for path in environments:
            with self.subTest(environment=str(path)):
                environment = yaml.safe_load(path.read_text())
                self.assertEqual(environment["channels"], ["conda-forge", "bioconda"])
                # There is no package of PSMFormer.
                self.assertEqual(bool(environment["dependencies"]), path.parent.name != "psmformer")
                for package in environment["dependencies"]:
                    self.assertRegex(package, r"^bioconda::[\w-]+=\d+(\.\d+)+$")

    def test_the_description_of_the_module_is_sound(self):
        meta = yaml.safe_load((PIPELINE / "modules/local/psmformer/meta.yml").read_text())
        self.assertEqual(meta["name"], "psmformer")
        self.assertTrue(meta["description"] and meta["tools"] and meta["input"] and meta["output"])

    def test_the_sample_sheet_names_the_run_of_the_example(self):
        sheet = PIPELINE / "assets/samplesheet_test.csv"
        with sheet.open() as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual([set(row) for row in rows], [{"sample", "spectra"}])
        run = (sheet.parent / rows[0]["spectra"]).resolve()
        self.assertEqual(run, PIPELINE.parents[1] / "build/example/BSA1.mzML")
        self.assertIn(run.name, (PIPELINE.parents[1] / "share/PSMFormer/example/get_example.sh").read_text())


class TestGroovy(unittest.TestCase):
    def test_all_files_are_parsed(self):
        files = sorted(path for end in ("nf", "config", "nf.test") for path in PIPELINE.rglob(f"*.{end}"))
        result = runGroovy("parse_files.groovy", *files)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn(f"{len(files)} of {len(files)} files are parsed", result.stdout)

    def test_a_missing_brace_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder) / "bad.nf"
            bad.write_text((PIPELINE / "modules/local/psmformer/main.nf").read_text().rstrip().removesuffix("}"))
            result = runGroovy("parse_files.groovy", bad)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertIn("0 of 1 files are parsed", result.stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
