#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the tool pages and the man pages say of the options, from the descriptions that the tools give of themselves.

    share/doc/make_pages.py [folder]    into the repository, or below another folder

workflows/knime/make_ctds.sh comes first when an option has changed. In share/doc/<tool>.md the part between the two marks is
replaced; share/man/<tool>.1 is the whole page in the notation of man(7), with NAME, SYNOPSIS and SEE ALSO added.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("PSMFormer", "PSMFormerTrainer")
BEGIN = "<!-- made by share/doc/make_pages.py from here -->"
END = "<!-- to here -->"
ARGUMENTS = {"input-file": "file", "output-file": "file", "int": "integer", "double": "number", "string": "text"}
# What every TOPP tool has, and does not list among its parameters.
COMMON = [("-ini", "<file>", "Takes the options from this file; those of the command line come first."),
          ("-instance", "<n>", "Which section of the -ini file. Default: 1."),
          ("-write_ini", "<file>", "Writes all options with their defaults, for -ini."),
          ("-write_ctd", "<folder>", "Writes the description of the tool, for workflow systems."),
          ("--help", "", "Shows the options."),
          ("--helphelp", "", "Shows all options, the advanced too.")]


@dataclass
class Option:
    """One option as the command line takes it."""
    name: str
    argument: str  # empty: a flag
    meaning: str
    default: str
    allowed: str
    required: bool
    advanced: bool


def option(item, prefix):
    """The option that an ITEM or ITEMLIST of a CTD describes."""
    kind, restrictions = item.get("type"), item.get("restrictions", "")
    is_list = item.tag == "ITEMLIST"
    value = " ".join(entry.get("value") for entry in item) if is_list else item.get("value")
    allowed = ""
    if kind in ("input-file", "output-file"):
        allowed = ", ".join(text.removeprefix("*.") for text in item.get("supported_formats", "").split(",") if text)
    elif kind in ("int", "double") and restrictions:
        low, high = restrictions.split(":")
        allowed = f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"
    elif kind == "string" and restrictions:
        allowed = ", ".join(text or "(empty)" for text in restrictions.split(","))
    argument = "" if kind == "bool" else "<" + ("choice" if kind == "string" and restrictions else ARGUMENTS[kind])
    argument += " ...>" if is_list else ">" if argument else ""
    meaning = " ".join(item.get("description").split())
    return Option("-" + prefix + item.get("name"), argument, meaning if meaning.endswith(".") else meaning + ".",
                  "" if kind == "bool" else value, allowed, item.get("required") == "true", item.get("advanced") == "true")


def sections(tool):
    """(description of the tool, its version, [(heading, its options)]) from the CTD."""
    root = ElementTree.parse(ROOT / f"workflows/knime/descriptors/{tool}.ctd").getroot()
    found = []

    def collect(node, prefix, heading):
        options = [option(child, prefix) for child in node if child.tag != "NODE"]
        if options:
            found.append((heading, options))
        for child in node:
            if child.tag == "NODE":
                name = prefix + child.get("name") + ":"
                collect(child, name, f"{name} {child.get('description') or ''}".strip())

    collect(root.find("PARAMETERS/NODE/NODE"), "", "")
    return root.find("description").text, root.get("version"), found


def options_table(found):
    """The options as Markdown."""
    lines = ["## Options", "", "`*` must be given, `+` is advanced (`--helphelp` shows it). Each can be set in an `-ini` file too.", ""]
    header = ["| option | default | values | meaning |", "|---|---|---|---|"]
    for heading, options in found:
        lines += ([f"### {heading}", ""] if heading else []) + header
        for entry in options:
            mark = " \\*" if entry.required else " +" if entry.advanced else ""
            cells = [f"`{entry.name} {entry.argument}".strip() + f"`{mark}",
                     f"`{entry.default}`" if entry.default else "", entry.allowed, entry.meaning.replace("|", "\\|")]
            lines.append("| " + " | ".join(cells) + " |")
        if not heading:
            lines += [f"| `{name} {argument}".strip() + f"` | | | {meaning} |" for name, argument, meaning in COMMON]
        lines.append("")
    return "\n".join(lines)


def tool_page(page, tool):
    """The page with its options as they are now."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{options_table(sections(tool)[2])}\n{END}{after}"


def escape(text):
    """Plain text in the notation of man(7)."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def inline(text):
    """Markdown within a line in the notation of man(7); links lose their target, which stands in SEE ALSO."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("\\|", "|")
    parts = re.split(r"(`[^`]*`|\*\*[^*]+\*\*)", text)
    result = "".join(f"\\fB{escape(part.strip('`*'))}\\fR" if part.startswith(("`", "**")) else
                     escape(part).removeprefix("\\&") for part in parts)
    return "\\&" + result if result.startswith((".", "'")) else result


def table(lines):
    """A table as tagged paragraphs: the last column is the text, those before it are the tag."""
    output = []
    for line in lines[2:]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        tag = " ".join(inline(cell) for cell in cells[:-1] if cell)
        output += [".TP", tag or "\\&", inline(cells[-1]) or "\\&"]
    return output


def body(markdown):
    """Headings, paragraphs, lists, tables and code of a page in the notation of man(7)."""
    output = []
    for block in re.findall(r"```.*?```|(?:(?!```).)+", markdown, re.S):
        if block.startswith("```"):
            code = block.strip("`").split("\n", 1)[1].rstrip("\n").split("\n")
            output += [".PP", ".RS 4", ".nf", *map(escape, code), ".fi", ".RE"]
            continue
        for paragraph in re.split(r"\n\s*\n|\n(?=#)|(?<=\n)(?=\* )", block):
            lines = paragraph.strip().split("\n")
            text = " ".join(line.strip() for line in lines)
            if text.startswith("#"):
                level, heading = text.split(" ", 1)
                output.append(f".SH {escape(heading.upper())}" if level == "##" else f".SS {inline(heading)}")
            elif text.startswith("|"):
                output += table(lines)
            elif text.startswith("* "):
                output += [".IP \\(bu 2", inline(text[2:])]
            elif text:
                output += [".PP", inline(text)]
    return output


def manual_options(found):
    """OPTIONS of a man page."""
    output = [".SH OPTIONS"]
    for heading, options in found:
        output += [f".SS {escape(heading)}"] if heading else []
        for entry in options:
            notes = ["Required."] if entry.required else [f"Default: {entry.default}."] if entry.default else []
            notes += [f"{'Formats' if '<file' in entry.argument else 'Values'}: {entry.allowed}."] if entry.allowed else []
            output += [".TP", f"\\fB{escape(entry.name)}\\fR {escape(entry.argument)}".strip(), escape(" ".join([entry.meaning, *notes]))]
        if not heading:
            for name, argument, meaning in COMMON:
                output += [".TP", f"\\fB{escape(name)}\\fR {escape(argument)}".strip(), escape(meaning)]
    return output


def manual(page, tool):
    """The man page of a tool from its page."""
    description, version, found = sections(tool)
    introduction, *rest = re.split(r"\n(?=## )", page.split(BEGIN)[0] + page.split(END)[1])
    introduction = "\n\n".join(part for part in re.split(r"\n\s*\n", introduction) if not part.startswith(("#", "|")))
    required = " ".join(f"{entry.name} {entry.argument}" for _, options in found for entry in options if entry.required)
    lines = [f".\\\" Made by share/doc/make_pages.py from share/doc/{tool}.md and the options of the tool.",
             f".TH {tool} 1 \"\" \"PSMFormer {version}\" \"PSMFormer\"",
             ".SH NAME", f"{tool} \\- {escape(description[0].lower() + description[1:].rstrip('.'))}",
             ".SH SYNOPSIS", f".B {tool}", escape(f"{required} [options]"),
             ".SH DESCRIPTION", *body(introduction), *manual_options(found), *body("\n".join(rest)),
             ".SH SEE ALSO", ", ".join(f"\\fB{other}\\fR(1)" for other in TOOLS if other != tool) + ",",
             "and the documents of PSMFormer: statistics, encodings, model files, tutorials"]
    return "\n".join(line for line in lines if line) + "\n"


def main(folder):
    """Writes all pages below a folder."""
    for tool in TOOLS:
        page = tool_page((ROOT / f"share/doc/{tool}.md").read_text(encoding="utf-8"), tool)
        for name, text in ((f"share/doc/{tool}.md", page), (f"share/man/{tool}.1", manual(page, tool))):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
