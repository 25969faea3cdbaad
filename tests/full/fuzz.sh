#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Feeds a parser of untrusted input with mutated files (libFuzzer, with the sanitizers; preset fuzz).
#   tests/full/fuzz.sh build               builds all targets of tests/fuzz
#   tests/full/fuzz.sh <target> [seconds]  runs one, 60 s by default; what it learns stays in build/fuzz/corpus
# A fault is printed with the file that shows it: build/fuzz/bin/fuzz_<target> <file>
set -euo pipefail
# shellcheck source=tests/full/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need clang++
target=${1:?name a target of tests/fuzz or build}
build="$repository/build/fuzz"
if [ "$target" = build ]; then
  build_preset fuzz fuzz_targets
  exit
fi
program="$build/bin/fuzz_$target"
[ -x "$program" ] || stop "$program is not there; run tests/full/fuzz.sh build."
corpus="$build/corpus/$target"
mkdir -p "$corpus"
log="$build/$target.log"
# Leaks of OpenMS at the end are not ours; the sanitizers of preset asan look for leaks.
"$program" -max_total_time="${2:-60}" -timeout=20 -rss_limit_mb=2048 -use_value_profile=1 -detect_leaks=0 \
  -print_final_stats=1 -artifact_prefix="$build/fault_${target}_" "$corpus" >"$log" 2>&1 || {
  tail -n 60 "$log" >&2
  stop "$target has a fault; the reason and the file that shows it are above."
}
sed -n "s/^stat::number_of_executed_units: */$target: no fault; inputs tried: /p" "$log"
