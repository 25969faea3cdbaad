#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fails when anything is accepted at 1 % FDR of the evaluation runs with shuffled or blank spectra.
set -euo pipefail

# shellcheck source=tests/workflows/searched_runs.sh
source "$(dirname "${BASH_SOURCE[0]}")/searched_runs.sh"

"$repository/workflows/evaluate/null.sh" "$results"
