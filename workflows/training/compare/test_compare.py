#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the comparison of configurations: python3 workflows/training/compare/test_compare.py"""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import comparison_table as tables  # noqa: E402
import configurations as settings  # noqa: E402
import sample  # noqa: E402

# A trainer that leaves a note of each start, the model file and a log; and a measuring program that prints what is read.
TRAINER = """#!/bin/sh
while [ $# -gt 0 ]; do case "$1" in -out_model) model=$2;; -seed) seed=$2;; -model:n_heads) heads=$2;; esac; shift; done
folder=$(dirname "$model")
echo start >>"$folder/starts"
if [ -e "$folder/../../slow" ]; then touch "$folder/training"; exec sleep 30; fi
[ "$heads" != 8 ] || { echo too many; exit 3; }
python3 -c 'import json, sys
inner = json.dumps({"weights": {"n_parameters": 77}})
header = json.dumps({"__metadata__": {"psmformer": inner}}).encode()
open(sys.argv[1], "wb").write(len(header).to_bytes(8, "little") + header)' "$model"
"""
FALSE_HITS = """#!/bin/sh
echo "$@" >>"$(dirname "$3")/asked"
printf 'group\\tspectra\\nall\\t100\\t%s\\t1\\t1\\t1\\t1\\nscored: 500 matches in 2.00 CPU seconds\\n' 60.5
"""
PEPTIDE_CHOICE = """#!/bin/sh
printf 'source\\tspectra\\tnatural\\thard\\na\\t30\\t90.0\\t80.0\\t0\\t0\\t0\\t0\\nb\\t10\\t70.0\\t60.0\\t0\\t0\\t0\\t0\\n'
"""


def make_spectra(folder, measured=4, predicted=40):
    for names, number in ((sample.MEASURED, measured), (sample.PREDICTED, predicted)):
        for name in names:
            text = "".join(f"BEGIN IONS\nTITLE={name}:{n}\nPEPMASS=500\n100 1\nEND IONS\n" for n in range(1, number + 1))
            (folder / f"{name}.mgf.gz").write_bytes(gzip.compress(text.encode()))


def titles(path):
    return [line[6:] for line in gzip.open(path, "rt").read().splitlines() if line.startswith("TITLE=")]


class Configurations(unittest.TestCase):
    def setUp(self):
        self.found = settings.read_configurations()
        self.common = settings.common_options()

    def test_there_are_enough_architectures_and_all_ablations_of_the_specification(self):
        self.assertGreaterEqual(sum(c.group == "architecture" for c in self.found), 12)
        self.assertEqual({c.name for c in self.found if c.group == "ablation"},
                         {"no_mz_encoding", "no_peak_positions", "no_residue_positions", "no_spectrum_encoder",
                          "no_cross_attention", "mean_for_transformer", "cosine_only", "no_intensity_head", "post_norm"})

    def test_every_configuration_changes_something(self):
        options = [settings.trainer_options(c, self.common) for c in self.found]
        for c, own in zip(self.found[1:], options[1:]):
            self.assertNotEqual(own, options[0], c.name)

    def test_the_common_options_are_those_of_the_base_model(self):
        with tempfile.TemporaryDirectory() as folder:
            spectra, trainer, keys = Path(folder, "spectra"), Path(folder, "trainer"), Path(folder, "keys.txt")
            spectra.mkdir()
            make_spectra(spectra)
            (spectra / "phospho_hcd.mgf.gz").write_bytes((spectra / "real_hcd.mgf.gz").read_bytes())
            keys.write_text("PEPTIDE\n")
            trainer.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
            trainer.chmod(0o755)
            printed = subprocess.run(["bash", HERE.parent / "train.sh", "base", spectra, Path(folder, "out")],
                                     env={**os.environ, "PSMFORMER_TRAINER": str(trainer), "PSMFORMER_KEYS": str(keys)},
                                     check=True, capture_output=True, text=True).stdout
        of_base = settings.parse_options(printed)
        different = {name for name, values in self.common.items() if of_base.get(name) != values}
        self.assertEqual(different, {"-training:epochs"})

    def test_options_of_a_configuration_replace_the_common_ones(self):
        dropout = next(c for c in self.found if c.name == "dropout_0.1")
        words = settings.as_words(settings.trainer_options(dropout, self.common))
        self.assertEqual(words.count("-model:dropout"), 1)
        self.assertEqual(words[words.index("-model:dropout") + 1], "0.1")

    def test_faults_in_the_table_are_named(self):
        head = "reference\treference\tlogit\t\tall\n"
        faults = {"a\tarchitecture\tlogit\t-x 1\n": "columns", "a\tother\tlogit\t-x 1\twhy\n": "unknown group",
                  "a\tarchitecture\tlogit\t\twhy\n": "options of another", "A\tarchitecture\tlogit\t-x 1\twhy\n": "not a name",
                  "a\tarchitecture\tlogit\t-x 1 -x 2\twhy\n": "twice", "a\tarchitecture\tlogit\t1\twhy\n": "no option",
                  "b\treference\tlogit\t-x 1\twhy\n": "must be 'reference'"}
        with tempfile.TemporaryDirectory() as folder:
            for fault, message in faults.items():
                path = Path(folder, "table.tsv")
                path.write_text(head + fault)
                with self.assertRaisesRegex(ValueError, message):
                    settings.read_configurations(path)

    def test_choice_by_name_and_group(self):
        self.assertEqual([c.name for c in settings.chosen(self.found, ["gelu"], ["reference"])], ["reference", "gelu"])
        self.assertEqual(settings.chosen(self.found, [], []), self.found)
        with self.assertRaisesRegex(ValueError, "'wide'"):
            settings.chosen(self.found, ["wide"], [])


class Sample(unittest.TestCase):
    def made(self, number, **sizes):
        with tempfile.TemporaryDirectory() as folder:
            make_spectra(Path(folder), **sizes)
            out = Path(folder, "sample.mgf.gz")
            sample.make_sample(Path(folder), out, number)
            return titles(out), out.read_bytes()

    def test_measured_spectra_come_first_and_predicted_ones_fill_up(self):
        found, _ = self.made(50)
        self.assertEqual(found[:20], [f"{name}:{n}" for name in sample.MEASURED for n in range(1, 5)])
        rest = [title.split(":") for title in found[20:]]
        self.assertEqual([sum(name == p for name, _ in rest) for p in sample.PREDICTED], [15, 15])
        self.assertEqual(len(set(found)), 50)
        self.assertGreater(max(int(n) for _, n in rest), 30)  # spread over the files

    def test_same_files_give_the_same_bytes(self):
        self.assertEqual(self.made(33)[1], self.made(33)[1])

    def test_fewer_than_the_measured_ones(self):
        self.assertEqual(len(self.made(7)[0]), 7)

    def test_spectra_are_whole_whatever_the_blocks_are(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(sample, "BLOCK", 7):
            make_spectra(Path(folder))
            path = Path(folder, "real_hcd.mgf.gz")
            found = list(sample.entries(path))
            self.assertEqual(len(found), 4)
            self.assertEqual(b"".join(found), gzip.decompress(path.read_bytes()))

    def test_too_few_or_missing_spectra(self):
        with self.assertRaisesRegex(ValueError, "there are 100 spectra, 101"):
            self.made(101)
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(ValueError, "real_hcd"):
            sample.make_sample(Path(folder), Path(folder, "out.mgf.gz"))


class Runner(unittest.TestCase):
    """The runner with programs that only pretend."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)
        for name in ("bin", "spectra", "results"):
            (self.folder / name).mkdir()
        for name, text in (("PSMFormerTrainer", TRAINER), ("false_hits", FALSE_HITS), ("peptide_choice", PEPTIDE_CHOICE)):
            path = self.folder / "bin" / name
            path.write_text(text)
            path.chmod(0o755)
        make_spectra(self.folder / "spectra")
        (self.folder / "spectra" / "naturals.fasta").touch()
        (self.folder / "keys.txt").touch()
        self.results = self.folder / "results"

    def command(self, *words):
        return [sys.executable, "-B", str(HERE / "run.py"), *words, "--number", "30", "--results", str(self.results),
                "--spectra", str(self.folder / "spectra"), "--bin", str(self.folder / "bin"), "--keys", str(self.folder / "keys.txt")]

    def run_it(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True)

    def starts(self, name, seed=1):
        path = self.results / name / f"seed{seed}" / "starts"
        return len(path.read_text().split()) if path.exists() else 0

    def wait_for(self, path):
        for _ in range(200):
            if path.exists():
                return
            time.sleep(0.05)
        self.fail(f"{path} did not appear")

    def test_runs_are_made_once(self):
        for _ in range(2):
            done = self.run_it("gelu", "cosine_only", "--groups", "reference", "--seeds", "1", "2", "--jobs", "2")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("reference", "gelu"):
            self.assertEqual([self.starts(name, seed) for seed in (1, 2, 3)], [1, 1, 0])
        run = json.loads((self.results / "gelu" / "seed2" / "run.json").read_text())
        self.assertEqual((run["parameters"], run["attempts"]), (77, 1))

    def test_measures_ask_for_the_score_and_the_thinnings(self):
        self.run_it("gelu", "--seeds", "1")
        asked = (self.results / "gelu" / "seed1" / "asked").read_text().splitlines()
        self.assertEqual([line.split()[4] for line in asked], ["validation", "validation:35", "validation:15"])
        self.assertTrue(all(line.startswith("-score logit ") for line in asked))

    def test_what_is_left_is_done_after_a_stop(self):
        (self.results / "slow").touch()
        with subprocess.Popen(self.command("heads_2", "gelu", "--seeds", "1"), stdout=subprocess.PIPE) as runner:
            self.wait_for(self.results / "heads_2" / "seed1" / "training")
            runner.send_signal(signal.SIGTERM)
            self.assertIn(b"stopped", runner.stdout.read())
        self.assertEqual((runner.returncode, self.starts("heads_2"), self.starts("gelu")), (1, 1, 0))
        self.assertFalse((self.results / "heads_2" / "seed1" / "run.json").exists())
        (self.results / "slow").unlink()
        self.assertEqual(self.run_it("heads_2", "gelu", "--seeds", "1").returncode, 0)
        self.assertEqual((self.starts("heads_2"), self.starts("gelu")), (2, 1))
        self.assertEqual(json.loads((self.results / "heads_2" / "seed1" / "run.json").read_text())["attempts"], 2)

    def test_two_runners_do_not_make_the_same_run(self):
        (self.results / "slow").touch()
        with subprocess.Popen(self.command("gelu", "--seeds", "1"), stdout=subprocess.PIPE) as runner:
            self.wait_for(self.results / "gelu" / "seed1" / "training")
            self.assertIn("another runner is at it", self.run_it("gelu", "--seeds", "1").stdout)
            runner.terminate()
            runner.stdout.read()
        self.assertEqual(self.starts("gelu"), 1)

    def test_a_failure_does_not_stop_the_others(self):
        done = self.run_it("heads_8", "gelu", "--seeds", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("heads_8 seed 1: 'PSMFormerTrainer' ended with 3", done.stdout)
        self.assertTrue((self.results / "gelu" / "seed1" / "run.json").exists())
        self.assertFalse((self.results / "heads_8" / "seed1" / "run.json").exists())

    def test_results_of_other_settings_are_refused(self):
        self.run_it("gelu", "--seeds", "1")
        path = self.results / "gelu" / "seed1" / "settings.json"
        path.write_text(path.read_text().replace("gelu", "relu"))
        done = self.run_it("gelu", "--seeds", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("other options or spectra", done.stdout)

    def test_what_is_missing_is_named(self):
        os.remove(self.folder / "bin" / "false_hits")
        self.assertIn("false_hits; workflows", self.run_it("gelu").stderr)

    def test_the_table_has_what_was_measured(self):
        self.run_it("gelu", "--groups", "reference", "--seeds", "1", "2")
        text = subprocess.run([sys.executable, "-B", str(HERE / "comparison_table.py"), str(self.results)], capture_output=True,
                              text=True, check=True).stdout
        self.assertIn("| gelu | 2 | 77 | 60.5 ± 0.0 | 60.5 ± 0.0 | 60.5 ± 0.0 | 60.5 ± 0.0 | +0.0 (2 SE 0.0) | "
                      "85.0 ± 0.0 | 75.0 ± 0.0 | 250 |", text)
        self.assertIn("Nothing is chosen yet", text)


def runs(*means, speed=1000.0):
    """One Measured a seed."""
    return [tables.Measured((mean, mean - 10.0, mean - 20.0), 90.0, 80.0, speed) for mean in means]


class Rule(unittest.TestCase):
    def test_value_is_the_mean_over_the_thinnings(self):
        self.assertAlmostEqual(runs(60.0)[0].value(), 50.0)

    def test_standard_error_of_a_difference(self):
        # variances 1 and 4 of three seeds each: sqrt(1/3 + 4/3)
        self.assertAlmostEqual(tables.standard_error(runs(59.0, 60.0, 61.0), runs(58.0, 60.0, 62.0)), (5 / 3) ** 0.5)

    def test_a_difference_within_two_standard_errors_does_not_replace_the_reference(self):
        reference = runs(59.0, 60.0, 61.0)  # with another of the same spread: 2 SE = 1.63
        self.assertEqual(tables.choose({"reference": reference, "a": runs(60.6, 61.6, 62.6)}), "reference")
        self.assertEqual(tables.choose({"reference": reference, "a": runs(60.7, 61.7, 62.7)}), "a")

    def test_speed_alone_does_not_replace_the_reference(self):
        found = {"reference": runs(59.0, 60.0, 61.0), "fast": runs(59.0, 60.0, 61.0, speed=9000.0)}
        self.assertEqual(tables.choose(found), "reference")

    def test_among_equals_the_faster_one_wins(self):
        found = {"reference": runs(59.0, 60.0, 61.0), "best": runs(64.0, 65.0, 66.0), "fast": runs(63.0, 64.0, 65.0, speed=2000.0),
                 "fastest": runs(61.0, 62.0, 63.0, speed=9000.0)}
        self.assertEqual(tables.choose(found), "fast")

    def test_too_few_seeds_choose_nothing_or_not_that_configuration(self):
        self.assertIsNone(tables.choose({"reference": runs(60.0, 60.0), "a": runs(70.0, 70.0, 70.0)}))
        self.assertEqual(tables.choose({"reference": runs(60.0, 60.1, 59.9), "a": runs(90.0, 90.1)}), "reference")

    def test_half_written_outputs_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "false_hits.txt")
            path.write_text("all\t100\t60.0\n")
            with self.assertRaisesRegex(ValueError, "whole output"):
                tables.read_above(path)


if __name__ == "__main__":
    unittest.main()
