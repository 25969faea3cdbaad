#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian package of build/release.
#   tests/full/package.sh lintian   looks for faults with Debian's own checker; any finding is one
#   tests/full/package.sh install   installs it on a bare Debian 12 (tests/fresh_machine.sh --package), runs it, removes it
set -euo pipefail
# shellcheck source=tests/full/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need dpkg-shlibdeps
folder=$(mktemp -d "${TMPDIR:-/tmp}/psmformer-package.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cpack --config "$repository/build/release/CPackConfig.cmake" -B "$folder" >"$folder/log" 2>&1 || {
  tail -n 20 "$folder/log" >&2
  stop "cpack could not make the package; the reason is above. Build first: share/setup/build.sh all"
}

case "${1:-}" in
  lintian)
    need lintian
    findings=$(lintian --allow-root "$folder"/*.deb) || true
    [ -z "$findings" ] || stop "lintian finds faults: $findings"
    printf 'lintian: the package is without findings\n'
    ;;
  install)
    need debootstrap
    "$repository/tests/fresh_machine.sh" --package "$folder"/*.deb
    ;;
  *) stop "say what to do: lintian or install" ;;
esac
