#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Proves the two commands of the README on a bare Debian 12: makes one with debootstrap, clones the last commit into it
# and runs workflows/demo.sh and tests/run.sh there. Needs root, a network and about 10 GB.
#   tests/fresh_machine.sh [folder]   the folder must be empty or absent; without one a temporary folder is taken
#   tests/fresh_machine.sh --package <deb> [folder]   installs the Debian package there instead, and rescores with it what
#                                     tests/workflows/small_example.sh has made in build/release/tests/workflows/example
# Everything is removed at the end. DEBIAN_MIRROR names another mirror.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
commands=("./workflows/demo.sh" "./tests/run.sh")
package=

stop() { printf 'fresh_machine.sh: %s\n' "$1" >&2; exit 1; }

if [ "${1:-}" = --package ]; then
  package=${2:-}
  [ -s "$package" ] || stop "name the package: tests/fresh_machine.sh --package build/package/psmformer_0.1.0_amd64.deb"
  shift 2
  example="$repository/build/release/tests/workflows/example"
  [ -s "$example/shell/indexed.idXML" ] || stop "$example/shell/indexed.idXML is missing; make it with tests/workflows/small_example.sh $example"
  commands=("apt-get -q update && apt-get -q install -y --no-install-recommends ./psmformer.deb" "! command -v python3"
    "PSMFormer -in indexed.idXML -in_spectra late.mzML -out rescored.idXML -out_report report.html -threads 2 -no_progress"
    "test -s report.html && grep -c 'name=\"PSMFormer:logit\"' rescored.idXML" "apt-get -q purge -y psmformer && ! test -e /usr/share/PSMFormer")
fi

[ "$(id -u)" = 0 ] || stop "a chroot needs root; run this with sudo."
for program in debootstrap git; do
  command -v "$program" >/dev/null || stop "$program is missing; install the section full: share/setup/install.sh full"
done
[ -n "$package" ] || git -C "$repository" diff --quiet HEAD || echo "fresh_machine.sh: there are changes that are not committed; only the last commit is tested."

place=/srv/PSMFormer # inside of the bare machine
machine=${1:-$(mktemp -d)}
[ ! -e "$machine" ] || [ -z "$(ls -A "$machine")" ] || stop "$machine is not empty; name an empty or a new folder."

# A mounted /proc must never be removed with the folder around it.
# shellcheck disable=SC2317 # called by the trap
clean_up() {
  umount "$machine/proc" 2>/dev/null || true
  if mountpoint -q "$machine/proc"; then
    echo "fresh_machine.sh: $machine/proc could not be unmounted; $machine stays." >&2
  else
    rm -rf --one-file-system "$machine"
  fi
}
trap clean_up EXIT

make_machine() {
  local log
  log=$(mktemp)
  echo "Making a bare Debian 12 in $machine"
  debootstrap --variant=minbase bookworm "$machine" "$mirror" >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    stop "debootstrap failed; the reason is above and in $log. Check the network and DEBIAN_MIRROR."
  }
  rm -f "$log"
  mount -t proc proc "$machine/proc"
  cp -L /etc/resolv.conf "$machine/etc/resolv.conf"
  if [ -n "$package" ]; then
    mkdir "$machine$place"
    cp "$package" "$machine$place/psmformer.deb"
    cp "$example/shell/indexed.idXML" "$example/late.mzML" "$machine$place"
  else
    git clone -q "$repository" "$machine$place"
  fi
}

# run_inside <command>: prints the end of what it says and its exit status
run_inside() {
  local status=0 start=$SECONDS log="$machine/srv/output.log"
  printf '\n$ %s\n' "$1"
  # The build's cache and compilers of this machine must not leak in, but a proxy must.
  chroot "$machine" /usr/bin/env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    DEBIAN_FRONTEND=noninteractive bash -c "cd $place && { $1; }" >"$log" 2>&1 </dev/null || status=$?
  tail -n 25 "$log"
  printf '[exit status %d after %d s]\n' "$status" $((SECONDS - start))
  return "$status"
}

make_machine
failed=0
for command in "${commands[@]}"; do
  run_inside "$command" || failed=1
done
exit "$failed"
