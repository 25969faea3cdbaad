# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Sourced by tests of the evaluation runs: searches them, or ends the test where there are none. Sets 'repository', 'shared'
# and 'results'.
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
shared="${PSMFORMER_SHARED:-$repository/../shared}"
if [ ! -d "$shared/data/runs" ]; then
  echo "SKIPPED: no ../shared"
  exit 0
fi
export PSMFORMER_SHARED=$shared

results="$repository/build/evaluate"
mkdir -p "$results"
"$repository/workflows/evaluate/run.sh" --search-only "$results"
