# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: Hits up to a q-value.
baseCommand: [IDFilter, -no_progress, -out, accepted.idXML]
inputs:
  identifications: {type: File, inputBinding: {prefix: -in}}
  max_q_value: {type: double, default: 0.01, inputBinding: {prefix: '-score:pep'}}
outputs:
  idxml: {type: File, outputBinding: {glob: accepted.idXML}}
