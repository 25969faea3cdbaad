#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Gets the example run and makes its sequence database in the folder given: BSA1.mzML and database.fasta.
# Two Debian packages hold the sources. They are downloaded and unpacked, not installed, which also works on systems that
# leave out /usr/share/doc.
set -euo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

stop() { printf 'get_example.sh: %s\n' "$1" >&2; exit 1; }

# download <package>: into the current folder
download() {
  apt-get -qq -o Acquire::Retries=3 -o APT::Sandbox::User="$(id -un)" download "$1" </dev/null >download.log 2>&1
}

update_package_lists() {
  if [ "$(id -u)" = 0 ]; then
    apt-get -qq update </dev/null
  else
    sudo apt-get -qq update </dev/null
  fi
}

# check <file> <SHA-256>
check() {
  [ -f "$1" ] || stop "the package holds no $1; this needs the package of Debian 12 (bookworm)."
  printf '%s  %s\n' "$2" "$1" | sha256sum --check --status ||
    stop "$1 has not the SHA-256 it should have; remove $PWD and try again. If it happens twice, the package has changed: please report it."
}

# get <package> <file in it> <SHA-256> <output>: the unpacked content of a gzip file
get() {
  local package=$1 file=$2 hash=$3 output=$4
  [ ! -s "$output" ] || return 0
  printf '  Downloading %s (Debian package %s)\n' "$(basename "$file")" "$package"
  # Twice, since a machine that was set up long ago asks for a version that the mirror no longer holds.
  download "$package" || { update_package_lists && download "$package"; } ||
    stop "the Debian package $package could not be downloaded: $(tail -n 1 download.log) Check the network and that the package sources are those of Debian 12, then try again."
  dpkg-deb -x "$package"_*.deb unpacked || stop "$package could not be unpacked; remove $PWD and try again."
  check "unpacked/$file" "$hash"
  gzip -dc "unpacked/$file" >"$output.partial"
  mv "$output.partial" "$output"
  rm -rf unpacked "$package"_*.deb download.log
}

main() {
  [ "$#" = 1 ] || stop "name the folder to write to."
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    stop "apt-get and dpkg-deb are needed to get the example; run this on Debian 12."
  fi
  mkdir -p "$1"
  cd "$1"
  get python-pymzml-doc usr/share/doc/python3-pymzml/tests/data/BSA1.mzML.gz \
    b27065ca8b28aeb2bd4004ef5e5a984446987b2edc53c1c8eb34d7ed8923766c BSA1.mzML
  get mmseqs2-examples usr/share/doc/mmseqs2/example-data/DB.fasta.gz \
    92a65aa435f5d3e0f33eb47d87910fe7fc6033a28bf4ed1367094377d791d567 background.fasta
  if [ ! -s database.fasta ] || [ "$folder/make_database.sh" -nt database.fasta ] || [ "$folder/proteins.fasta" -nt database.fasta ]; then
    bash "$folder/make_database.sh" "$folder/proteins.fasta" background.fasta >database.partial
    mv database.partial database.fasta
  fi
}

main "$@"
