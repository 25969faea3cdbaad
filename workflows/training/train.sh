#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Trains a model that is shipped from the files that prepare.sh and distil.sh make.
#   workflows/training/train.sh base|tiny [folder of training spectra] [output folder]
# The training writes checkpoints and goes on from them when it is started again. The same files, seed, number of
# threads (PSMFORMER_THREADS, default 1) and OpenBLAS kernel give the same weights. PSMFORMER_TRAINER names the tool
# (default: build/release/bin/PSMFormerTrainer), PSMFORMER_KEYS the list of peptide keys identified in the evaluation runs, which are not trained on.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
preset="${1:-}"
spectra="${2:-$repository/build/training}"
out="${3:-$repository/checkpoints/$preset}"
trainer="${PSMFORMER_TRAINER:-$repository/build/release/bin/PSMFormerTrainer}"
keys="${PSMFORMER_KEYS:-$repository/workflows/training/evaluation_keys.txt}"

# How many of a hundred made spectra are taken: the measured spectra decide, and are listed twice.
PHOSPHO_PERCENT=10
# What the shipped models differ in. For base the longer training of tiny was tried and gained nothing (its model card).
declare -A version=([base]=0.3.0 [tiny]=0.4.0) predicted_percent=([base]=22 [tiny]=33) epochs=([base]=5 [tiny]=8) recharged=([base]=0 [tiny]=0.3)

stop() {
  echo "train.sh: $1" >&2
  exit 1
}

[[ "$preset" =~ ^(base|tiny)$ ]] || stop "name the model first, base or tiny."
[ -x "$trainer" ] || stop "there is no $trainer; build it: cmake --preset release && cmake --build --preset release"
[ -s "$spectra/real_hcd.mgf.gz" ] || stop "there are no spectra in $spectra; make them: workflows/training/prepare.sh"
[ -s "$keys" ] || stop "there is no list of keys $keys; set PSMFORMER_KEYS to one, or leave it unset."
mkdir -p "$out"

# sample PERCENT FILE: prints the path of a sample of its spectra, spread evenly (multiplicative hashing of their number)
sample() {
  local part="$out/${1}_percent_of_${2##*/}"
  if [ ! -s "$part" ]; then
    zcat "$2" | awk -v share="$1e-2" '/^BEGIN IONS/ { taken = ++n * 2654435761 % 2 ^ 32 < share * 2 ^ 32 } taken' |
      gzip -n -1 >"$part.part"
    mv "$part.part" "$part"
  fi
  echo "$part"
}

measured=("$spectra"/{real_hcd,library_hcd,maxquant_hcd,iontrap,maxquant_iontrap}.mgf.gz)
made=("$(sample $PHOSPHO_PERCENT "$spectra/phospho_hcd.mgf.gz")")
for predicted in "$spectra"/predicted_{hcd,iontrap}.mgf.gz; do
  [ -s "$predicted" ] || stop "there is no $predicted; make it: workflows/training/distil.sh"
  made+=("$(sample "${predicted_percent[$preset]}" "$predicted")")
done

# One word an entry, without the comment.
mapfile -t options < <(grep -v '^#' "$(dirname "${BASH_SOURCE[0]}")/options.txt" | tr ' ' '\n')

exec "$trainer" \
  -in_annotated "${measured[@]}" "${measured[@]}" "${made[@]}" \
  -in_fasta "$spectra/naturals.fasta" -in_exclude "$keys" \
  -preset "$preset" -model_name "$preset" -model_version "${PSMFORMER_MODEL_VERSION:-${version[$preset]}}" -seed 1 \
  -threads "${PSMFORMER_THREADS:-1}" \
  -training:epochs "${PSMFORMER_EPOCHS:-${epochs[$preset]}}" "${options[@]}" -training:recharged_share "${recharged[$preset]}" \
  -checkpoint "$out/training.checkpoint" -resume \
  -out_model "$out/$preset.safetensors" -out_log "$out/loss.tsv" -out_keys "$out/keys.txt"
