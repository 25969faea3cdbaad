#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes spectra that have no peptide: shuffle.py IN.mzML OUT.mzML

Each MS2 spectrum gets other m/z values: drawn without repetition from those of all MS2 spectra of the run, up to its own
highest one. It keeps its precursor, its number of peaks, its range and its intensities, but hardly a peak of its peptide.
Arrays must not be compressed (FileConverter writes such); their lengths do not change, so that an index stays right.
"""
import array
import base64
import bisect
import random
import re
import sys
from pathlib import Path

from replicate import SPECTRUM

SEED = 1
MS2 = re.compile(r'accession="MS:1000511"[^>]*value="2"')
ARRAY = re.compile(r"(<binaryDataArray .*?<binary>)([^<]*)(</binary>)", re.DOTALL)
MZ, INTENSITY, UNCOMPRESSED = (f'accession="MS:{number}"' for number in (1000514, 1000515, 1000576))
TYPES = {'accession="MS:1000523"': "d", 'accession="MS:1000521"': "f"}  # of 64 and of 32 bits, little-endian


def readArray(spectrum, kind):
    """(match, values) of the array of a spectrum that is of this kind; (None, []) where there is none."""
    for match in ARRAY.finditer(spectrum):
        if kind in match[1]:
            code = next((code for accession, code in TYPES.items() if accession in match[1]), None)
            if code is None or UNCOMPRESSED not in match[1]:
                sys.exit("shuffle.py: an array is compressed or not of floating point numbers; write the mzML with FileConverter.")
            values = array.array(code, base64.b64decode(match[2]))
            if sys.byteorder == "big":
                values.byteswap()
            return match, values
    return None, array.array("d")


def written(spectrum, match, values):
    """The spectrum with other values in an array."""
    values = array.array(values.typecode, values)
    if sys.byteorder == "big":
        values.byteswap()
    return spectrum[:match.start(2)] + base64.b64encode(values.tobytes()).decode("ascii") + spectrum[match.end(2):]


def shuffled(mzml):
    """The text of an mzML with other m/z values in its MS2 spectra."""
    spectra = [s[0] for s in SPECTRUM.finditer(mzml) if MS2.search(s[0])]
    pool = sorted({mz for spectrum in spectra for mz in readArray(spectrum, MZ)[1]})
    generator = random.Random(SEED)

    def shuffleOne(found):
        spectrum = found[0]
        place, mz = readArray(spectrum, MZ)
        if not MS2.search(spectrum) or not mz:
            return spectrum
        intensity_place, intensity = readArray(spectrum, INTENSITY)
        intensity = array.array(intensity.typecode, generator.sample(list(intensity), len(intensity)))
        drawn = generator.sample(range(bisect.bisect_right(pool, max(mz))), len(mz))
        # The later array first, so that the place of the other stays.
        changes = [(place, array.array(mz.typecode, (pool[k] for k in sorted(drawn)))), (intensity_place, intensity)]
        for match, values in sorted(changes, key=lambda change: -change[0].start()):
            spectrum = written(spectrum, match, values)
        return spectrum

    return SPECTRUM.sub(shuffleOne, mzml)


def main(mzml, out):
    text = shuffled(Path(mzml).read_text(encoding="iso-8859-1"))
    Path(out).write_text(text, encoding="iso-8859-1")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("shuffle.py: name an mzML and the one to write.")
    main(*sys.argv[1:])
