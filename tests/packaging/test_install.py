#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what cmake --install and cpack make: python3 test_install.py

BUILD is the build folder, WORKFLOW_EXAMPLE that of tests/workflows/small_example.sh.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflows"))
from identifications import readHits  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["BUILD"])
SHELL = Path(os.environ["WORKFLOW_EXAMPLE"]) / "shell"
VERSION = re.search(r"project\(PSMFormer VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def run(*command, **more):
    """Runs a command; its output when it goes well."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    if result.returncode != 0:
        raise AssertionError(f"{command[0]} ended with {result.returncode}:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


class Installed(unittest.TestCase):
    """Folders that are removed when the tests of a class have run."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="psmformer-packaging-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def assertRescores(self, prefix):
        """The tool below a prefix finds a model that is there and nowhere else, without any program on PATH (Python, for one)."""
        model = prefix / "share/PSMFormer/models/elsewhere/1.0.0/elsewhere.safetensors"
        model.parent.mkdir(parents=True)
        shutil.copyfile(next(prefix.glob("share/PSMFormer/models/base/*/base.safetensors")), model)
        rescored, report = self.folder / "rescored.idXML", self.folder / "report.html"
        rescored.unlink(missing_ok=True)
        report.unlink(missing_ok=True)
        run(prefix / "bin/PSMFormer", "-in", SHELL / "indexed.idXML", "-in_spectra", SHELL / "../late.mzML", "-out", rescored,
            "-out_report", report, "-model", "elsewhere", "-threads", 2, "-no_progress",
            env={"PATH": "/nonexistent", "HOME": str(self.folder), "OPENMS_HOME_PATH": str(self.folder)}, cwd=self.folder)
        self.assertEqual(readHits(rescored), readHits(SHELL / "psmformer.idXML"))
        self.assertGreater(report.stat().st_size, 50000)


class TestInstall(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = cls.folder / "moved"
        (cls.folder / "first").rename(cls.prefix)

    def test_the_moved_folder_rescores_without_python(self):
        self.assertRescores(self.prefix)

    def test_no_text_file_names_the_folders_of_the_build(self):
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.suffix in (".cmake", ".h", ".md", ".1", ".sh"):
                text = path.read_text(encoding="utf-8")
                for place in (str(ROOT), str(BUILD), str(self.folder)):
                    self.assertNotIn(place, text, str(path))

    def test_the_tools_need_no_python(self):
        for tool in ("PSMFormer", "PSMFormerTrainer"):
            libraries = run("ldd", self.prefix / "bin" / tool)
            self.assertIn("libtorch_cpu", libraries)
            self.assertNotIn("not found", libraries)
            self.assertNotIn("python", libraries.lower())

    def test_documents_and_man_pages_are_there(self):
        for name in ("man/man1/PSMFormer.1", "man/man1/PSMFormerTrainer.1", "doc/psmformer/PSMFormer.md", "doc/psmformer/copyright"):
            self.assertTrue((self.prefix / "share" / name).is_file(), name)
        self.assertTrue(os.access(self.prefix / "share/PSMFormer/example/get_example.sh", os.X_OK))

    def test_a_project_that_uses_the_libraries(self):
        build = self.folder / "consumer"
        run("cmake", "-S", ROOT / "tests/consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build, "-j", 1)
        encoded = run(build / "encode", "PEPTIDEK").split()  # I and L have one token
        self.assertEqual(encoded[:-1], [str("ACDEFGHIKLMNOPQRSTUVWY".index(residue) + 1) for residue in "PEPTLDEK"])
        self.assertEqual(encoded[-1], "464.7347")
        self.assertEqual(run(build / "convert").split(), ["SHCIAEVEK", "57.0215"])
        model = next(self.prefix.glob("share/PSMFormer/models/base/*/base.safetensors"))
        right, reversed_one = map(float, run(build / "score", model).split())
        self.assertGreater(right, reversed_one + 1)

    def test_another_minor_version_is_refused(self):
        project = self.folder / "other_version"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(Other LANGUAGES CXX)\n"
                                                "find_package(PSMFormer 0.2 REQUIRED)\n")
        with self.assertRaisesRegex(AssertionError, "compatible with requested"):
            run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")


class TestDebianPackage(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "package")
        cls.package, = (cls.folder / "package").glob("*.deb")
        run("dpkg-deb", "-x", cls.package, cls.folder / "root")
        cls.usr = cls.folder / "root/usr"

    def field(self, name):
        return run("dpkg-deb", "-f", self.package, name).strip()

    def test_it_says_what_it_is(self):
        self.assertEqual(self.field("Package"), "psmformer")
        self.assertEqual(self.field("Version"), VERSION)
        self.assertEqual(self.package.name, f"psmformer_{VERSION}_{run('dpkg', '--print-architecture').strip()}.deb")

    def test_it_depends_on_the_libraries_and_not_on_python(self):
        depends = self.field("Depends")
        for library in ("libtorch1.13", "libopenms2.6.0", "libqt5core5a", "libxerces-c3.2", "libgomp1", "libc6"):
            self.assertRegex(depends, rf"(^|, ){re.escape(library)}( \(|,|$)")
        self.assertNotIn("python", depends)
        self.assertIn("libopenblas0-openmp", self.field("Recommends"))

    def test_it_holds_what_was_installed(self):
        files = {str(path.relative_to(self.usr)) for path in self.usr.rglob("*") if path.is_file()}
        models = {str(path.relative_to(ROOT)) for path in (ROOT / "share/PSMFormer").rglob("*") if path.is_file()}
        self.assertLessEqual(models, files)
        self.assertLessEqual({"bin/PSMFormer", "bin/PSMFormerTrainer", "share/man/man1/PSMFormer.1.gz", "share/doc/psmformer/copyright",
                              "share/man/man1/PSMFormerTrainer.1.gz", "share/doc/psmformer/changelog.gz",
                              "share/doc/psmformer/PSMFormer.md"}, files)
        self.assertFalse([name for name in files if name.startswith(("include/", "lib/"))], "headers and libraries are for developers")
        self.assertFalse([path for path in (self.folder / "root").iterdir() if path.name != "usr"])

    def test_the_copyright_file_has_the_licences(self):
        text = re.sub(r"\n \.?", "\n", (self.usr / "share/doc/psmformer/copyright").read_text(encoding="utf-8"))
        for name in ("LICENSE", "share/PSMFormer/report/uPlot.LICENSE"):
            self.assertIn(" ".join((ROOT / name).read_text(encoding="utf-8").split()), " ".join(text.split()))

    def test_the_checksums_are_right(self):
        run("dpkg-deb", "-e", self.package, self.folder / "control")
        run("md5sum", "--check", "--strict", "--quiet", self.folder / "control/md5sums", cwd=self.folder / "root")

    def test_the_unpacked_package_rescores(self):
        self.assertRescores(self.usr)


if __name__ == "__main__":
    if not (SHELL / "accepted.idXML").is_file():
        print("SKIPPED: no network")  # small_example.sh could not get the example run
        sys.exit(77)
    sys.exit(unittest.main())
