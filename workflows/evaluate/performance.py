#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Speed, memory and start-up of PSMFormer: performance.py PSMFORMER FOLDER [OPTION...]

FOLDER is that of run.sh, with its searches made. The shewanella run is repeated to 100,000 PSMs and scored on two
threads; the start-up is that of a run with one identification. Further options go to PSMFormer, such as -model FILE.
"""
import resource
import subprocess
import sys
import time
from pathlib import Path

import replicate

COPIES = 25  # of 4,008 PSMs
THREADS = "2"
START_UPS = 5


def measure(command):
    """Seconds and peak memory (MB, of this and all commands before) of a command; stops when it fails."""
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"performance.py: '{' '.join(command)}' ended with {done.returncode}: {done.stdout.strip()[-500:]}")
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def rescoring(psmformer, mzml, idxml, out, options):
    return [psmformer, "-in", str(idxml), "-in_spectra", str(mzml), "-out", str(out), "-method", "pretrained", "-no_progress",
            "-threads", THREADS, *options]


def withOneIdentification(idxml, out):
    text = open(idxml, encoding="iso-8859-1").read()
    matches = list(replicate.IDENTIFICATION.finditer(text))
    out.write_text(text[: matches[0].end()] + text[matches[-1].end():], encoding="iso-8859-1")


def main(psmformer, folder, options):
    mzml, idxml = folder / "spectra/shewanella.mzML", folder / "searched/shewanella.tryptic.idXML"
    if not mzml.exists() or not idxml.exists():
        sys.exit(f"performance.py: there is no search of shewanella in {folder}; run workflows/evaluate/run.sh --search-only")
    work = folder / "performance"
    work.mkdir(exist_ok=True)
    one, out = work / "one.idXML", work / "out.idXML"
    withOneIdentification(idxml, one)
    starts = sorted(measure(rescoring(psmformer, mzml, one, out, options))[0] for _ in range(START_UPS))
    print(f"start-up, one identification, median of {START_UPS}: {starts[START_UPS // 2]:.2f} s")

    big_mzml, big_idxml = work / "big.mzML", work / "big.idXML"
    _, n_psms = replicate.main(COPIES, mzml, idxml, big_mzml, big_idxml)
    seconds, megabytes = measure(rescoring(psmformer, big_mzml, big_idxml, out, options))
    print(f"{n_psms} PSMs, {THREADS} threads: {seconds:.1f} s, {n_psms / seconds * 60:.0f} PSMs a minute, "
          f"peak memory {megabytes:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("performance.py: name the tool PSMFormer and the folder of workflows/evaluate/run.sh.")
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
