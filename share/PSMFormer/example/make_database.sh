#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Writes the example's sequence database to standard output: BSA and pig trypsin, then a background of other proteins.
#   make_database.sh proteins.fasta background.fasta >database.fasta
# From the background go all albumins and keratins (relatives of BSA, and of what falls into every sample), by name, and
# every sequence that shares eight residues (I = L) with BSA or trypsin: a match to it would be neither right nor wrong.
# Every byte follows from the two inputs; no random numbers are used.
set -euo pipefail

if [ "$#" -ne 2 ]; then
  echo "make_database.sh: name two FASTA files, the proteins that were measured and the background." >&2
  exit 1
fi

cat "$1"
awk -v word_length=8 '
  function bare(sequence) { gsub(/I/, "L", sequence); return sequence }

  function remember(sequence,    i) {
    for (i = 1; i + word_length - 1 <= length(sequence); ++i) measured[substr(sequence, i, word_length)] = 1
  }

  function is_related(sequence,    i) {
    for (i = 1; i + word_length - 1 <= length(sequence); ++i) if (substr(sequence, i, word_length) in measured) return 1
    return 0
  }

  function finish() {
    if (header == "") return
    if (reading_measured) remember(bare(sequence))
    else if (tolower(header) !~ /albumin|keratin/ && !is_related(bare(sequence))) print header "\n" sequence
  }

  FNR == 1 { finish(); header = ""; reading_measured = (NR == 1) }
  /^>/ { finish(); header = $0; sub(/[[:space:]]+$/, "", header); sequence = ""; next }
  { sequence = sequence $0 }
  END { finish() }
' "$1" "$2"
