# SPDX-License-Identifier: BSD-3-Clause
"""The sources of annotated spectra: instrument, fragment tolerance and licence, as the model card states them.

Tolerances follow from the measured fragment errors (`prepare.py` prints them): sources with a median deviation of a few
ppm are matched with 20 ppm, rounded peak lists with 0.02 Da, ion traps with 0.5 Da.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """How the spectra of a source were measured and what is known of their licence."""

    instrument: str
    activation: str
    tolerance: float
    unit: str
    licence: str
    weak_labels: bool = False  # the annotation is a consensus or a transfer: tested against shuffled peptides


# The folder's README.md states licences for whole files in part; where it does not name the source, neither does this.
UNSTATED = "none stated"
MIXED = "mixed, none stated for this source"
SOURCES = {
    "bacteria_qe": Source("Q Exactive", "HCD", 20, "ppm", "BSD-2-Clause (microbiomedata/kaiko_metaproteome)"),
    "qeplus_sample": Source("Q Exactive Plus", "HCD", 20, "ppm", UNSTATED),
    "small_samples": Source("Orbitrap", "HCD", 20, "ppm", "Apache-2.0 and none stated"),
    "mixed_hcd_2decimals": Source("Orbitrap", "HCD", 0.02, "Da", "free for academic use: held-out evaluation only"),
    "hela_library_matched": Source("Orbitrap", "HCD", 20, "ppm", MIXED, True),
    "proteometools": Source("Orbitrap", "HCD", 20, "ppm", MIXED),
    "cluster_consensus": Source("ion trap", "CID", 0.5, "Da", MIXED, True),
    "iontrap_human_consensus": Source("ion trap", "CID", 0.5, "Da", "NIST peptide library", True),
    "iontrap_yeast": Source("ion trap", "CID", 0.5, "Da", MIXED),
}
HIGH_RESOLUTION = Source("Orbitrap", "HCD", 20, "ppm", MIXED, True)  # the part of cluster_consensus that is

MAXQUANT_LICENCE = "Apache-2.0 or none stated, not said for which source"
COLIMS_LICENCE = "none stated (compomics/colims)"
PHOSPHO_LICENCE = "MIT (weizhenFrank/DeepPhospho)"
PREDICTED_LICENCE = "Apache-2.0 (MS2PIP 3.6.3), over noise of the measured spectra"
