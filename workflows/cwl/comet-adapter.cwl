# SPDX-License-Identifier: BSD-3-Clause
cwlVersion: v1.2
class: CommandLineTool
doc: Searches an indexed mzML with Comet.
baseCommand: [CometAdapter, -precursor_error_units, ppm, -isotope_error, 0/1/2, -force, -no_progress]
inputs:
  spectra: {type: File, inputBinding: {prefix: -in}}
  database: {type: File, inputBinding: {prefix: -database}}
  comet: {type: string, default: /usr/bin/comet-ms, inputBinding: {prefix: -comet_executable}}
  precursor_tolerance_ppm: {type: float, default: 20, inputBinding: {prefix: -precursor_mass_tolerance}}
  fragment_tolerance: {type: double, inputBinding: {prefix: -fragment_mass_tolerance}}
  fragment_bin_offset: {type: double, inputBinding: {prefix: -fragment_bin_offset}}
  instrument: {type: string, inputBinding: {prefix: -instrument}}
  enzyme: {type: string, default: Trypsin, inputBinding: {prefix: -enzyme}}
  missed_cleavages: {type: int, default: 2, inputBinding: {prefix: -missed_cleavages}}
  fixed_modifications: {type: 'string[]', default: [Carbamidomethyl (C)], inputBinding: {prefix: -fixed_modifications}}
  variable_modifications: {type: 'string[]', default: [Oxidation (M)], inputBinding: {prefix: -variable_modifications}}
  num_hits: {type: int, default: 5, inputBinding: {prefix: -num_hits}}
  threads: {type: int, default: 2, inputBinding: {prefix: -threads}}
arguments: [{prefix: -out, valueFrom: comet.idXML}]
outputs:
  idxml: {type: File, outputBinding: {glob: comet.idXML}}
