#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is accepted where nothing is right: the evaluation runs with shuffled spectra (shuffle.py), searched and rescored by the
# default method, all in one file; and the first hits of the ordinary searches with spectra that have no peak (blank.py).
#   workflows/evaluate/null.sh [folder]
# Needs the searches of run.sh in the folder (default build/evaluate). Results go to null/: table.md, and what leads to it.
# Ends with 1 when (D+1)/T accepts a PSM at 1 % FDR. PSMFORMER_SHARED, PSMFORMER and PSMFORMER_MODEL are those of run.sh.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

results="${1:-$results}"
folder="$results/null"

# search_shuffled <run> <database> <ppm> <half bin> <offset> <instrument> ...
search_shuffled() {
  local run=$1 database="$results/databases/$2.fasta" mzml="$folder/spectra/$1.mzML"
  unpack_run "$run"
  unpack_targets "$2"
  step "Shuffling spectra: $run" "$mzml" "$results/spectra/$run.mzML" -- python3 "$here/shuffle.py" "$results/spectra/$run.mzML" @out
  make_decoy_database "$results/databases/$2.targets.fasta" "$database"
  search_with_comet "$mzml" "$database" "$folder/comet/$run.tryptic.idXML" "${@:3:4}" "${tryptic_search[@]}"
  index_peptides "$folder/comet/$run.tryptic.idXML" "$database" "$folder/searched/$run.tryptic.idXML" "${tryptic_index[@]}"
}

# rescore_blank <run> ...
rescore_blank() {
  local searched="$results/searched/$1.tryptic.idXML" blank="$folder/blank/$1"
  [ -s "$searched" ] || stop "there is no $searched; make it: workflows/evaluate/run.sh --search-only $results"
  step "Blanking spectra: $1" "$blank.idXML" "$searched" "$results/spectra/$1.mzML" -- \
    python3 "$here/blank.py" "$searched" "$results/spectra/$1.mzML" "$blank.mzML" @out
  rescore_with_model "$folder" "$blank.idXML" "$blank.mzML" "$1.blank"
}

check_programs CometAdapter comet-ms IDMerger python3
[ -x "$psmformer" ] || stop "there is no tool $psmformer; run share/setup/build.sh tools."
use_private_openms_home "$results/home"
note_model "$folder/model.txt"
for_each_run search_shuffled
spectra_folder="$folder/spectra" rescore_jointly "$folder/joint.idXML" "$folder/searched"/*.tryptic.idXML
for_each_run rescore_blank
python3 "$here/null.py" "$folder" | tee "$folder/table.md"
