#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many of the accepted peptides are foreign, and whether a model can tell decoys from false targets.
#   workflows/evaluate/entrapment.sh [--search-only] [folder]
# Entrapment: every run is searched against its database and a foreign proteome together (entrapment.py says how the share
# of false targets follows). Leakage: every run is searched against foreign proteomes alone, where all targets are
# false, so that target and decoy hits must score alike; the same hits are scored again with their spectra blanked
# (leakage.py). foreign.tsv cuts the proteomes into parts, each a search of its own: more hits in less time.
# Results go to the folder (default build/evaluate, beside those of run.sh, whose unpacked files it shares):
# entrapment/table.{md,tsv} and leakage/table.{md,tsv}. Searches are kept, so that a new model is measured in minutes.
# PSMFORMER_SHARED, PSMFORMER and PSMFORMER_MODEL are those of run.sh.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

entrapment_proteome=erwinia
rescoring=yes

parse_arguments() {
  local argument
  for argument in "$@"; do
    case "$argument" in
      --search-only) rescoring=no ;;
      -*) stop "there is no option $argument; the option is --search-only." ;;
      *) results=$argument ;;
    esac
  done
}

# search_entrapment <run> <database> <ppm> <half bin> <offset> <instrument> ...
search_entrapment() {
  local folder="$results/entrapment" run=$1 own="$results/databases/$2.targets.fasta"
  local targets="$folder/databases/$2.targets.fasta"
  unpack_run "$run"
  unpack_targets "$2"
  unpack_targets "$entrapment_proteome"
  step "Adding $entrapment_proteome to $2" "$targets" "$own" "$results/databases/$entrapment_proteome.targets.fasta" -- \
    join_files @out "$own" "$results/databases/$entrapment_proteome.targets.fasta"
  search_tryptic "$folder" "$run" "$targets" "$folder/databases/$2.fasta" "$run" "${@:3:4}"
}

# join_files <output> <file>...: a line of its own for the first header of each file
join_files() {
  local output=$1
  shift
  awk 1 "$@" >"$output"
}

# rescore_entrapment <run> ...
rescore_entrapment() {
  rescore_with_model "$results/entrapment" "$results/entrapment/indexed/$1.idXML" "$results/spectra/$1.mzML" "$1"
}

# take_part <fasta> <part> <parts> <output>: every protein whose number leaves part - 1 when divided by parts
take_part() {
  awk -v part="$2" -v parts="$3" '/^>/ { ++n } (n - 1) % parts == part - 1' "$1" >"$4"
}

# for_each_foreign <command>...: with run, database, ppm, half bin, offset, instrument, fragmentation, foreign proteome, part
# and parts as further arguments, for every part of a foreign proteome that foreign.tsv has searched with the run
for_each_foreign() { for_each_run with_foreign_of_run "$@"; }

# with_foreign_of_run <command>... <the seven columns of a run>
with_foreign_of_run() { for_each_line "$here/foreign.tsv" with_parts "${*: -6:1}" "$@"; }

# with_parts <database of the run> <command>... <database> <foreign proteome> <parts> <number of parts searched>
with_parts() {
  local own=$1 command=("${@:2:$#-5}") database="${*: -4:1}" foreign="${*: -3:1}" parts="${*: -2:1}" searched="${*: -1:1}" part
  [ "$database" = "$own" ] || return 0
  for ((part = 1; part <= searched; ++part)); do "${command[@]}" "$foreign" "$part" "$parts"; done
}

# search_foreign <the seven columns of a run> <foreign proteome> <part> <parts>
search_foreign() {
  local folder="$results/leakage" run=$1 own="$results/databases/$2.targets.fasta" name="$1.$8_$9"
  local contaminants="$results/databases/contaminants.targets.fasta"
  local database="$folder/databases/$8_$9of${10}"
  unpack_targets "$8"
  unpack_targets contaminants
  step "Part $9 of ${10} of $8" "$database.targets.fasta" "$results/databases/$8.targets.fasta" -- \
    take_part "$results/databases/$8.targets.fasta" "$9" "${10}" @out
  search_tryptic "$folder" "$name" "$database.targets.fasta" "$database.fasta" "$run" "${@:3:4}"
  step "Leaving out shared keys: $name" "$folder/searched/$name.idXML" "$folder/indexed/$name.idXML" "$own" "$contaminants" -- \
    python3 "$here/unshared.py" "$folder/indexed/$name.idXML" @out "$own" "$contaminants"
  step "Blanking spectra: $name" "$folder/blank/$name.idXML" "$folder/searched/$name.idXML" "$results/spectra/$run.mzML" -- \
    python3 "$here/blank.py" "$folder/searched/$name.idXML" "$results/spectra/$run.mzML" "$folder/blank/$name.mzML" @out
}

# rescore_foreign <the seven columns of a run> <foreign proteome> <part> <parts>
rescore_foreign() {
  local folder="$results/leakage" name="$1.$8_$9"
  rescore_with_model "$folder" "$folder/searched/$name.idXML" "$results/spectra/$1.mzML" "$name"
  rescore_with_model "$folder" "$folder/blank/$name.idXML" "$folder/blank/$name.mzML" "$name.blank"
}

parse_arguments "$@"
check_programs CometAdapter comet-ms IDMerger python3
[ "$rescoring" = no ] || [ -x "$psmformer" ] || stop "there is no tool $psmformer; run share/setup/build.sh tools, or use --search-only."
use_private_openms_home "$results/home"
echo "Searching with $entrapment_proteome as entrapment"
for_each_run search_entrapment
echo "Searching against foreign proteomes"
for_each_foreign search_foreign
if [ "$rescoring" = no ]; then exit 0; fi
echo "Rescoring"
note_model "$results/entrapment/model.txt"
for_each_run rescore_entrapment
rescore_jointly "$results/entrapment/joint.idXML" "$results/entrapment/indexed"/*.idXML
for_each_foreign rescore_foreign
python3 "$here/entrapment.py" "$here/runs.tsv" "$results" | tee "$results/entrapment/table.md"
python3 "$here/leakage.py" "$here/runs.tsv" "$here/foreign.tsv" "$results/leakage" | tee "$results/leakage/table.md"
