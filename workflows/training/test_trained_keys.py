# SPDX-License-Identifier: BSD-3-Clause
"""Tests of trained_keys.py; run: python3 -m unittest workflows/training/test_trained_keys.py"""

import hashlib
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from trained_keys import digest, digests_of, trained_among  # noqa: E402


class TrainedKeys(unittest.TestCase):
    def test_digest_is_the_start_of_sha_256(self):
        self.assertEqual(digest("PEPTLDEK"), hashlib.sha256(b"PEPTLDEK").hexdigest()[:12])

    def test_a_planted_key_is_found_with_i_as_l(self):
        digests = digests_of(["PEPTIDEK", "ELVISK"])
        self.assertEqual(trained_among(digests, ["AAAK", "PEPTLDEK", "ELVLSK"]), ["ELVLSK", "PEPTLDEK"])
        self.assertEqual(trained_among(digests, ["AAAK"]), [])

    def test_the_command_fails_on_a_common_key_and_on_nothing_to_compare(self):
        with tempfile.TemporaryDirectory() as folder:
            keys, empty, digests = Path(folder, "keys"), Path(folder, "empty"), Path(folder, "digests")
            keys.write_text("PEPTLDEK\n")
            empty.write_text("")
            command = [sys.executable, str(HERE / "trained_keys.py")]
            digests.write_bytes(subprocess.run(command + ["digest", str(keys)], check=True, capture_output=True).stdout)
            self.assertEqual(subprocess.run(command + ["check", str(digests), str(keys)], capture_output=True).returncode, 1)
            self.assertEqual(subprocess.run(command + ["check", str(digests), str(empty)], capture_output=True).returncode, 1)
            keys.write_text("AAAK\n")
            self.assertEqual(subprocess.run(command + ["check", str(digests), str(keys)], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
