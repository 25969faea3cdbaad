#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds in Nextflow files what Groovy's parser cannot: python3 lint.py <pipeline folder> [folder of INI files]

The INI files (<Tool>.ini, written by each tool with -write_ini) tell which options a tool has.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from source import readBlocks, readCalls, readIncludes, withoutComments  # noqa: E402

DIRECTIVES = ("tag", "label")
PARTS = ("input", "output", "script", "stub")
# Nextflow's newer parser refuses these.
OUTDATED = {
    r"(?m)^\s*import\b": "'import' is not allowed",
    r"\bfor\s*\(": "'for' is not allowed, use each or collect",
    r"\bChannel\.": "'Channel.' is written 'channel.'",
    r"\bit\b(?!\w)": "'it' needs a name of its own",
}


def optionsIn(text):
    """Names of options in a command line, without those of the shell's programs around it."""
    text = re.sub(r"\$\([^)]*\)|\|[^\n]*", " ", text)
    return set(re.findall(r"(?<![\w./-])-([a-z][A-Za-z_]+(?::[A-Za-z_]+)*)", text))


def optionsOfTool(ini):
    """All parameter names of an INI file, sections joined by a colon."""
    names = set()

    def collect(node, prefix):
        for child in node:
            name = prefix + child.get("name", "")
            if child.tag == "NODE":
                collect(child, name + ":")
            else:
                names.add(name)

    collect(ElementTree.parse(ini).getroot().find("NODE/NODE"), "")
    return names


def toolOf(process):
    """The program that a script block runs: the word before the first line that continues."""
    match = re.search(r"(?m)^\s*(\$?\w+) \\\\$", process.sections["script"])
    if match and match[1].startswith("$"):
        match = re.search(rf"def {match[1][1:]} = task\.ext\.\w+ \?: '(\w+)'", process.sections["script"])
    return match[1] if match else None


def processFaults(process):
    for word in DIRECTIVES:
        if not re.search(rf"(?m)^\s*{word}\b", process.sections[""]):
            yield f"process {process.name} has no '{word}'"
    for word in PARTS:
        if word not in process.sections:
            yield f"process {process.name} has no '{word}:'"
    if re.search(r"\bemit\s+\w+\s*$|\bemit\s+[^:\s]", process.sections.get("output", "")):
        yield f"process {process.name}: 'emit' without its colon"
    emits = process.emits()
    if len(emits) != len(set(emits)):
        yield f"process {process.name}: two outputs have one name"
    if "versions" not in emits:
        yield f"process {process.name} says no version"
    if "moduleDir" in process.sections[""] and not (process.file.parent / "environment.yml").is_file():
        yield f"process {process.name}: {process.file.parent / 'environment.yml'} is missing"
    if "script" in process.sections and "$args" not in process.sections["script"]:
        yield f"process {process.name} does not pass ext.args on"


def optionFaults(process, ini_folder, configured):
    tool = toolOf(process) if "script" in process.sections else None
    if tool is None:
        yield f"process {process.name}: no line '<tool> \\\\' in its script"
        return
    ini = ini_folder / f"{tool}.ini"
    if not ini.is_file():
        yield f"process {process.name}: {ini} is missing"
        return
    known = optionsOfTool(ini)
    written = optionsIn(process.sections["script"]) | optionsIn(configured.get(process.name, ""))
    # OpenMS's tools of another release than the one here; the script asks which one it is.
    written -= {"score:psm"} if tool == "IDFilter" else set()
    for option in sorted(written - known):
        yield f"process {process.name}: {tool} has no option -{option}"


def fileFaults(path, defined):
    text = withoutComments(path.read_text())
    local = {name: kind for name, kind in ((block.name, block) for block in readBlocks(path)) if name}
    for name, alias, file in readIncludes(path):
        blocks = {block.name: block for block in defined.get(file, [])}
        if name not in blocks:
            yield f"{name} is included from {file}, which does not define it"
        else:
            local[alias] = blocks[name]
            if not any(call == alias for call, _ in readCalls(text)):
                yield f"{alias} is included and never called"
    for name, n_arguments in readCalls(text):
        if name not in local:
            yield f"{name} is called and neither defined nor included"
        elif n_arguments != len(local[name].inputs()):
            yield f"{name} takes {len(local[name].inputs())} inputs and is called with {n_arguments}"
    for name, output in re.findall(r"\b([A-Z][A-Z0-9_]+)\.out\.(\w+)", text):
        if name in local and output not in local[name].emits():
            yield f"{name}.out.{output}: there is no such output"
    code = re.sub(r'"""(?s:.*?)"""|"[^"\n]*"|\'[^\'\n]*\'', "", text)
    for pattern, message in OUTDATED.items():
        if re.search(pattern, code):
            yield message


def configuredOptions(root):
    """What conf/modules.config sets for each process, as text."""
    text = withoutComments((root / "conf/modules.config").read_text())
    parts = re.split(r"withName:\s*'(\w+)'", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def selectorFaults(root):
    """A profile that selects a process again drops what the other configuration sets for it."""
    text = "".join(withoutComments(path.read_text()) for path in [root / "nextflow.config", *sorted((root / "conf").glob("*.config"))])
    selectors = re.findall(r"\b(with(?:Name|Label): *'\w+')", text)
    for selector in sorted({selector for selector in selectors if selectors.count(selector) > 1}):
        yield f"{root}: {selector} stands twice in the configuration; the second drops what the first sets"


def parametersOf(config):
    """The names and the default values, as written, in the params block of nextflow.config."""
    block = re.search(r"(?ms)^params \{(.*?)^\}", withoutComments(config.read_text()))[1]
    return dict(re.findall(r"(?m)^\s*(\w+) = (.+?)\s*$", block))


def parameterFaults(root, files):
    parameters = parametersOf(root / "nextflow.config")
    for path in files:
        for name in sorted(set(re.findall(r"\bparams\.(\w+)", path.read_text())) - parameters.keys()):
            yield f"{path}: params.{name} is not in nextflow.config"
    schema = json.loads((root / "nextflow_schema.json").read_text())
    described = {}
    for group in schema["$defs"].values():
        described.update(group["properties"])
    for name in sorted(parameters.keys() ^ described.keys()):
        yield f"nextflow_schema.json and nextflow.config differ in {name}"
    for name in parameters.keys() & described.keys():
        value = {"null": None, "true": True, "false": False}.get(parameters[name], parameters[name].strip("'"))
        if str(described[name].get("default")) != str(value):
            yield f"nextflow_schema.json: the default of {name} is {described[name].get('default')}, in nextflow.config {value}"


def metaFaults(process):
    """meta.yml names the outputs and inputs of its process."""
    meta = process.file.with_name("meta.yml")
    if not meta.is_file():
        return
    text = meta.read_text()
    outputs = re.search(r"(?ms)^output:\n(.*?)^\w", text)[1]
    if sorted(re.findall(r"(?m)^  (\w+):", outputs)) != sorted(process.emits()):
        yield f"{meta}: its outputs are not those of {process.name}"
    inputs = re.search(r"(?ms)^input:\n(.*?)^\w", text)[1]
    named = re.findall(r"(?m)^(?:  - -|    -|  -) (\w+):", inputs)
    declared = re.findall(r"(?:val|path)\(?\s*(\w+)", process.sections["input"])
    if named != declared:
        yield f"{meta}: its inputs are {named}, those of {process.name} {declared}"


def lint(root, ini_folder=None):
    """All faults below the pipeline folder root, as sentences."""
    files = sorted(root.rglob("*.nf"))
    defined = {path.resolve(): readBlocks(path) for path in files}
    # A module that is meant for another pipeline stands beside the one of ours there.
    for path in files:
        for _, _, source in readIncludes(path):
            if source not in defined and "mhcquant" in source.parts:
                ours = root / "modules/local" / source.parent.name / source.name
                defined[source] = defined.get(ours.resolve(), [])
    faults = []
    configured = configuredOptions(root)
    for path in files:
        faults += [f"{path}: {fault}" for fault in fileFaults(path, defined)]
        for block in readBlocks(path):
            if block.kind == "process":
                faults += [f"{path}: {fault}" for fault in processFaults(block)]
                faults += list(metaFaults(block))
                if ini_folder:
                    faults += [f"{path}: {fault}" for fault in optionFaults(block, ini_folder, configured)]
    faults += list(selectorFaults(root))
    faults += list(parameterFaults(root, files + sorted(root.rglob("*.config"))))
    processes = {block.name for path in files for block in readBlocks(path)}
    faults += [f"conf/modules.config: there is no process {name}" for name in configured if name not in processes]
    return faults


def main():
    root = Path(sys.argv[1])
    faults = lint(root, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    print("\n".join(faults) or f"{len(list(root.rglob('*.nf')))} Nextflow files are without findings")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
