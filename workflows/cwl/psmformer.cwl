# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: Rescores peptide-spectrum matches; the program is PSMFormer on PATH.
baseCommand: PSMFormer
hints:
  ResourceRequirement: {coresMin: 2, ramMin: 4000}
inputs:
  identifications: {type: File, inputBinding: {prefix: -in}}
  spectra: {type: 'File[]', inputBinding: {prefix: -in_spectra}}
  model: {type: File?, inputBinding: {prefix: -model}}
  method: {type: string?, inputBinding: {prefix: -method}}
  mode: {type: string?, inputBinding: {prefix: -mode}}
  score_type: {type: string?, inputBinding: {prefix: -score_type}}
  feature_names: {type: string?, doc: Name of the file with the names of the features, inputBinding: {prefix: -out_features}}
  report: {type: string?, doc: Name of the HTML report, inputBinding: {prefix: -out_report}}
  options: {type: 'string[]?', doc: Any further options and values, inputBinding: {position: 1}}
  threads: {type: int, default: 2, inputBinding: {prefix: -threads}}
arguments: [{prefix: -out, valueFrom: psmformer.idXML}, -no_progress]
outputs:
  idxml: {type: File, outputBinding: {glob: psmformer.idXML}}
  features: {type: File?, outputBinding: {glob: '*.tsv'}}
  html: {type: File?, outputBinding: {glob: '*.html'}}
