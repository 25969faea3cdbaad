#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Run by conda build, which sets SRC_DIR, PREFIX and CPU_COUNT. A file that includes LibTorch takes up to 2 GiB to compile.
set -euo pipefail

cmake -S "$SRC_DIR" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DPSMFORMER_BUILD_TESTS=OFF
cmake --build build --target PSMFormer PSMFormerTrainer -j "$CPU_COUNT"
cmake --install build --component tools
