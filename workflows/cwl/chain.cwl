# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: Workflow
doc: Search with Comet, rescoring with PSMFormer, filtering at an FDR; the steps and options of workflows/chain.sh.
inputs:
  spectra: {type: File, doc: Indexed mzML}
  proteins: {type: File, doc: Protein sequences without decoys}
  precursor_tolerance_ppm: {type: float, default: 20}
  fragment_tolerance: {type: double, doc: 'Half the fragment bin, in Da', default: 0.02}
  fragment_bin_offset: {type: double, default: 0}
  instrument: {type: string, default: high_res}
  psmformer_options: {type: 'string[]?'}
  max_q_value: {type: double, default: 0.01}
requirements:
  StepInputExpressionRequirement: {}
  MultipleInputFeatureRequirement: {}
steps:
  database:
    run: decoy-database.cwl
    in: {database: proteins}
    out: [fasta]
  search:
    run: comet-adapter.cwl
    in:
      spectra: spectra
      database: database/fasta
      precursor_tolerance_ppm: precursor_tolerance_ppm
      fragment_tolerance: fragment_tolerance
      fragment_bin_offset: fragment_bin_offset
      instrument: instrument
    out: [idxml]
  index:
    run: peptide-indexer.cwl
    in: {identifications: search/idxml, database: database/fasta}
    out: [idxml]
  rescore:
    run: psmformer.cwl
    in:
      identifications: index/idxml
      spectra: {source: [spectra], linkMerge: merge_flattened}
      report: {default: report.html}
      options: psmformer_options
    out: [idxml, features, html]
  q_values:
    run: false-discovery-rate.cwl
    in: {identifications: rescore/idxml}
    out: [idxml]
  filter:
    run: id-filter.cwl
    in: {identifications: q_values/idxml, max_q_value: max_q_value}
    out: [idxml]
  table:
    run: mztab-exporter.cwl
    in: {identifications: filter/idxml}
    out: [mztab]
outputs:
  rescored: {type: File, outputSource: rescore/idxml}
  accepted: {type: File, outputSource: filter/idxml}
  mztab: {type: File, outputSource: table/mztab}
  features: {type: File?, outputSource: rescore/features}
  report: {type: File?, outputSource: rescore/html}
