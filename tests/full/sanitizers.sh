#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs test programs with the address and undefined-behaviour sanitizers (preset asan). The first fault ends a program, with
# its place.
#   tests/full/sanitizers.sh [program...]   core_tests unless others are named
set -euo pipefail
# shellcheck source=tests/full/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need g++
programs=("${@:-core_tests}")
build_preset asan "${programs[@]}"
cd "$repository/build/asan"
find . -name '*.gcda' -delete # coverage is of this run
for program in "${programs[@]}"; do
  # A test that is skipped within is not this test that is skipped.
  "bin/$program" --gtest_brief=1 2>&1 | sed 's/SKIPPED:/left out:/' ||
    stop "$program fails with the sanitizers; the reason is above."
done
