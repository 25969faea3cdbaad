#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the script blocks of the Nextflow processes with bash on real data: python3 test_pipeline.py

Groovy writes them out with the options of the pipeline's configuration, so that the command lines are those that Nextflow would run.
PSMFORMER names the tool, WORKFLOW_EXAMPLE the folder that small_example.sh made.
"""

import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from identifications import readHits  # noqa: E402
from source import readBlocks, runGroovy  # noqa: E402

PIPELINE = HERE.parents[2] / "workflows/nextflow"
EXAMPLE = Path(os.environ["WORKFLOW_EXAMPLE"])
SHELL = EXAMPLE / "shell"
PARAMETERS = {"psmformer": os.environ["PSMFORMER"], "fragment_tolerance": 0.5025, "fragment_bin_offset": 0.4, "instrument": "low_res"}


def asList(value):
    return value if isinstance(value, list) else [value] if value else []


class Job:
    """A process with the values of its inputs, each a file, a list of files or None."""

    def __init__(self, process, meta, output, parameters=(), **inputs):
        self.process, self.meta, self.output = process, meta, output
        self.parameters, self.inputs = dict(parameters), inputs
        self.block = blocks()[process]

    def request(self, section):
        variables = {"meta": self.meta}
        for name, value in self.inputs.items():
            named = [{"file": self.nameInTask(name, path)} for path in asList(value)]
            variables[name] = named if isinstance(value, list) or not value else named[0]
        text = self.block.sections[section]
        return {"process": self.process, "text": text, "variables": variables}

    def nameInTask(self, name, path):
        """Where the file lies in the folder of the task, which stageAs may say."""
        match = re.search(rf'path\({name}, stageAs: "([^"]+)"\)', self.block.sections["input"])
        return match[1].replace("*", path.name) if match else path.name

    def staged(self):
        """(file, its name in the task)"""
        for name, value in self.inputs.items():
            for path in asList(value):
                yield path, self.nameInTask(name, path)


def blocks():
    return {block.name: block for path in PIPELINE.rglob("*.nf") for block in readBlocks(path) if block.kind == "process"}


def render(jobs, section, folder):
    """What Groovy makes of the section of each job."""
    request, answer = folder / "request.json", folder / "answer.json"
    configs = [str(PIPELINE / "nextflow.config"), str(PIPELINE / "conf/modules.config")]
    texts = []
    for parameters in {json.dumps(job.parameters): job.parameters for job in jobs}.values():
        chosen = [job for job in jobs if job.parameters == parameters]
        request.write_text(json.dumps({"configs": configs, "params": {**PARAMETERS, **parameters},
                                       "jobs": [job.request(section) for job in chosen]}))
        result = runGroovy("render.groovy", request, answer)
        if result.returncode != 0:
            raise AssertionError(result.stdout)
        texts += zip(chosen, json.loads(answer.read_text()), strict=True)
    return texts


def execute(job, text, folder):
    """Runs the block in a folder of its own that has links to the inputs, as Nextflow does; gives the new files."""
    folder.mkdir(parents=True)
    for path, name in job.staged():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(path)
    before = {path.name for path in folder.iterdir()}
    result = subprocess.run(["/bin/bash", "-euo", "pipefail", "-c", text], cwd=folder, capture_output=True, text=True, check=False,
                            stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise AssertionError(f"{job.process} ends with {result.returncode}:\n{text}\n{result.stdout}{result.stderr}")
    return sorted(path.name for path in folder.iterdir() if path.name not in before)


def globs(block):
    """(pattern, optional) of the files that a process has as outputs."""
    for line in block.sections["output"].splitlines():
        match = re.search(r'path\("([^"]+)"\)', line)
        if match:
            yield match[1], "optional: true" in line


class TestScriptBlocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.jobs = cls.makeJobs()
        cls.made = {}
        for job, text in render(cls.jobs, "script", cls.folder):
            cls.made[job] = execute(job, text, job.output.parent)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def makeJobs(cls):
        """In the order in which they can run; each names the output that the next ones read."""
        work = cls.folder
        meta = {run: {"id": f"S_{run}", "sample": "S", "run": run} for run in ("early", "late")}
        sample, alone = {"id": "S"}, {"id": "L"}
        mzml = {run: EXAMPLE / f"{run}.mzML" for run in meta}
        database = work / "decoys/proteins_decoy.fasta"
        jobs = [Job("DECOYDATABASE", {"id": "database"}, database, fasta=EXAMPLE / "proteins.fasta"),
                Job("FILECONVERTER", meta["early"], work / "converted/early.mzML", mzml=mzml["early"])]
        for run in meta:
            jobs.append(Job("COMETADAPTER", meta[run], work / f"comet_{run}/S_{run}.idXML", mzml=mzml[run], fasta=database))
            jobs.append(Job("PEPTIDEINDEXER", meta[run], work / f"index_{run}/S_{run}_indexed.idXML", idxml=jobs[-1].output,
                            fasta=database))
        indexed = {run: work / f"index_{run}/S_{run}_indexed.idXML" for run in meta}
        jobs += [
            Job("XTANDEMADAPTER", meta["late"], work / "xtandem/S_late.idXML", mzml=mzml["late"], fasta=database),
            Job("IDMERGER", sample, work / "merge/S_merged.idXML", idxmls=list(indexed.values())),
            Job("PSMFORMER", sample, work / "merged/S_psmformer.idXML", {"write_features": True, "write_pin": True},
                idxml=work / "merge/S_merged.idXML", mzml=list(mzml.values()), model=None),
            Job("PSMFORMER", alone, work / "single/L_psmformer.idXML", idxml=indexed["late"], mzml=mzml["late"], model=None),
            Job("FALSEDISCOVERYRATE", alone, work / "fdr/L_q_values.idXML", idxml=work / "single/L_psmformer.idXML"),
            Job("IDFILTER", alone, work / "filter/L_accepted.idXML", idxml=work / "fdr/L_q_values.idXML"),
            Job("MZTABEXPORTER", alone, work / "table/L.mzTab", idxml=work / "filter/L_accepted.idXML")]
        # Groovy runs once for each set of parameters, and everything before must be there.
        return sorted(jobs, key=lambda job: bool(job.parameters))

    def test_each_block_makes_the_outputs_that_it_declares(self):
        for job, names in self.made.items():
            with self.subTest(process=job.process):
                self.assertTrue(job.output.is_file(), f"{names}")
                for pattern, optional in globs(job.block):
                    n = len(fnmatch.filter(names, pattern))
                    self.assertLessEqual(n, 1)
                    if not optional:
                        self.assertEqual(n, 1, f"{pattern} of {names}")

    def test_the_accepted_matches_are_those_of_the_shell_chain(self):
        accepted = readHits(self.folder / "filter/L_accepted.idXML")
        self.assertGreater(len(accepted), 10)
        self.assertEqual(accepted, readHits(SHELL / "accepted.idXML"))
        self.assertEqual((self.folder / "decoys/proteins_decoy.fasta").read_bytes(), (SHELL / "database.fasta").read_bytes())

    def test_the_table_has_the_accepted_matches(self):
        table = (self.folder / "table/L.mzTab").read_text()
        n_matches = len(set(re.findall(r"(?m)^PSM\t\S+\t(\d+)\t", table)))
        self.assertEqual(n_matches, len(readHits(self.folder / "filter/L_accepted.idXML")))

    def test_a_sample_of_two_runs_is_rescored_as_one_file(self):
        rescored = self.folder / "merged/S_psmformer.idXML"
        runs = [self.folder / f"index_{run}/S_{run}_indexed.idXML" for run in ("early", "late")]
        self.assertEqual(len(readHits(rescored)), sum(len(readHits(run)) for run in runs))
        self.assertNotIn('value="no_spectrum"', rescored.read_text())

    def test_reports_and_tables_are_written_when_asked_for(self):
        self.assertRegex((self.folder / "single/L_psmformer.html").read_text(), r"<title>\d+ PSMs at 1 % FDR")
        self.assertTrue((self.folder / "merged/S_psmformer.pin.tsv").read_text().startswith("SpecId\t"))
        self.assertFalse((self.folder / "single/L_psmformer.pin.tsv").exists())

    def test_the_feature_names_are_those_that_psmfeatureextractor_finds(self):
        names = self.folder / "merged/S_psmformer_feature_names.tsv"
        # The line of nf-core/mhcquant that reads them.
        extra = subprocess.run(["awk", 'NR > 1 && $1 !~ /psm_file/ {printf "%s ", $2}', str(names)], capture_output=True, text=True,
                               check=True).stdout.split()
        self.assertIn("PSMFormer:logit", extra)
        out = self.folder / "extracted.idXML"
        subprocess.run(["PSMFeatureExtractor", "-in", str(self.folder / "merged/S_psmformer.idXML"), "-out", str(out), "-extra", *extra],
                       check=True, capture_output=True)
        listed = re.search(r'name="extra_features" value="([^"]*)"', out.read_text())[1].split(",")
        self.assertLessEqual(set(extra), set(listed))

    def test_the_other_engine_finds_matches_too(self):
        self.assertGreater(len(readHits(self.folder / "xtandem/S_late.idXML")), 20)

    def test_versions_are_numbers(self):
        for job in {job.process: job for job in self.jobs}.values():
            with self.subTest(process=job.process):
                command = re.search(r'eval\("(.*)"\)', job.block.sections["output"])[1]
                command = re.sub(r"\$\{task\.ext\.tool \?: 'PSMFormer'\}", os.environ["PSMFORMER"], command).replace("\\\\", "\\")
                printed = subprocess.run(["/bin/bash", "-c", command], capture_output=True, text=True, check=True).stdout
                self.assertRegex(printed, r"^\d+(\.\d+)+\n$")

    def test_stubs_make_the_outputs_that_the_process_declares(self):
        for i, (job, text) in enumerate(render(self.jobs, "stub", self.folder)):
            with self.subTest(process=job.process):
                names = execute(job, text, self.folder / f"stub_{i}")
                for pattern, optional in globs(job.block):
                    if not optional or "write_features" in job.parameters and "feature_names" in pattern:
                        self.assertEqual(len(fnmatch.filter(names, pattern)), 1, f"{pattern} of {names}")


if __name__ == "__main__":
    if not (SHELL / "accepted.idXML").is_file():
        print("SKIPPED: no network")  # small_example.sh could not get the example run
        sys.exit(77)
    unittest.main()
