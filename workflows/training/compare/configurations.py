# SPDX-License-Identifier: BSD-3-Clause
"""The configurations that are compared, and the trainer options they share."""

import re
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
GROUPS = ("reference", "architecture", "ablation")
SCORES = ("logit", "cosine")
BUDGET = "-preset base -threads 1 -training:epochs 1"


class Configuration(NamedTuple):
    name: str
    group: str
    score: str  # the output of the model that is its score: logit or cosine
    options: dict  # option of PSMFormerTrainer -> list of values
    why: str


def parse_options(text):
    """Options of a command line as {name: [value, ...]}; a word that begins with a dash and a letter is a name."""
    options, values = {}, None
    for word in text.split():
        if re.match(r"-[A-Za-z]", word):
            if word in options:
                raise ValueError(f"option {word} occurs twice in '{text}'")
            values = options[word] = []
        elif values is None:
            raise ValueError(f"'{word}' in '{text}' belongs to no option")
        else:
            values.append(word)
    return options


def common_options(path=HERE.parent / "options.txt"):
    """The options that all configurations share: those of the base model, for one epoch on one core."""
    lines = Path(path).read_text(encoding="ascii").splitlines()
    return parse_options(" ".join([BUDGET, *(line for line in lines if not line.startswith("#"))]))


def read_configurations(path=HERE / "configurations.tsv"):
    """The configurations in file order; every rule of the table is checked."""
    found = []
    for line in Path(path).read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 5:
            raise ValueError(f"{path}: '{line[:40]}' has {len(cells)} columns, not 5")
        name, group, score, options, why = cells
        found.append(Configuration(name, group, score, parse_options(options), why))
    check(found, path)
    return found


def check(configurations, path):
    """Raises ValueError for what would make two rows the same, or leave them without a reference."""
    names = [c.name for c in configurations]
    contents = [(c.score, sorted(c.options.items())) for c in configurations]
    for c, content in zip(configurations, contents):
        if names.count(c.name) > 1 or not re.fullmatch(r"[a-z0-9_.]+", c.name):
            raise ValueError(f"{path}: '{c.name}' is not a name, or not the only one")
        if c.group not in GROUPS or c.score not in SCORES or not c.why:
            raise ValueError(f"{path}: '{c.name}' has an unknown group or score, or no reason")
        if contents.count(content) > 1:
            raise ValueError(f"{path}: '{c.name}' has the options of another configuration")
    if [c.name for c in configurations if c.group == "reference"] != ["reference"] or configurations[0].options:
        raise ValueError(f"{path}: the first row must be 'reference', without options, and the only one of its group")


def chosen(configurations, names, groups):
    """Those named and those of the groups, in file order; without either all of them."""
    known = {c.name for c in configurations}
    for name in names:
        if name not in known:
            raise ValueError(f"there is no configuration '{name}'; the names are in configurations.tsv")
    if not names and not groups:
        return list(configurations)
    return [c for c in configurations if c.name in names or c.group in groups]


def trainer_options(configuration, common):
    """All options of a training; those of the configuration take the place of the common ones."""
    return {**common, **configuration.options}


def as_words(options):
    return [word for name, values in options.items() for word in (name, *values)]
