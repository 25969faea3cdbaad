// SPDX-License-Identifier: BSD-3-Clause
// PSMFormer in place of MS2Rescore in nf-core/mhcquant: this folder and modules/local/psmformer replace the pipeline's own
// modules/local/ms2rescore; nothing else changes. Inputs and outputs are those of its process MS2RESCORE. The main score stays the
// engine's and nothing is fitted on targets and decoys, since PSMFeatureExtractor and Percolator follow.
include { PSMFORMER } from '../psmformer/main'

workflow MS2RESCORE {
    take:
    identifications // [meta, merged idXML, mzML files, fasta (not used)]

    main:
    PSMFORMER(identifications.map { meta, idxml, mzml, _fasta -> [meta, idxml, mzml] }, [])

    emit:
    idxml         = PSMFORMER.out.idxml
    feature_names = PSMFORMER.out.feature_names
    html          = PSMFORMER.out.report
}
