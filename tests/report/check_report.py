#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Opens reports in a headless Chromium and compares every number that they show with the idXML.

Usage: check_report.py [--empty] <html> <idXML> [<score type before>]; prints every fault, and ends with 1 when there is one.
"""
import json
import re
import sys

from browser import Browser
from expected_report import Report, fixed, grouped, histogramRows, number

TEXTS = """(() => {
  const rows = (table) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent));
  const figures = {};
  for (const node of document.querySelectorAll("figure")) {
    const table = node.querySelector(".scroll table");
    figures[node.id] = {title: node.querySelector("h2").textContent, caption: node.querySelector("figcaption").textContent,
      table: table && rows(table), canvas: !!node.querySelector("canvas"),
      legend: [...node.querySelectorAll(".u-label")].map((label) => label.textContent)};
  }
  return JSON.stringify({title: document.title, headline: document.querySelector("h1").textContent,
    facts: document.getElementById("facts").textContent, figures,
    counts: document.getElementById("counts").hidden ? null : rows(document.querySelector("#counts table")).slice(2),
    messages: [...document.querySelectorAll(".notice")].map((node) => node.textContent),
    parameters: rows(document.querySelector("#parameters table")), data: document.getElementById("data").textContent,
    elements: document.querySelectorAll("script, img, iframe, object, embed, link[href^=http]").length});
})()"""

# Shares of the pixels of every canvas that are nearly of a colour.
COLOURS = """((r, g, b) => [...document.querySelectorAll("canvas")].map((canvas) => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let n = 0;
  for (let k = 0; k < pixels.length; k += 4)
    n += pixels[k + 3] > 200 && Math.abs(pixels[k] - r) + Math.abs(pixels[k + 1] - g) + Math.abs(pixels[k + 2] - b) < 30;
  return n;
}))"""
BLUE = {"light": (0, 114, 178), "dark": (86, 180, 233)}
SCRIPTS = 5  # of the page itself: data, resolution, library, figures, contents


class Check:
    """Collects what is wrong."""

    def __init__(self):
        self.faults = []
        self.n = 0

    def same(self, what, shown, expected):
        self.n += 1
        if shown != expected:
            self.faults.append(f"{what}: shown {str(shown)[:300]}, expected {str(expected)[:300]}")

    def true(self, what, holds):
        self.n += 1
        if not holds:
            self.faults.append(what)


def checkHistogram(check, name, shown, report, data):
    series = report.series(name)
    rows, outside = histogramRows(series, data["low"], data["width"], len(data["series"][0]["y"]))
    check.same(f"{name}: table", shown["table"][1:], rows)
    check.same(f"{name}: columns", shown["table"][0][2:], list(series))
    check.same(f"{name}: legend", shown["legend"][1:], [f"{key} ({grouped(len(values))})" for key, values in series.items()])
    lost = ", ".join(f"{key} {grouped(n)}" for key, n in outside.items() if n)
    found = re.search(r"Outside the axis: (.*)\.$", shown["caption"])
    check.same(f"{name}: outside", found.group(1) if found else "", lost)
    if name in ("precursor", "fragment"):
        values = sorted(next(iter(series.values())))
        found = re.search(r"Median of the \w+: ([^ ]+) (\w+)\.", shown["caption"])
        unit = "ppm" if name == "precursor" else report.parameters[0]["fragment_tolerance_unit"]
        check.same(f"{name}: median", found.groups() if found else None,
                   (fixed(values[(len(values) - 1) // 2], data["width"] / 10), unit) if values else None)


def checkPeptides(check, figure, report):
    rows = report.peptideRows()
    check.same("peptides: table", figure["table"], [["q-value (%)", "peptidoforms", "PSMs"], *rows])
    check.same("peptides: caption", re.findall(r"([\d,]+) at ([15])\u00a0%", figure["caption"]), [(rows[20][1], "1"), (rows[100][1], "5")])


def checkErrors(check, figure, report):
    if report.perRun():
        check.same("errors: table", figure["table"], None)
        return
    expected = report.errors()
    rows = [[number(re.sub(" %$", "", cell).replace("\u2212", "-")) for cell in row] for row in figure["table"][1:]]
    # Not as texts: the idXML has the scores of the page but for their last bit, which may round to another digit.
    places = [next((k for k, entry in enumerate(expected) if all(abs(a - b) < 0.5001 * unit for a, b, unit in zip(row, entry, (1e-4, 1e-3, 1e-3)))), None)
              for row in rows]
    check.true(f"errors: rows that are not in the idXML: {[row for row, place in zip(rows, places) if place is None][:5]}", None not in places)
    check.true(f"errors: from {places[0]} to {places[-1]} of {len(expected)}", (places[0], places[-1]) == (0, len(expected) - 1))
    check.true(f"errors: order {places}", None in places or places == sorted(places))
    check.true(f"errors: {len(rows)} rows of {len(expected)}", len(rows) >= min(len(expected), 100))
    highest = report.highestAcceptedError()
    found = re.search(r"a PEP of at most ([\d.]+) %\.$", figure["caption"])
    check.true(f"errors: highest PEP that is accepted {highest}: {figure['caption']}",
               found is None if highest is None else found is not None and abs(number(found.group(1)) - 100 * highest) < 0.0501)


def expectedN(report, name):
    """The n in the title of a figure."""
    counts = [len(values) for values in report.series(name).values()] if not name.startswith(("accepted", "calibration", "peptides", "errors")) else []
    if name == "retention" and report.decoys:
        return f"n = {grouped(counts[-1])} of {grouped(counts[0])}"
    if name in ("precursor", "fragment") and report.decoys:
        return f"n = {grouped(counts[0])} accepted, {grouped(counts[1])} decoy{'' if counts[1] == 1 else 's'}"
    if name == "errors" and report.perRun():
        return "n = 0"
    if name == "peptides":
        return f"n = {grouped(len(report.peptidoforms()))}"
    if name == "calibration-before":
        return f"n = {grouped(len(report.before.competitors))}"
    return f"n = {grouped(sum(counts) if counts else len(report.after.competitors))}"


def checkNumbers(check, shown, report):
    data = json.loads(shown["data"])
    check.same("headline", shown["headline"], report.headline())
    best = report.after.competitors
    n_decoys = sum(c.decoy for c in best)
    facts = [grouped(report.n_hits), grouped(len(report.identifications)), grouped(report.n_scored)]
    if report.decoys:
        facts += [grouped(len(best) - n_decoys), grouped(n_decoys)]
        check.same("counts", shown["counts"], report.counts())
    numbers = re.findall(r"(?<![\w.@])\d[\d,]*(?= (?:hits? of|identifications?|scored|targets?|decoys?))", shown["facts"])
    check.same("facts", numbers, facts)
    histograms = {"score-before": data["scores"][0], "score-after": data["scores"][-1], "retention": data["retention"],
                  "precursor": data["precursor"], "fragment": data["fragment"]}
    for name, histogram in histograms.items():
        checkHistogram(check, name, shown["figures"][name], report, histogram)
    if report.decoys:
        for name, pseudo_count in (("accepted-d_t", 0), ("accepted-plus_one", 1)):
            check.same(f"{name}: table", shown["figures"][name]["table"], [["q-value (%)", *report.labels()], *report.acceptedRows(pseudo_count)])
        checkPeptides(check, shown["figures"]["peptides"], report)
        checkErrors(check, shown["figures"]["errors"], report)
        for name, ranking in (("calibration-before", report.before), ("calibration-after", report.after)):
            pairs, last = report.fromBelow(ranking)
            points = [tuple(int(cell.replace(",", "")) for cell in row) for row in shown["figures"][name]["table"][1:]]
            check.true(f"{name}: points that are not in the data: {[p for p in points if p not in pairs][:5]}", set(points) <= pairs)
            check.same(f"{name}: first and last", (points[0], points[-1]), ((0, 0), last))
        for ranking, histogram in zip(report.rankings(), data["scores"]):
            accepted = {id(c) for c in ranking.accepted()}
            lowest = min((v for v, c in zip(ranking.shown, ranking.competitors) if id(c) in accepted), default=None)
            close = lowest is not None and histogram["threshold"] is not None and abs(lowest - histogram["threshold"]) < 1e-9
            check.true(f"threshold: {histogram['threshold']}, expected {lowest}", close or histogram["threshold"] is lowest)
    for name, figure in shown["figures"].items():
        check.true(f"{name}: n in '{figure['title']}'", figure["title"].endswith(" " + expectedN(report, name)))
        check.same(f"{name} is drawn", figure["canvas"], name != "errors" or not report.perRun())
    listed = dict(shown["parameters"])
    for key in set().union(*report.parameters):
        values = ", ".join(dict.fromkeys(p[key] for p in report.parameters if p.get(key)))
        try:
            matches = abs(float(listed[key.replace("_", " ")]) - float(values)) < 1e-9
        except (KeyError, ValueError):
            matches = listed.get(key.replace("_", " ")) == values
        check.true(f"parameter {key}: {listed.get(key.replace('_', ' '))}, expected {values}", matches)


def checkLooks(check, browser, page, drawn):
    """Both colour schemes, narrow windows, hovering and print."""
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    papers = []
    for scheme in ("light", "dark"):
        browser.emulate(scheme)
        papers.append(browser.evaluate(paper))
        blue = browser.evaluate(f"{COLOURS}{BLUE[scheme]}")
        check.true(f"{scheme}: {len(blue)} canvases, pixels in blue {blue}", len(blue) == drawn and sum(n > 50 for n in blue) >= min(drawn, 4))
    check.true(f"light and dark have one paper: {papers}", papers[0] != papers[1])
    browser.emulate("dark")
    browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    in_print = browser.evaluate(f"{COLOURS}{BLUE['light']}")
    browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    check.true(f"printed from a dark screen the charts are not light: {in_print}", sum(n > 50 for n in in_print) >= min(drawn, 4))
    pdf = browser.pdf()
    pages = re.findall(rb"/MediaBox \[0 0 (\d+)\.?\d* (\d+)\.?\d*\]", pdf)
    check.true(f"print: {len(pages)} pages {set(pages)}", 1 <= len(pages) <= 6 and set(pages) == {(b"594", b"841")})
    browser.open(page, width=400)
    check.same("a narrow window has to be scrolled sideways", browser.evaluate("document.documentElement.scrollWidth > innerWidth"), False)
    if drawn:
        browser.open(page)
        histogram = json.loads(browser.evaluate("document.getElementById('data').textContent"))["scores"][0]
        n_bins = len(histogram["series"][0]["y"])
        bin_ = n_bins // 2  # near its right border, where the next one is as near
        x, y = json.loads(browser.evaluate(
            "(() => { const over = document.querySelector('.u-over'); scrollTo(0, over.getBoundingClientRect().top - 200);"
            f"const r = over.getBoundingClientRect(); return JSON.stringify([r.left + {(bin_ + 0.8) / n_bins} * r.width, r.top + r.height / 2]); }})()"))
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        browser.settle()
        values = browser.evaluate("[...document.querySelector('.u-legend').querySelectorAll('.u-value')].map((v) => v.textContent)")
        low, high = (fixed(histogram["low"] + k * histogram["width"], histogram["width"]) for k in (bin_, bin_ + 1))
        check.same("hovering", [v.strip() for v in values], [f"{low} to {high}", *(grouped(s["y"][bin_]) for s in histogram["series"])])


def main():
    empty = "--empty" in sys.argv
    page, idxml, *previous = [a for a in sys.argv[1:] if a != "--empty"]
    check = Check()
    with Browser() as browser:
        browser.open(page)
        shown = json.loads(browser.evaluate(TEXTS))
        drawn = sum(figure["canvas"] for figure in shown["figures"].values())
        if empty:
            check.same("headline", shown["headline"], "No identifications, nothing to rescore")
            check.same("charts", drawn, 0)
        else:
            checkNumbers(check, shown, Report(idxml, previous[0] if previous else "expect"))
        check.same("title", shown["title"], f"{shown['headline']} \u00b7 PSMFormer")
        check.same("elements that the page does not have by itself", shown["elements"], SCRIPTS)
        if not shown["counts"]:
            check.true(f"nothing says what is missing: {shown['messages']}", any("no q-values" in text.lower() for text in shown["messages"]))
        checkLooks(check, browser, page, drawn)
        check.same("console and network", browser.messages, [])
    print("\n".join(check.faults) if check.faults else f"{check.n} comparisons, {drawn} charts: all as in the idXML")
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main())
