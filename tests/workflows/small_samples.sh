#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes what test_samples.py needs in the folder given: twenty samples, which are three small evaluation runs under other names
# (samples/<run>_<number>.mzML), a small database (proteins.fasta), and, in shell/, what the functions of workflows/chain.sh make
# of the three runs. PSMFORMER names the tool.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../workflows/evaluate/common.sh"
[ "$#" = 1 ] || stop "name the folder to write to."
results=$(mkdir -p "$1" && cd "$1" && pwd)
proteins="$results/proteins.fasta"
shell="$results/shell"
runs=(a549_snip hela_velos yeast_velos)
use_private_openms_home "$results/home"
if [ ! -d "$data/runs" ]; then
  rm -rf "$shell"
  echo "SKIPPED: no ../shared"
  exit 77
fi

# Every eighth human sequence, and of yeast the proteins of which a cell has most: a search that takes seconds and finds something
# in each run.
make_small_database() {
  awk '/^>/ { wanted = ++n % 8 == 0 } wanted' "$results/databases/human_partial.targets.fasta" >"$proteins.partial"
  awk '/^>/ { wanted = /ibosomal protein|eat shock|longation factor|nolase|ldolase|dehydrogenase/ } wanted' \
    "$results/databases/yeast.targets.fasta" >>"$proteins.partial"
  mv "$proteins.partial" "$proteins"
}

# Each sample is a file of its own, as in a study.
name_samples() {
  local number run sample
  mkdir -p "$results/samples"
  for number in {1..20}; do
    run=${runs[number % ${#runs[@]}]}
    printf -v sample '%s/samples/%s_%02d.mzML' "$results" "$run" "$number"
    is_current "$sample" "$results/spectra/$run.mzML" || cp "$results/spectra/$run.mzML" "$sample"
  done
}

# run_shell_chain <run>
run_shell_chain() {
  local spectra="$results/spectra/$1.mzML" made="$shell/$1"
  search_with_comet "$spectra" "$shell/database.fasta" "$made.comet.idXML" 20 0.01 0 high_res "${tryptic_search[@]}"
  index_peptides "$made.comet.idXML" "$shell/database.fasta" "$made.indexed.idXML"
  rescore "$psmformer" "$made.indexed.idXML" "$spectra" "$made.psmformer.idXML"
  filter_at_one_percent "$made.psmformer.idXML" "$made.accepted.idXML"
}

for run in "${runs[@]}"; do unpack_run "$run"; done
for database in human_partial yeast; do unpack_targets "$database"; done
is_current "$proteins" "$results"/databases/*.fasta || make_small_database
name_samples
make_decoy_database "$proteins" "$shell/database.fasta"
for run in "${runs[@]}"; do run_shell_chain "$run"; done
