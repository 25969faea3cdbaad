# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: q-values from targets and decoys.
baseCommand: [FalseDiscoveryRate, -PSM, 'true', -protein, 'false', -no_progress, -out, q_values.idXML]
inputs:
  identifications: {type: File, inputBinding: {prefix: -in}}
outputs:
  idxml: {type: File, outputBinding: {glob: q_values.idXML}}
