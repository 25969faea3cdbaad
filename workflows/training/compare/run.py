#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Trains and measures configurations of the network: run.py [OPTION...] [CONFIGURATION...]

Every configuration and seed has a folder in the results; what is there is kept, so that the same command goes on where it
was stopped, and trainings go on from their checkpoints. Two runners may work on the same results. See README.md.
"""
import argparse
import concurrent.futures
import fcntl
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import sample
from configurations import GROUPS, as_words, chosen, common_options, read_configurations, trainer_options

REPOSITORY = Path(__file__).resolve().parents[3]
THINNINGS = {"all": "validation", "35": "validation:35", "15": "validation:15"}  # as false_hits is asked for them


class Stopped(Exception):
    """The runner was told to stop."""


class Failed(Exception):
    """A program failed, or a folder holds another run."""


class Programs:
    """Runs programs one after another in each thread, and ends them when the runner is stopped."""

    def __init__(self):
        self.running, self.stopped = set(), False

    def stop(self, *_):
        self.stopped = True
        for process in list(self.running):
            process.terminate()

    def run(self, command, output, lock, environment=None):
        """Writes what the command prints to `output`; gives its CPU seconds. The lock stays taken while it runs."""
        if self.stopped:
            raise Stopped
        with open(output, "wb") as stream:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT,
                                       env=environment, pass_fds=(lock,))
            self.running.add(process)
            if self.stopped:  # since the look above
                process.terminate()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.running.discard(process)
        if process.returncode != 0 and not self.stopped:
            raise Failed(f"'{Path(command[0]).name}' ended with {process.returncode}; see {output}")
        return usage.ru_utime + usage.ru_stime


class Comparison:
    """What all runs share: programs, spectra, results."""

    def __init__(self, arguments, programs):
        self.bin, self.results, self.spectra = arguments.bin, arguments.results, arguments.spectra
        self.keys, self.programs = arguments.keys, programs
        self.common = common_options()
        self.sample = self.results / "sample.mgf.gz"
        self.number = arguments.number
        self.sha256 = ""

    def prepare(self):
        """Checks what is needed and makes the sample."""
        needed = [self.bin / "PSMFormerTrainer", self.bin / "false_hits", self.bin / "peptide_choice", self.keys,
                  self.spectra / "naturals.fasta"]
        missing = [str(path) for path in needed if not path.exists()]
        if missing:
            raise Failed(f"there is no {missing[0]}; workflows/training/README.md says how it is made")
        self.results.mkdir(parents=True, exist_ok=True)
        with open(self.results / "sample.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.sample.exists():
                sample.make_sample(self.spectra, self.sample, self.number)
        self.sha256 = hashlib.sha256(self.sample.read_bytes()).hexdigest()

    def measured(self):
        return [str(path) for path in sample.paths(self.spectra, sample.MEASURED)]

    def environment(self):
        """OpenMS neither asks for updates nor writes into the user's home."""
        return {**os.environ, "OPENMS_DISABLE_UPDATE_CHECK": "ON", "OPENMS_HOME_PATH": str(self.results)}


class Run:
    """One configuration with one seed."""

    def __init__(self, comparison, configuration, seed):
        self.comparison, self.configuration, self.seed = comparison, configuration, seed
        self.folder = comparison.results / configuration.name / f"seed{seed}"
        self.model = self.folder / "model.safetensors"
        self.lock = -1

    def settings(self):
        """All that decides the result; kept beside it, so that results of other settings are never mixed."""
        options = trainer_options(self.configuration, self.comparison.common)
        return {"configuration": self.configuration.name, "seed": self.seed, "score": self.configuration.score,
                "options": as_words(options), "sample_sha256": self.comparison.sha256}

    def is_done(self):
        return (self.folder / "run.json").exists()

    def check_settings(self):
        kept = self.folder / "settings.json"
        if kept.exists() and json.loads(kept.read_text()) != self.settings():
            raise Failed(f"{self.folder} was made with other options or spectra; remove it or name other results")
        write(kept, self.settings())

    def execute(self):
        """Does what is left to do of the run; False when another runner is at it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self.lock = lock.fileno()
            self.check_settings()
            if self.is_done():
                return True
            if not (self.folder / "trained").exists():
                self.train()
            for name, part in THINNINGS.items():
                self.measure(f"false_hits.{name}.txt", "false_hits", [part])
            self.measure("peptide_choice.txt", "peptide_choice", [])
            self.finish()
        return True

    def training_command(self):
        shared = self.comparison
        return [str(shared.bin / "PSMFormerTrainer"), "-in_annotated", str(shared.sample), "-in_fasta",
                str(shared.spectra / "naturals.fasta"), "-in_exclude", str(shared.keys), "-seed", str(self.seed),
                *self.settings()["options"], "-model_name", "comparison", "-checkpoint",
                str(self.folder / "training.checkpoint"), "-resume", "-out_model", str(self.model), "-out_log",
                str(self.folder / "loss.tsv"), "-no_progress"]

    def train(self):
        start = time.monotonic()
        cpu = self.comparison.programs.run(self.training_command(), self.folder / "training.log", self.lock,
                                           self.comparison.environment())
        with open(self.folder / "attempts.tsv", "a") as attempts:
            attempts.write(f"{cpu:.1f}\t{time.monotonic() - start:.1f}\n")
        if self.comparison.programs.stopped:
            raise Stopped
        (self.folder / "trained").touch()
        (self.folder / "training.checkpoint").unlink(missing_ok=True)

    def measure(self, name, program, arguments):
        """Runs a measuring program unless its output is there; the output appears when it is complete."""
        output = self.folder / name
        if output.exists():
            return
        partial = output.with_suffix(".part")
        shared = self.comparison
        shared.programs.run([str(shared.bin / program), "-score", self.configuration.score, str(self.model),
                             str(shared.spectra / "naturals.fasta"), *arguments, *shared.measured()], partial, self.lock)
        if shared.programs.stopped:
            raise Stopped
        partial.rename(output)

    def finish(self):
        attempts = [[float(x) for x in line.split()] for line in (self.folder / "attempts.tsv").read_text().splitlines()]
        write(self.folder / "run.json", {"parameters": parameter_count(self.model), "attempts": len(attempts),
                                         "training_cpu_seconds": sum(cpu for cpu, _ in attempts),
                                         "training_seconds": sum(wall for _, wall in attempts)})


def write(path, content):
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(content, indent=1) + "\n")
    partial.rename(path)


def parameter_count(model):
    """Number of weights in a safetensors file."""
    with open(model, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return json.loads(header["__metadata__"]["psmformer"])["weights"]["n_parameters"]


def execute_all(runs, jobs, programs):
    """Executes runs, `jobs` at once; gives the messages of those that failed."""
    failures = []

    def execute(run):
        if programs.stopped:
            return
        name = f"{run.configuration.name} seed {run.seed}"
        try:
            start = time.monotonic()
            done = run.execute()
            print(f"{name}: " + (f"done, {(time.monotonic() - start) / 60:.1f} min" if done else "another runner is at it"))
        except Stopped:
            print(f"{name}: stopped")
        except (Failed, OSError, KeyError, ValueError) as error:
            failures.append(f"{name}: {error}")
            print(failures[-1])
        sys.stdout.flush()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(execute, runs))
    return failures


def parse(words):
    build = REPOSITORY / "build"
    parser = argparse.ArgumentParser(description="Trains and measures configurations of the network.")
    parser.add_argument("names", nargs="*", metavar="CONFIGURATION", help="rows of configurations.tsv (default: all)")
    parser.add_argument("--groups", nargs="+", default=[], choices=GROUPS, help="all configurations of these groups")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3], help="default: 1 2 3")
    parser.add_argument("--jobs", type=int, default=1, help="runs at once, a core each (default: 1)")
    parser.add_argument("--number", type=int, default=sample.NUMBER, help="spectra in the sample (default: 30000)")
    parser.add_argument("--results", type=Path, default=build / "compare", help="default: build/compare")
    parser.add_argument("--spectra", type=Path, default=build / "training", help="folder of prepare.sh and distil.sh")
    parser.add_argument("--bin", type=Path, default=build / "release" / "bin", help="folder of the programs")
    parser.add_argument("--keys", type=Path, default=REPOSITORY / "workflows" / "training" / "evaluation_keys.txt",
                        help="peptide keys identified in the evaluation runs, which are not trained on")
    return parser.parse_args(words)


def main(words):
    arguments = parse(words)
    programs = Programs()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, programs.stop)
    try:
        wanted = chosen(read_configurations(), arguments.names, arguments.groups)
        comparison = Comparison(arguments, programs)
        comparison.prepare()
    except (Failed, ValueError) as error:
        sys.exit(f"run.py: {error}")
    runs = [Run(comparison, configuration, seed) for seed in arguments.seeds for configuration in wanted]
    return 1 if execute_all(runs, arguments.jobs, programs) or programs.stopped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
