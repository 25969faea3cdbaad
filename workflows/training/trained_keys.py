#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The peptides a model was trained and validated on, as digests that ship with it, so that anyone can tell whether a test is honest.

trained_keys.py digest KEYS.txt                    prints the digests of the keys that PSMFormerTrainer wrote (-out_keys)
trained_keys.py check training_keys.txt KEYS.txt   prints which keys were trained on; status 1 when there is one

A key is the residues of a peptide with I as L. Its digest is the first 12 hexadecimal digits of its SHA-256.
"""
import hashlib
import sys

from chemistry import peptide_key

DIGITS = 12


def read_lines(path):
    with open(path, encoding="ascii") as lines:
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def digest(key):
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:DIGITS]


def digests_of(keys):
    return sorted({digest(peptide_key(key)) for key in keys})


def trained_among(digests, keys):
    """The keys, sorted, whose digest is one of the model's."""
    known = set(digests)
    return sorted({key for key in map(peptide_key, keys) if digest(key) in known})


def check(digest_path, keys_path):
    digests, keys = read_lines(digest_path), read_lines(keys_path)
    if not digests or not keys:
        sys.exit(f"trained_keys.py: {digest_path if not digests else keys_path} is empty; nothing can be compared.")
    common = trained_among(digests, keys)
    print(f"{len(digests)} keys trained on, {len(set(keys))} keys given, {len(common)} in common")
    print("\n".join(common))
    return 1 if common else 0


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "digest":
        print(f"# First {DIGITS} hexadecimal digits of the SHA-256 of each peptide key (residues, I as L) of training and validation.")
        print("\n".join(digests_of(read_lines(sys.argv[2]))))
    elif len(sys.argv) == 4 and sys.argv[1] == "check":
        sys.exit(check(*sys.argv[2:]))
    else:
        sys.exit("trained_keys.py: say digest KEYS.txt, or check training_keys.txt KEYS.txt")
