#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes what the tests of the workflows need in the folder given: two short cuts of the example run (early.mzML, late.mzML), a
# small database (proteins.fasta), and, in shell/, what the functions of workflows/chain.sh make of late.mzML; the other
# workflows must make the same of it. PSMFORMER names the tool.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=workflows/chain.sh
source "$repository/workflows/chain.sh"
[ "$#" = 1 ] || stop "name the folder to write to."
folder=$(mkdir -p "$1" && cd "$1" && pwd)
psmformer=${PSMFORMER:-$repository/build/release/bin/PSMFormer}
use_private_openms_home "$folder/home"

example="$repository/build/example"
if [ ! -s "$example/database.fasta" ] && ! "$repository/share/PSMFormer/example/get_example.sh" "$example"; then
  echo "SKIPPED: no network"
  exit 77
fi

# cut_run <name> <first second>:<last second>
cut_run() {
  step "FileFilter: $1" "$folder/$1" "$example/BSA1.mzML" -- \
    FileFilter -in "$example/BSA1.mzML" -out @out -rt "$2" -no_progress
}

# The two proteins of the example and every fiftieth of the background.
make_small_database() {
  awk '/^>/ { ++n; wanted = n <= 2 || n % 50 == 0 } wanted' "$example/database.fasta" >"$folder/proteins.fasta.partial"
  mv "$folder/proteins.fasta.partial" "$folder/proteins.fasta"
}

cut_run early.mzML 1700:1900
cut_run late.mzML 1900:2100
is_current "$folder/proteins.fasta" "$example/database.fasta" || make_small_database

shell="$folder/shell"
make_decoy_database "$folder/proteins.fasta" "$shell/database.fasta"
search_with_comet "$folder/late.mzML" "$shell/database.fasta" "$shell/comet.idXML" 20 0.5025 0.4 low_res "${tryptic_search[@]}"
index_peptides "$shell/comet.idXML" "$shell/database.fasta" "$shell/indexed.idXML"
rescore "$psmformer" "$shell/indexed.idXML" "$folder/late.mzML" "$shell/psmformer.idXML"
filter_at_one_percent "$shell/psmformer.idXML" "$shell/accepted.idXML"
