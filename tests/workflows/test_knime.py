#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the source directory for Generic KNIME Nodes: python3 test_knime.py

PSMFORMER and PSMFORMER_TRAINER name the tools. The mime types are checked by the rules of that project's mimetypes.xsd (LGPL, and so
not copied here), the descriptors by the schema that OpenMS installs.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLUGIN = HERE.parents[1] / "workflows/knime"
DESCRIPTORS = PLUGIN / "descriptors"
SCHEMA = Path("/usr/share/openms/SCHEMAS/CTD_0_3.xsd")
TOOLS = {"PSMFormer": os.environ["PSMFORMER"], "PSMFormerTrainer": os.environ["PSMFORMER_TRAINER"]}
TYPES = {"bool", "int", "float", "double", "string", "input-file", "output-file", "input-prefix", "output-prefix"}
# CTDopts, the reader of the workflow converters, writes what it finds in a CTD as JSON. It is a package of Debian's Python.
READ_CTD = """
import json, sys
from CTDopts.CTDopts import CTDModel
model = CTDModel(from_file=sys.argv[1])
parameters = [{"name": ":".join(parameter.get_lineage(name_only=True)), "type": parameter.type.__name__, "list": bool(parameter.is_list),
               "required": bool(parameter.required), "advanced": bool(parameter.advanced), "description": parameter.description,
               "formats": getattr(parameter.restrictions, "formats", None)} for parameter in model.list_parameters()]
json.dump({"name": model.name, "version": model.version, "parameters": parameters}, sys.stdout)
"""
# What CTDopts calls the types of a CTD.
READ_TYPES = {"input-file": "_InFile", "output-file": "_OutFile", "string": "str", "double": "float"}
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


def pixels(png):
    """The size and the unpacked rows of an icon; two releases of zlib may pack them differently."""
    n = int.from_bytes(png[33:37], "big")
    return png[16:24], zlib.decompress(png[41:41 + n])


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

    def test_another_reader_finds_the_same_in_them(self):
        for tool in TOOLS:
            result = subprocess.run(["/usr/bin/python3", "-c", READ_CTD, str(DESCRIPTORS / f"{tool}.ctd")], capture_output=True, text=True,
                                    check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            read = json.loads(result.stdout)
            root = ElementTree.parse(DESCRIPTORS / f"{tool}.ctd").getroot()
            self.assertEqual((read["name"], read["version"]), (tool, root.get("version")))
            described = dict(items(root))
            self.assertEqual({parameter["name"] for parameter in read["parameters"]}, set(described))
            for parameter in read["parameters"]:
                item = described[parameter["name"]]
                with self.subTest(tool=tool, parameter=parameter["name"]):
                    self.assertEqual(parameter["type"], READ_TYPES.get(item.get("type"), item.get("type")))
                    self.assertEqual(parameter["list"], item.tag == "ITEMLIST")
                    self.assertEqual(parameter["required"], item.get("required") == "true")
                    self.assertEqual(parameter["advanced"], item.get("advanced") == "true")
                    self.assertEqual(parameter["description"], item.get("description"))
                    if item.get("type") in ("input-file", "output-file"):
                        formats = item.get("supported_formats", "").split(",")
                        self.assertEqual(parameter["formats"], [text.removeprefix("*.") for text in formats])

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

    def test_the_icons_are_what_the_generator_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", str(PLUGIN / "make_icons.py"), folder], check=True)
            made = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        self.assertEqual(made.keys(), {path.name for path in (PLUGIN / "icons").iterdir()})
        for name, data in made.items():
            self.assertEqual(pixels(data), pixels((PLUGIN / "icons" / name).read_bytes()), name)

    def test_the_licence_is_that_of_the_repository(self):
        self.assertEqual((PLUGIN / "LICENSE").read_text(), (PLUGIN / "../../LICENSE").read_text())
        self.assertIn((PLUGIN / "COPYRIGHT").read_text().strip(), re.sub(r"\s+", " ", (PLUGIN / "LICENSE").read_text()))


if __name__ == "__main__":
    sys.exit(unittest.main())
