# SPDX-License-Identifier: BSD-3-Clause
"""Fragment intensities predicted by MS2PIP (Degroeve, Gabriels et al., Apache-2.0).

Its wheel carries the trees of each model in a compiled extension, which distil.sh makes loadable. They know residues
and charge, not modifications: a modified peptide gets the intensities of its bare one, at the m/z of its own fragments.
"""

import ctypes

RESIDUES = "ACDEFGHIKMNPQRSTVWY"  # MS2PIP's order of residues; L is I
LOG_FLOOR, LOG_OFFSET = 0.001, 0.5  # trees give log2(share of the ion current + floor), less the offset
ION_TYPES = {"B": ("b", 1), "Y": ("y", 1), "B2": ("b", 2), "Y2": ("y", 2)}

# Model -> types of the ions it predicts. Beam-type CID of a TripleTOF and TMT reagents have no doubly charged ions.
MODELS = {"HCD": ("B", "Y", "B2", "Y2"), "CID": ("B", "Y", "B2", "Y2"), "TTOF5600": ("B", "Y"), "TMT": ("B", "Y")}


def model_of(peptide, charge, fragmentation):
    """The model for a precursor; models without doubly charged ions are for 2+ alone."""
    if charge == 2 and "TMT6plex" in (peptide.n_term, *peptide.modifications):
        return "TMT"
    if fragmentation == "QTOF":
        return "TTOF5600" if charge == 2 else "HCD"
    return fragmentation


class Predictor:
    """The compiled models. MS2PIP computes in static buffers: one thread at a time."""

    def __init__(self, path):
        self.compiled = ctypes.CDLL(str(path))
        self.features = self.compiled.get_v_ms2pip
        self.features.restype = ctypes.POINTER(ctypes.c_uint)
        self.trees = {}
        for model, types in MODELS.items():
            self.trees[model] = [(*ION_TYPES[name], self.tree(model, name)) for name in types]

    def tree(self, model, name):
        """The function feature address -> logarithmic intensity of a model and ion type."""
        function = getattr(self.compiled, f"score_{model}_{name}")
        function.restype, function.argtypes = ctypes.c_float, [ctypes.c_void_p]
        return function

    def ions(self, residues, charge, model):
        """All (series, number, charge, intensity) that the model predicts; intensities as shares of the ion current."""
        length = len(residues)
        codes = [RESIDUES.index(residue) for residue in residues.replace("L", "I")]
        peptide = (ctypes.c_ushort * (length + 2))(0, *codes, 0)
        features = self.features(length, peptide, peptide, charge)
        width = features[0] // (length - 1)  # the first value is the number of values
        start = ctypes.addressof(features.contents) + ctypes.sizeof(ctypes.c_uint)
        found = []
        for site in range(1, length):
            at = start + (site - 1) * width * ctypes.sizeof(ctypes.c_uint)
            for series, ion_charge, tree in self.trees[model]:
                share = 2.0 ** (tree(at) + LOG_OFFSET) - LOG_FLOOR
                found.append((series, site if series == "b" else length - site, ion_charge, max(0.0, share)))
        return found
