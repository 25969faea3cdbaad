# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: Targets and reversed decoys in one file.
baseCommand: [DecoyDatabase, -decoy_string, DECOY_, -decoy_string_position, prefix, -seed, '1', -no_progress, -out, database.fasta]
inputs:
  database: {type: File, inputBinding: {prefix: -in}}
outputs:
  fasta: {type: File, outputBinding: {glob: database.fasta}}
