# SPDX-License-Identifier: BSD-3-Clause
"""The messages that the C++ sources can give, read from the sources.

A message is what stands after an ErrorKind, in a call of LineReader::fail, or what is added to a list of warnings. Its
template is its string literals with `…` for whatever stands between them.
"""

import re
from collections import namedtuple
from pathlib import Path

Message = namedtuple("Message", "file kind template")

GAP = "…"
WARNING = "WARNING"
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|\w+|<<|\s+|.', re.DOTALL)


def tokens_of(text):
    """Tokens of C++ without comments and blanks; std::string("x") becomes "x"."""
    found = [token for token in TOKEN.findall(text) if not token.isspace() and not token.startswith(("//", "/*"))]
    kept, k = [], 0
    while k < len(found):
        if found[k:k + 5] == ["std", ":", ":", "string", "("] and found[k + 5:k + 7][1:] == [")"] and found[k + 5][0] == '"':
            kept.append(found[k + 5])
            k += 7
        else:
            kept.append(found[k])
            k += 1
    return kept


def template_of(tokens, begin, end=(",", ")", "}")):
    """(template, index after it) of the expression that begins at a token and ends before the first of `end` outside of it."""
    parts, depth, k = [], 0, begin
    while depth > 0 or tokens[k] not in end:
        token = tokens[k]
        if depth == 0 and token.startswith('"'):
            parts.append(re.sub(r"\\(.)", r"\1", token[1:-1]))
        elif depth == 0 and token in ("+", "<<"):
            pass
        elif not parts or parts[-1] != GAP:
            parts.append(GAP)
        depth += (token in "([{") - (token in ")]}")
        k += 1
    return "".join(parts), k


def messages_of_tokens(tokens):
    """(kind, template) of every message."""
    for k, token in enumerate(tokens):
        if token == "ErrorKind" and tokens[k + 1:k + 3] == [":", ":"] and tokens[k + 4] == ",":
            yield tokens[k + 3], template_of(tokens, k + 5)[0]
        elif token == "fail" and tokens[k + 2:k + 5] == ["Tool", ":", ":"]:
            yield tokens[k + 5], template_of(tokens, k + 7)[0]
        elif token == "fail" and tokens[k - 1] == "." and tokens[k + 1:k + 3] != ["(", ")"]:
            what, comma = template_of(tokens, k + 2)
            remedy, after = template_of(tokens, comma + 1)
            kind = tokens[after + 4] if tokens[after] == "," else "DAMAGED_INPUT"
            yield kind, f"{what} in line {GAP} of '{GAP}'; {remedy}."
        elif token == "push_back" and any("warnings" in before for before in tokens[k - 3:k]):
            yield WARNING, template_of(tokens, k + 2)[0]
        elif token == "OPENMS_LOG_WARN":
            template = template_of(tokens, k + 2, (";",))[0]
            yield WARNING, template.removeprefix("Warning: ").removesuffix(GAP)


def messages(root):
    """All messages of the sources, without those that are only what another function was given."""
    found = []
    for path in sorted([*Path(root, "src").rglob("*.cpp"), *Path(root, "src").rglob("*.h"), *Path(root, "include").rglob("*.h")]):
        for kind, template in messages_of_tokens(tokens_of(path.read_text(encoding="utf-8"))):
            if template.strip(GAP):
                found.append(Message(str(path.relative_to(root)), kind, template))
    return found
