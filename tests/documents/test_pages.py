#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the tool pages and man pages: python3 test_pages.py

PSMFORMER and PSMFORMER_TRAINER name the tools.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from ini_parameters import parametersOf  # noqa: E402

TOOLS = {"PSMFormer": os.environ["PSMFORMER"], "PSMFormerTrainer": os.environ["PSMFORMER_TRAINER"]}


def render(page):
    """(text as a terminal shows it, warnings) of a man page."""
    result = subprocess.run(["groff", "-man", "-Kutf8", "-Tutf8", "-P-c", "-P-b", "-P-u", "-ww", "-rLL=200n", str(page)],
                            capture_output=True, text=True, check=True)
    return result.stdout.replace("\u2010\n", "\n"), result.stderr


class TestPages(unittest.TestCase):
    def test_they_are_what_the_generator_makes(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", str(ROOT / "share/doc/make_pages.py"), folder], check=True)
            made = [path.relative_to(folder) for path in Path(folder).rglob("*") if path.is_file()]
            self.assertEqual(len(made), 2 * len(TOOLS))
            for name in made:
                with self.subTest(page=str(name)):
                    self.assertEqual((Path(folder) / name).read_text(encoding="utf-8"), (ROOT / name).read_text(encoding="utf-8"),
                                     "the page is not current; run share/doc/make_pages.py")

    def test_the_picture_of_the_encodings_is_what_its_program_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder) / "encodings.svg"
            subprocess.run([sys.executable, "-B", str(ROOT / "share/doc/draw_encodings.py"), str(drawn)], check=True)
            self.assertEqual(drawn.read_text(encoding="utf-8"), (ROOT / "share/doc/encodings.svg").read_text(encoding="utf-8"),
                             "the picture is not current; run share/doc/draw_encodings.py")

    def test_they_have_every_option_with_its_default(self):
        """Read from the INI that the tool writes, not from what the pages are made of."""
        with tempfile.TemporaryDirectory() as folder:
            for tool, program in TOOLS.items():
                ini = Path(folder) / f"{tool}.ini"
                subprocess.run([program, "-write_ini", str(ini)], check=True, capture_output=True)
                page = (ROOT / f"share/doc/{tool}.md").read_text(encoding="utf-8").split("\n## Options\n")[1]
                manual, _ = render(ROOT / f"share/man/{tool}.1")
                for name, item in parametersOf(ini).items():
                    with self.subTest(tool=tool, option=name):
                        row = re.search(rf"^\| `-{re.escape(name)}(?: <[^>]*>)?`.*$", page, re.MULTILINE)
                        self.assertTrue(row, "not on the page")
                        self.assertRegex(manual, rf"(?m)^ +-{re.escape(name)}( |$)")
                        default = item.get("value", "") if item.get("type") != "bool" else ""
                        self.assertEqual(row.group().split("|")[2].strip().strip("`"), default if item.tag == "ITEM" else
                                         " ".join(entry.get("value") for entry in item))

    def test_links_lead_somewhere(self):
        for page in [*ROOT.glob("share/doc/*.md"), *ROOT.glob("share/packaging/*.md"), ROOT / "README.md", ROOT / "workflows/README.md"]:
            for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
                if not target.startswith("http"):
                    with self.subTest(page=page.name, link=target):
                        self.assertTrue((page.parent / target).exists())


class TestManPages(unittest.TestCase):
    def test_groff_reads_them_without_a_warning(self):
        for tool in TOOLS:
            with self.subTest(tool=tool):
                text, warnings = render(ROOT / f"share/man/{tool}.1")
                self.assertEqual(warnings, "")
                for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"):
                    self.assertRegex(text, rf"(?m)^{section}$")
                self.assertNotRegex(text, r"`|\]\(|\*\*", "Markdown is left")

    def test_the_name_line_can_be_indexed(self):
        """As lexgrog(1), which fills the index of apropos, wants it."""
        for tool in TOOLS:
            with self.subTest(tool=tool):
                self.assertRegex((ROOT / f"share/man/{tool}.1").read_text(encoding="utf-8"), rf"(?m)^\.SH NAME\n{tool} \\- \S.*[^.]$")


if __name__ == "__main__":
    sys.exit(unittest.main())
