#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the training spectra of the base model from the data folder.
#   workflows/training/prepare.sh [folder]
# Results go to the folder (default build/training): annotated spectra as *.mgf.gz, naturals.fasta (proteins for
# negatives of equal mass), sources.tsv (counts, licences, parts) and measurements.tsv (what the spectra look like).
# PSMFORMER_SHARED names the folder that holds data/annotated, data/unlabelled and data/fasta (default: shared, beside
# the repository). PSMFORMER_KEYS names a list of the peptide keys identified in the evaluation runs, which are left
# out (default: evaluation_keys.txt here, of all searches that workflows/evaluate/run.sh knows).
# PSMFORMER_NATURALS names a FASTA file of natural proteins (default: the 20,000 UniProt sequences of Debian's package
# mmseqs2-examples, which is downloaded into the folder, not installed).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
data="${PSMFORMER_SHARED:-$repository/../shared}/data"
out="${1:-$repository/build/training}"
keys="${PSMFORMER_KEYS:-$here/evaluation_keys.txt}"

stop() {
  echo "prepare.sh: $1" >&2
  exit 1
}

# natural_proteins: prints the path of a FASTA file
natural_proteins() {
  if [ -n "${PSMFORMER_NATURALS:-}" ]; then
    echo "$PSMFORMER_NATURALS"
    return
  fi
  local folder="$out/mmseqs2-examples"
  local fasta="$folder/usr/share/doc/mmseqs2/example-data/DB.fasta.gz"
  if [ ! -s "$fasta" ]; then
    mkdir -p "$folder"
    (cd "$folder" && apt-get download mmseqs2-examples >&2 && dpkg-deb -x mmseqs2-examples_*.deb .) ||
      stop "cannot download Debian's package mmseqs2-examples; set PSMFORMER_NATURALS to a FASTA file of proteins."
  fi
  echo "$fasta"
}

[ -d "$data/annotated" ] ||
  stop "there is no folder $data/annotated; set PSMFORMER_SHARED to the folder that holds data/annotated."
command -v python3 >/dev/null || stop "python3 is missing; run apt-get install python3"
mkdir -p "$out"
[ -s "$keys" ] || stop "there are no keys in $keys; set PSMFORMER_KEYS to a list of them, or leave it unset."
naturals=$(natural_proteins)
python3 "$here/prepare.py" --data "$data" --out "$out" --keys "$keys" \
  --proteins "$data/fasta/contaminants.fasta.gz" --naturals "$naturals"
