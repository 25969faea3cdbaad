#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Shows what PSMFormer does, on a measured digest of one known protein (bovine serum albumin, BSA): installs what is
# missing, builds, searches with Comet, rescores, filters at 1 % FDR, says how many spectra each way identifies, and
# writes a report.
# Needs Debian 12 and root or sudo, no configuration. What is there already is not made again.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
example="$repository/build/example"
results="$repository/build/demo"
psmformer="$repository/build/release/bin/PSMFormer"
page="$results/report.html"
# shellcheck source=workflows/chain.sh
source "$repository/workflows/chain.sh"

prepare() {
  "$repository/share/setup/install.sh" build demo
  "$repository/share/setup/build.sh" tools
  echo "Getting the example run"
  "$repository/share/PSMFormer/example/get_example.sh" "$example"
  use_private_openms_home "$results/home"
}

search() {
  echo "Searching with Comet"
  # Comet needs an index in the mzML, which the run as published has not.
  step "FileConverter: BSA1.mzML with an index" "$results/BSA1.mzML" "$example/BSA1.mzML" -- \
    FileConverter -in "$example/BSA1.mzML" -out @out -no_progress
  make_decoy_database "$example/database.fasta" "$results/database.fasta"
  search_with_comet "$results/BSA1.mzML" "$results/database.fasta" "$results/comet.idXML" 20 0.5025 0.4 low_res "${tryptic_search[@]}"
  index_peptides "$results/comet.idXML" "$results/database.fasta" "$results/comet.indexed.idXML"
}

rescore_and_filter() {
  echo "Rescoring with PSMFormer"
  rescoring_inputs+=("$repository"/share/PSMFormer/report/*)
  [ -s "$page" ] || rm -f "$results/psmformer.idXML" # the two are written together
  rescore "$psmformer" "$results/comet.indexed.idXML" "$results/BSA1.mzML" "$results/psmformer.idXML" -out_report "$page"
  filter_at_one_percent "$results/comet.indexed.idXML" "$results/comet.accepted.idXML"
  filter_at_one_percent "$results/psmformer.idXML" "$results/psmformer.accepted.idXML"
  export_table "$results/comet.accepted.idXML" "$results/comet.accepted.tsv"
  export_table "$results/psmformer.accepted.idXML" "$results/psmformer.accepted.tsv"
}

report() {
  local comet comet_bsa ours ours_bsa
  comet=$(count_psms "$results/comet.accepted.tsv")
  comet_bsa=$(count_psms "$results/comet.accepted.tsv" P02769)
  ours=$(count_psms "$results/psmformer.accepted.tsv")
  ours_bsa=$(count_psms "$results/psmformer.accepted.tsv" P02769)

  printf '\nPeptide-spectrum matches accepted at 1 %% FDR (decoys / targets)\n\n'
  printf '  %-22s %9s %16s\n' "score" "accepted" "of these BSA"
  printf '  %-22s %9d %16d\n' "Comet (E-value)" "$comet" "$comet_bsa" "PSMFormer" "$ours" "$ours_bsa"
  echo
  if [ "$ours" -gt "$comet" ]; then
    printf 'PSMFormer accepts %d more than Comet alone.\n' $((ours - comet))
  elif [ "$ours" -lt "$comet" ]; then
    printf 'PSMFormer accepts %d fewer than Comet alone: on this run it does worse.\n' $((comet - ours))
  else
    echo "PSMFormer accepts as many as Comet alone."
  fi
  printf 'The report, to be opened in a browser: %s\n' "$page"
  printf 'The accepted identifications: %s\n' "$results/psmformer.accepted.idXML"
  printf 'All identifications, rescored: %s\n' "$results/psmformer.idXML"
}

prepare
search
rescore_and_filter
report
