#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Prints which share of the lines of core ran in tests/full/sanitizers.sh. A figure to read, without a threshold.
set -euo pipefail
# shellcheck source=tests/full/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need gcovr
cd "$repository"
[ -n "$(find build/asan/src/core -name '*.gcda' -print -quit 2>/dev/null)" ] ||
  stop "no lines were counted; run tests/full/sanitizers.sh first."
gcovr --root . --filter src/core/ --filter include/PSMFormer/core/ --sort-uncovered build/asan/src/core |
  sed '/^-*$/d; /^ /d; /^Directory/d'
