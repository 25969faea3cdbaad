#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the workflows on a Slurm cluster of one node, with a task that is killed on the way: python3 test_slurm.py

PSMFORMER names the tool, WORKFLOW_SAMPLES the folder that small_samples.sh made, NEXTFLOW_JARS a folder for the engine of Nextflow
(nextflow/engine.py).
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import test_samples as samples

HERE = Path(__file__).resolve().parent
# The pipeline asks Slurm for more CPUs than the node has, and less often for the state of its jobs.
SMALL_CLUSTER = """
process.resourceLimits = [cpus: 1]
executor { pollInterval = '1 sec'; queueStatInterval = '2 sec'; submitRateLimit = '20/1sec' }
"""


class Cluster:
    """A cluster for the time of the tests."""

    N_SAMPLES = 3
    SPECTRA = dict(list(samples.SPECTRA.items())[5:8])
    VICTIM = "PSMFormer_2"

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(prefix="slurm-") as folder:
            subprocess.run([HERE / "slurm_cluster.sh", "start", folder], check=True)
            try:
                os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
                super().setUpClass()
                shown = subprocess.run(["scontrol", "--oneliner", "show", "job"], capture_output=True, text=True, check=True).stdout
                cls.jobs = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in shown.splitlines()]
            finally:
                subprocess.run([HERE / "slurm_cluster.sh", "stop", folder], check=True)

    def test_one_job_failed_and_all_others_were_completed(self):
        states = sorted(job["JobState"] for job in self.jobs)
        self.assertEqual(states.count("FAILED"), 1, states)
        self.assertEqual(set(states), {"COMPLETED", "FAILED"})


class TestNextflowOnSlurm(Cluster, samples.TestNextflow):
    """The profile 'slurm' as users take it: a killed task is tried again."""

    CONFIG = SMALL_CLUSTER
    PLACE = ("-profile", "slurm")

    def test_one_task_was_killed_and_ended_the_first_run(self):
        """It is tried again at once."""
        self.assertEqual(self.first.returncode, 0, self.first.stdout + self.first.stderr)
        self.assertEqual(len(self.samplesOf("PSMFormer", "137")), 1)

    def test_the_killed_task_leaves_no_result_and_the_others_keep_theirs(self):
        killed = [task for task in samples.readTrace(self.folder / "first.txt") if task["status"] == "FAILED"]
        self.assertEqual([(task["exit"], "PSMFORMER" in task["name"]) for task in killed], [("137", True)])

    def test_it_is_tried_again_with_more_memory(self):
        asked = sorted((job["JobState"], job["MinMemoryNode"]) for job in self.jobs if "PSMFORMER" in job["JobName"])
        self.assertEqual(asked, [("COMPLETED", "16G"), ("COMPLETED", "8G"), ("COMPLETED", "8G"), ("FAILED", "8G")])

    def test_every_task_is_a_job(self):
        tasks = samples.readTrace(self.folder / "first.txt")
        self.assertEqual({task["native_id"] for task in tasks}, {job["JobId"] for job in self.jobs})

    def test_every_task_that_was_completed_is_taken_from_the_cache(self):
        second = samples.readTrace(self.folder / "second.txt")
        self.assertEqual({task["status"] for task in second}, {"CACHED"})


class TestSnakemakeOnSlurm(Cluster, samples.TestSnakemake):
    PLACE = ("--jobs", "2", "--cluster-sync", "srun --ntasks 1 --cpus-per-task {threads}")


if __name__ == "__main__":
    if not any(samples.SHELL.glob("*.accepted.idXML")):
        print("SKIPPED: no ../shared")  # small_samples.sh had no runs
        sys.exit(77)
    if not samples.getEngine():
        print("SKIPPED: no network")
        sys.exit(77)
    sys.exit(unittest.main())
