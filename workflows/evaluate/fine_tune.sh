#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where fine-tuning on the run itself helps, and where not: every run is rescored by the model, and by the model fine-tuned
# in folds on the run's confident PSMs, each peptide with the weights that have not seen it.
#   workflows/evaluate/fine_tune.sh [folder]
# Needs the searches of run.sh in the folder (default build/evaluate). Results go to tuned/: confident/ (q-values of the
# model), models/, rescored/, table.md. PSMFORMER_SHARED, PSMFORMER and PSMFORMER_MODEL are those of run.sh,
# PSMFORMER_TRAINER is the trainer (default: the one in build/release), PSMFORMER_THREADS its number of threads (default 2).
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

trainer="${PSMFORMER_TRAINER:-$repository/build/release/bin/PSMFormerTrainer}"
results="${1:-$results}"

# Of small runs (D + 1) / T leaves nothing at 1 %.
max_q_value=0.05
tuning=(-folds 3 -max_q_value "$max_q_value" -training:epochs 10 -training:learning_rate 2e-4 -training:patience 3
  -training:accumulated_batches 1 -training:warmup_share 0.2)

# tune_run <run> <database> ...
tune_run() {
  local run=$1 folder="$results/tuned" options
  local searched="$results/searched/$run.tryptic.idXML" spectra="$results/spectra/$1.mzML"
  local proteins="$results/databases/$2.targets.fasta" tuned="$results/tuned/models/$run.safetensors"
  [ -s "$searched" ] || stop "there is no $searched; make it: workflows/evaluate/run.sh --search-only $results"
  model_options
  rescore "$psmformer" "$searched" "$spectra" "$folder/confident/$run.idXML" "${options[@]}" -score_type q-value
  step "Fine-tuning: $run" "$tuned" "$trainer" "$folder/confident/$run.idXML" "$spectra" "${rescoring_inputs[@]}" -- \
    "$trainer" -in "$folder/confident/$run.idXML" -in_spectra "$spectra" -in_fasta "$proteins" -init_model "${model:-base}" \
    -model_name tuned -threads "${PSMFORMER_THREADS:-2}" -no_progress -out_model @out "${tuning[@]}"
  rescoring_inputs+=("$tuned")
  rescore "$psmformer" "$searched" "$spectra" "$folder/rescored/$run.tryptic.idXML" -method pretrained -model "$tuned"
}

check_programs python3
for tool in "$psmformer" "$trainer"; do
  [ -x "$tool" ] || stop "there is no tool $tool; run share/setup/build.sh tools"
done
use_private_openms_home "$results/home"
note_model "$results/tuned/model.txt"
for_each_run tune_run
python3 "$here/fine_tune.py" "$here/runs.tsv" "$results" | tee "$results/tuned/table.md"
