#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Searches the evaluation runs and fails when a shipped model was trained on a peptide identified there.
set -euo pipefail

# shellcheck source=tests/workflows/searched_runs.sh
source "$(dirname "${BASH_SOURCE[0]}")/searched_runs.sh"

for digests in "$repository"/share/PSMFormer/models/*/*/training_keys.txt; do
  python3 -B "$repository/workflows/training/trained_keys.py" check "$digests" "$results/identified_keys.txt"
done
