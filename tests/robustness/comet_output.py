#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Row O11 of cases.tsv: PSMFormer takes the idXML of CometAdapter as it is. PSMFORMER names the tool, WORKFLOW_EXAMPLE the folder
that tests/workflows/small_example.sh made."""

import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

EXAMPLE = Path(os.environ["WORKFLOW_EXAMPLE"])


def values(path, name):
    """{(spectrum reference, sequence, charge): a meta value} of all hits."""
    found = {}
    for identification in ElementTree.parse(path).iter("PeptideIdentification"):
        for hit in identification.iter("PeptideHit"):
            value = [entry.get("value") for entry in hit.iter("UserParam") if entry.get("name") == name]
            found[identification.get("spectrum_reference"), hit.get("sequence"), hit.get("charge")] = value[0] if value else None
    return found


class TestCometOutput(unittest.TestCase):
    def test_it_is_scored_as_after_peptide_indexer(self):
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out.idXML"
            result = subprocess.run([os.environ["PSMFORMER"], "-in", str(EXAMPLE / "shell/comet.idXML"), "-in_spectra",
                                     str(EXAMPLE / "late.mzML"), "-out", str(output), "-threads", "2", "-no_progress"],
                                    capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn("PeptideIndexer", result.stdout + result.stderr, "what is missing for q-values is said")
            searched = values(EXAMPLE / "shell/comet.idXML", "target_decoy")
            self.assertEqual(set(searched.values()), {None}, "CometAdapter does not know decoys")
            status = values(output, "PSMFormer:status")
            self.assertEqual(set(status), set(searched))
            self.assertEqual(set(status.values()), {"scored"})
            logits, indexed = (values(path, "PSMFormer:logit") for path in (output, EXAMPLE / "shell/psmformer.idXML"))
            self.assertGreater(len(indexed), 500)
            for match, logit in indexed.items():
                self.assertAlmostEqual(float(logits[match]), float(logit), delta=2e-5)


if __name__ == "__main__":
    if not (EXAMPLE / "shell/psmformer.idXML").is_file():
        print("SKIPPED: no network")  # small_example.sh could not get the example run
        sys.exit(77)
    sys.exit(unittest.main())
