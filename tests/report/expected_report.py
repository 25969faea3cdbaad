# SPDX-License-Identifier: BSD-3-Clause
"""What a report must show, computed from the rescored idXML with Python's standard library alone.

The idXML holds the previous score as a meta value under its score type, and all features (-write_features all). Only
the places of the bins are taken from the report; what is in them is counted here.
"""
import bisect
import hashlib
import itertools
import math
import xml.etree.ElementTree as ElementTree

MINUS = "\u2212"
SPACE = "\u00a0"


def number(text):
    """The text as a float, NaN when it is none."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def grouped(n):
    return f"{n:,}"


def fixed(value, step):
    """A number with the decimals that its step needs."""
    decimals = next((n for n in range(8) if abs(step * 10 ** n - round(step * 10 ** n)) < 1e-6), 8)
    return f"{value:.{decimals}f}".replace("-", MINUS)


class Identification:
    """One PeptideIdentification: hits as dictionaries of their meta values and `sequence`."""

    def __init__(self, element, run):
        self.run = run
        self.time = number(element.get("RT"))
        self.reference = element.get("spectrum_reference", "")
        self.hits = []
        for hit in element.findall("PeptideHit"):
            values = {u.get("name"): u.get("value") for u in hit.findall("UserParam")}
            self.hits.append({**values, "sequence": hit.get("sequence")})


class Competitor:
    """The best hit of an identification by one score, higher is better."""

    def __init__(self, identification, hit, score):
        self.identification, self.hit, self.score = identification, hit, score
        self.decoy = hit.get("target_decoy") == "decoy"


def qValues(competitors, pseudo_count):
    """q-value by competitor: decoys of a tie before its targets, at most 1, monotone."""
    order = sorted(range(len(competitors)), key=lambda k: -competitors[k].score)
    rates = []
    decoys = targets = 0
    k = 0
    while k < len(order):
        tie = [j for j in order[k:] if competitors[j].score == competitors[order[k]].score]
        decoys += sum(competitors[j].decoy for j in tie)
        targets += sum(not competitors[j].decoy for j in tie)
        rates += [min(1.0, (decoys + pseudo_count) / targets) if targets else 1.0] * len(tie)
        k += len(tie)
    result = [1.0] * len(order)
    lowest = 1.0
    for rank in range(len(order) - 1, -1, -1):
        lowest = min(lowest, rates[rank])
        result[order[rank]] = lowest
    return result


class Ranking:
    """All competitors by one score; those of one list, which `list_of` tells, compete with each other."""

    def __init__(self, competitors, decoys, list_of, logarithm=False, sign=1.0):
        competitors = sorted(competitors, key=list_of)
        lists = [list(members) for _, members in itertools.groupby(competitors, list_of)]
        self.competitors = competitors
        self.shown = [-math.log10(-c.score) if logarithm else sign * c.score for c in competitors]
        self.q = {count: [q for members in lists for q in qValues(members, count)] if decoys else [] for count in (0, 1)}

    def accepted(self, threshold=0.01):
        return [c for c, q in zip(self.competitors, self.q[0]) if not c.decoy and q <= threshold]

    def count(self, threshold, pseudo_count):
        return sum(not c.decoy and q <= threshold for c, q in zip(self.competitors, self.q[pseudo_count]))


class Report:
    """Everything that is shown about an idXML."""

    def __init__(self, path, previous_type, seed=1):
        root = ElementTree.parse(path).getroot()
        searches = {e.get("id"): {u.get("name")[10:]: u.get("value") for u in e.findall("UserParam") if u.get("name").startswith("PSMFormer:")}
                    for e in root.iter("SearchParameters")}
        self.parameters = [searches[run.get("search_parameters_ref")] for run in root.iter("IdentificationRun")]
        self.engines = [run.get("search_engine") for run in root.iter("IdentificationRun")]
        self.identifications = [Identification(e, r) for r, run in enumerate(root.iter("IdentificationRun")) for e in run.iter("PeptideIdentification")]
        hits = [hit for i in self.identifications for hit in i.hits]
        self.n_hits = len(hits)
        self.n_scored = sum(hit["PSMFormer:status"] == "scored" for hit in hits)
        labels = [hit.get("target_decoy") for hit in hits]
        self.decoys = None not in labels and "decoy" in labels
        self.after = self.rankAfter()
        self.seed = seed
        self.before = self.rankBefore(previous_type)
        self.previous_type = previous_type

    def rankAfter(self):
        best = [(i, i.hits[0]) for i in self.identifications if i.hits and i.hits[0]["PSMFormer:status"] == "scored"]
        return Ranking([Competitor(i, hit, number(hit["PSMFormer:score"])) for i, hit in best], self.decoys, self.listOf)

    def tieHash(self, identification, hit):
        return hashlib.sha256(f"{self.seed}:{identification.reference}\t{hit['sequence']}".encode()).digest()[:8]

    def rankBefore(self, score_type):
        """Lower is better; ties by the seeded hash of native ID and sequence."""
        best = [(i, min(i.hits, key=lambda hit: (number(hit[score_type]), self.tieHash(i, hit)))) for i in self.identifications if i.hits]
        return Ranking([Competitor(i, hit, -number(hit[score_type])) for i, hit in best], self.decoys, self.listOf, True)

    def rankBy(self, feature):
        """By a feature of the network, rounded as scores are."""
        value = lambda hit: math.floor(number(hit[feature]) * 1e4 + 0.5) / 1e4
        scored = [(i, [hit for hit in i.hits if hit["PSMFormer:status"] == "scored"]) for i in self.identifications]
        best = [(i, min(hits, key=lambda hit: (-value(hit), self.tieHash(i, hit)))) for i, hits in scored if hits]
        return Ranking([Competitor(i, hit, value(hit)) for i, hit in best], self.decoys, self.listOf)

    def rankings(self):
        return [self.before, self.after]

    def labels(self):
        return [f"{self.engine()} ({self.previous_type})", "PSMFormer"]

    def engine(self):
        return ", ".join(dict.fromkeys(self.engines))

    def headline(self):
        if not self.decoys:
            return f"{grouped(self.n_scored)} hits scored; without decoys there is no FDR"
        before, after = (len(r.accepted()) for r in self.rankings())
        change = (f"{grouped(after - before)} more than " if after > before else
                  f"{grouped(before - after)} fewer than " if after < before else "as many as ") + self.engine()
        return f"{grouped(after)} PSM{'' if after == 1 else 's'} at 1 % FDR, {change}"

    def counts(self):
        """Rows of the table of counts; with the calibrated logit where the score is another."""
        names, rankings = [self.labels()[0], "PSMFormer:score"], self.rankings()
        if any("semi_supervised" in p["method"] for p in self.parameters):
            names.insert(1, "PSMFormer:calibrated_logit")
            rankings.insert(1, self.rankBy("PSMFormer:calibrated_logit"))
        rows = [[r.count(t, p) for t in (0.01, 0.05) for p in (0, 1)] for r in rankings]
        change = [("+" if a > b else MINUS if a < b else "\u00b1") + grouped(abs(a - b)) for b, a in zip(rows[0], rows[-1])]
        return [[name, *cells] for name, cells in zip([*names, "difference"], [*([grouped(n) for n in row] for row in rows), change])]

    def massErrors(self, competitors, name, fragment):
        values = [number(c.hit[name]) for c in competitors]
        if fragment:
            values = [v * number(self.parameters[c.identification.run]["fragment_tolerance"]) for v, c in zip(values, competitors)]
        return values

    def series(self, figure):
        """Values by name of the series of a histogram."""
        def split(ranking):
            if not self.decoys:
                return {"hits": ranking.shown}
            return {name: [v for v, c in zip(ranking.shown, ranking.competitors) if c.decoy == decoy]
                    for name, decoy in (("targets", False), ("decoys", True))}
        if figure.startswith("score"):
            return split(self.before if figure == "score-before" else self.after)
        if figure == "retention":
            minutes = lambda competitors: [c.identification.time / 60 for c in competitors if not math.isnan(c.identification.time)]
            if not self.decoys:
                return {"scored": minutes(self.after.competitors)}
            return {"all identifications": minutes(self.after.competitors),
                    **{label: minutes(r.accepted()) for label, r in zip(self.labels(), self.rankings())}}
        feature, fragment = ("PSMFormer:precursor_error_ppm", False) if figure == "precursor" else ("PSMFormer:fragment_error_median", True)
        if not self.decoys:
            return {"hits": self.massErrors(self.after.competitors, feature, fragment)}
        return {f"accepted at 1{SPACE}% FDR": self.massErrors(self.after.accepted(), feature, fragment),
                "decoys": self.massErrors([c for c in self.after.competitors if c.decoy], feature, fragment)}

    def acceptedRows(self, pseudo_count, steps=200, to_one=2000.0):
        """Rows of the table of PSMs against q-value."""
        curves = [sorted(q for c, q in zip(r.competitors, r.q[pseudo_count]) if not c.decoy) for r in self.rankings()]
        return [[f"{100 * k / to_one:.2f}", *(grouped(bisect.bisect_right(curve, k / to_one)) for curve in curves)] for k in range(steps + 1)]

    def perRun(self):
        return self.parameters[0].get("per_run") == "true"

    def listOf(self, competitor):
        return competitor.identification.run if self.perRun() else 0

    def peptidoforms(self):
        """Peptide q-values of the target peptidoforms that are best hits, each once in what competes."""
        return list({(self.listOf(c), c.hit["sequence"]): number(c.hit["PSMFormer:peptide_q-value"])
                     for c in self.after.competitors if not c.decoy}.values())

    def peptideRows(self, steps=200, to_one=2000.0):
        """Rows of the table of peptides against q-value."""
        q_values = sorted(self.peptidoforms())
        psms = [row[-1] for row in self.acceptedRows(1)]
        return [[f"{100 * k / to_one:.2f}", grouped(bisect.bisect_right(q_values, k / to_one)), psms[k]] for k in range(steps + 1)]

    def errors(self):
        """(score, q-value in %, PEP in %) of the best hits, each once, by rising score."""
        return sorted({(c.score, 100 * number(c.hit["PSMFormer:q-value"]), 100 * number(c.hit["PSMFormer:PEP"])) for c in self.after.competitors})

    def highestAcceptedError(self):
        """The highest PEP of the targets with a q-value of at most 1 %, or None."""
        return max((number(c.hit["PSMFormer:PEP"]) for c in self.after.competitors
                    if not c.decoy and number(c.hit["PSMFormer:q-value"]) <= 0.01), default=None)

    def fromBelow(self, ranking):
        """All pairs of (decoys, targets) that score at most something."""
        pairs = {(0, 0)}
        scores = sorted((c.score, c.decoy) for c in ranking.competitors)
        decoys = targets = 0
        for k, (score, decoy) in enumerate(scores):
            decoys, targets = decoys + decoy, targets + (not decoy)
            if k + 1 == len(scores) or scores[k + 1][0] > score:
                pairs.add((decoys, targets))
        return pairs, (decoys, targets)


def histogramRows(series, low, width, count):
    """Rows of the table of a histogram, and by series how many values are outside."""
    columns = []
    outside = {}
    for name, values in series.items():
        bins = [math.floor((v - low) / width) for v in values]
        columns.append([sum(b == k for b in bins) for k in range(count)])
        outside[name] = sum(not 0 <= b < count for b in bins)
    rows = [[fixed(low + k * width, width), fixed(low + (k + 1) * width, width), *(grouped(c[k]) for c in columns)] for k in range(count)]
    return rows, outside
