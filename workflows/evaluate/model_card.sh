#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Measures a trained model in every way there is and writes its card.
#   workflows/evaluate/model_card.sh <folder of the training> <folder of the training spectra> [folder of results]
# The folder of the training holds the model, one .safetensors, and the MODEL_CARD.md that PSMFormerTrainer wrote, the folder of the
# training spectra is that of workflows/training/prepare.sh and distil.sh. Prints the card; notes.md in the folder of the
# training comes first in it. Searches are made where they are missing. PSMFORMER_SHARED and PSMFORMER are those of run.sh;
# PSMFORMER_PARTS names the measurements (default: all), those that are left out are as they were made before. The searches without an
# enzyme and of the twins take hours the first time.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -ge 2 ] || stop "name the folder of the training and that of the training spectra."
training=$1
spectra=$2
results="${3:-$results}"
programs="$(dirname "$psmformer")"
models=("$training"/*.safetensors)
export PSMFORMER_MODEL=${models[0]}
[ -s "$PSMFORMER_MODEL" ] || stop "there is no model in $training; train it: workflows/training/train.sh"

# measured <part>: whether it is to be measured
measured() { [[ " ${PSMFORMER_PARTS:-runs joint references held_out entrapment twins null tuned performance} " == *" $1 "* ]]; }

held_out() {
  local folder="$results/held_out" proteins="$spectra/naturals.fasta" peaks
  local files=("$spectra"/{real_hcd,real_hcd_academic,library_hcd,maxquant_hcd,iontrap,maxquant_iontrap}.mgf.gz)
  mkdir -p "$folder"
  for peaks in "" :35 :15; do
    printf '== test%s\n' "$peaks"
    "$programs/false_hits" "$PSMFORMER_MODEL" "$proteins" "test$peaks" "${files[@]}"
  done >"$folder/false_hits.txt"
  "$programs/peptide_choice" "$PSMFORMER_MODEL" "$proteins" "$spectra"/real_hcd{,_academic}.mgf.gz >"$folder/peptide_choice.txt"
}

{
  if measured runs; then "$here/run.sh" --unspecific --modifications "$results"; fi
  if measured joint; then "$here/semi_supervised.sh" --hard "$results"; fi
  if measured references; then "$here/references.sh" --hard "$results"; fi
  if measured held_out; then held_out; fi
  if measured entrapment; then "$here/entrapment.sh" "$results"; fi
  if measured twins; then "$here/twins.sh" "$results"; fi
  if measured null; then "$here/null.sh" "$results"; fi
  if measured tuned; then "$here/fine_tune.sh" "$results"; fi
  if measured performance; then
    mkdir -p "$results/performance"
    python3 "$here/performance.py" "$psmformer" "$results" -model "$PSMFORMER_MODEL" | tee "$results/performance/performance.txt"
  fi
} >&2
notes=()
if [ -s "$training/notes.md" ]; then notes=("$training/notes.md"); fi
python3 "$here/model_card.py" "$training/MODEL_CARD.md" "$results" "$spectra/sources.tsv" "$spectra/predicted_sources.tsv" "${notes[@]}"
