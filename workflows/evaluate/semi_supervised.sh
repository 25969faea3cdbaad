#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What semi-supervised rescoring accepts on the evaluation runs: by the engine's score, the logit, and models that are
# trained with the engine's features alone and with all; each run by itself, and all of them in one file.
#   workflows/evaluate/semi_supervised.sh [--hard] [folder]
#   --hard   also the searches without an enzyme and with many modifications, of the runs that they were made of
# Needs the searches of run.sh in the folder (default build/evaluate). Results go to semi_supervised/: extracted/ (with the
# features of PSMFeatureExtractor), annotated/, <search>.tsv, <search>.without_extra_features.tsv (the engine's main score
# alone), joint/ (all searches in one file, as PSMFormer rescores it), <search>.joint.md. PSMFORMER_SHARED, PSMFORMER and PSMFORMER_MODEL are those of run.sh.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

counts="$(dirname "$psmformer")/semi_supervised_counts"
searches=(tryptic)
if [ "${1:-}" = --hard ]; then
  searches+=(unspecific modifications)
  shift
fi
results="${1:-$results}"
folder="$results/semi_supervised"

# annotate_run <search> <run> ...: the label-free features of a search, the engine's score as main score
annotate_run() {
  local name="$2.$1" options
  if [ ! -s "$results/searched/$name.idXML" ]; then return 0; fi # the harder searches are not made of every run
  model_options
  step "PSMFeatureExtractor: $name" "$folder/extracted/$name.idXML" "$results/searched/$name.idXML" -- \
    PSMFeatureExtractor -in "$results/searched/$name.idXML" -out @out -no_progress
  rescore "$psmformer" "$folder/extracted/$name.idXML" "$results/spectra/$2.mzML" "$folder/annotated/$name.idXML" \
    "${options[@]}" -mode annotate -write_features all
}

check_programs PSMFeatureExtractor IDMerger python3
for program in "$psmformer" "$counts"; do
  [ -x "$program" ] || stop "there is no program $program; run share/setup/build.sh"
done
use_private_openms_home "$results/home"
note_model "$folder/model.txt"
for search in "${searches[@]}"; do
  for_each_run annotate_run "$search"
  files=("$folder/annotated"/*."$search".idXML)
  [ -s "${files[0]}" ] || stop "there is no $search search in $results/searched; make it with workflows/evaluate/run.sh"
  for option in "" -without_extra_features; do
    echo "$search $option"
    "$counts" ${option:+"$option"} "${files[@]}" | tee "$folder/$search${option/#-/.}.tsv"
  done
  rescore_jointly "$folder/joint/$search.idXML" "$results/searched"/*."$search".idXML
  python3 "$here/joint.py" "$folder/joint/$search.idXML" | tee "$folder/$search.joint.md"
done
