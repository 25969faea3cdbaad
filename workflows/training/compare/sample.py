#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The sample of training spectra that all configurations share: sample.py FOLDER OUT.mgf.gz [NUMBER]

FOLDER is that of prepare.sh and distil.sh. All measured spectra are taken first, then predicted ones up to NUMBER (30,000),
spread evenly by multiplicative hashing of their number in their file. The same files give the same bytes.
"""
import gzip
import io
import sys
from pathlib import Path

NUMBER = 30_000
MEASURED = ("real_hcd", "library_hcd", "maxquant_hcd", "iontrap", "maxquant_iontrap")
PREDICTED = ("predicted_hcd", "predicted_iontrap")
BEGIN = b"BEGIN IONS"
BLOCK = 1 << 22  # bytes


def spread(number):
    """Multiplicative hash (Knuth) of a spectrum's number: consecutive numbers lie far apart."""
    return number * 2654435761 % 2**32


def entries(path):
    """Yields the bytes of each spectrum of an MGF file. By blocks: lines of a gigabyte would take minutes."""
    with gzip.open(path) as stream:
        parts = [b""]
        begun = False
        while block := stream.read(BLOCK):
            parts = (parts[0] + block).split(BEGIN)
            for part in parts[:-1]:
                if begun:
                    yield BEGIN + part
                begun = True
            parts = parts[-1:]
        if begun:
            yield BEGIN + parts[0]


def choose(classes, number):
    """Which spectra of each file are taken.

    classes: list of lists of (path, spectra in it), in the order in which they are used up. Gives [(path, set of numbers
    from 1)]. A class that is not needed in full gives those of smallest hash.
    """
    taken, left = [], number
    for files in classes:
        ranked = sorted((spread(n), f, n) for f, (_, size) in enumerate(files) for n in range(1, size + 1))[:left]
        left -= len(ranked)
        for f, (path, _) in enumerate(files):
            taken.append((path, {n for _, file, n in ranked if file == f}))
    if left:
        raise ValueError(f"there are {number - left} spectra, {number} are asked for; make more: workflows/training/distil.sh")
    return taken


def make_sample(folder, out, wanted=NUMBER):
    """Writes the sample; it appears under its name when it is complete."""
    names = (MEASURED, PREDICTED)
    missing = [path for group in names for path in paths(folder, group) if not path.exists()]
    if missing:
        raise ValueError(f"there is no {missing[0]}; make it: workflows/training/prepare.sh, then distil.sh")
    taken = choose([[(path, sum(1 for _ in entries(path))) for path in paths(folder, group)] for group in names], wanted)
    partial = out.with_suffix(".part")
    with open(partial, "wb") as raw, gzip.GzipFile("", "wb", 1, raw, 0) as packed, io.BufferedWriter(packed) as stream:
        for path, numbers in taken:
            for number, entry in enumerate(entries(path), 1) if numbers else ():
                if number in numbers:
                    stream.write(entry)
    partial.rename(out)


def paths(folder, names):
    return [Path(folder) / f"{name}.mgf.gz" for name in names]


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("sample.py: name the folder of training spectra, the file to write and, if not 30000, the number of spectra.")
    try:
        make_sample(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else NUMBER)
    except ValueError as error:
        sys.exit(f"sample.py: {error}")
