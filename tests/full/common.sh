# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What the scripts of this folder share; they source it.
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

stop() { printf '%s: %s\n' "$(basename "$0")" "$1" >&2; exit 1; }

# need <program>: without it CTest counts the test as skipped (exit status 77), and tests/run.sh as failed.
need() {
  command -v "$1" >/dev/null && return
  printf 'SKIPPED: no %s; install it with share/setup/install.sh full\n' "$1"
  exit 77
}

# build_preset <preset> [target...]
build_preset() {
  "$repository/share/setup/build.sh" preset "$@" || stop "the preset $1 could not be built; the reason is above."
}
