#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Searches the evaluation runs and fails when a peptide identified there is not left out of trainings, or a shipped model was
# trained on it.
set -euo pipefail

# shellcheck source=tests/workflows/searched_runs.sh
source "$(dirname "${BASH_SOURCE[0]}")/searched_runs.sh"

# The list that trainings leave out is of more searches than are made here.
new=$(LC_ALL=C comm -23 "$results/identified_keys.txt" "$repository/workflows/training/evaluation_keys.txt")
if [ -n "$new" ]; then
  printf 'Identified in an evaluation run, but not in workflows/training/evaluation_keys.txt:\n%s\n' "$new"
  exit 1
fi
for digests in "$repository"/share/PSMFormer/models/*/*/training_keys.txt; do
  python3 -B "$repository/workflows/training/trained_keys.py" check "$digests" "$results/identified_keys.txt"
done
