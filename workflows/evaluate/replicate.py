#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a large run of a small one: replicate.py COPIES IN.mzML IN.idXML OUT.mzML OUT.idXML

Copy k holds every spectrum and identification again, with scan numbers and retention times moved by k times a whole run,
so that each native ID and each identification is unique. Prints the number of spectra and of hits.
"""
import re
import sys

SCAN_STEP, RT_STEP = 1_000_000, 100_000.0
SPECTRUM = re.compile(r"[ \t]*<spectrum .*?</spectrum>\n", re.DOTALL)
IDENTIFICATION = re.compile(r"[ \t]*<PeptideIdentification .*?</PeptideIdentification>\n", re.DOTALL)
SCAN = re.compile(r'((?:id|spectrum_reference|spectrumRef)="[^"]*?scan=)(\d+)')
START_TIME = re.compile(r'(name="scan start time" value=")([^"]+)')
RT = re.compile(r'( RT=")([^"]+)')


def moved(text, copy, time):
    text = SCAN.sub(lambda m: f"{m[1]}{int(m[2]) + copy * SCAN_STEP}", text)
    return time.sub(lambda m: f"{m[1]}{float(m[2]) + copy * RT_STEP}", text)


def replicate(path, out, element, time, copies):
    """Repeats all elements of a file; gives the text of those in one copy."""
    text = open(path, encoding="iso-8859-1").read()
    matches = list(element.finditer(text))
    if not matches:
        sys.exit(f"replicate.py: there is no element to repeat in {path}; give the mzML and the idXML of one run.")
    head, tail = text[: matches[0].start()], text[matches[-1].end():]
    body = "".join(m[0] for m in matches)
    # The offsets of an index would be wrong; a count is only a hint, yet readers reserve memory by it.
    head = re.sub(r"<indexedmzML.*?>\n", "", head, count=1, flags=re.DOTALL)
    head = re.sub(r'(<spectrumList count=")(\d+)', lambda m: f"{m[1]}{len(matches) * copies}", head)
    tail = re.sub(r"[ \t]*<indexList.*", "", tail, flags=re.DOTALL)
    with open(out, "w", encoding="iso-8859-1") as file:
        file.write(head)
        for copy in range(copies):
            file.write(moved(body, copy, time))
        file.write(tail)
    return body


def main(copies, mzml, idxml, out_mzml, out_idxml):
    """Writes both files; gives the number of spectra and of hits in them."""
    spectra = replicate(mzml, out_mzml, SPECTRUM, START_TIME, copies)
    identifications = replicate(idxml, out_idxml, IDENTIFICATION, RT, copies)
    return spectra.count("<spectrum ") * copies, identifications.count("<PeptideHit ") * copies


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit("replicate.py: name the number of copies, the mzML and idXML of a run, and the two files to write.")
    n_spectra, n_hits = main(int(sys.argv[1]), *sys.argv[2:])
    print(f"{n_spectra} spectra, {n_hits} hits")
