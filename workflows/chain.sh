# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The steps of the reference chain, sourced by demo.sh and evaluate/common.sh:
#   DecoyDatabase | CometAdapter | PeptideIndexer | PSMFormer | FalseDiscoveryRate | IDFilter
# Every step writes one file and is skipped when that file is newer than what it is made from.

stop() { printf '%s: %s\n' "$(basename "$0")" "$1" >&2; exit 1; }

# Keeps OpenMS's tools from asking for updates and from writing into the user's home.
# use_private_openms_home <folder>
use_private_openms_home() {
  mkdir -p "$1"
  export OPENMS_DISABLE_UPDATE_CHECK=ON OPENMS_HOME_PATH="$1"
}

# is_current <output> <input>...: the output exists and no input is newer.
is_current() {
  local output=$1 input
  shift
  [ -s "$output" ] || return 1
  for input in "$@"; do
    [ ! "$input" -nt "$output" ] || return 1
  done
}

# step <what happens> <output> <input>... -- <command>...
# Runs the command with @out replaced by a name beside the output, and renames it when the command succeeds. What the
# command prints goes to <output>.log.
step() {
  local what=$1 output=$2 inputs=() command=() word
  shift 2
  while [ "$1" != -- ]; do inputs+=("$1"); shift; done
  shift
  if is_current "$output" "${inputs[@]}"; then return 0; fi
  local extension=${output##*.}
  local partial="${output%.*}.partial.$extension"
  for word in "$@"; do command+=("${word//@out/$partial}"); done
  mkdir -p "$(dirname "$output")"
  printf '  %s\n' "$what"
  if ! "${command[@]}" >"$output.log" 2>&1 </dev/null || [ ! -s "$partial" ]; then
    tail -n 15 "$output.log" >&2
    rm -f "$partial"
    stop "'$1' failed while making $output; see $output.log for all it printed."
  fi
  mv "$partial" "$output"
}

# How decoys are made; scripts that source this file may set another way.
decoy_options=(-method reverse -seed 1)

# make_decoy_database <fasta> <output>: targets and decoys in one file.
make_decoy_database() {
  step "DecoyDatabase: $(basename "$2")" "$2" "$1" -- \
    DecoyDatabase -in "$1" -out @out -decoy_string DECOY_ -decoy_string_position prefix "${decoy_options[@]}" -no_progress
}

# search_with_comet <mzML> <database> <output> <precursor ppm> <half fragment bin> <bin offset> <instrument> [option...]
# The mzML must be indexed. Options come last and override nothing that is set here.
search_with_comet() {
  local spectra=$1 database=$2 output=$3 precursor=$4 fragment=$5 offset=$6 instrument=$7
  shift 7
  step "CometAdapter: $(basename "$output")" "$output" "$spectra" "$database" -- \
    CometAdapter -in "$spectra" -database "$database" -out @out -comet_executable "$(command -v comet-ms)" \
    -precursor_mass_tolerance "$precursor" -precursor_error_units ppm -isotope_error 0/1/2 \
    -fragment_mass_tolerance "$fragment" -fragment_bin_offset "$offset" -instrument "$instrument" \
    -fixed_modifications "Carbamidomethyl (C)" -num_hits 5 -force -threads 2 -no_progress "$@"
}

# What a search of tryptic peptides adds to search_with_comet.
# shellcheck disable=SC2034 # used by the scripts that source this file
tryptic_search=(-enzyme Trypsin -missed_cleavages 2 -variable_modifications "Oxidation (M)")

# index_peptides <idXML> <database> <output> [option...]: which hits are targets, which decoys.
index_peptides() {
  local identifications=$1 database=$2 output=$3
  shift 3
  step "PeptideIndexer: $(basename "$output")" "$output" "$identifications" "$database" -- \
    PeptideIndexer -in "$identifications" -fasta "$database" -out @out \
    -decoy_string DECOY_ -decoy_string_position prefix -no_progress "$@"
}

# What a rescored file depends on beside its search and the tool: the shipped models; a script may add files.
mapfile -t rescoring_inputs < <(find "$(dirname "${BASH_SOURCE[0]}")/../share/PSMFormer/models" -name '*.safetensors' 2>/dev/null)

# rescore <psmformer> <idXML> <mzML> <output> [option...]
rescore() {
  local psmformer=$1 identifications=$2 spectra=$3 output=$4
  shift 4
  step "PSMFormer: $(basename "$output")" "$output" "$psmformer" "$identifications" "$spectra" "${rescoring_inputs[@]}" -- \
    "$psmformer" -in "$identifications" -in_spectra "$spectra" -out @out -threads 2 -no_progress "$@"
}

# filter_at_one_percent <idXML> <output>: the target PSMs that FalseDiscoveryRate and IDFilter accept at 1 % FDR.
filter_at_one_percent() {
  local with_q_values="${2%.idXML}.q-values.idXML"
  step "FalseDiscoveryRate: $(basename "$with_q_values")" "$with_q_values" "$1" -- \
    FalseDiscoveryRate -in "$1" -out @out -PSM true -protein false -no_progress
  step "IDFilter: $(basename "$2")" "$2" "$with_q_values" -- \
    IDFilter -in "$with_q_values" -out @out -score:pep 0.01 -no_progress
}

# export_table <idXML> <output.tsv>
export_table() {
  step "TextExporter: $(basename "$2")" "$2" "$1" -- TextExporter -in "$1" -out @out -no_progress
}

# count_psms <tsv of TextExporter> [accession]: PSMs, or those of one protein. The column 'accessions' of the line that
# begins with #PEPTIDE says where the proteins are.
count_psms() {
  awk -F'\t' -v accession="${2:-}" '
    $1 == "#PEPTIDE" { for (i = 2; i <= NF; ++i) if ($i == "accessions") column = i }
    $1 == "PEPTIDE" && (accession == "" || index($column, accession)) { ++n }
    END { print n + 0 }' "$1"
}
