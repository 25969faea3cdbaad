#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Trains the base model from the files that prepare.sh makes.
#   workflows/training/train_base.sh [folder of training spectra] [output folder]
# The training writes checkpoints and goes on from them when it is started again. The same files, seed, number of
# threads (PSMFORMER_THREADS, default 1) and OpenBLAS kernel give the same weights. PSMFORMER_TRAINER names the tool (default: build/release/bin/PSMFormerTrainer),
# PSMFORMER_KEYS the list of peptide keys identified in the evaluation runs, which are not trained on.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
spectra="${1:-$repository/build/training}"
out="${2:-$repository/checkpoints/base}"
trainer="${PSMFORMER_TRAINER:-$repository/build/release/bin/PSMFormerTrainer}"
keys="${PSMFORMER_KEYS:-$repository/build/evaluate/identified_keys.txt}"

# Of the spectra that are made from intensity tables every tenth is taken: the measured spectra decide.
SYNTHETIC_STEP=10

stop() {
  echo "train_base.sh: $1" >&2
  exit 1
}

[ -x "$trainer" ] || stop "there is no $trainer; build it: cmake --preset release && cmake --build --preset release"
[ -s "$spectra/real_hcd.mgf.gz" ] || stop "there are no spectra in $spectra; make them: workflows/training/prepare.sh"
[ -s "$keys" ] || stop "there is no list of keys $keys; make it: workflows/evaluate/run.sh --search-only"
mkdir -p "$out"

sample="$out/phospho_sample.mgf.gz"
if [ ! -s "$sample" ]; then
  zcat "$spectra/phospho_hcd.mgf.gz" |
    awk -v step="$SYNTHETIC_STEP" '/^BEGIN IONS/ { ++n } n % step == 1' | gzip -n -1 >"$sample.part"
  mv "$sample.part" "$sample"
fi

exec "$trainer" \
  -in_annotated "$spectra/real_hcd.mgf.gz" "$spectra/library_hcd.mgf.gz" "$spectra/maxquant_hcd.mgf.gz" \
  "$spectra/iontrap.mgf.gz" "$spectra/maxquant_iontrap.mgf.gz" "$sample" \
  -in_fasta "$spectra/naturals.fasta" -in_exclude "$keys" \
  -preset base -model_name base -model_version "${PSMFORMER_MODEL_VERSION:-0.2.0}" -seed 1 \
  -threads "${PSMFORMER_THREADS:-1}" \
  -training:epochs "${PSMFORMER_EPOCHS:-8}" \
  -checkpoint "$out/training.checkpoint" -resume \
  -out_model "$out/base.safetensors" -out_log "$out/loss.tsv" -out_keys "$out/keys.txt"
