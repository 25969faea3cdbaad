#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Baselines without a network, on the data of the network.

baselines.py fit FEATURES.tsv.gz WEIGHTS.tsv   fits the logistic regression to what training_features printed
baselines.py table RUNS.tsv FOLDER             target PSMs by engine, logit and baselines: FOLDER/searched/<run>.<search>.idXML
                                               and FOLDER/features/ (PSMFormer -write_features all), FOLDER/baselines/*.tsv
"""
import gzip
import math
import operator
import sys
from array import array
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "evaluate"))

import table as evaluation  # noqa: E402
from psm_lists import ranked, readIdentifications  # noqa: E402

# The evidence of matched ions, and what it has to be seen against. Errors and isotopes of the precursor are left out:
# moved precursors of training do not have those of a search.
FEATURES = ("explained_intensity explained_peaks explained_top_10 explained_top_25 matched_share matched_b1 matched_b2 "
            "matched_y1 matched_y2 longest_run_b longest_run_y explained_sites fragment_error_median "
            "fragment_error_spread charge length peaks").split()
POSITIVE_WEIGHT = 4.0  # as in the network's cross-entropy
RIDGE = 1e-3  # per row; features are standardised
ITERATIONS, CONVERGED = 25, 1e-6
SMALLEST_SHARE = 1e-6  # as in tests/measure/LinearScorer.h


def read_features(path):
    """(columns of FEATURES, 1 or 0 for true) of the output of training_features."""
    with gzip.open(path, "rt", encoding="ascii") as lines:
        names = next(lines).split()
        at = [names.index(name) for name in FEATURES]
        columns, labels = [array("d") for _ in FEATURES], array("d")
        for line in lines:
            cells = line.split("\t")
            labels.append(float(cells[1]))
            for column, i in zip(columns, at):
                column.append(float(cells[i]))
    if not labels:
        raise ValueError(f"{path} has no rows; see what training_features printed")
    return columns, labels


def dot(x, y):
    return sum(map(operator.mul, x, y))


def standardise(column):
    """(column with mean 0 and standard deviation 1, mean, standard deviation); a constant column becomes 0."""
    mean = math.fsum(column) / len(column)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in column) / len(column)) or 1.0
    return array("d", ((x - mean) / deviation for x in column)), mean, deviation


def solve(matrix, right):
    """The solution of a system of linear equations, by Gaussian elimination with pivoting."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    solution = [0.0] * size
    for i in reversed(range(size)):
        solution[i] = (rows[i][-1] - sum(rows[i][k] * solution[k] for k in range(i + 1, size))) / rows[i][i]
    return solution


def newton_step(columns, labels, weights, ridge):
    """The change of the weights by iteratively reweighted least squares; columns[0] is the intercept, not penalised."""
    logits = [0.0] * len(labels)
    for weight, column in zip(weights, columns):
        logits = [logit + weight * x for logit, x in zip(logits, column)]
    shares = [1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit)))) for logit in logits]
    importance = [POSITIVE_WEIGHT if label else 1.0 for label in labels]
    curvature = [c * p * (1.0 - p) for c, p in zip(importance, shares)]
    residual = [c * (label - p) for c, label, p in zip(importance, labels, shares)]
    penalty = [0.0] + [ridge] * (len(columns) - 1)
    gradient = [dot(column, residual) - p * weight for column, weight, p in zip(columns, weights, penalty)]
    hessian = [[0.0] * len(columns) for _ in columns]
    for i, column in enumerate(columns):
        weighted = array("d", map(operator.mul, column, curvature))
        for k in range(i + 1):
            hessian[i][k] = hessian[k][i] = dot(weighted, columns[k])
        hessian[i][i] += penalty[i] + 1e-9
    return solve(hessian, gradient)


def fit(columns, labels):
    """{feature: weight} of a logistic regression with a small ridge penalty, for features as they are written."""
    standardised = [standardise(column) for column in columns]
    inputs = [array("d", [1.0]) * len(labels)] + [column for column, _, _ in standardised]
    weights = [0.0] * len(inputs)
    for _ in range(ITERATIONS):
        change = newton_step(inputs, labels, weights, RIDGE * len(labels))
        weights = [weight + step for weight, step in zip(weights, change)]
        if max(map(abs, change)) < CONVERGED:
            break
    else:
        raise ValueError(f"the regression did not converge in {ITERATIONS} iterations; are the features right?")
    scaled = {name: weight / s for name, weight, (_, _, s) in zip(FEATURES, weights[1:], standardised)}
    offset = sum(scaled[name] * mean for name, (_, mean, _) in zip(FEATURES, standardised))
    return {"intercept": weights[0] - offset, **scaled}


def write_weights(weights, path):
    Path(path).write_text("".join(f"{name}\t{weight:.9g}\n" for name, weight in weights.items()))


def read_weights(path):
    return {name: float(weight) for name, weight in (line.split() for line in Path(path).read_text().splitlines())}


def hyperscore(values):
    """As in tests/measure/LinearScorer.h."""
    return (math.lgamma(values["matched_b1"] + 1) + math.lgamma(values["matched_y1"] + 1) +
            math.log(max(values["explained_intensity"], SMALLEST_SHARE)))


def score(weights, values):
    """The weighted sum; `values` are features by name."""
    derived = {**values, "intercept": 1.0, "hyperscore": hyperscore(values)}
    return sum(weight * derived[name] for name, weight in weights.items())


def features_of(hit):
    """{feature: value} of a hit that PSMFormer wrote; None when it could not score it."""
    prefix = "PSMFormer:"
    values = {name[len(prefix):]: value for name, value in hit.values.items() if name.startswith(prefix)}
    return values if "explained_intensity" in values and values.get("peptide_mass", 0.0) > 0.0 else None


def ranked_by(identifications, weights, run):
    """As evaluation.bestHits, by a baseline."""
    result = []
    for identification in identifications:
        hits = []
        for hit in identification.hits:
            values = features_of(hit)
            hits.append(hit._replace(values={**hit.values, "baseline": score(weights, values)} if values else hit.values))
        best = ranked([identification._replace(hits=hits)], "baseline")
        result += [(value, hit, (run, identification.reference)) for value, hit in best]
    return evaluation.inOrder(result)


def read_search(folder, run, search, baselines):
    """{score: best hits} of one search; None when it was not made."""
    searched, features = (folder / kind / f"{run}.{search}.idXML" for kind in ("searched", "features"))
    if not searched.exists() or not features.exists():
        return None
    identifications = list(readIdentifications(features))
    lists = {"engine": evaluation.bestHits(searched, "main", run), "logit": evaluation.bestHits(features, "PSMFormer:logit", run)}
    return {**lists, **{name: ranked_by(identifications, weights, run) for name, weights in baselines.items()}}


def print_row(label, search, lists):
    counts = [f"{evaluation.count(best, limit, 0)}" for limit in evaluation.LIMITS for best in lists.values()]
    print("| " + " | ".join([label, search, str(len(lists["engine"])), *counts]) + " |")


def print_table(runs_path, folder):
    """Target PSMs (D/T) of each run and pooled, and how far the logit is from each baseline."""
    runs = [line.split()[0] for line in Path(runs_path).read_text().splitlines() if not line.startswith("#")]
    baselines = {path.stem: read_weights(path) for path in sorted((folder / "baselines").glob("*.tsv"))}
    if not baselines:
        raise ValueError(f"there are no weights in {folder / 'baselines'}; make them: baselines.sh")
    names = ["engine", "logit", *baselines]
    head = ["run", "search", "spectra"] + [f"{limit:.0%} {name}" for limit in evaluation.LIMITS for name in names]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    intervals = []
    for search in evaluation.SEARCHES:
        parts = {run: lists for run in runs if (lists := read_search(folder, run, search, baselines)) is not None}
        for run, lists in parts.items():
            print_row(run, search, lists)
        if len(parts) > 1:
            pooled = {name: evaluation.inOrder(e for lists in parts.values() for e in lists[name]) for name in names}
            print_row(f"{len(parts)} runs", search, pooled)
            intervals += [gain(name, search, pooled) for name in baselines]
    print("\n" + "\n".join(intervals))


def gain(name, search, pooled):
    low, high = evaluation.gainInterval(evaluation.Scored(pooled[name], pooled["logit"]), evaluation.LIMITS[0])
    return f"{search}, pooled: logit - {name} at 1 % {low:+d} to {high:+d} (95 % of bootstrap samples over spectra)"


def main(words):
    if len(words) == 3 and words[0] == "fit":
        columns, labels = read_features(words[1])
        write_weights(fit(columns, labels), words[2])
        print(f"{len(labels)} candidates, {sum(labels):.0f} of them true")
    elif len(words) == 3 and words[0] == "table":
        print_table(words[1], Path(words[2]))
    else:
        sys.exit("baselines.py: say fit FEATURES.tsv.gz WEIGHTS.tsv, or table RUNS.tsv FOLDER.")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (ValueError, OSError) as error:
        sys.exit(f"baselines.py: {error}")
