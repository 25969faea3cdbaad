#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the recipes in share/packaging, which need Docker, Apptainer or conda to run: python3 test_recipes.py

What they copy must be there and be enough to build from, what they run must be sound shell, and what they install must be listed.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "share/packaging"
VERSION = re.search(r"project\(PSMFormer VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
# What a first stage leaves to a second one: made by build.sh, or copied.
MADE = {"/src/build/package", "/src/share/setup"}


def listed_packages():
    """{section: its packages} of debian-packages.txt."""
    sections = {}
    for line in (ROOT / "share/setup/debian-packages.txt").read_text().splitlines():
        text = line.split("#")[0].strip()
        if text.startswith("["):
            sections[text.strip("[]")] = current = []
        elif text:
            current.append(text)
    return sections


def instructions(dockerfile):
    """[(instruction, its text)] of a Dockerfile."""
    text = re.sub(r"^#.*\n", "", dockerfile, flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def definition_sections(definition):
    """[(header lines, {section: its lines})] of the stages of an Apptainer definition."""
    stages = []
    for stage in re.split(r"(?m)^(?=Bootstrap:)", re.sub(r"(?m)^#.*\n", "", definition))[1:]:
        header, *parts = re.split(r"(?m)^%", stage)
        stages.append((header, {part.split("\n", 1)[0].strip(): [line.strip() for line in part.split("\n")[1:] if line.strip()]
                                for part in parts}))
    return stages


class Recipe(unittest.TestCase):
    def assertSoundShell(self, script):
        result = subprocess.run(["shellcheck", "-s", "sh", "-"], input=script, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout)

    def assertInstallsWhatIsListed(self, script):
        """install.sh is given sections, apt-get only packages of them."""
        sections = listed_packages()
        packages = {package for names in sections.values() for package in names}
        for command in re.split(r"&&|\n|;", script):
            words = shlex.split(command)
            if words and words[0].endswith("install.sh"):
                self.assertLessEqual(set(words[1:]), set(sections))
            if words[:2] == ["apt-get", "install"]:
                wanted = {word for word in words[2:] if not word.startswith("-") and "/" not in word}
                self.assertLessEqual(wanted, packages, "not in share/setup/debian-packages.txt")

    def assertCanBeBuiltFrom(self, copies):
        """The files that a recipe copies are all that CMake reads and installs."""
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for source, target in copies:
                place = root / target.removeprefix("/src/")
                place.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (ROOT / source).is_dir() else shutil.copyfile)(ROOT / source, place)
            result = subprocess.run(["cmake", "--preset", "release", "-DPSMFORMER_BUILD_TESTS=OFF", "-DPSMFORMER_BUILD_BENCHMARKS=OFF"],
                                    cwd=root, capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            installed = [path for script in root.rglob("cmake_install.cmake")
                         for path in re.findall(rf'"({re.escape(folder)}/[^"]*)"', script.read_text())]
            self.assertTrue(any(path.endswith("/README.md") for path in installed))
            for path in installed:
                if not path.startswith(f"{folder}/build/"):
                    self.assertTrue(Path(path).exists(), f"{path} is installed, but not copied")


class TestDockerfile(Recipe):
    def setUp(self):
        self.instructions = instructions((PACKAGING / "Dockerfile").read_text())

    def copies(self):
        """(source, target) of what is copied from the repository."""
        found = []
        for _, text in (entry for entry in self.instructions if entry[0] == "COPY" and not entry[1].startswith("--from=")):
            *sources, target = text.split()
            found += [(source, target.rstrip("/") + "/" + source if target.endswith("/") else target) for source in sources]
        return found

    def test_every_stage_starts_from_debian_12(self):
        bases = [text.split()[0] for name, text in self.instructions if name == "FROM"]
        self.assertEqual(set(bases), {"debian:12-slim"})

    def test_what_it_copies_is_there(self):
        for source, _ in self.copies():
            self.assertTrue((ROOT / source).exists(), source)
        stages = set()
        for name, text in self.instructions:
            if name == "FROM" and " AS " in text:
                stages.add(text.split(" AS ")[1])
            if name == "COPY" and text.startswith("--from="):
                stage, source, _ = text.removeprefix("--from=").split()
                self.assertIn(stage, stages)
                self.assertIn(source, MADE)

    def test_what_it_copies_is_enough(self):
        # The folder share is copied whole after share/setup, which the cache of images keeps apart.
        self.assertCanBeBuiltFrom([copy for copy in self.copies() if copy[0] != "share/setup"])

    def test_what_it_runs(self):
        scripts = [text for name, text in self.instructions if name == "RUN"]
        self.assertGreaterEqual(len(scripts), 3)
        for script in scripts:
            with self.subTest(script=script):
                self.assertSoundShell(script)
                self.assertInstallsWhatIsListed(script)
        self.assertIn("rm -rf /opt/psmformer /var/lib/apt/lists/*", scripts[-1])

    def test_the_context_leaves_out_what_is_large(self):
        self.assertEqual((PACKAGING / "Dockerfile.dockerignore").read_text().split(), ["/build/", "/.git/"])

    def test_it_is_the_only_one_and_named_by_those_who_use_it(self):
        tracked = subprocess.run(["git", "ls-files", "*Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False)
        if tracked.returncode == 0:
            self.assertEqual(tracked.stdout.split(), ["share/packaging/Dockerfile"])
        self.assertIn(f"-t psmformer:{VERSION} ", (PACKAGING / "Dockerfile").read_text())
        self.assertIn(f"container = 'psmformer:{VERSION}'", (ROOT / "workflows/nextflow/nextflow.config").read_text())

    def test_a_fault_would_be_found(self):
        with self.assertRaises(AssertionError):
            self.assertInstallsWhatIsListed("apt-get install -y --no-install-recommends nosuchpackage")
        with self.assertRaises(AssertionError):
            self.assertSoundShell("rm -rf $1 && cd /x")


class TestApptainer(Recipe):
    def setUp(self):
        self.stages = definition_sections((PACKAGING / "psmformer.def").read_text())

    def test_it_has_the_stages_of_the_dockerfile(self):
        self.assertEqual(len(self.stages), 2)
        for header, _ in self.stages:
            self.assertRegex(header, r"(?m)^From: debian:12-slim$")
        self.assertRegex(self.stages[0][0], r"(?m)^Stage: build$")
        docker = TestDockerfile()
        docker.setUp()
        copies = {tuple(line.split()) for line in self.stages[0][1]["files"]}
        self.assertEqual(copies, {copy for copy in docker.copies() if copy[0] != "share/setup"})
        runs = " ".join(re.sub(r"\s+", " ", text).replace("&& ", "") for name, text in docker.instructions if name == "RUN")
        self.assertEqual(" ".join(self.stages[0][1]["post"] + self.stages[1][1]["post"]), runs)

    def test_what_it_takes_from_the_first_stage_is_made_there(self):
        self.assertEqual({line.split()[0] for line in self.stages[1][1]["files from build"]}, MADE)

    def test_what_it_runs(self):
        for _, sections in self.stages:
            for name in ("post", "environment", "runscript", "test"):
                script = "\n".join(sections.get(name, []))
                with self.subTest(section=name):
                    self.assertSoundShell(script)
                    self.assertInstallsWhatIsListed(script)

    def test_it_names_the_version(self):
        self.assertIn(f"Version {VERSION}", self.stages[1][1]["labels"])


class TestConda(Recipe):
    def setUp(self):
        self.recipe = yaml.safe_load((PACKAGING / "conda/meta.yaml").read_text())

    def test_the_version_is_that_of_the_project(self):
        self.assertEqual(self.recipe["package"], {"name": "psmformer", "version": VERSION})

    def test_the_source_is_the_repository(self):
        self.assertEqual((PACKAGING / "conda" / self.recipe["source"]["path"]).resolve(), ROOT)

    def test_files_that_it_names_are_there(self):
        for name in self.recipe["about"]["license_file"]:
            self.assertTrue((ROOT / name).is_file(), name)
        paths = re.findall(r"\$\{PREFIX\}/(\S+)", " ".join(self.recipe["test"]["commands"]))
        self.assertTrue(paths)
        for path in paths:
            self.assertTrue((ROOT / path).is_file(), path)

    def test_it_has_what_cmake_looks_for(self):
        """A package of conda for each find_package of the build."""
        packages = {"Qt5": "qt-main", "nlohmann_json": "nlohmann_json", "ZLIB": "zlib", "Torch": "libtorch", "OpenMS": "libopenms",
                    "XercesC": "xerces-c", "Eigen3": "eigen", "OpenMP": None}  # OpenMP comes with the compiler
        asked = set()
        for path in [ROOT / "CMakeLists.txt", *ROOT.glob("src/*/CMakeLists.txt"), *ROOT.glob("share/cmake/*.cmake")]:
            asked |= set(re.findall(r"^\s*find_package\((\w+)", path.read_text(), re.MULTILINE))
        self.assertEqual(asked, set(packages))
        host = {text.split()[0] for text in self.recipe["requirements"]["host"]}
        self.assertLessEqual({name for name in packages.values() if name}, host)

    def test_it_builds_both_tools(self):
        script = (PACKAGING / "conda/build.sh").read_text()
        self.assertIn("--target PSMFormer PSMFormerTrainer", script)
        self.assertIn("--component tools", script)


if __name__ == "__main__":
    sys.exit(unittest.main())
