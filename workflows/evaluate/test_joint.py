#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the table of all runs in one file: python3 workflows/evaluate/test_joint.py"""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import joint  # noqa: E402

HIT = """<PeptideHit score="{score}" sequence="PEPTIDEK" charge="2">
<UserParam type="string" name="target_decoy" value="{label}"/>{expect}
<UserParam type="float" name="PSMFormer:logit" value="{logit}"/>
<UserParam type="float" name="PSMFormer:calibrated_logit" value="{score}"/>
<UserParam type="float" name="PSMFormer:score" value="{score}"/></PeptideHit>"""
EXPECT = '<UserParam type="float" name="expect" value="{}"/>'


def idXML(identifications, with_expect=True):
    """An idXML of identifications, each a list of (label, E-value, logit, score); all of one native ID."""
    text = "<IdXML>"
    for hits in identifications:
        text += '<PeptideIdentification score_type="PSMFormer:score" higher_score_better="true" spectrum_reference="scan=1">'
        text += "".join(HIT.format(label=label, logit=logit, score=score, expect=EXPECT.format(expect) if with_expect else "")
                        for label, expect, logit, score in hits)
        text += "</PeptideIdentification>"
    return text + "</IdXML>"


class TestJoint(unittest.TestCase):
    def printed(self, content):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            path = Path(folder, "joint.idXML")
            path.write_text(content)
            joint.main(path)
        return output.getvalue()

    def test_each_score_counts_the_best_hits_of_its_own_and_runs_may_share_a_native_id(self):
        """Four targets: the engine prefers a decoy in the last two, the logit in the last, the score in none."""
        target, decoy = ("target", 1e-9, 5.0, 3.0), ("decoy", 1e-3, 1.0, 0.0)
        text = self.printed(idXML([[target], [target], [("target", 1e-2, 5.0, 3.0), decoy], [("target", 1e-2, 0.5, 3.0), decoy]]))
        self.assertIn("| engine | 2 | 0 | 2 | 0 |", text)
        self.assertIn("| logit | 3 | 0 | 3 | 0 |", text)
        self.assertIn("| calibrated logit | 4 | 0 | 4 | 0 |", text)
        self.assertIn("| PSMFormer:score | 4 | 0 | 4 | 0 |", text)
        self.assertRegex(text, r"against engine, 1 % D/T: \+0 to \+4 \(95 %\)")

    def test_a_file_without_e_values_stops(self):
        with self.assertRaisesRegex(SystemExit, "no meta value 'expect'"):
            self.printed(idXML([[("target", 1e-9, 5.0, 3.0)]], with_expect=False))


if __name__ == "__main__":
    unittest.main()
