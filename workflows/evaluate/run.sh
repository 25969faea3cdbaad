#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the whole chain on every evaluation run and prints what the engine and PSMFormer accept.
#   workflows/evaluate/run.sh [--search-only] [--hard] [folder]
#   --search-only   no rescoring; makes the searched idXML files and identified_keys.txt
#   --hard          also the two larger search spaces (unspecific cleavage; five variable modifications): hours
# Results go to the folder (default build/evaluate): searched/<run>.<search>.idXML, rescored/, accepted/, table.txt,
# table.tsv, identified_keys.txt. Searches are kept, so that a new model or tool is evaluated in minutes.
# PSMFORMER_SHARED names the folder that holds data/runs and data/fasta (default: shared, beside the repository);
# PSMFORMER the tool to evaluate (default: the one in build/release); PSMFORMER_MODEL its model.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
data="${PSMFORMER_SHARED:-$repository/../shared}/data"
psmformer="${PSMFORMER:-$repository/build/release/bin/PSMFormer}"
model="${PSMFORMER_MODEL:-}"
# shellcheck source=workflows/chain.sh
source "$repository/workflows/chain.sh"

rescoring=yes
searches=(tryptic)
results="$repository/build/evaluate"

parse_arguments() {
  local argument
  for argument in "$@"; do
    case "$argument" in
      --search-only) rescoring=no ;;
      --hard) searches+=(unspecific modifications) ;;
      -*) stop "there is no option $argument; the options are --search-only and --hard." ;;
      *) results=$argument ;;
    esac
  done
}

check_prerequisites() {
  local program
  [ -d "$data/runs" ] || stop "there is no folder $data/runs; set PSMFORMER_SHARED to the folder that holds data/runs and data/fasta."
  for program in CometAdapter comet-ms tandem python3; do
    command -v "$program" >/dev/null || stop "$program is missing; run share/setup/install.sh build demo test"
  done
  [ "$rescoring" = no ] || [ -x "$psmformer" ] || stop "there is no tool $psmformer; run share/setup/build.sh tools, or use --search-only."
}

# unpack <gzip file> <output>
unpack() {
  local partial="$2.partial"
  if is_current "$2" "$1"; then return 0; fi
  mkdir -p "$(dirname "$2")"
  gzip -dc "$1" >"$partial"
  mv "$partial" "$2"
}

# The search spaces: what CometAdapter is given beside the run's tolerances, and what PeptideIndexer must accept.
comet_options() {
  case "$1" in
    tryptic) options=("${tryptic_search[@]}") ;;
    unspecific) options=(-enzyme "unspecific cleavage" -min_peptide_length 7 -max_peptide_length 25 -variable_modifications "Oxidation (M)") ;;
    modifications) options=(-enzyme Trypsin -missed_cleavages 2 -variable_modifications "Oxidation (M)" "Deamidated (N)"
      "Deamidated (Q)" "Phospho (S)" "Acetyl (N-term)") ;;
  esac
}

index_options() {
  case "$1" in
    unspecific) options=(-enzyme:specificity none) ;;
    *) options=(-enzyme:name Trypsin) ;;
  esac
}

# search_run <run> <database> <ppm> <half bin> <offset> <instrument>
search_run() {
  local run=$1 database="$results/databases/$2.fasta" search options
  local spectra="$results/spectra/$run.mzML"
  unpack "$data/runs/$run.mzML.gz" "$spectra"
  unpack "$data/fasta/$2.fasta.gz" "$results/databases/$2.targets.fasta"
  make_decoy_database "$results/databases/$2.targets.fasta" "$database"
  for search in "${searches[@]}"; do
    comet_options "$search"
    search_with_comet "$spectra" "$database" "$results/comet/$run.$search.idXML" "$3" "$4" "$5" "$6" "${options[@]}"
    index_options "$search"
    index_peptides "$results/comet/$run.$search.idXML" "$database" "$results/searched/$run.$search.idXML" "${options[@]}"
  done
}

# Two more engines on one run: the chain must not depend on Comet.
search_with_other_engines() {
  local run=yeast_velos database="$results/databases/yeast.fasta" options
  local spectra="$results/spectra/$run.mzML"
  step "XTandemAdapter: $run" "$results/xtandem/$run.idXML" "$spectra" "$database" -- \
    XTandemAdapter -in "$spectra" -database "$database" -out @out -xtandem_executable "$(command -v tandem)" \
    -precursor_mass_tolerance 20 -precursor_error_units ppm -fragment_mass_tolerance 20 -fragment_error_units ppm \
    -missed_cleavages 2 -max_precursor_charge 5 -threads 2 -no_progress
  step "SimpleSearchEngine: $run" "$results/simple/$run.idXML" "$spectra" "$database" -- \
    SimpleSearchEngine -in "$spectra" -database "$database" -out @out \
    -Search:precursor:mass_tolerance 20 -Search:fragment:mass_tolerance 20 -Search:fragment:mass_tolerance_unit ppm \
    -Search:peptide:missed_cleavages 2 -Search:report:top_hits 5 -threads 2 -no_progress
  index_options tryptic
  index_peptides "$results/xtandem/$run.idXML" "$database" "$results/searched/$run.xtandem.idXML" "${options[@]}"
  index_peptides "$results/simple/$run.idXML" "$database" "$results/searched/$run.simple.idXML" "${options[@]}"
}

# rescore_search <run> <search>
rescore_search() {
  local name="$1.$2" options=(-method pretrained)
  if [ -n "$model" ]; then options+=(-model "$model"); fi
  rescore "$psmformer" "$results/searched/$name.idXML" "$results/spectra/$1.mzML" "$results/rescored/$name.idXML" "${options[@]}"
  filter_at_one_percent "$results/searched/$name.idXML" "$results/accepted/$name.engine.idXML"
  filter_at_one_percent "$results/rescored/$name.idXML" "$results/accepted/$name.psmformer.idXML"
}

# Another model means another result: its name and content are kept in a file that rescored files depend on.
note_model() {
  local note="$results/rescored/model.txt" now
  now="$model $(if [ -f "$model" ]; then sha256sum <"$model"; fi)"
  mkdir -p "$results/rescored"
  if [ "$now" != "$(cat "$note" 2>/dev/null || true)" ]; then printf '%s\n' "$now" >"$note"; fi
  rescoring_inputs+=("$note")
}

# for_each_run <command>...: with the columns of runs.tsv as further arguments
for_each_run() {
  local columns
  while IFS=$'\t' read -r -a columns <&3; do
    [[ "${columns[0]}" == \#* ]] || "$@" "${columns[@]}"
  done 3<"$here/runs.tsv"
}

rescore_run() {
  local search
  for search in "${searches[@]}"; do rescore_search "$1" "$search"; done
}

parse_arguments "$@"
check_prerequisites
use_private_openms_home "$results/home"
echo "Searching"
for_each_run search_run
search_with_other_engines
python3 "$here/identified_keys.py" "$results"/searched/*.idXML >"$results/identified_keys.txt"
printf 'Keys that an engine identifies at q <= 5 %%: %s (%d keys)\n' "$results/identified_keys.txt" "$(wc -l <"$results/identified_keys.txt")"
if [ "$rescoring" = yes ]; then
  echo "Rescoring"
  note_model
  for_each_run rescore_run
  rescore_search yeast_velos xtandem
  rescore_search yeast_velos simple
fi
python3 "$here/table.py" "$here/runs.tsv" "$results" | tee "$results/table.txt"
