#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The default score beside rescoring by the engine's features alone, by mokapot and by Percolator, all runs in one file.
#   workflows/evaluate/references.sh [--hard] [folder]
#   --hard   also the searches without an enzyme, of the runs that they were made of
# Needs what semi_supervised.sh makes in the folder (default build/evaluate). Results go to references/: <search>.md is the
# table; <search>.all.tsv and <search>.engine.tsv the Percolator inputs with all features and with the engine's alone.
# mokapot is installed from PyPI into references/venv (references.requirements.txt), or PSMFORMER_MOKAPOT names one;
# Percolator is left out where there is none. PSMFORMER_SHARED, PSMFORMER and PSMFORMER_MODEL are those of run.sh.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

counts="$(dirname "$psmformer")/semi_supervised_counts"
searches=(tryptic)
draws=(1 2 3) # mokapot 0.10 draws its folds anew in every call, whatever its option --seed
if [ "${1:-}" = --hard ]; then
  searches+=(unspecific)
  shift
fi
results="${1:-$results}"
folder="$results/references"
mokapot="${PSMFORMER_MOKAPOT:-$folder/venv/bin/mokapot}"

install_mokapot() {
  if [ -x "$mokapot" ]; then return 0; fi
  [ -z "${PSMFORMER_MOKAPOT:-}" ] || stop "there is no program $mokapot; set PSMFORMER_MOKAPOT to one, or unset it to have it installed."
  python3 -m venv "$folder/venv" || stop "cannot make a virtual environment; run apt-get install python3-venv"
  "$folder/venv/bin/pip" install --quiet --requirement "$here/references.requirements.txt" ||
    stop "cannot install mokapot from PyPI; set PSMFORMER_MOKAPOT to it."
}

# run_mokapot <Percolator input> <draw> <output>: targets and decoys in one table
run_mokapot() {
  local name
  name="$(basename "$1" .tsv).$2"
  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$mokapot" --dest_dir "$folder/mokapot" --file_root "$name" --keep_decoys "$1"
  join_tables "$folder/mokapot/$name.mokapot".{psms,decoy.psms}.txt >"$3"
}

# run_percolator <Percolator input> <output>
run_percolator() {
  percolator --seed 1 --only-psms --results-psms "$2.targets" --decoy-results-psms "$2.decoys" "$1"
  join_tables "$2.targets" "$2.decoys" >"$2"
}

# join_tables <table>...: the header of the first, the rows of all
join_tables() { awk 'FNR > 1 || NR == 1' "$@"; }

# make_references <search>
make_references() {
  local search=$1 features draw pin
  local annotated=("$results/semi_supervised/annotated"/*."$search".idXML) extracted=("$results/semi_supervised/extracted"/*."$search".idXML)
  if [ ! -s "${annotated[0]}" ] || [ ! -s "$results/semi_supervised/joint/$search.idXML" ]; then
    stop "there is no rescored $search search in $results/semi_supervised; make it: workflows/evaluate/semi_supervised.sh --hard"
  fi
  step "Engine features alone: $search" "$folder/$search.ours.tsv" "$counts" "${annotated[@]}" -- "$counts" -scores @out "${annotated[@]}"
  rescore_jointly "$folder/$search.idXML" "${extracted[@]}" -- -out_pin "$folder/$search.all.tsv"
  step "Percolator input without our features: $search" "$folder/$search.engine.tsv" "$folder/$search.idXML" -- \
    python3 "$here/references.py" engine_features "$folder/$search.all.tsv" @out
  for features in engine all; do
    pin="$folder/$search.$features.tsv"
    for draw in "${draws[@]}"; do
      step "mokapot: $search, $features, draw $draw" "$folder/mokapot/$search.$features.$draw.tsv" "$pin" -- run_mokapot "$pin" "$draw" @out
    done
    if command -v percolator >/dev/null; then
      step "Percolator: $search, $features" "$folder/percolator/$search.$features.tsv" "$pin" -- run_percolator "$pin" @out
    fi
  done
  python3 "$here/references.py" table "$results" "$search" | tee "$folder/$search.md"
}

check_programs IDMerger python3
for program in "$psmformer" "$counts"; do
  [ -x "$program" ] || stop "there is no program $program; run share/setup/build.sh"
done
use_private_openms_home "$results/home"
note_model "$folder/model.txt"
install_mokapot
command -v percolator >/dev/null || echo "SKIPPED: no percolator"
for search in "${searches[@]}"; do make_references "$search"; done
