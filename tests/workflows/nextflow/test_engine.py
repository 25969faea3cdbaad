#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the pipeline in Nextflow itself: python3 test_engine.py

PSMFORMER names the tool, WORKFLOW_EXAMPLE the folder that small_example.sh made, NEXTFLOW_JARS a folder for the engine (engine.py).
"""

import os
import shutil
import stat
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from engine import PIPELINE, callNextflow, getEngine, readTrace, runNextflow  # noqa: E402
from identifications import readHits  # noqa: E402

EXAMPLE = Path(os.environ["WORKFLOW_EXAMPLE"])
SHELL = EXAMPLE / "shell"
# The first time it is asked to rescore it is killed, as by a system that is out of memory.
KILLED_ONCE = """#!/bin/bash
case "$*" in *--help*) exec '{tool}' "$@" ;; esac
if mkdir '{mark}' 2>/dev/null; then kill -KILL $$; fi
exec '{tool}' "$@"
"""

# The calls of nf-core/mhcquant's subworkflow RESCORE.
RESCORE = """
include { MS2RESCORE } from './modules/local/ms2rescore'
workflow {
    MS2RESCORE(channel.of([[id: 'S', preset: 'a'], file(params.idxml), [file(params.mzml)], []]))
    MS2RESCORE.out.idxml.join(MS2RESCORE.out.feature_names).view { meta, idxml, names -> "${meta.preset} ${idxml.name} ${names.name}" }
}
"""


class TestEngine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        sheet = "sample,spectra\n" + "".join(f"{sample},{EXAMPLE}/{run}.mzML\n" for sample, run in
                                             [("both", "early"), ("both", "late"), ("one", "late")])
        (cls.folder / "samples.csv").write_text(sheet)
        cls.tool = cls.folder / "psmformer"
        cls.tool.write_text(KILLED_ONCE.format(tool=os.environ["PSMFORMER"], mark=cls.folder / "killed"))
        cls.tool.chmod(cls.tool.stat().st_mode | stat.S_IXUSR)
        cls.first = cls.runPipeline("first")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def runPipeline(cls, name, *options, folder=None):
        """The tasks of a run, as Nextflow's trace lists them; what is made in one folder can be resumed there."""
        trace = cls.folder / f"{name}.txt"
        result = cls.runNextflow(folder or cls.folder, "-profile", "test", "-with-trace", trace, "--outdir", f"results_{name}", "--input",
                                 cls.folder / "samples.csv", *options)
        if result.returncode != 0:
            raise AssertionError(f"Nextflow ends with {result.returncode}:\n{result.stdout}{result.stderr}")
        return readTrace(trace)

    @classmethod
    def runNextflow(cls, folder, *options, pipeline=PIPELINE):
        return runNextflow(folder, cls.folder / "home", "--database", EXAMPLE / "proteins.fasta", "--psmformer", cls.tool, *options,
                           pipeline=pipeline)

    def test_the_accepted_matches_are_those_of_the_shell_chain(self):
        accepted = readHits(self.folder / "results_first/accepted/one_accepted.idXML")
        self.assertGreater(len(accepted), 10)
        self.assertEqual(accepted, readHits(SHELL / "accepted.idXML"))
        both = readHits(self.folder / "results_first/accepted/both_accepted.idXML")
        self.assertGreater(len(both), len(accepted))

    def test_a_killed_task_is_tried_again(self):
        rescored = [task for task in self.first if "PSMFORMER" in task["name"]]
        self.assertEqual(sorted((task["status"], task["exit"]) for task in rescored),
                         [("COMPLETED", "0"), ("COMPLETED", "0"), ("FAILED", "137")])

    def test_the_versions_of_all_tools_are_kept(self):
        lines = (self.folder / "results_first/pipeline_info/versions.tsv").read_text().splitlines()
        tasks = {task["name"].split(":")[-1].split()[0] for task in self.first}
        self.assertEqual({line.split("\t")[0] for line in lines}, tasks)

    def test_nothing_is_done_twice_when_a_run_is_resumed(self):
        again = self.runPipeline("again", "-resume")
        self.assertEqual({task["status"] for task in again}, {"CACHED"})
        self.assertEqual(len(again), len(self.first) - 1)

    def test_bad_sample_sheets_are_refused_with_a_reason(self):
        late = EXAMPLE / "late.mzML"
        for text, reason in [(f"name,file\na,{late}\n", "needs the columns 'sample' and 'spectra'"),
                             (f"sample,spectra\na,{late}\na,{late}\n", "a run of one sample occurs twice (a_late)"),
                             ("sample,spectra\na,missing.mzML\n", "missing.mzML")]:
            with self.subTest(reason=reason), tempfile.TemporaryDirectory() as folder:
                sheet = Path(folder) / "samples.csv"
                sheet.write_text(text)
                result = self.runNextflow(folder, "--input", sheet)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(reason, result.stdout + result.stderr)

    def test_mhcquant_finds_what_it_expects_of_ms2rescore(self):
        with tempfile.TemporaryDirectory() as folder:
            mhcquant = Path(folder)
            shutil.copytree(PIPELINE / "mhcquant/modules", mhcquant / "modules")
            shutil.copytree(PIPELINE / "modules/local/psmformer", mhcquant / "modules/local/psmformer")
            (mhcquant / "main.nf").write_text(RESCORE)
            (mhcquant / "nextflow.config").write_text(
                f"process {{ withName: 'PSMFORMER' {{ ext.tool = '{os.environ['PSMFORMER']}' }} }}\nparams.outdir = 'out'\n")
            result = self.runNextflow(folder, "-c", PIPELINE / "mhcquant/psmformer.config", "--idxml", SHELL / "indexed.idXML", "--mzml",
                                      EXAMPLE / "late.mzML", pipeline=mhcquant / "main.nf")
            self.assertIn("a S_psmformer.idXML S_psmformer_feature_names.tsv", result.stdout, result.stderr)
            rescored = mhcquant / "out/intermediate_results/rescoring/S_psmformer.idXML"
            scores = [hit[3] for hit in readHits(rescored)]
            self.assertEqual(scores, [hit[3] for hit in readHits(SHELL / "indexed.idXML")], "the score of the engine stays")
            self.assertTrue((mhcquant / "out/multiqc/psmformer/S_psmformer.html").is_file())

    def settings(self, profile):
        """What a profile sets in the end, one setting a line."""
        result = callNextflow(self.folder, self.folder / "home", "config", PIPELINE, "-profile", profile, "-flat")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return set(result.stdout.splitlines())

    def test_each_profile_sets_what_it_is_for_and_drops_nothing(self):
        common = self.settings("standard") - {"process.executor = 'local'"}
        self.assertIn("process.'withName:PSMFORMER'.ext.report = { params.write_report }", common)
        for profile, setting in [("slurm", "process.executor = 'slurm'"), ("docker", "docker.enabled = true"),
                                 ("singularity", "singularity.enabled = true"), ("conda", "conda.enabled = true")]:
            with self.subTest(profile=profile):
                settings = self.settings(profile)
                self.assertIn(setting, settings)
                self.assertEqual(common - settings, set())

    def test_a_stub_run_takes_the_same_course(self):
        with tempfile.TemporaryDirectory() as folder:
            stub = self.runPipeline("stub", "-stub", folder=folder)
        self.assertEqual(sorted(task["name"] for task in stub),
                         sorted(task["name"] for task in self.first if task["status"] == "COMPLETED"))


if __name__ == "__main__":
    if not (SHELL / "accepted.idXML").is_file() or not getEngine():
        print("SKIPPED: no network")
        sys.exit(77)
    sys.exit(unittest.main())
