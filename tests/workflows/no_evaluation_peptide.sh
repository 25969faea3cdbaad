#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Searches the evaluation runs and fails when a shipped model was trained on a peptide identified there.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shared="${PSMFORMER_SHARED:-$repository/../shared}"
if [ ! -d "$shared/data/runs" ]; then
  echo "SKIPPED: no ../shared"
  exit 0
fi

results="$repository/build/evaluate"
mkdir -p "$results"
PSMFORMER_SHARED=$shared "$repository/workflows/evaluate/run.sh" --search-only "$results"
for digests in "$repository"/share/PSMFormer/models/*/*/training_keys.txt; do
  python3 -B "$repository/workflows/training/trained_keys.py" check "$digests" "$results/identified_keys.txt"
done
