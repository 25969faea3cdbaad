#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes predicted training spectra (knowledge distillation from MS2PIP) beside those of prepare.sh.
#   workflows/training/distil.sh [folder that prepare.sh made] [output folder]
# The output folder (default: the same) gets predicted_intensities.tsv.gz (relative intensities of natural peptides and
# their unnatural twins), predicted_hcd.mgf.gz, predicted_iontrap.mgf.gz, predicted_sources.tsv and
# predicted_measurements.tsv. The wheel of MS2PIP is downloaded from PyPI into its subfolder ms2pip, not installed: only
# its compiled models are used. PSMFORMER_MS2PIP names a wheel at hand instead.
# PSMFORMER_PEPTIDES is the number of natural peptides (default 150000), PSMFORMER_SECONDS an end for the predictions and
# for the spectra, each (default 0: all). PSMFORMER_SHARED and PSMFORMER_KEYS are those of prepare.sh.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
data="${PSMFORMER_SHARED:-$repository/../shared}/data"
spectra="${1:-$repository/build/training}"
out="${2:-$spectra}"
keys="${PSMFORMER_KEYS:-$repository/workflows/training/evaluation_keys.txt}"

# The last release whose wheel holds the models of ion-trap CID and of a TripleTOF; later ones download them.
version=3.6.3
wheel_sha256=b8e37bd558a9e30771a743e1166c98cb792027901e63fb60f2dcc34cf43c47ae

stop() {
  echo "distil.sh: $1" >&2
  exit 1
}

# fetch_wheel: prints the path of MS2PIP's wheel, for whatever Python it was built
fetch_wheel() {
  local folder="$out/ms2pip"
  if [ -n "${PSMFORMER_MS2PIP:-}" ]; then
    echo "$PSMFORMER_MS2PIP"
    return
  fi
  if ! compgen -G "$folder/ms2pip-$version-*.whl" >/dev/null; then
    python3 -m venv "$folder/venv" >&2 || stop "cannot make a virtual environment; run apt-get install python3-venv"
    "$folder/venv/bin/pip" download --quiet --no-deps --only-binary :all: --python-version 3.8 --implementation cp \
      --abi cp38 --platform manylinux2010_x86_64 --dest "$folder" "ms2pip==$version" >&2 ||
      stop "cannot download ms2pip $version from PyPI; set PSMFORMER_MS2PIP to its wheel for CPython 3.8."
  fi
  echo "$folder"/ms2pip-"$version"-*.whl
}

# link_models: prints the path of a library of the models that any Python can load
link_models() {
  local folder="$out/ms2pip" wheel
  wheel=$(fetch_wheel)
  echo "$wheel_sha256  $wheel" | sha256sum --check --status ||
    stop "$wheel is not the wheel of ms2pip $version for CPython 3.8; delete it, or set PSMFORMER_MS2PIP to that wheel."
  python3 -m zipfile -e "$wheel" "$folder"
  # The models are plain C functions in an extension of Python 3.8; the one symbol later Pythons lack is defined here.
  echo "int _Py_CheckRecursionLimit;" |
    gcc -shared -fPIC -x c - -x none -Wl,--no-as-needed "$folder"/ms2pip/cython_modules/ms2pip_pyx*.so \
      -o "$folder/models.so" || stop "gcc cannot link the models; run apt-get install gcc"
  echo "$folder/models.so"
}

[ "$(uname -m)" = x86_64 ] || stop "the wheel of ms2pip $version is for x86_64 only; use a computer of that kind."
[ -s "$spectra/naturals.fasta" ] || stop "there are no spectra in $spectra; make them: workflows/training/prepare.sh"
[ -s "$keys" ] || stop "there is no list of keys $keys; set PSMFORMER_KEYS to one, or leave it unset."
[ -d "$data/fasta" ] || stop "there is no folder $data/fasta; set PSMFORMER_SHARED to the folder that holds data/fasta."
mkdir -p "$out/ms2pip"
models=$(link_models)
table="$out/predicted_intensities.tsv.gz"
python3 "$here/distil.py" predict --models "$models" --naturals "$spectra/naturals.fasta" \
  --exclude "$data"/fasta/*.fasta.gz --keys "$keys" --proteins "$data/fasta/contaminants.fasta.gz" \
  --peptides "${PSMFORMER_PEPTIDES:-150000}" --out "$table" --seconds "${PSMFORMER_SECONDS:-0}"
python3 "$here/distil.py" spectra --table "$table" --data "$data" --spectra "$spectra" --out "$out" \
  --seconds "${PSMFORMER_SECONDS:-0}"
