#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How many of the accepted targets are false, by shuffled twins of the proteins (twins.py, twin_entrapment.py).
#   workflows/evaluate/twins.sh [--search-only] [--reversed] [--seeds N] [folder]
# Every run is searched once for each of N seeds (default 10). A seed draws the twins and the decoys of proteins and twins: reversed
# decoys of the proteins are the same in every search, so that what chance did to them stays in the mean over the seeds. --reversed
# takes those all the same. Searches are kept; give fewer seeds for a first look. Results go to the folder (default build/evaluate):
# twins/<seed>/, twins/table.{md,tsv}; twins_reversed instead of twins with --reversed.
# PSMFORMER_SHARED, PSMFORMER and PSMFORMER_MODEL are those of run.sh.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rescoring=yes
n_seeds=10
decoys=shuffled

parse_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --search-only) rescoring=no ;;
      --reversed) decoys=reversed ;;
      --seeds)
        n_seeds=${2:-}
        [[ "$n_seeds" =~ ^[1-9][0-9]*$ ]] || stop "--seeds takes a number of seeds, not '$n_seeds'."
        shift
        ;;
      -*) stop "there is no option $1; the options are --search-only, --reversed and --seeds." ;;
      *) results=$1 ;;
    esac
    shift
  done
}

# search_twins <seed> <run> <database> <ppm> <half bin> <offset> <instrument> ...
search_twins() {
  local folder="$twins/$1" seed=$1 run=$2 own="$results/databases/$3.targets.fasta"
  local targets="$folder/databases/$3.targets.fasta"
  unpack_run "$run"
  unpack_targets "$3"
  step "Shuffling $3, seed $seed" "$targets" "$own" -- python3 "$here/twins.py" "$own" @out "$seed"
  if [ "$decoys" = shuffled ]; then decoy_options=(-method shuffle -seed "$seed"); fi
  search_tryptic "$folder" "$run" "$targets" "$folder/databases/$3.fasta" "$run" "${@:4:4}"
}

# rescore_twins <seed> <run> ...
rescore_twins() {
  local folder="$twins/$1"
  rescore_with_model "$folder" "$folder/indexed/$2.idXML" "$results/spectra/$2.mzML" "$2"
}

parse_arguments "$@"
twins="$results/twins"
if [ "$decoys" = reversed ]; then twins+=_reversed; fi
check_programs CometAdapter comet-ms IDMerger python3
[ "$rescoring" = no ] || [ -x "$psmformer" ] || stop "there is no tool $psmformer; run share/setup/build.sh tools, or use --search-only."
use_private_openms_home "$results/home"
for ((seed = 1; seed <= n_seeds; ++seed)); do for_each_run search_twins "$seed"; done
if [ "$rescoring" = no ]; then exit 0; fi
note_model "$twins/model.txt"
for ((seed = 1; seed <= n_seeds; ++seed)); do
  for_each_run rescore_twins "$seed"
  rescore_jointly "$twins/$seed/joint.idXML" "$twins/$seed/indexed"/*.idXML
done
mapfile -t seeds < <(seq "$n_seeds")
python3 "$here/twin_entrapment.py" "$here/runs.tsv" "$twins" "${seeds[@]}" | tee "$twins/table.md"
