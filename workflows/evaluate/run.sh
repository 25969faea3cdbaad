#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the whole chain on every evaluation run and prints what the engine and PSMFormer accept.
#   workflows/evaluate/run.sh [--search-only] [--unspecific] [--modifications] [folder]
#   --search-only   no rescoring; makes the searched idXML files and identified_keys.txt
#   --unspecific    also a search without an enzyme
#   --modifications also a search with five variable modifications; both take long
# Results go to the folder (default build/evaluate): searched/<run>.<search>.idXML, rescored/, accepted/, table.txt,
# table.tsv, identified_keys.txt. Searches are kept, so that a new model or tool is evaluated in minutes.
# PSMFORMER_SHARED names the folder that holds data/runs and data/fasta (default: shared, beside the repository);
# PSMFORMER the tool to evaluate (default: the one in build/release); PSMFORMER_MODEL its model.
set -euo pipefail

# shellcheck source=workflows/evaluate/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rescoring=yes
searches=(tryptic)

parse_arguments() {
  local argument
  for argument in "$@"; do
    case "$argument" in
      --search-only) rescoring=no ;;
      --unspecific | --modifications) searches+=("${argument#--}") ;;
      -*) stop "there is no option $argument; the options are --search-only, --unspecific and --modifications." ;;
      *) results=$argument ;;
    esac
  done
}

check_prerequisites() {
  check_programs CometAdapter comet-ms tandem python3
  [ "$rescoring" = no ] || [ -x "$psmformer" ] || stop "there is no tool $psmformer; run share/setup/build.sh tools, or use --search-only."
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
    *) options=("${tryptic_index[@]}") ;;
  esac
}

# search_run <run> <database> <ppm> <half bin> <offset> <instrument>
search_run() {
  local run=$1 database="$results/databases/$2.fasta" search options
  local spectra="$results/spectra/$run.mzML"
  unpack_run "$run"
  unpack_targets "$2"
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
  local name="$1.$2" options
  model_options
  rescore "$psmformer" "$results/searched/$name.idXML" "$results/spectra/$1.mzML" "$results/rescored/$name.idXML" "${options[@]}"
  filter_at_one_percent "$results/searched/$name.idXML" "$results/accepted/$name.engine.idXML"
  filter_at_one_percent "$results/rescored/$name.idXML" "$results/accepted/$name.psmformer.idXML"
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
  note_model "$results/rescored/model.txt"
  for_each_run rescore_run
  rescore_search yeast_velos xtandem
  rescore_search yeast_velos simple
fi
python3 "$here/table.py" "$here/runs.tsv" "$results" | tee "$results/table.txt"
