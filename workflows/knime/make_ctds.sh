#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Writes the descriptors of the nodes again, with the tools themselves; needed whenever an option changes:
#   workflows/knime/make_ctds.sh [folder with the tools] [folder to write to]
set -euo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=${1:-$folder/../../build/release/bin}
output=${2:-$folder/descriptors}
export OPENMS_DISABLE_UPDATE_CHECK=ON
for tool in PSMFormer PSMFormerTrainer; do
  if [ ! -x "$tools/$tool" ]; then
    echo "make_ctds.sh: there is no $tools/$tool; build both tools with share/setup/build.sh all." >&2
    exit 1
  fi
  "$tools/$tool" -write_ctd "$output" >/dev/null
done
