#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages of the named sections of debian-packages.txt that are missing.
#   share/setup/install.sh build demo
# Needs Debian 12 and root or sudo, but only when something is missing.
set -euo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
list="$folder/debian-packages.txt"

stop() { printf 'install.sh: %s\n' "$1" >&2; exit 1; }

# The packages of one section, comments removed.
packages_of() {
  grep -qx "\[$1\]" "$list" || stop "there is no section '$1' in $list; its sections are $(sed -n 's/^\[\(.*\)\]$/\1/p' "$list" | paste -sd' ')."
  sed 's/#.*//; s/[[:space:]]*$//' "$list" | awk -v wanted="[$1]" '/^\[/ { inside = ($0 == wanted); next } inside && NF'
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

can_be_root() { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }

# apt-get, quiet unless it fails
run_apt() {
  local log
  log=$(mktemp)
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" </dev/null >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    stop "apt-get $1 failed; the reason is above and in $log. Check the network and that the package sources are those of Debian 12, then run this again."
  fi
  rm -f "$log"
}

install_missing() {
  local wanted=("$@") missing=() package
  for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0

  can_be_root || stop "these packages are missing and neither root nor sudo is available: ${missing[*]}. Ask an administrator to run: apt-get install ${missing[*]}"
  printf 'Installing %s\n' "${missing[*]}"
  run_apt update
  run_apt install -y --no-install-recommends "${missing[@]}"
}

# libtorch_cpu uses whatever libblas.so.3 is: the reference BLAS is slow, and OpenBLAS's pthread build, which apt prefers
# when it is present, ignores the thread setting of the tools.
choose_blas() {
  is_installed libopenblas0-openmp || return 0
  local triplet name file
  triplet=$(dpkg-query -L libopenblas0-openmp | sed -n 's|^/usr/lib/\([^/]*\)/openblas-openmp/libblas.so.3$|\1|p')
  for name in libblas liblapack; do
    file="/usr/lib/$triplet/openblas-openmp/$name.so.3"
    [ "$(readlink -f "/etc/alternatives/$name.so.3-$triplet")" != "$(readlink -f "$file")" ] || continue
    if can_be_root; then
      printf 'Choosing %s as %s.so.3\n' "$file" "$name"
      as_root update-alternatives --quiet --set "$name.so.3-$triplet" "$file"
    else
      printf 'install.sh: scoring will be slow with this %s; ask an administrator to run: update-alternatives --set %s.so.3-%s %s\n' \
        "$name" "$name" "$triplet" "$file" >&2
    fi
  done
}

main() {
  [ "$#" -gt 0 ] || stop "name the sections to install, for example: share/setup/install.sh build demo"
  local section names packages=()
  for section in "$@"; do
    names=$(packages_of "$section")
    mapfile -t -O "${#packages[@]}" packages <<<"$names"
  done
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    stop "this is not a Debian system; install the counterparts of ${packages[*]} and build with cmake --preset release."
  fi
  install_missing "${packages[@]}"
  choose_blas
}

main "$@"
