#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the source directory for Generic KNIME Nodes: python3 test_knime.py

PSMFORMER and PSMFORMER_TRAINER name the tools. The mime types are checked by the rules of that project's mimetypes.xsd (LGPL, and so
not copied here), the descriptors by the schema that OpenMS installs.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLUGIN = HERE.parents[1] / "workflows/knime"
DESCRIPTORS = PLUGIN / "descriptors"
SCHEMA = Path("/usr/share/openms/SCHEMAS/CTD_0_3.xsd")
TOOLS = {"PSMFormer": os.environ["PSMFORMER"], "PSMFormerTrainer": os.environ["PSMFORMER_TRAINER"]}
TYPES = {"bool", "int", "float", "double", "string", "input-file", "output-file", "input-prefix", "output-prefix"}
# Names that Generic KNIME Nodes keeps for itself.
RESERVED = {"write_ini", "write_par", "par", "help", "ini"}


def items(root):
    """(name with its sections, element) of all parameters of a CTD or an INI file."""
    def below(node, prefix):
        for child in node:
            if child.tag == "NODE":
                yield from below(child, prefix + child.get("name") + ":")
            elif child.tag in ("ITEM", "ITEMLIST"):
                yield prefix + child.get("name"), child

    parameters = root if root.tag == "PARAMETERS" else root.find("PARAMETERS")
    return list(below(parameters.find("NODE/NODE"), ""))


def extensions():
    root = ElementTree.parse(DESCRIPTORS / "mimetypes.xml").getroot()
    return {entry.get("ext") for entry in root}


class TestDescriptors(unittest.TestCase):
    def test_they_are_what_the_tools_write(self):
        with tempfile.TemporaryDirectory() as folder:
            tools = Path(TOOLS["PSMFormer"]).parent
            subprocess.run([str(PLUGIN / "make_ctds.sh"), str(tools), folder], check=True, capture_output=True)
            for tool in TOOLS:
                with self.subTest(tool=tool):
                    self.assertEqual((Path(folder) / f"{tool}.ctd").read_text(), (DESCRIPTORS / f"{tool}.ctd").read_text(),
                                     "the tool has other options now; run workflows/knime/make_ctds.sh")

    def test_they_are_valid(self):
        for tool in TOOLS:
            with self.subTest(tool=tool):
                result = subprocess.run(["xmllint", "--nonet", "--noout", "--schema", str(SCHEMA), str(DESCRIPTORS / f"{tool}.ctd")],
                                        capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_node_can_be_made_of_them(self):
        for tool in TOOLS:
            root = ElementTree.parse(DESCRIPTORS / f"{tool}.ctd").getroot()
            with self.subTest(tool=tool):
                self.assertEqual(root.get("name"), tool)
                self.assertRegex(root.get("version"), r"^\d+\.\d+\.\d+$")
                self.assertTrue(root.get("category"))
                self.assertTrue(root.get("docurl"))
                self.assertRegex(root.get("name"), r"^[A-Za-z][A-Za-z0-9]*$", "a node's class is named so")
                names = [name for name, _ in items(root)]
                self.assertEqual(len(names), len(set(names)))
                self.assertFalse(RESERVED & set(names))

    def test_every_port_says_what_it_takes(self):
        known = extensions()
        for tool in TOOLS:
            for name, item in items(ElementTree.parse(DESCRIPTORS / f"{tool}.ctd").getroot()):
                with self.subTest(tool=tool, parameter=name):
                    self.assertIn(item.get("type"), TYPES)
                    self.assertTrue(item.get("description"))
                    if item.get("type") in ("input-file", "output-file") and name not in ("log",):
                        formats = [text.removeprefix("*.") for text in item.get("supported_formats", "").split(",") if text]
                        self.assertTrue(formats, "a port without formats")
                        self.assertLessEqual(set(formats), known, "mimetypes.xml has no such extension")

    def test_every_parameter_can_be_set_from_an_ini(self):
        """KNIME gives all values, files too, in an INI file."""
        with tempfile.TemporaryDirectory() as folder:
            for tool, program in TOOLS.items():
                with self.subTest(tool=tool):
                    ini = Path(folder) / f"{tool}.ini"
                    subprocess.run([program, "-write_ini", str(ini)], check=True, capture_output=True)
                    settable = {name for name, _ in items(ElementTree.parse(ini).getroot())}
                    described = {name for name, _ in items(ElementTree.parse(DESCRIPTORS / f"{tool}.ctd").getroot())}
                    self.assertEqual(settable, described)


class TestPlugin(unittest.TestCase):
    def test_the_mime_types_obey_their_schema(self):
        root = ElementTree.parse(DESCRIPTORS / "mimetypes.xml").getroot()
        self.assertEqual(root.tag, "{http://www.ball-project.org/mimetypes}mimetypes")
        for entry in root:
            with self.subTest(name=entry.get("name")):
                self.assertEqual(entry.tag, "{http://www.ball-project.org/mimetypes}mimetype")
                self.assertLessEqual(set(entry.keys()), {"name", "description", "binary", "ext", "demangler"})
                self.assertRegex(entry.get("name"), r"^\w+$")
                self.assertRegex(entry.get("ext"), r"^[\w+|.]*\w+$")
                self.assertIn(entry.get("binary"), ("true", "false"))

    def test_both_lists_of_mime_types_agree(self):
        types = [line.split()[1:] for line in (DESCRIPTORS / "mime.types").read_text().splitlines()]
        self.assertEqual({extension for line in types for extension in line}, extensions())

    def test_the_generator_finds_all_it_asks_for(self):
        properties = dict(line.split("=", 1) for line in (PLUGIN / "plugin.properties").read_text().splitlines() if "=" in line)
        for key in ("pluginPackage", "pluginName", "pluginVersion", "nodeRepositoryRoot", "executor", "commandGenerator"):
            self.assertTrue(properties.get(key), key)
        self.assertRegex(properties["pluginPackage"], r"^[a-z]\w*(\.[a-z]\w*)+$")
        version = ElementTree.parse(DESCRIPTORS / "PSMFormer.ctd").getroot().get("version")
        self.assertEqual(properties["pluginVersion"], version)
        for name in ("DESCRIPTION", "LICENSE", "COPYRIGHT"):
            self.assertTrue((PLUGIN / name).read_text().strip(), name)
        self.assertTrue((PLUGIN / "contributing-plugins").is_dir(), "the generator stops without it")

    def test_the_icons_are_pngs_of_the_right_size(self):
        for name, size in [("category", 16), ("splash", 50), *((tool, 16) for tool in TOOLS)]:
            with self.subTest(icon=name):
                data = (PLUGIN / f"icons/{name}.png").read_bytes()
                self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
                self.assertEqual(struct.unpack(">II", data[16:24]), (size, size))

    def test_the_licence_is_that_of_the_repository(self):
        self.assertEqual((PLUGIN / "LICENSE").read_text(), (PLUGIN / "../../LICENSE").read_text())
        self.assertIn((PLUGIN / "COPYRIGHT").read_text().strip(), re.sub(r"\s+", " ", (PLUGIN / "LICENSE").read_text()))


if __name__ == "__main__":
    sys.exit(unittest.main())
