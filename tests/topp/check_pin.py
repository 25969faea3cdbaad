#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks a Percolator input (PIN) against its documented grammar and against the idXML it was made from.

Usage: check_pin.py <pin> <idXML>; prints every fault, and ends with 1 when there is one.
Grammar: https://github.com/percolator/percolator/wiki/Interface (tab-delimited format). With Python's standard library
alone, so that a mistake in the product cannot hide itself.
"""
import math
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

FIXED = ["SpecId", "Label", "ScanNr", "ExpMass", "CalcMass"]
PEPTIDE = re.compile(r"[A-Z-]\.(?:n\[[+-][0-9.]+\])?(?:[A-Z](?:\[[+-][0-9.]+\])?)+(?:c\[[+-][0-9.]+\])?\.[A-Z-]")
FITTED = re.compile(r"score$|q-value$|pep$|posterior", re.IGNORECASE)
PROTON = 1.007276466771  # Da


def readTable(path):
    """Header and rows of a PIN; a row is cut into as many cells as the header has, proteins last and together."""
    with open(path, encoding="utf-8", newline="") as stream:
        lines = stream.read().split("\n")
    if lines.pop() != "":
        raise ValueError("the last line does not end")
    header = lines[0].split("\t")
    return header, [line.split("\t", len(header) - 1) for line in lines[1:]]


def grammarFaults(header, rows):
    """Everything that the format forbids."""
    if header[:5] != FIXED or header[-2:] != ["Peptide", "Proteins"] or len(header) < 8:
        yield f"wrong columns: {header[:5]} ... {header[-2:]}"
        return
    if len(set(name.lower() for name in header)) != len(header):
        yield "a column name occurs twice"
    for name in header:
        if not name or re.search(r"\s", name) or FITTED.search(name):
            yield f"a column must not be called '{name}'"
    charges = [k for k, name in enumerate(header) if re.fullmatch(r"Charge[1-9]\d*", name)]
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            yield f"line {number} has {len(row)} cells"
            continue
        if not row[0] or re.search(r"\s", row[0]):
            yield f"line {number}: Percolator ends SpecId at a blank: '{row[0]}'"
        if row[1] not in ("1", "-1"):
            yield f"line {number}: label '{row[1]}'"
        if not re.fullmatch(r"\d+", row[2]):
            yield f"line {number}: scan number '{row[2]}'"
        for k in range(3, len(header) - 2):
            if not re.fullmatch(r"-?\d+(\.\d+)?(e[+-]\d+)?", row[k]):
                yield f"line {number}: {header[k]} is '{row[k]}'"
        if sorted(row[k] for k in charges) != ["0"] * (len(charges) - 1) + ["1"]:
            yield f"line {number}: not one charge"
        if not PEPTIDE.fullmatch(row[-2]):
            yield f"line {number}: peptide '{row[-2]}'"
        if not all(row[-1].split("\t")) or re.search(r"[^\S\t]", row[-1]):
            yield f"line {number}: proteins '{row[-1]}'"
    if len({row[0] for row in rows}) != len(rows):
        yield "a SpecId occurs twice"


def scoredHits(path):
    """Position, identification and hit of every scored hit: elements with their user parameters as a dictionary."""
    root = ElementTree.parse(path).getroot()
    proteins = {p.get("id"): p.get("accession") for p in root.iter("ProteinHit")}
    for i, identification in enumerate(root.iter("PeptideIdentification"), 1):
        for h, hit in enumerate(identification.findall("PeptideHit"), 1):
            values = {u.get("name"): u.get("value") for u in hit.findall("UserParam")}
            if values.get("PSMFormer:status") == "scored":
                yield f"{i}.{h}", identification, hit, values, proteins


def same(text, expected):
    """idXML has 15 digits after the point, the PIN all there are."""
    return math.isclose(float(text), float(expected), rel_tol=1e-12, abs_tol=1e-14)


def idXMLFaults(header, rows, path):
    """Everything in which the table differs from the identifications."""
    hits = list(scoredHits(path))
    if len(hits) != len(rows):
        yield f"{len(rows)} rows for {len(hits)} scored hits"
        return
    spectra = {}
    for row, (position, identification, hit, values, proteins) in zip(rows, hits):
        cells = dict(zip(header, row))
        charge = int(hit.get("charge"))
        _, native_id, index = (urllib.parse.unquote(part) for part in re.fullmatch(r"([^:]*):(.*):([^:]*)", row[0]).groups())
        if (native_id, index) != (identification.get("spectrum_reference"), position):
            yield f"{row[0]} does not lead to {position}, {identification.get('spectrum_reference')}"
        if cells["Label"] != ("-1" if values["target_decoy"] == "decoy" else "1"):
            yield f"{row[0]}: label {cells['Label']} for {values['target_decoy']}"
        spectra.setdefault((row[0].split(":")[0], native_id), set()).add(cells["ScanNr"])
        if not same(cells["ExpMass"], charge * (float(identification.get("MZ")) - PROTON)):
            yield f"{row[0]}: ExpMass {cells['ExpMass']}"
        if not same(cells["CalcMass"], values["PSMFormer:peptide_mass"]):
            yield f"{row[0]}: CalcMass {cells['CalcMass']}"
        for name in header[5:-2]:
            expected = (name == f"Charge{charge}") if name.startswith("Charge") else values.get(name, "nan")
            if not same(cells[name], expected):
                yield f"{row[0]}: {name} is {cells[name]}, not {expected}"
        before = {"[": "-"}.get(hit.get("aa_before", "X")[0], hit.get("aa_before", "X")[0])
        after = {"]": "-"}.get(hit.get("aa_after", "X")[0], hit.get("aa_after", "X")[0])
        residues = re.sub(r"\([^)]*\)|\[[^]]*\]|[.nc]", "", cells["Peptide"][2:-2])
        if (cells["Peptide"][0], residues, cells["Peptide"][-1]) != (before, re.sub(r"\([^)]*\)|\[[^]]*\]|\.", "", hit.get("sequence")), after):
            yield f"{row[0]}: peptide {cells['Peptide']} for {hit.get('sequence')}"
        accessions = list(dict.fromkeys(proteins[p] for p in hit.get("protein_refs", "").split()))
        if [urllib.parse.unquote(a) for a in cells["Proteins"].split("\t")] != (accessions or ["unknown"]):
            yield f"{row[0]}: proteins {cells['Proteins']}"
    numbers = [number for of_spectrum in spectra.values() for number in of_spectrum]
    if len(set(numbers)) != len(numbers) or len(numbers) != len(spectra):
        yield "scan numbers do not tell the spectra apart"
    all_own = {name for name in hits[0][3] if name.startswith("PSMFormer:")} if hits else set()
    missing = all_own - set(header) - {f"PSMFormer:{n}" for n in ("charge", "score", "status", "q-value", "PEP", "peptide_q-value")}
    if missing:
        yield f"features are missing: {sorted(missing)}"


def main():
    header, rows = readTable(sys.argv[1])
    faults = list(grammarFaults(header, rows)) or list(idXMLFaults(header, rows, sys.argv[2]))
    print("\n".join(faults[:20]) if faults else f"{len(rows)} rows, {len(header) - 7} features: as documented and as in the idXML")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
