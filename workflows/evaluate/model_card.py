#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The model card with all that was measured: model_card.py CARD FOLDER SOURCES.tsv... [NOTES.md] >MODEL_CARD.md

CARD is the one that PSMFormerTrainer wrote. FOLDER is that of the evaluations; a part whose file is not there is named
as not measured: table.tsv and table.txt (run.sh), held_out/ (model_card.sh), references/*.md (references.sh),
entrapment/table.md and leakage/table.md (entrapment.sh), null/table.md (null.sh), tuned/table.md (fine_tune.sh), compare/
(what ../training/compare printed), performance/performance.txt (performance.py). SOURCES.tsv are the ledgers of prepare.sh and
distil.sh; NOTES.md is what a person has to say, and comes first.
"""
import csv
import sys
from pathlib import Path

SEARCHES = ("tryptic", "unspecific", "modifications", "xtandem", "simple")
COUNTS = ("1% D/T", "1% (D+1)/T", "5% D/T", "5% (D+1)/T", "1% peptides", "5% peptides")
REPORTS = (("Default method, tryptic searches in one file", "semi_supervised/tryptic.joint.md", "semi_supervised.sh"),
           ("Default method, unspecific searches in one file", "semi_supervised/unspecific.joint.md", "semi_supervised.sh --hard"),
           ("Against rescoring by others, tryptic searches in one file", "references/tryptic.md", "references.sh"),
           ("Against rescoring by others, unspecific searches in one file", "references/unspecific.md", "references.sh --hard"),
           ("False targets by entrapment", "entrapment/table.md", "entrapment.sh"),
           ("False targets by shuffled twins", "twins/table.md", "twins.sh"),
           ("False targets by shuffled twins, with the decoys of the other tables", "twins_reversed/table.md", "twins.sh --reversed"),
           ("Can the model tell decoys from false targets?", "leakage/table.md", "entrapment.sh"),
           ("What is accepted where nothing is right", "null/table.md", "null.sh"),
           ("Fine-tuning in folds on the run itself", "tuned/table.md", "fine_tune.sh"),
           ("Baselines without a network", "compare/baselines.md", "training/compare/baselines.sh"),
           ("Sizes, parts and losses of the network at a small budget", "compare/comparison.md",
            "training/compare/comparison_table.py"))


def table(head, rows):
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def readRows(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def evaluationRows(rows):
    """One row for each run and search: engine and logit for each count."""
    by_search = {}
    for row in rows:
        by_search.setdefault((row["run"], row["search"]), {})[row["count"]] = (row["engine"], row["psmformer"])
    return [[run, search, *(cell for count in COUNTS for cell in counts[count])]
            for (run, search), counts in sorted(by_search.items(), key=lambda item: SEARCHES.index(item[0][1]))]


def evaluation(folder):
    head = ["run", "search", *(f"{count}, {by}" for count in COUNTS for by in ("engine", "calibrated logit"))]
    intervals = [line for line in (folder / "table.txt").read_text(encoding="utf-8").splitlines() if ": gain at " in line]
    return ("Target PSMs, best hit of each identification, calibrated logit alone, as `workflows/evaluate/run.sh` prints them (D/T: decoys / "
            "targets; the 95 % intervals are of the gain over the engine).\n\n"
            + table(head, evaluationRows(readRows(folder / "table.tsv"))) + "\n\n" + "\n".join(f"* {i}" for i in intervals))


def falseHits(text):
    """(part, spectra, share above equal-mass rivals, share above foreign ones) of what false_hits prints."""
    rows, part, head = [], "", []
    for line in text.splitlines():
        columns = line.split("\t")
        if line.startswith("== "):
            part = line[3:]
        elif columns[0] == "group":
            head = columns
        elif columns[0] == "all":
            row = dict(zip(head, columns))
            rows.append([part, row["spectra"], f"{row['true_above_rival']} %", f"{row['true_above_foreign']} %"])
    return rows


def heldOut(folder):
    choice = (folder / "held_out" / "peptide_choice.txt").read_text(encoding="utf-8").strip()
    rows = falseHits((folder / "held_out" / "false_hits.txt").read_text(encoding="utf-8"))
    return ("Share of the true peptides of held-out spectra with a logit above all but 1 % of the best false peptides: of equal "
            "mass (rivals), and of spectra that have no true candidate (foreign). `part:N` are the N most intense peaks.\n\n"
            + table(["spectra", "number", "above rivals", "above foreign"], rows)
            + "\n\nPicking the true peptide (`peptide_choice`, test part):\n\n```\n" + choice + "\n```")


def sources(paths):
    rows = [row for path in paths for row in readRows(path)]
    names = ("source", "instrument", "activation", "tolerance", "unit", "licence", "training", "validation")
    return table(list(names), [[row[name] for name in names] for row in rows])


def section(title, make, needed, made_by):
    """A section, or a sentence that says what was not measured."""
    missing = [str(path.name) for path in needed if not path.exists()]
    return f"## {title}\n\n" + (f"Not measured (`workflows/{made_by if '/' in made_by else f'evaluate/{made_by}'}`)." if missing else make())


def main(card, folder, ledgers, notes):
    text = card.read_text(encoding="utf-8").rstrip()
    title, rest = text.split("\n", 1)
    parts = [title + (f"\n\n{notes.read_text(encoding='utf-8').strip()}" if notes else "")]
    parts.append(section("Measured on the evaluation runs", lambda: evaluation(folder),
                         [folder / "table.tsv", folder / "table.txt"], "run.sh"))
    parts.append(section("Measured on held-out spectra", lambda: heldOut(folder),
                         [folder / "held_out" / name for name in ("false_hits.txt", "peptide_choice.txt")], "model_card.sh"))
    for heading, name, made_by in REPORTS:
        report = folder / name
        parts.append(section(heading, report.read_text(encoding="utf-8").strip if report.exists() else str, [report], made_by))
    speed = folder / "performance" / "performance.txt"
    parts.append(section("Speed and memory", lambda: f"```\n{speed.read_text(encoding='utf-8').strip()}\n```", [speed],
                         "performance.py"))
    parts.append("## Sources and licences\n\nSpectra of each source after the removals that the workflows list; of made and "
                 f"predicted ones a sample is trained on.\n\n{sources(ledgers)}")
    parts.append("## Training\n" + rest.rstrip())
    print("\n\n".join(parts))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("model_card.py: name the trainer's card, the folder of the evaluations and the ledgers of sources.")
    others = [Path(argument) for argument in sys.argv[3:]]
    main(Path(sys.argv[1]), Path(sys.argv[2]), [path for path in others if path.suffix == ".tsv"],
         next((path for path in others if path.suffix == ".md"), None))
