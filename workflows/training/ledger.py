# SPDX-License-Identifier: BSD-3-Clause
"""Counts and measurements of what the preparation writes; the model card is made from the table of sources."""

from collections import Counter, defaultdict

from chemistry import data_part, peptide_key
from measure import Summary

REASONS = ("identified", "bsa_or_trypsin", "length", "weak_label", "few_peaks", "unexplained", "duplicate")
SUMMARY_LIMIT = 2000  # spectra of a source that are measured


class Ledger:
    """Rows are pairs of output file and source."""

    def __init__(self):
        self.counts = defaultdict(Counter)
        self.facts = {}
        self.summaries = defaultdict(Summary)

    def removed(self, file, source, facts, reason):
        """Counts a spectrum that is left out; reasons are those of REASONS."""
        if reason not in REASONS:
            raise ValueError(f"unknown reason '{reason}'")
        self.facts.setdefault((file, source), facts)
        self.counts[file, source][reason] += 1

    def wrote(self, file, spectrum, facts):
        """Counts a spectrum in its part, and measures it while the source is not yet measured well enough."""
        row = file, spectrum.source()
        self.facts.setdefault(row, facts)
        self.counts[row][data_part(peptide_key(spectrum.peptide().residues))] += 1
        self.counts[row]["spectra"] += 1
        if self.counts[row]["spectra"] <= SUMMARY_LIMIT:
            self.summaries[row].add(spectrum)

    def table(self):
        """Tab-separated: file, source, how measured, licence, spectra in all and by part, removed by reason."""
        parts = ["spectra", "training", "validation", "test"]
        head = ["file", "source", "instrument", "activation", "tolerance", "unit", "licence"]
        lines = ["\t".join(head + parts + ["removed_" + reason for reason in REASONS])]
        for (file, source), facts in sorted(self.facts.items()):
            count = self.counts[file, source]
            values = [file, source, facts.instrument, facts.activation, f"{facts.tolerance:g}", facts.unit,
                      facts.licence]
            lines.append("\t".join(values + [str(count[name]) for name in parts + list(REASONS)]))
        return "\n".join(lines) + "\n"

    def measurements(self):
        """Tab-separated: what the spectra of each source look like (see Summary)."""
        rows = [summary.line(f"{file}\t{source}") for (file, source), summary in sorted(self.summaries.items())]
        return "\n".join(["file\t" + "\t".join(Summary.COLUMNS)] + rows) + "\n"
