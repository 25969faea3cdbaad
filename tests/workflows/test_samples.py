#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Twenty samples, two tasks at a time, one task killed on the way: python3 test_samples.py TestSnakemake | TestNextflow

The workflow must end with what the shell chain makes of each sample, and do nothing twice that was done before the task was killed.
PSMFORMER names the tool, WORKFLOW_SAMPLES the folder that small_samples.sh made, NEXTFLOW_JARS a folder for the engine of Nextflow
(nextflow/engine.py).
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "nextflow")]

from engine import getEngine, readTrace, runNextflow  # noqa: E402
from identifications import readHits  # noqa: E402

SNAKEFILE = HERE.parents[1] / "workflows/snakemake/Snakefile"
SAMPLES = Path(os.environ["WORKFLOW_SAMPLES"])
SHELL = SAMPLES / "shell"
SPECTRA = {path.stem: path for path in sorted((SAMPLES / "samples").glob("*.mzML"))}
PSMFORMER = Path(os.environ["PSMFORMER"])
SEARCH_OPTIONS = ("-precursor_mass_tolerance 20 -precursor_error_units ppm -isotope_error 0/1/2 -fragment_mass_tolerance 0.01 "
                  "-fragment_bin_offset 0 -instrument high_res -fixed_modifications 'Carbamidomethyl (C)' -num_hits 5 "
                  "-enzyme Trypsin -missed_cleavages 2 -variable_modifications 'Oxidation (M)'")
# One CPU a task, two tasks at a time. A task that is killed ends the run; the pipeline itself would try it again.
TWO_TASKS = """
process.resourceLimits = [cpus: 1, memory: 2.GB, time: 1.h]
process.errorStrategy = 'terminate'
executor { cpus = 2 }
"""


def runOf(sample):
    """The evaluation run that a sample is: its name without the number."""
    return sample.rpartition("_")[0]


class Samples:
    """What holds for every workflow system. A class of a system runs the workflow with 'runWorkflow' and names what it makes of a sample
    with 'rescored' and 'accepted'."""

    N_SAMPLES = 20
    SPECTRA = SPECTRA
    VICTIM = "PSMFormer_10"

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.notes = cls.folder / "notes"
        for folder in ("bin", "notes"):
            (cls.folder / folder).mkdir()
        for tool in ("CometAdapter", "PSMFormer"):
            (cls.folder / "bin" / tool).symlink_to(HERE / "noting_tool.sh")
        tools = f"{PSMFORMER.parent}:{os.environ['PATH']}"
        cls.variables = {"PATH": f"{cls.folder}/bin:{tools}", "TOOLS": tools, "NOTES": str(cls.notes), "VICTIM": cls.VICTIM}
        cls.prepare()
        cls.first = cls.runWorkflow()
        cls.pause = time.time()
        cls.done = {sample: readHits(cls.accepted(sample)) for sample in cls.SPECTRA if cls.accepted(sample).exists()}
        cls.times = {sample: cls.rescored(sample).resolve().stat().st_mtime_ns for sample in cls.SPECTRA if cls.rescored(sample).exists()}
        cls.second = cls.runWorkflow(resume=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def rescored(cls, sample):
        return cls.folder / cls.RESCORED.format(sample)

    @classmethod
    def accepted(cls, sample):
        return cls.folder / cls.ACCEPTED.format(sample)

    @classmethod
    def calls(cls, tool):
        """What noting_tool.sh wrote of each call: file name -> text."""
        return [{note.name: note.read_text().strip() for note in call.iterdir()} for call in cls.notes.glob(f"{tool}_*")]

    @classmethod
    def samplesOf(cls, tool, status):
        """The samples that were given to a tool in the calls that ended so."""
        return sorted(re.search(r"(\w+)\.mzML", call["command"])[1] for call in cls.calls(tool) if call.get("status") == status)

    def test_the_samples_are_there(self):
        self.assertEqual(len(self.SPECTRA), self.N_SAMPLES)
        self.assertGreater(len({runOf(sample) for sample in self.SPECTRA}), 1)

    def test_every_sample_ends_as_in_the_shell_chain(self):
        self.assertEqual(self.second.returncode, 0, self.second.stdout + self.second.stderr)
        for sample in self.SPECTRA:
            with self.subTest(sample=sample):
                accepted = readHits(self.accepted(sample))
                self.assertGreater(len(accepted), 5)
                self.assertEqual(accepted, readHits(SHELL / f"{runOf(sample)}.accepted.idXML"))
                self.assertEqual(readHits(self.rescored(sample)), readHits(SHELL / f"{runOf(sample)}.psmformer.idXML"))

    def test_no_sample_got_the_results_of_another(self):
        for sample in self.SPECTRA:
            with self.subTest(sample=sample):
                for path in (self.rescored(sample), self.accepted(sample)):
                    spectra = re.findall(r'name="spectra_data" value="([^"]*)"', path.read_text())
                    self.assertEqual([Path(text.strip("[]")).stem for text in spectra], [sample])

    def test_two_tasks_run_at_a_time(self):
        events = []
        for call in self.calls("CometAdapter") + self.calls("PSMFormer"):
            # A task that was stopped because another was killed leaves no note of its end.
            events += [(float(call["started"]), 1), (float(call.get("ended", self.pause)), -1)]
        n_running = list(itertools.accumulate(change for _, change in sorted(events)))
        self.assertEqual(max(n_running), 2)

    def test_one_task_was_killed_and_ended_the_first_run(self):
        self.assertNotEqual(self.first.returncode, 0)
        self.assertEqual(len(self.samplesOf("PSMFormer", "137")), 1)
        self.assertLess(len(self.done), len(self.SPECTRA))

    def test_the_killed_task_leaves_no_result_and_the_others_keep_theirs(self):
        killed, = self.samplesOf("PSMFormer", "137")
        self.assertNotIn(killed, self.times)
        self.assertGreater(len(self.times), self.N_SAMPLES // 4)
        for sample, accepted in self.done.items():
            self.assertEqual(accepted, readHits(SHELL / f"{runOf(sample)}.accepted.idXML"), sample)

    def test_what_was_done_is_not_done_again(self):
        for sample, written in self.times.items():
            self.assertEqual(self.rescored(sample).resolve().stat().st_mtime_ns, written, sample)
        for tool in ("CometAdapter", "PSMFormer"):
            self.assertEqual(self.samplesOf(tool, "0"), sorted(self.SPECTRA), f"{tool} runs to its end once a sample")


class TestSnakemake(Samples, unittest.TestCase):
    RESCORED, ACCEPTED = "out/{}.psmformer.idXML", "out/{}.accepted.idXML"
    PLACE = ("--cores", "2")

    @classmethod
    def prepare(cls):
        options = {"runs": {sample: str(path) for sample, path in cls.SPECTRA.items()}, "database": str(SAMPLES / "proteins.fasta"),
                   "out": "out", "search_options": SEARCH_OPTIONS}
        (cls.folder / "config.json").write_text(json.dumps(options))

    @classmethod
    def runWorkflow(cls, resume=False):
        """The same command goes on with what is there."""
        del resume
        # --keep-going: a task that fails must not keep the other samples from their end.
        command = ["snakemake", "-s", str(SNAKEFILE), "--configfile", "config.json", *cls.PLACE, "--set-threads", "search=1",
                   "rescore=1", "--keep-going"]
        return subprocess.run(command, cwd=cls.folder, env=os.environ | cls.variables, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)

    def test_the_first_run_ends_all_other_samples(self):
        killed, = self.samplesOf("PSMFormer", "137")
        self.assertEqual(sorted(self.done), [sample for sample in self.SPECTRA if sample != killed])
        self.assertIn("Error in rule rescore", self.first.stderr)

    def test_the_second_run_does_what_follows_from_the_killed_task(self):
        # On a cluster every job prints its rule once more.
        rules = sorted(set(re.findall(r"(?m)^(?:local)?rule (\w+):", self.second.stderr)))
        self.assertEqual(rules, ["all", "filter", "q_values", "rescore", "table"])


class TestNextflow(Samples, unittest.TestCase):
    RESCORED, ACCEPTED = "results/rescored/{}_psmformer.idXML", "results/accepted/{}_accepted.idXML"
    CONFIG = TWO_TASKS
    PLACE = ("-profile", "standard")

    @classmethod
    def prepare(cls):
        lines = [f"{sample},{path}" for sample, path in cls.SPECTRA.items()]
        (cls.folder / "samples.csv").write_text("\n".join(["sample,spectra", *lines]) + "\n")
        (cls.folder / "place.config").write_text(cls.CONFIG)

    @classmethod
    def runWorkflow(cls, resume=False):
        trace = cls.folder / ("second.txt" if resume else "first.txt")
        return runNextflow(cls.folder, cls.folder / "home", "-c", "place.config", *cls.PLACE, "-with-trace", trace, "--input",
                           "samples.csv", "--database", SAMPLES / "proteins.fasta", "--fragment_tolerance", "0.01",
                           *(["-resume"] if resume else []), variables=cls.variables)

    def test_every_task_that_was_completed_is_taken_from_the_cache(self):
        completed = sorted(task["name"] for task in readTrace(self.folder / "first.txt") if task["status"] == "COMPLETED")
        second = readTrace(self.folder / "second.txt")
        cached = sorted(task["name"] for task in second if task["status"] == "CACHED")
        self.assertEqual(cached, completed)
        self.assertEqual({task["status"] for task in second}, {"CACHED", "COMPLETED"})


if __name__ == "__main__":
    if not any(SHELL.glob("*.accepted.idXML")):
        print("SKIPPED: no ../shared")  # small_samples.sh had no runs
        sys.exit(77)
    if "TestNextflow" in sys.argv and not getEngine():
        print("SKIPPED: no network")
        sys.exit(77)
    sys.exit(unittest.main())
