#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws share/doc/encodings.svg from the formulas of encodings.md: share/doc/draw_encodings.py [file]

Above both matrices: a row a feature, a column a value. Below, how alike (cosine) two values are to each encoding, against the
distance between them.
"""

import math
import sys
from pathlib import Path

D_MODEL = 64  # of the shipped model
MASS_RANGE = (1e-4, 1e4)  # Th
N_POSITIONS = 120  # peaks of a spectrum
WIDTH, HEIGHT, LEFT, TOP, GAP = 360, 192, 70, 40, 80
BLUE, ORANGE, GREY, LEVELS = "#2266aa", "#dd7711", "#888888", 5  # on white and on black


def mass_wavelengths():
    n = D_MODEL // 2
    return [0.001 * (10000.0 / 0.001) ** (i / (n - 1)) for i in range(n)]


def position_wavelengths():
    return [2 * math.pi * 10000 ** (2 * i / D_MODEL) for i in range(D_MODEL // 2)]


def mass_encoding(mass):
    """All sines, then all cosines."""
    return [wave(2 * math.pi * mass / w) for wave in (math.sin, math.cos) for w in mass_wavelengths()]


def position_encoding(position):
    """Sine and cosine in turns (Vaswani et al. 2017)."""
    return [wave(2 * math.pi * position / w) for w in position_wavelengths() for wave in (math.sin, math.cos)]


def similarity(distance, wavelengths):
    """The cosine between the encodings of x and of x + distance, whatever x is."""
    return sum(math.cos(2 * math.pi * distance / w) for w in wavelengths) / len(wavelengths)


class Panel:
    """One of the four; `place` maps a value to 0..1 on the x axis."""

    def __init__(self, column, row, title, label, place):
        self.x, self.y, self.place, self.parts = LEFT + column * (WIDTH + GAP), TOP + row * (HEIGHT + 95), place, []
        self.text(WIDTH / 2, -14, title, "middle", 14)
        self.text(WIDTH / 2, HEIGHT + 36, label, "middle", 12)

    def text(self, x, y, text, anchor="end", size=12):
        self.parts.append(f'<text x="{self.x + x:.1f}" y="{self.y + y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{GREY}">{text}</text>')

    def rule(self, x1, y1, x2, y2):
        self.parts.append(f'<path d="M{self.x + x1:.1f} {self.y + y1:.1f}L{self.x + x2:.1f} {self.y + y2:.1f}" '
                          f'stroke="{GREY}" stroke-opacity="0.5"/>')

    def ticks(self, values):
        for value in values:
            x = WIDTH * self.place(value)
            self.rule(x, HEIGHT, x, HEIGHT + 5)
            self.text(x, HEIGHT + 19, f"{value:g}", "middle")

    def matrix(self, columns):
        """Blue below 0, orange above; the further from 0 the stronger. Equal neighbours of a row are one stroke."""
        strokes = {level: [] for level in range(-LEVELS, LEVELS + 1)}
        for feature in range(D_MODEL):
            levels = [round(column[feature] * LEVELS) for column in columns]
            begin = 0
            for k in range(1, len(levels) + 1):
                if k == len(levels) or levels[k] != levels[begin]:
                    strokes[levels[begin]].append(f"M{begin} {feature}.5h{k - begin}")
                    begin = k
        scale = f"translate({self.x} {self.y}) scale({WIDTH / len(columns):g} {HEIGHT / D_MODEL:g})"
        self.parts.append(f'<g transform="{scale}" fill="none">')
        self.parts += [f'<path d="{"".join(paths)}" stroke="{BLUE if level < 0 else ORANGE}" '
                       f'stroke-opacity="{abs(level) / LEVELS:g}"/>' for level, paths in strokes.items() if level and paths]
        self.parts.append("</g>")
        for feature in (1, D_MODEL // 2, D_MODEL):
            self.text(-8, HEIGHT * (feature - 0.5) / D_MODEL + 4, str(feature))

    def curve(self, distances, wavelengths):
        def y(value):
            return HEIGHT * (1.0 - (value + 0.5) / 1.5)

        points = " ".join(f"{self.x + WIDTH * self.place(d):.1f},{self.y + y(similarity(d, wavelengths)):.1f}" for d in distances)
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{BLUE}" stroke-width="2"/>')
        for value in (0.0, 0.5, 1.0):
            self.rule(0, y(value), WIDTH, y(value))
            self.text(-8, y(value) + 4, f"{value:.1f}")


def panels():
    span = math.log10(MASS_RANGE[1] / MASS_RANGE[0])

    def on_log_axis(mass):
        return math.log10(mass / MASS_RANGE[0]) / span

    def on_axis(position):
        return position / N_POSITIONS

    masses = [MASS_RANGE[0] * 10 ** (span * (k + 0.5) / 240) for k in range(240)]
    decades, tens = [10.0 ** k for k in range(-4, 5, 2)], range(0, N_POSITIONS + 1, 20)
    made = [Panel(0, 0, "m/z encoding: 64 features", "m/z (Th)", on_log_axis),
            Panel(1, 0, "ordinal encoding: 64 features", "position", on_axis),
            Panel(0, 1, "how alike two m/z are", "difference (Th)", on_log_axis),
            Panel(1, 1, "how alike two positions are", "difference", on_axis)]
    made[0].matrix([mass_encoding(mass) for mass in masses])
    made[1].matrix([position_encoding(position) for position in range(N_POSITIONS)])
    made[2].curve(masses, mass_wavelengths())
    made[3].curve(range(N_POSITIONS + 1), position_wavelengths())
    for k, panel in enumerate(made):
        panel.ticks(tens if k % 2 else decades)
    return made


def drawing():
    width, height = LEFT + 2 * WIDTH + GAP + 30, TOP + 2 * HEIGHT + 145
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
                      "<title>Both encodings, and how alike two values are to them</title>",
                      *[part for panel in panels() for part in panel.parts], "</svg>", ""])


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("encodings.svg")
    path.write_text(drawing(), encoding="utf-8")
