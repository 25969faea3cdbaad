# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: Which hits are targets, which decoys.
baseCommand: [PeptideIndexer, -decoy_string, DECOY_, -decoy_string_position, prefix, -no_progress, -out, indexed.idXML]
inputs:
  identifications: {type: File, inputBinding: {prefix: -in}}
  database: {type: File, inputBinding: {prefix: -fasta}}
outputs:
  idxml: {type: File, outputBinding: {glob: indexed.idXML}}
