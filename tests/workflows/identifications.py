# SPDX-License-Identifier: BSD-3-Clause
"""idXML as the tests of the workflows compare it."""

import re
import xml.etree.ElementTree as ElementTree


def readHits(path):
    """(spectrum reference, sequence, charge, score as text) of all hits, in the order of the file."""
    hits = []
    for identification in ElementTree.parse(path).getroot().iter("PeptideIdentification"):
        for hit in identification.iter("PeptideHit"):
            hits.append((identification.get("spectrum_reference"), hit.get("sequence"), hit.get("charge"), hit.get("score")))
    return hits


def comparableText(path):
    """The text of an idXML file without what two runs of the same tools on the same data may write differently: dates, file
    locations, and the program's threads."""
    text = path.read_text()
    text = re.sub(r' (date|db|document_id|id)="[^"]*"', r' \1=""', text)
    text = re.sub(r'(name="(?:spectra_data|file_origin|[\w:]*(?:in|out|database|executable|fasta))"[^>]* value=)"[^"]*"', r'\1""', text)
    return text
