#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fits the baselines to the sample of run.py, measures them as run.py measures models, and scores the evaluation runs.
#   workflows/training/compare/baselines.sh [results of run.py] [folder of training spectra] [folder of evaluate/run.sh]
# PSMFORMER_BIN names the folder of the programs (default: build/release/bin), PSMFORMER_KEYS the keys not to train on,
# PSMFORMER_MODEL the model whose logit stands beside the baselines (default: the shipped one).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../../.." && pwd)
results="${1:-$repository/build/compare}"
spectra="${2:-$repository/build/training}"
evaluation="${3:-$repository/build/evaluate}"
bin="${PSMFORMER_BIN:-$repository/build/release/bin}"
keys="${PSMFORMER_KEYS:-$repository/workflows/training/evaluation_keys.txt}"
SEED=1
# shellcheck source=workflows/chain.sh
source "$repository/workflows/chain.sh"

[ -s "$results/sample.mgf.gz" ] || stop "there is no $results/sample.mgf.gz; make it: workflows/training/compare/run.py"
[ -d "$evaluation/searched" ] || stop "there are no searches in $evaluation; make them: workflows/evaluate/run.sh --search-only"
for program in training_features false_hits peptide_choice PSMFormer; do
  [ -x "$bin/$program" ] || stop "there is no $bin/$program; build it: share/setup/build.sh all"
done
use_private_openms_home "$results/home"

measured=()
while read -r file; do measured+=("$file"); done < <(
  cd "$here" && python3 -B -c 'import sample, sys; print(*sample.paths(sys.argv[1], sample.MEASURED), sep="\n")' "$(realpath "$spectra")")
mapfile -t options < <(
  cd "$here" && python3 -B -c 'from configurations import as_words, common_options
print(*as_words({k: v for k, v in common_options().items() if ":" in k}), sep="\n")')

# print_features <output>
print_features() {
  "$bin/training_features" "$SEED" "$spectra/naturals.fasta" "$keys" "$results/sample.mgf.gz" "${options[@]}" | gzip -n -1 >"$1"
}

# print_to <output> <command>...
print_to() {
  local output=$1
  shift
  "$@" >"$output"
}

# measure <baseline>
measure() {
  local weights="$results/baselines/$1.tsv" folder="$results/baselines/$1" thinning part
  for thinning in all 35 15; do
    part=validation
    [ "$thinning" = all ] || part="validation:$thinning"
    step "false_hits, $1, $thinning peaks" "$folder/false_hits.$thinning.txt" "$weights" -- \
      print_to @out "$bin/false_hits" "$weights" "$spectra/naturals.fasta" "$part" "${measured[@]}"
  done
  step "peptide_choice, $1" "$folder/peptide_choice.txt" "$weights" -- \
    print_to @out "$bin/peptide_choice" "$weights" "$spectra/naturals.fasta" "${measured[@]}"
}

mkdir -p "$results/baselines" "$results/evaluation"
ln -sfn "$(realpath "$evaluation/searched")" "$results/evaluation/searched"
ln -sfn "$(realpath "$results/baselines")" "$results/evaluation/baselines"
printf 'explained_intensity\t1\n' >"$results/baselines/intensity.partial"
printf 'hyperscore\t1\n' >"$results/baselines/hyperscore.partial"
for name in intensity hyperscore; do
  step "weights of $name" "$results/baselines/$name.tsv" -- cp "$results/baselines/$name.partial" @out
done
step "features of the training spectra" "$results/baselines/features.gz" "$results/sample.mgf.gz" -- print_features @out
step "logistic regression" "$results/baselines/logistic.tsv" "$results/baselines/features.gz" -- \
  python3 -B "$here/baselines.py" fit "$results/baselines/features.gz" @out
for name in intensity hyperscore logistic; do measure "$name"; done

model=()
[ -z "${PSMFORMER_MODEL:-}" ] || model=(-model "$PSMFORMER_MODEL")
for searched in "$results"/evaluation/searched/*.idXML; do
  name=$(basename "$searched")
  rescore "$bin/PSMFormer" "$searched" "$evaluation/spectra/${name%%.*}.mzML" "$results/evaluation/features/$name" \
    -method pretrained -write_features all "${model[@]}"
done
python3 -B "$here/baselines.py" table "$repository/workflows/evaluate/runs.tsv" "$results/evaluation" |
  tee "$results/evaluation/baselines.md"
