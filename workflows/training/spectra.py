# SPDX-License-Identifier: BSD-3-Clause
"""Annotated spectra and their MGF files."""

import gzip
import io
from dataclasses import dataclass, field

from chemistry import parse_openms


@dataclass
class Spectrum:
    """A centroided MS2 spectrum; peaks are (m/z in Th, intensity), ascending in m/z."""

    title: str
    precursor_mz: float
    charge: int
    peaks: list = field(default_factory=list)
    sequence: str = ""  # OpenMS notation, empty when unlabelled
    activation: str = ""
    tolerance: float = 0.0
    unit: str = ""  # of the tolerance: Da or ppm

    def source(self):
        return self.title.split(":")[0]

    def peptide(self):
        return parse_openms(self.sequence)


def read_mgf(path):
    """Yields the spectra of a gzip-compressed MGF file."""
    with gzip.open(path, "rt", encoding="ascii", errors="replace") as lines:
        for line in lines:
            line = line.strip()
            if line == "BEGIN IONS":
                keys, peaks = {}, []
            elif line == "END IONS":
                yield Spectrum(keys.get("TITLE", ""), float(keys["PEPMASS"].split()[0]), int(keys["CHARGE"].strip("+")),
                               sorted(peaks), keys.get("SEQ", ""), keys.get("ACTIVATION", ""),
                               float(keys.get("ITOL", 0.0)), keys.get("ITOLU", ""))
            elif line[:1].isdigit():
                mz, intensity = line.split()[:2]
                peaks.append((float(mz), float(intensity)))
            elif "=" in line:
                key, value = line.split("=", 1)
                keys[key] = value


def format_spectrum(spectrum):
    """The MGF text of a spectrum, with the keys the trainer reads beside the standard ones."""
    head = (f"BEGIN IONS\nTITLE={spectrum.title}\nPEPMASS={spectrum.precursor_mz:.6f}\nCHARGE={spectrum.charge}+\n"
            f"SEQ={spectrum.sequence}\nITOL={spectrum.tolerance:g}\nITOLU={spectrum.unit}\n"
            f"ACTIVATION={spectrum.activation}\n")
    return head + "".join(f"{mz:.5f} {intensity:.5g}\n" for mz, intensity in spectrum.peaks) + "END IONS\n"


class MgfWriter:
    """Writes a gzip-compressed MGF file whose bytes depend on the spectra alone (no time stamp, no file name)."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.gzip = gzip.GzipFile(filename="", mode="wb", fileobj=self.file, mtime=0, compresslevel=6)
        self.text = io.TextIOWrapper(self.gzip, encoding="ascii", newline="\n")

    def write(self, spectrum):
        self.text.write(format_spectrum(spectrum))

    def close(self):
        self.text.close()
        self.file.close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
