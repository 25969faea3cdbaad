#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every file below workflows/ is executed or validated by a test: python3 test_files.py"""

import fnmatch
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Which program of the tests executes or validates a file, and the words by which it finds it there. The first pattern that fits counts.
READERS = [
    ("workflows/README.md", "tests/documents/test_pages.py", 'ROOT / "workflows/README.md"'),
    ("*/README.md", "tests/workflows/test_files.py", "test_pages_name_programs_that_are_there"),
    ("*.sh", "tests/layering/check_shell.cmake", "${ROOT}/workflows/*"),
    ("*.py", "tests/workflows/test_files.py", "pyflakes3"),
    ("*.nf", "tests/workflows/nextflow/test_lint.py", '"nf"'),
    ("*.config", "tests/workflows/nextflow/test_lint.py", '"config"'),
    ("*.nf.test", "tests/workflows/nextflow/test_lint.py", '"nf.test"'),
    ("*/environment.yml", "tests/workflows/nextflow/test_lint.py", '"environment.yml"'),
    ("*/meta.yml", "tests/workflows/nextflow/lint.py", '"meta.yml"'),
    ("*/nextflow_schema.json", "tests/workflows/nextflow/lint.py", '"nextflow_schema.json"'),
    ("*/samplesheet_test.csv", "tests/workflows/nextflow/test_lint.py", "samplesheet_test.csv"),
    ("*.cwl", "tests/workflows/test_twins.py", '"cwl/chain.cwl"'),
    ("workflows/snakemake/*", "tests/workflows/test_twins.py", 'commandOf("snakemake")'),
    ("workflows/knime/descriptors/mime.types", "tests/workflows/test_knime.py", '"mime.types"'),
    ("workflows/knime/descriptors/mimetypes.xml", "tests/workflows/test_knime.py", '"mimetypes.xml"'),
    ("workflows/knime/descriptors/*.ctd", "tests/workflows/test_knime.py", '"{stem}": os.environ'),
    ("workflows/knime/icons/*.png", "tests/workflows/test_knime.py", '"icons"'),
    ("workflows/knime/contributing-plugins/*", "tests/workflows/test_knime.py", '"contributing-plugins"'),
    ("workflows/knime/*", "tests/workflows/test_knime.py", '"{name}"'),
    ("workflows/training/compare/configurations.tsv", "workflows/training/compare/test_compare.py", "read_configurations"),
    ("workflows/training/evaluation_keys.txt", "tests/workflows/no_evaluation_peptide.sh", "evaluation_keys.txt"),
    ("workflows/training/options.txt", "workflows/training/compare/test_compare.py", "common_options"),
    ("workflows/evaluate/*.tsv", "workflows/evaluate/test_leakage.py", '"{name}"'),
    ("workflows/evaluate/*.requirements.txt", "tests/workflows/test_files.py", "test_required_packages_have_a_version"),
]
# Programs that no test starts: they take hours, or the network. Their parts have tests of their own, and shellcheck or pyflakes
# reads them.
BY_HAND = {
    "workflows/evaluate/fine_tune.py", "workflows/evaluate/fine_tune.sh",
    "workflows/evaluate/model_card.sh", "workflows/evaluate/references.sh",
    "workflows/evaluate/twins.sh", "workflows/training/distil.sh",
    "workflows/training/prepare.sh", "workflows/training/compare/baselines.sh"}


def tracked():
    """All files below workflows/, as git knows them; in a copy without git, those that are there."""
    listed = subprocess.run(["git", "ls-files", "workflows"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split()
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "workflows").rglob("*") if path.is_file() and path.suffix != ".pyc")


def readerOf(name, readers=READERS):
    """(program, words) that a file's first pattern names, or None."""
    for pattern, program, words in readers:
        if fnmatch.fnmatchcase(name, pattern):
            path = Path(name)
            return program, words.replace("{name}", path.name).replace("{stem}", path.stem)
    return None


def isProgram(name):
    return name.endswith((".py", ".sh")) and not Path(name).name.startswith("test_")


def started(path):
    """What a program starts, sources or imports, as far as its text tells: the ends of paths. Names in messages and comments do not
    count, since no variable or path stands before them."""
    text = re.sub(r"(?m)^\s*(#|//).*$", "", path.read_text(errors="replace"))
    if path.suffix == ".py":
        modules = re.findall(r"(?m)^\s*(?:import|from) (\w+)", text)
        paths = re.findall(r'/ f?"([\w./-]+\.(?:py|sh))"', text) if path.name.startswith("test_") else []
        return {f"{path.parent.name}/{module}.py" for module in modules} | set(paths)
    found = set()
    for variable, name in re.findall(r"\$\{?(\w+)\}?\"?/([\w./-]+\.(?:py|sh))", text):
        found.add(f"{path.parent.name}/{name}" if variable == "here" else name)
    # Beside the script itself, and from the folder of the repository.
    return found | set(re.findall(r'(?:\)|"\.)/((?:\.\./)*[\w/-]+\.(?:py|sh))"', text))


def startedByTests(files):
    """The programs below workflows/ that the tests start, or that such a program starts in turn."""
    programs = {name for name in files if isProgram(name)}
    waiting = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".py", ".sh", ".txt")]
    waiting += [ROOT / name for name in files if Path(name).name.startswith("test_")]
    reached = set()
    while waiting:
        ends = {re.sub(r"^(\.\./)+", "", end) for path in waiting for end in started(path)}
        found = {program for program in programs - reached if any(f"/{program}".endswith(f"/{end}") for end in ends)}
        reached |= found
        waiting = [ROOT / name for name in found]
    return reached


class TestFiles(unittest.TestCase):
    def test_each_is_executed_or_validated(self):
        files = tracked()
        self.assertGreater(len(files), 100)
        for name in files:
            with self.subTest(file=name):
                reader = readerOf(name)
                self.assertIsNotNone(reader, "no test executes or validates it; write one and name it in READERS")
                self.assertTrue(reader[1] in (ROOT / reader[0]).read_text(), f"{reader[0]} does not look at it ({reader[1]})")

    def test_a_file_that_no_test_looks_at_is_found(self):
        self.assertIsNone(readerOf("workflows/galaxy/tool.xml"))

    def test_the_programs_that_no_test_starts_are_those_listed(self):
        files = tracked()
        self.assertEqual({name for name in files if isProgram(name)} - startedByTests(files), BY_HAND)

    def test_readers_are_tests_themselves(self):
        lists = "".join(path.read_text() for path in (ROOT / "tests").rglob("CMakeLists.txt"))
        helpers = {"lint.py": "test_lint.py"}
        for program in {program for _, program, _ in READERS}:
            with self.subTest(program=program):
                name = Path(helpers.get(Path(program).name, Path(program).name))
                text = name.stem.removeprefix("test_") if program.startswith("workflows/") else name.stem
                self.assertTrue(text in lists, "no CMakeLists.txt has it")


class TestPrograms(unittest.TestCase):
    def test_python_programs_name_only_what_there_is(self):
        programs = [name for name in tracked() if name.endswith(".py")]
        result = subprocess.run(["pyflakes3", *programs], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_name_that_is_not_there_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            wrong = Path(folder) / "wrong.py"
            wrong.write_text("print(missing)\n")
            result = subprocess.run(["pyflakes3", str(wrong)], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 1)
            self.assertIn("undefined name 'missing'", result.stdout)

    def test_programs_start_programs_that_are_there(self):
        n_found = 0
        for name in filter(isProgram, tracked()):
            for folder, target in re.findall(r'"?\$(here|repository)/([\w./-]+\.(?:py|sh|tsv|txt))"?', (ROOT / name).read_text()):
                if target.startswith("build/"):
                    continue
                n_found += 1
                with self.subTest(program=name, target=target):
                    self.assertTrue(((ROOT / name).parent if folder == "here" else ROOT).joinpath(target).is_file())
        self.assertGreater(n_found, 20)

    def test_the_twins_use_all_their_files(self):
        chain = (ROOT / "workflows/cwl/chain.cwl").read_text()
        steps = {f"workflows/cwl/{name}" for name in re.findall(r"run: ([\w-]+\.cwl)", chain)}
        self.assertEqual({name for name in tracked() if name.endswith(".cwl")}, steps | {"workflows/cwl/chain.cwl"})
        command = (ROOT / "workflows/README.md").read_text()
        for name in tracked():
            if name.startswith("workflows/snakemake/"):
                self.assertTrue(name in command, name)

    def test_pages_name_programs_that_are_there(self):
        for page in (ROOT / "workflows").rglob("README.md"):
            for target in re.findall(r"(?<![\w/.-])workflows/[\w./-]+\.(?:py|sh|tsv|txt|config|yaml)\b", page.read_text()):
                with self.subTest(page=str(page), target=target):
                    self.assertTrue((ROOT / target).is_file())

    def test_required_packages_have_a_version(self):
        for path in (ROOT / "workflows").rglob("*requirements.txt"):
            for line in filter(None, (line.split("#")[0].strip() for line in path.read_text().splitlines())):
                with self.subTest(file=path.name, line=line):
                    self.assertRegex(line, r"^[\w.-]+(\[[\w,]+\])?==\d+(\.\w+)*$")


if __name__ == "__main__":
    sys.exit(unittest.main())
