#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing, builds and runs the tests.
#   tests/run.sh          everything but the tests labelled slow
#   tests/run.sh --full   the slow ones too
# Further arguments go to CTest: tests/run.sh -L unit
# The last line is 'N passed, N failed' (', N skipped'); the exit status is 0 when nothing failed.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$repository/build/release"

stop() { printf 'run.sh: %s\n0 passed, 1 failed\n' "$1"; exit 1; }

sections=(build demo package test)
selection=(-LE '^slow$')
if [ "${1:-}" = --full ]; then
  shift
  sections+=(full)
  selection=()
fi
case " $* " in
  *" --full "*) stop "--full comes first: tests/run.sh --full ..." ;;
esac

"$repository/share/setup/install.sh" "${sections[@]}" || stop "the packages could not be installed; the reason is above."
"$repository/share/setup/build.sh" all || stop "the build failed; the reason is above."

export OPENMS_DISABLE_UPDATE_CHECK=ON OPENMS_HOME_PATH="$build/Testing/home"
export PSMFORMER_SHARED="${PSMFORMER_SHARED:-$repository/../shared}"
mkdir -p "$OPENMS_HOME_PATH"
results="$build/Testing/results.xml"
rm -f "$results"
# Passed output is kept whole, since a skipped test names its reason there.
ctest --test-dir "$build" "${selection[@]}" -j "$(nproc)" --timeout 900 --no-tests=error --output-on-failure \
  --test-output-size-passed 1048576 --output-junit "$results" "$@" </dev/null || true
echo
exec python3 "$repository/tests/count_results.py" "$results"
