#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Searches the evaluation runs with foreign proteins among theirs, and against foreign proteins alone, and fails when the shipped
# model lets too many of them through (check_entrapment.py).
set -euo pipefail

# shellcheck source=tests/workflows/searched_runs.sh
source "$(dirname "${BASH_SOURCE[0]}")/searched_runs.sh"

"$repository/workflows/evaluate/entrapment.sh" "$results"
python3 -B "$(dirname "${BASH_SOURCE[0]}")/check_entrapment.py" "$results/entrapment/table.tsv" "$results/leakage/table.tsv"
