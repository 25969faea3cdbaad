#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the icons: a mass spectrum whose explained peaks are blue, with an arrow on the trainer's: make_icons.py [folder to write to]"""

import struct
import sys
import zlib
from pathlib import Path

ICONS = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "icons"
WHITE, GREY, BLUE, ORANGE = (255, 255, 255), (120, 120, 120), (0, 114, 178), (230, 159, 0)
# Position and height as a share of the icon, explained or not.
PEAKS = [(0.10, 0.35, False), (0.24, 0.70, True), (0.38, 0.25, False), (0.52, 0.95, True), (0.66, 0.45, True), (0.80, 0.30, False)]


def drawing(size, arrow):
    pixels = [[WHITE] * size for _ in range(size)]
    width = max(1, size // 12)
    for position, height, explained in PEAKS:
        for y in range(round(size * (1 - height)), size - 1):
            for x in range(round(size * position), min(size, round(size * position) + width)):
                pixels[y][x] = BLUE if explained else GREY
    pixels[size - 1] = [GREY] * size
    if arrow:
        n = size // 3
        for i in range(n):
            for x in range(size - 1 - n // 2 - i // 2, size - n // 2 + i // 2):
                pixels[i][x] = ORANGE
    return pixels


def writePng(path, pixels):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = len(pixels)
    rows = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in pixels)
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


for name, size, arrow in [("category", 16, False), ("PSMFormer", 16, False), ("PSMFormerTrainer", 16, True), ("splash", 50, False)]:
    writePng(ICONS / f"{name}.png", drawing(size, arrow))
