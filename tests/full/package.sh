#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian package, as share/setup/build.sh package makes it.
#   tests/full/package.sh lintian   looks for faults with Debian's own checker; any finding is one
#   tests/full/package.sh install   installs it on a bare Debian 12 (tests/fresh_machine.sh --package), runs it, removes it
set -euo pipefail
# shellcheck source=tests/full/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need dpkg-shlibdeps
"$repository/share/setup/build.sh" package || stop "the package could not be made; the reason is above."

case "${1:-}" in
  lintian)
    need lintian
    findings=$(lintian --allow-root "$repository"/build/package/*.deb) || true
    [ -z "$findings" ] || stop "lintian finds faults: $findings"
    printf 'lintian: the package is without findings\n'
    ;;
  install)
    need debootstrap
    "$repository/tests/fresh_machine.sh" --package "$repository"/build/package/*.deb
    ;;
  *) stop "say what to do: lintian or install" ;;
esac
