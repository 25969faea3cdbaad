# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: A table of the accepted matches.
baseCommand: [MzTabExporter, -no_progress, -out, accepted.mzTab]
inputs:
  identifications: {type: File, inputBinding: {prefix: -in}}
outputs:
  mztab: {type: File, outputBinding: {glob: accepted.mzTab}}
