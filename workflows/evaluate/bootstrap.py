# SPDX-License-Identifier: BSD-3-Clause
"""Percentile intervals by bootstrap over spectra (Efron and Tibshirani 1993, chapters 6 and 13): all hits of a spectrum are
drawn together, for they are not independent of each other."""
import random

SEED = 1


def draws(spectra, samples):
    """Yield, for every sample, how often each spectrum was drawn: a dictionary without those that were not."""
    generator = random.Random(SEED)
    spectra = sorted(spectra)
    for _ in range(samples):
        drawn = {}
        for spectrum in generator.choices(spectra, k=len(spectra)):
            drawn[spectrum] = drawn.get(spectrum, 0) + 1
        yield drawn


def interval(values, level):
    """The percentile interval of bootstrap values that holds the share `level` of them."""
    values = sorted(values)
    return values[int((1 - level) / 2 * len(values))], values[int((1 + level) / 2 * len(values)) - 1]
