#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Blanks the spectra of a search: blank.py IN.idXML IN.mzML OUT.mzML OUT.idXML

The first hit of every identification gets a spectrum of its own without a peak, whose precursor m/z is that of the hit's
peptide and whose activation is that of the spectrum searched. What a model still says about such hits, it says from the
peptide alone. The identification keeps its retention time; spectra are numbered in the order of the identifications.
"""
import re
import sys
from pathlib import Path

from replicate import IDENTIFICATION, SPECTRUM
from search_space import precursorMz
from unshared import HIT, SEQUENCE

CHARGE = re.compile(r'<PeptideHit [^>]*charge="(\d+)"')
RT = re.compile(r' RT="([^"]*)"')
MZ = re.compile(r' MZ="[^"]*"')
REFERENCE = re.compile(r' spectrum_reference="([^"]*)"')
NATIVE_ID = re.compile(r' id="([^"]*)"')
ACTIVATION = re.compile(r"<activation.*?</activation>", re.DOTALL)

HEAD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<mzML xmlns="http://psi.hupo.org/ms/mzml" version="1.1.0">
<cvList count="1"><cv id="MS" fullName="Proteomics Standards Initiative Mass Spectrometry Ontology" \
URI="http://psidev.info/ms/mzML/psi-ms.obo"/></cvList>
<fileDescription><fileContent><cvParam cvRef="MS" accession="MS:1000580" name="MSn spectrum"/></fileContent></fileDescription>
<softwareList count="1"><software id="so" version="1"/></softwareList>
<instrumentConfigurationList count="1"><instrumentConfiguration id="ic"/></instrumentConfigurationList>
<dataProcessingList count="1"><dataProcessing id="dp"><processingMethod order="0" softwareRef="so"/></dataProcessing></dataProcessingList>
<run id="run" defaultInstrumentConfigurationRef="ic"><spectrumList count="{count}" defaultDataProcessingRef="dp">
"""
BLANK = """<spectrum index="{index}" id="scan={scan}" defaultArrayLength="0">
<cvParam cvRef="MS" accession="MS:1000127" name="centroid spectrum"/>
<cvParam cvRef="MS" accession="MS:1000511" name="ms level" value="2"/>
<scanList count="1"><scan><cvParam cvRef="MS" accession="MS:1000016" name="scan start time" value="{time}" \
unitCvRef="UO" unitAccession="UO:0000010" unitName="second"/></scan></scanList>
<precursorList count="1"><precursor><selectedIonList count="1"><selectedIon>
<cvParam cvRef="MS" accession="MS:1000744" name="selected ion m/z" value="{mz:.9f}"/>
<cvParam cvRef="MS" accession="MS:1000041" name="charge state" value="{charge}"/>
</selectedIon></selectedIonList>{activation}</precursor></precursorList>
<binaryDataArrayList count="2">
<binaryDataArray encodedLength="0"><cvParam cvRef="MS" accession="MS:1000523" name="64-bit float"/>\
<cvParam cvRef="MS" accession="MS:1000576" name="no compression"/>\
<cvParam cvRef="MS" accession="MS:1000514" name="m/z array"/><binary></binary></binaryDataArray>
<binaryDataArray encodedLength="0"><cvParam cvRef="MS" accession="MS:1000523" name="64-bit float"/>\
<cvParam cvRef="MS" accession="MS:1000576" name="no compression"/>\
<cvParam cvRef="MS" accession="MS:1000515" name="intensity array"/><binary></binary></binaryDataArray>
</binaryDataArrayList></spectrum>
"""
TAIL = "</spectrumList></run></mzML>\n"


def activations(mzml):
    """Native ID to the element that says how the precursor was fragmented."""
    found = ((NATIVE_ID.search(s[0]), ACTIVATION.search(s[0])) for s in SPECTRUM.finditer(mzml))
    return {native_id[1]: activation[0] for native_id, activation in found if activation}


def blanked(idxml, activation_of):
    """(idXML with the first hit of each identification, mzML with a blank spectrum for each)."""
    spectra = []

    def blankOne(match):
        text = match[0]
        hits = HIT.findall(text)
        charge = int(CHARGE.search(hits[0])[1])
        mz = precursorMz(SEQUENCE.search(hits[0])[1], charge)
        scan = len(spectra) + 1
        spectra.append(BLANK.format(index=scan - 1, scan=scan, time=RT.search(text)[1], mz=mz, charge=charge,
                                    activation=activation_of[REFERENCE.search(text)[1]]))
        text = HIT.sub(lambda hit: hit[0] if hit[0] == hits[0] else "", text)
        text = MZ.sub(f' MZ="{mz:.9f}"', text, count=1)
        return REFERENCE.sub(f' spectrum_reference="scan={scan}"', text, count=1)

    text = IDENTIFICATION.sub(blankOne, idxml)
    return text, HEAD.format(count=len(spectra)) + "".join(spectra) + TAIL


def main(idxml, mzml, out_mzml, out_idxml):
    read = [Path(path).read_text(encoding="iso-8859-1") for path in (idxml, mzml)]
    text, spectra = blanked(read[0], activations(read[1]))
    Path(out_mzml).write_text(spectra, encoding="iso-8859-1")
    Path(out_idxml).write_text(text, encoding="iso-8859-1")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("blank.py: name the idXML and mzML of a run, and the mzML and idXML to write.")
    main(*sys.argv[1:])
