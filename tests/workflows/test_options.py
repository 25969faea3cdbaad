#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every option of both tools does the same in an INI file, as KNIME gives it, as on the command line: python3 test_options.py

The options are those of the INI file that a tool writes, so that a new option is tested, or fails for want of a value. PSMFORMER and
PSMFORMER_TRAINER name the tools, TINY_MODEL a model of random weights, WORKFLOW_EXAMPLE the folder that small_example.sh made.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from annotated_spectra import annotated_spectrum, tryptic_sequences  # noqa: E402
from ini_parameters import parametersOf  # noqa: E402

EXAMPLE = Path(os.environ["WORKFLOW_EXAMPLE"])
# What is in the folder of each call.
INPUTS = {"few.idXML", "late.mzML", "tiny.safetensors", "q_values.idXML", "train.mgf", "proteins.fasta", "exclude.txt"}
IDENTIFICATION = re.compile(r"[ \t]*<PeptideIdentification .*?</PeptideIdentification>\n", re.DOTALL)


def makeInputs(folder):
    """A few identifications, one of a spectrum that is not there, with their run; a small model; made-up spectra to train on."""
    text = (EXAMPLE / "shell/indexed.idXML").read_text()
    found = [match for match in IDENTIFICATION.finditer(text)]
    few = [match[0] for match in found[:24]]
    few[5] = re.sub(r' RT="[^"]*"', ' RT="9e6"', re.sub(r'spectrum_reference="[^"]*"', 'spectrum_reference="spectrum=999999"', few[5]))
    (folder / "few.idXML").write_text(text[:found[0].start()] + "".join(few) + text[found[-1].end():])
    (folder / "late.mzML").symlink_to(EXAMPLE / "late.mzML")
    (folder / "tiny.safetensors").symlink_to(os.environ["TINY_MODEL"])
    (folder / "q_values.idXML").symlink_to(EXAMPLE / "shell/accepted.q-values.idXML")
    sequences = tryptic_sequences(60)
    (folder / "train.mgf").write_text("".join(annotated_spectrum(*entry) for entry in enumerate(sequences)))
    (folder / "proteins.fasta").write_text("".join(f">P{i}\n{''.join(sequences[i:i + 10])}\n" for i in range(0, 60, 10)))
    (folder / "exclude.txt").write_text(sequences[0] + "\n")


def anotherValue(item):
    """A value that is not the default, or None for a text or a list, whose values cannot be guessed."""
    default, restrictions = item.get("value"), item.get("restrictions", "")
    if item.get("type") == "bool":
        return "true"
    if item.tag == "ITEMLIST" or item.get("type") not in ("string", "int", "double"):
        return None
    if item.get("type") == "string":
        return next((choice for choice in reversed(restrictions.split(",")) if choice and choice != default), None)
    least, _, most = restrictions.partition(":")
    if item.get("type") == "int":
        return str(int(default) + 1)
    value = float(default) * 0.5 or 0.05
    return str(min(max(value, float(least or value)), float(most or value)))


def asWords(options):
    """As on a command line; OpenMS takes a flag without its 'true'."""
    words = []
    for name, value in options.items():
        words += [f"-{name}"] + (value if isinstance(value, list) else [] if value == "true" else [value])
    return words


def setIn(tree, options):
    for name, value in options.items():
        item = parametersOf(tree)[name]
        if item.tag == "ITEMLIST":
            for entry in list(item):
                item.remove(entry)
            for entry in value:
                ElementTree.SubElement(item, "LISTITEM", value=entry)
        else:
            item.set("value", value)


class Options:
    """What holds for both tools. VALUES are the values that cannot be guessed; BASE is what every call gives."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        makeInputs(cls.folder)
        cls.ini = cls.folder / "default.ini"
        subprocess.run([cls.PROGRAM, "-write_ini", str(cls.ini)], check=True, capture_output=True)
        cls.parameters = parametersOf(ElementTree.parse(cls.ini))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def valueOf(cls, name):
        return cls.VALUES[name] if name in cls.VALUES else anotherValue(cls.parameters[name])

    def call(self, *arguments):
        """(exit status, what is printed, {file: its bytes}) of a call in a folder of its own; times are left out."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            work = Path(folder)
            for name in INPUTS:
                shutil.copyfile(self.folder / name, work / name)
            result = subprocess.run([self.PROGRAM, *arguments], cwd=work, capture_output=True, text=True, check=False,
                                    stdin=subprocess.DEVNULL)
            made = {path.name: path.read_bytes() for path in work.iterdir() if path.name not in INPUTS}
        return result.returncode, self.withoutTimes(result.stdout + result.stderr), \
            {name: data if name.endswith((".idXML", ".safetensors", "state")) else self.withoutTimes(data.decode())
             for name, data in made.items()}

    @staticmethod
    def withoutTimes(text):
        """The last column of a training's log, in its table too, is its speed."""
        text = re.sub(r"(?m)^(\d+\t.*\t|\| \d+ \|.*\| )[\d.e+]+( \|)?$", r"\1", text)
        return re.sub(r"(?m)^.* took .*\n|[\d.e+]+ spectra/s|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d", "", text)

    def onTheCommandLine(self, options):
        return self.call(*asWords({**options, **{name: value for name, value in self.BASE.items() if name not in options}}))

    def throughAnIni(self, options):
        tree = ElementTree.parse(self.ini)
        setIn(tree, {**self.BASE, **options})
        ini = self.folder / "set.ini"
        tree.write(ini, encoding="ISO-8859-1", xml_declaration=True)
        return self.call("-ini", str(ini))

    def assertSame(self, options):
        """Both calls end alike; gives the one on the command line."""
        given, stated = self.onTheCommandLine(options), self.throughAnIni(options)
        self.assertEqual(given[0], stated[0], f"{given[1]}\n---\n{stated[1]}")
        told = {"state"}  # How long the training took.
        if "debug" in options:  # It tells where each value comes from.
            told.add("out.log")
        else:
            self.assertEqual(given[1], stated[1])
        self.assertEqual(given[2].keys(), stated[2].keys())
        for name in given[2].keys() - told:
            self.assertTrue(given[2][name] == stated[2][name], f"{name} differs")
        return given

    def test_every_option_has_a_value_to_test(self):
        for name, item in self.parameters.items():
            with self.subTest(option=name):
                value = self.valueOf(name)
                self.assertTrue(value, "give it one in VALUES")
                self.assertNotEqual(value, item.get("value"))


class TestPSMFormer(Options, unittest.TestCase):
    PROGRAM = os.environ["PSMFORMER"]
    BASE = {"in": "few.idXML", "in_spectra": ["late.mzML"], "out": "out.idXML", "model": "tiny.safetensors", "test": "true",
            "no_progress": "true", "null_shuffles": "1"}
    VALUES = {**BASE, "out_features": "names.tsv", "out_report": "report.html", "out_pin": "out.pin.tsv", "device": "cpu",
              "log": "out.log", "fragment_tolerance": "0.3", "batch_tokens": "500", "null_shuffles": "2", "method": "pretrained"}
    # What an option needs to have an effect.
    COMPANIONS = {"fragment_tolerance_unit": {"fragment_tolerance": "300"}, "unscored": {"unscored": "remove"}}
    # They change how fast it goes, or only what is printed of faults.
    WITHOUT_EFFECT = {"threads", "device", "log", "force"}

    def test_each_option_does_in_an_ini_what_it_does_on_the_command_line(self):
        default = self.assertSame({})
        self.assertEqual(default[0], 0, default[1])
        self.assertEqual(set(default[2]), {"out.idXML"})
        without_effect = set()
        for name in self.parameters.keys() - self.BASE.keys() | {"null_shuffles"}:
            with self.subTest(option=name):
                if self.assertSame({name: self.valueOf(name), **self.COMPANIONS.get(name, {})}) == default:
                    without_effect.add(name)
        self.assertEqual(without_effect, self.WITHOUT_EFFECT)


class TestPSMFormerTrainer(Options, unittest.TestCase):
    """All options of a section at once: a training takes seconds."""

    PROGRAM = os.environ["PSMFORMER_TRAINER"]
    BASE = {"in_annotated": ["train.mgf"], "out_model": "made.safetensors", "preset": "tiny", "test": "true", "no_progress": "true",
            "training:epochs": "1", "training:max_validation_spectra": "5", "model:max_peaks": "30", "in_fasta": ["proteins.fasta"]}
    PSMS = {"in": "q_values.idXML", "in_spectra": ["late.mzML"], "max_q_value": "0.05", "init_model": "tiny.safetensors",
            "checkpoint": "state", "resume": "true", "training:epochs": "1"}
    LOCAL = ("model:attention_window", "model:local_attention_above")  # not with mz_bias_wavelengths
    VALUES = {**BASE, **PSMS, "in": ["q_values.idXML"], "in_exclude": "exclude.txt", "out_log": "loss.tsv", "out_keys": "keys.txt",
              "activation": "CID", "fixed_modifications": ["Carbamidomethyl (C)", "Label:13C(6) (K)"], "model_name": "other",
              "model_version": "1.2.3", "license": "CC0-1.0", "citation": "someone", "device": "cpu", "log": "out.log", "folds": "2",
              "training:epochs": "2", "model:d_model": "16", "model:n_heads": "2", "model:spectrum_layers": "1",
              "model:peptide_layers": "1", "model:decoder_layers": "2", "model:d_feedforward": "24", "model:dropout": "0.05",
              "model:mz_wavelength_th": ["0.002", "9000"], "model:peak_positions": "none", "model:residue_positions": "learned",
              "model:position_wavelength": ["7", "60000"], "model:norm_order": "post", "model:pooling": "max", "model:activation": "gelu",
              "model:use_mz_encoding": "false", "model:mz_bias_wavelengths": "2", "model:use_cross_attention": "false",
              "model:attention_window": "4", "model:local_attention_above": "20", "model:mz_range_th": ["60", "2400"],
              "model:precursor_removal_th": "1", "model:max_peaks": "25", "model:max_residues": "50", "model:max_charge": "6",
              "model:ions": ["b1", "y1"], "model:null_weight": "0.25", "digestion:enzyme": "Lys-C", "digestion:min_length": "7", "digestion:max_length": "30",
              "digestion:max_peptides": "50", "digestion:unspecific_draws": "40"}

    def sectionOf(self, name):
        if name in self.LOCAL:
            return "local"
        return "psms" if name in self.PSMS else name.partition(":")[0] if ":" in name else "general"

    def test_the_options_of_a_section_do_in_an_ini_what_they_do_on_the_command_line(self):
        default = self.assertSame({})
        self.assertEqual(default[0], 0, default[1])
        for section in sorted({self.sectionOf(name) for name in self.parameters}):
            options = {name: self.valueOf(name) for name in self.parameters
                       if self.sectionOf(name) == section and name not in ("preset", "out_model")}
            with self.subTest(section=section, n_options=len(options)):
                made = self.assertSame(options)
                self.assertEqual(made[0], 0, made[1])
                self.assertNotEqual(made[2]["made.safetensors"], default[2]["made.safetensors"])


if __name__ == "__main__":
    if not (EXAMPLE / "shell/accepted.idXML").is_file():
        print("SKIPPED: no network")  # small_example.sh could not get the example run
        sys.exit(77)
    sys.exit(unittest.main())
