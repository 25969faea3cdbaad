# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What the evaluations share, sourced by run.sh, entrapment.sh and others: where things are, the runs and their databases, the
# searched idXML of a run, and which model a rescored file comes from. The steps themselves are those of ../chain.sh.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
data="${PSMFORMER_SHARED:-$repository/../shared}/data"
psmformer="${PSMFORMER:-$repository/build/release/bin/PSMFormer}"
model="${PSMFORMER_MODEL:-}"
results="$repository/build/evaluate"
# shellcheck source=workflows/chain.sh
source "$repository/workflows/chain.sh"

# check_programs <program>...
check_programs() {
  local program
  [ -d "$data/runs" ] || stop "there is no folder $data/runs; set PSMFORMER_SHARED to the folder that holds data/runs and data/fasta."
  for program in "$@"; do
    command -v "$program" >/dev/null || stop "$program is missing; run share/setup/install.sh build demo test"
  done
}

# unpack <gzip file> <output>
unpack() {
  local partial="$2.partial"
  if is_current "$2" "$1"; then return 0; fi
  mkdir -p "$(dirname "$2")"
  gzip -dc "$1" >"$partial"
  mv "$partial" "$2"
}

# unpack_run <run>: results/spectra/<run>.mzML
unpack_run() { unpack "$data/runs/$1.mzML.gz" "$results/spectra/$1.mzML"; }

# unpack_targets <database>: results/databases/<database>.targets.fasta
unpack_targets() { unpack "$data/fasta/$1.fasta.gz" "$results/databases/$1.targets.fasta"; }

# for_each_line <file> <command>...: with the columns of every line as further arguments
for_each_line() {
  local file=$1 columns
  shift
  while IFS=$'\t' read -r -a columns <&3; do
    [[ "${columns[0]}" == \#* ]] || "$@" "${columns[@]}"
  done 3<"$file"
}

# for_each_run <command>...: with the columns of runs.tsv as further arguments
for_each_run() { for_each_line "$here/runs.tsv" "$@"; }

# What PeptideIndexer is given for tryptic peptides.
# shellcheck disable=SC2034 # used by the scripts that source this file
tryptic_index=(-enzyme:name Trypsin)

# model_options: what PSMFormer is given for the model under evaluation, into the array 'options'; the logit is the score unless
# the script has set 'method'
model_options() {
  options=(-method "${method:-pretrained}")
  if [ -n "$model" ]; then options+=(-model "$model"); fi
}

# search_tryptic <folder> <name> <targets> <database> <run> <ppm> <half bin> <offset> <instrument>: folder/indexed/<name>.idXML
search_tryptic() {
  local folder=$1 name=$2 targets=$3 database=$4 run=$5
  shift 5
  make_decoy_database "$targets" "$database"
  search_with_comet "$results/spectra/$run.mzML" "$database" "$folder/comet/$name.idXML" "$@" "${tryptic_search[@]}"
  index_peptides "$folder/comet/$name.idXML" "$database" "$folder/indexed/$name.idXML" "${tryptic_index[@]}"
}

# rescore_with_model <folder> <idXML> <mzML> <name>: folder/rescored/<name>.idXML, without hits that got no logit
rescore_with_model() {
  local options
  model_options
  rescore "$psmformer" "$2" "$3" "$1/rescored/$4.idXML" "${options[@]}" -unscored remove
}

# rescore_jointly <output> <idXML>... [-- <option>...]: all runs in one file, by the default method; an idXML is named
# <run>.*.idXML, its spectra are <run>.mzML of 'spectra_folder' (default: results/spectra)
rescore_jointly() {
  local output=$1 joined="${1%.idXML}.searched.idXML" inputs=() mzml_files=() options name
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do inputs+=("$1"); shift; done
  for name in "${inputs[@]}"; do
    name=$(basename "$name" .idXML)
    mzml_files+=("${spectra_folder:-$results/spectra}/${name%%.*}.mzML")
  done
  method=auto model_options
  step "IDMerger: $(basename "$joined")" "$joined" "${inputs[@]}" -- IDMerger -in "${inputs[@]}" -out @out -no_progress
  step "PSMFormer: all runs in one file" "$output" "$psmformer" "$joined" "${mzml_files[@]}" "${rescoring_inputs[@]}" -- \
    "$psmformer" -in "$joined" -in_spectra "${mzml_files[@]}" -out @out -threads 2 -no_progress "${options[@]}" -unscored remove "${@:2}"
}

# Another model means another result: its name and content are kept in a file that rescored files depend on.
# note_model <file>
note_model() {
  local now
  now="$model $(if [ -f "$model" ]; then sha256sum <"$model"; fi)"
  mkdir -p "$(dirname "$1")"
  if [ "$now" != "$(cat "$1" 2>/dev/null || true)" ]; then printf '%s\n' "$now" >"$1"; fi
  rescoring_inputs+=("$1")
}
