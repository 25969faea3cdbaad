#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the null data: python3 workflows/evaluate/test_null.py"""
import array
import base64
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import null  # noqa: E402
import shuffle  # noqa: E402
from test_joint import idXML  # noqa: E402

ARRAY = """<binaryDataArray encodedLength="{length}"><cvParam accession="{type}"/><cvParam accession="{compression}"/>\
<cvParam accession="{kind}"/><binary>{data}</binary></binaryDataArray>"""


def encoded(code, values, kind, compression="MS:1000576"):
    data = base64.b64encode(array.array(code, values).tobytes()).decode()
    return ARRAY.format(length=len(data), type={"d": "MS:1000523", "f": "MS:1000521"}[code], kind=kind, data=data, compression=compression)


def spectrum(level, mz, intensity, **more):
    return (f'<spectrum index="0"><cvParam accession="MS:1000511" name="ms level" value="{level}"/>'
            + encoded("d", mz, "MS:1000514", **more) + encoded("f", intensity, "MS:1000515") + "</spectrum>\n")


def peaks(text):
    return [(list(shuffle.readArray(s[0], shuffle.MZ)[1]), list(shuffle.readArray(s[0], shuffle.INTENSITY)[1]))
            for s in shuffle.SPECTRUM.finditer(text)]


class TestShuffle(unittest.TestCase):
    def test_ms2_spectra_get_mz_of_the_run_and_keep_all_else(self):
        before = "".join([spectrum(1, [50.0, 5000.0], [7, 8])]
                         + [spectrum(2, [100.25 + 7 * k + 0.1 * n for k in range(30)], range(30)) for n in range(4)] + [spectrum(2, [], [])])
        after = shuffle.shuffled(before)
        self.assertEqual(len(after), len(before))
        old, new = peaks(before), peaks(after)
        self.assertEqual(new[0], old[0])
        self.assertEqual(new[-1], ([], []))
        pool = {mz for spectrum_mz, _ in old[1:] for mz in spectrum_mz}
        for (old_mz, old_intensity), (new_mz, new_intensity) in zip(old[1:-1], new[1:-1]):
            self.assertEqual(new_mz, sorted(set(new_mz)))
            self.assertLessEqual(set(new_mz), pool)
            self.assertLessEqual(max(new_mz), max(old_mz))
            self.assertLess(len(set(new_mz) & set(old_mz)), 20)
            self.assertEqual(sorted(new_intensity), sorted(old_intensity))
            self.assertNotEqual(new_intensity, old_intensity)

    def test_compressed_arrays_stop(self):
        with self.assertRaisesRegex(SystemExit, "compressed"):
            shuffle.shuffled(spectrum(2, [1.0], [1], compression="MS:1000574"))


class TestNull(unittest.TestCase):
    def printed(self, joint, blank):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            Path(folder, "rescored").mkdir()
            Path(folder, "joint.idXML").write_text(joint)
            Path(folder, "rescored", "a.blank.idXML").write_text(blank)
            code = null.main(Path(folder))
        return code, output.getvalue()

    def test_it_ends_with_1_when_something_is_accepted_with_the_pseudo_count(self):
        target, decoy = [("target", 1e-3, 2.0, 2.0)], [("decoy", 1e-2, 1.0, 1.0)]
        code, text = self.printed(idXML([target, decoy]), idXML([decoy, target]))
        self.assertEqual(code, 0)
        self.assertIn("| shuffled | all runs | PSMFormer:score | 1 | 1 | 1 | 0 | 1 | 0 |", text)
        self.assertIn("| blank | a | calibrated logit | 1 | 1 | 1 | 0 | 1 | 0 |", text)
        code, text = self.printed(idXML([target, decoy]), idXML([target] * 100))
        self.assertEqual(code, 1)
        self.assertIn("where none is right: blank, all runs, calibrated logit; blank, a, calibrated logit.", text)

    def test_files_without_scores_stop(self):
        with self.assertRaisesRegex(SystemExit, "no scored hits"):
            self.printed(idXML([]), idXML([]))


if __name__ == "__main__":
    unittest.main()
