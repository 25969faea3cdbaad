# SPDX-License-Identifier: BSD-3-Clause
"""What the tests know of Nextflow's language: processes with their sections, workflows, includes and calls."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SECTIONS = ("input", "output", "when", "script", "stub", "take", "main", "emit")


@dataclass
class Block:
    """A process or a workflow; sections maps 'input', 'script', ... to their text, '' to what stands before them."""

    kind: str
    name: str
    file: Path
    sections: dict = field(default_factory=dict)

    def inputs(self):
        """Names of the channels that a call has to give."""
        section = self.sections.get("input" if self.kind == "process" else "take", "")
        return [line for line in lines(section) if line]

    def emits(self):
        if self.kind == "process":
            return re.findall(r"\bemit:\s*(\w+)", self.sections.get("output", ""))
        return [line.split("=")[0].strip() for line in lines(self.sections.get("emit", "")) if line]


def lines(text):
    return [line.strip() for line in text.splitlines()]


def withoutComments(text):
    """Comments that take a whole line or stand behind code after a blank; '//' within a string has none before it."""
    return re.sub(r"(?m)(^|\s)//.*$", r"\1", text)


def endOfBlock(text, start):
    """The position of the brace that closes the one at start; braces of strings balance in these files."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError(f"a brace is not closed: {text[start:start + 60]!r}")


def sectionsOf(body):
    """Splits on lines that hold a section's name alone."""
    found = {"": []}
    name = ""
    for line in body.splitlines():
        word = line.strip()
        if word.endswith(":") and word[:-1] in SECTIONS:
            name = word[:-1]
            found[name] = []
        else:
            found[name].append(line)
    return {key: "\n".join(value) for key, value in found.items()}


def readBlocks(path):
    """All processes and workflows of a file."""
    text = withoutComments(path.read_text())
    blocks = []
    for match in re.finditer(r"(?m)^(process|workflow)\s*(\w*)\s*\{", text):
        body = text[match.end():endOfBlock(text, match.end() - 1)]
        blocks.append(Block(match[1], match[2], path, sectionsOf(body)))
    return blocks


def readIncludes(path):
    """(name in the other file, name here, file) of each include."""
    found = []
    for names, source in re.findall(r"(?s)\binclude\s*\{(.*?)\}\s*from\s*'([^']+)'", withoutComments(path.read_text())):
        file = (path.parent / source).resolve()
        file = file if file.suffix == ".nf" else file.with_name(file.name + ".nf")
        for name in filter(None, (part.strip() for part in names.split(";"))):
            words = name.split()
            found.append((words[0], words[-1], file))
    return found


def readCalls(text):
    """(name, number of arguments) of each call of a name in capitals."""
    calls = []
    for match in re.finditer(r"(?m)(?<![.\w'\"])([A-Z][A-Z0-9_]+)\(", text):
        calls.append((match[1], countArguments(text, match.end())))
    return calls


def countArguments(text, start):
    """Arguments of a call whose parenthesis opens before start."""
    depth, n, empty = 0, 1, True
    for letter in text[start:]:
        if depth == 0 and letter == ")":
            break
        depth += letter in "([{"
        depth -= letter in ")]}"
        n += depth == 0 and letter == ","
        empty = empty and letter.isspace()
    return 0 if empty else n


def runGroovy(script, *arguments):
    """Runs a script of this folder. Debian's groovy looks for Java in a place where not every package puts it."""
    environment = dict(os.environ)
    java = shutil.which("java")
    if java and "JAVA_HOME" not in environment:
        environment["JAVA_HOME"] = str(Path(java).resolve().parents[1])
    return subprocess.run(["groovy", str(Path(__file__).with_name(script)), *map(str, arguments)], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
