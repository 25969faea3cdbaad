#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs clang-tidy with .clang-tidy over the sources and the headers they include.
#   tests/full/clang_tidy.sh                  all of src
#   tests/full/clang_tidy.sh src/core ...     those below the folders or files named
set -euo pipefail
# shellcheck source=tests/full/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need clang-tidy
cd "$repository"
build_preset tidy
mapfile -t sources < <(find "${@:-src}" -name '*.cpp' | sort)
[ "${#sources[@]}" -gt 0 ] || stop "there are no sources below $*; name folders or files of the repository."

# The count of warnings in the headers of libraries is not of interest.
check() {
  local output
  output=$(clang-tidy -p build/tidy --quiet "$1" 2>&1) && return
  printf '%s\n' "$output" | grep -v ' warnings generated\.$' || true
  return 1
}
export -f check
# shellcheck disable=SC2016 # the inner shell expands it
printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$1"' check ||
  stop "clang-tidy finds faults; mend them, or take the check out of .clang-tidy and say there why."
printf 'clang-tidy: %d sources are without findings\n' "${#sources[@]}"
