"""The distribution of the return over many rounds, for when a normal range is unreliable.

The amounts that one round returns are on a lattice, the multiples of 1/q. The total of N rounds has the N-th power of
one round's characteristic function φ. A discrete Fourier transform over a window of the lattice gives the
probabilities. By Chernoff's bound less than 10^-13 is outside the window, so aliasing is negligible. The power is
computed as exp(N log1p(φ − 1)), with φ − 1 formed without cancellation, so that N does not magnify the rounding error
of φ. The percentiles are lattice points, hence exact numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm, log, sqrt

import numpy as np

from ..deals.table import Column

#: The probability omitted on either side of the window: 10^-13.
_OUTSIDE = 13 * log(10)
#: The largest window: four million lattice points, about 150 MB of memory.
MOST_POINTS = 2**22
_CHUNK = 2**16

LEAST, GREATEST = Fraction(1, 40), Fraction(39, 40)


@dataclass(frozen=True)
class Spread:
    """The 2.5 % and 97.5 % points of the return per unit staked after ``rounds`` rounds."""

    rounds: int
    least: Fraction
    greatest: Fraction


def spread(distribution: Sequence[tuple[Fraction, Fraction]], rounds: int) -> Spread | None:
    """Return the central 95 % of the mean of ``rounds`` draws from (amount, probability) pairs.

    Returns None if the lattice is too fine or the distribution too wide for `MOST_POINTS`. Percentile α is the least
    point at which the distribution function reaches α.
    """
    total = total_distribution(distribution, rounds)
    if total is None:
        return None
    ends = [total.percentile(level) / rounds for level in (LEAST, GREATEST)]
    return Spread(rounds, ends[0], ends[1])


@dataclass(frozen=True, eq=False)
class Total:
    """The distribution of the total of many draws: ``chances[i]`` is the probability of (low + i) / unit.

    ``error`` bounds the error of any sum of the probabilities.
    """

    low: int
    unit: int
    chances: Column
    error: float

    def percentile(self, level: Fraction) -> Fraction:
        """Return the least amount at which the distribution function reaches ``level``."""
        return Fraction(self.low + int(np.searchsorted(np.cumsum(self.chances), float(level))), self.unit)

    def tails(self, amount: Fraction) -> tuple[float, float]:
        """Return the probabilities of at most and of at least this amount."""
        at_most, below = floor(amount * self.unit) - self.low + 1, ceil(amount * self.unit) - self.low
        ends = float(self.chances[: max(at_most, 0)].sum()), float(self.chances[max(below, 0) :].sum())
        return min(1.0, max(0.0, ends[0])), min(1.0, max(0.0, ends[1]))


def total_distribution(distribution: Sequence[tuple[Fraction, Fraction]], rounds: int) -> Total | None:
    """Return the distribution of the total of ``rounds`` draws from (amount, probability) pairs.

    Returns None if the lattice is too fine or the distribution too wide for `MOST_POINTS`.
    """
    merged: dict[Fraction, Fraction] = {}
    for amount, p in distribution:
        merged[amount] = merged.get(amount, Fraction(0)) + p
    distribution = [(amount, p) for amount, p in merged.items() if p]
    unit = lcm(*(amount.denominator for amount, _ in distribution))
    points = [int(amount * unit) for amount, _ in distribution]
    chances = np.array([float(p) for _, p in distribution])
    if len(set(points)) == 1:
        return Total(points[0] * rounds, unit, np.ones(1), 0.0)
    low, high = _window(points, chances, rounds)
    size = 1 << (high - low).bit_length()
    if size > MOST_POINTS:
        return None
    density = _density(points, chances, rounds, low, size)
    # The phase of a power has an error of at most N π 2^-51; that of its modulus is far below 60 · 2^-51.
    # By Parseval's identity and Cauchy's inequality a sum over the window has at most this error.
    rounding = (np.pi * rounds + 60) * 2.0**-51 * sqrt(size) * float(np.sqrt((density * density).sum()))
    return Total(low, unit, density, rounding + 2e-13)


def _window(points: list[int], chances: Column, rounds: int) -> tuple[int, int]:
    """Return lattice totals outside which the probability is less than 10^-13 (Chernoff's bound over a grid)."""
    values = np.array(points, dtype=float)
    mean = float(chances @ values)
    deviation = sqrt(float(chances @ (values - mean) ** 2))
    steps = np.concatenate([
        np.logspace(-4, 2, 400) / (deviation * sqrt(rounds)),
        np.logspace(-3, 2.5, 400) / max(abs(values - mean)),
    ])
    logs = np.log(chances)

    def reach(sign: int) -> float:
        exponents = logs + np.outer(sign * steps, values - mean)
        top = exponents.max(axis=1)
        cumulant = top + np.log(np.exp(exponents - top[:, None]).sum(axis=1))
        return float(((rounds * cumulant + _OUTSIDE) / steps).min())

    centre = mean * rounds
    return (
        max(rounds * min(points), floor(centre - reach(-1)) - 1),
        min(rounds * max(points), ceil(centre + reach(1)) + 1),
    )


def _density(points: list[int], chances: Column, rounds: int, low: int, size: int) -> Column:
    """Return the probabilities of the totals low, low + 1, ..., low + size − 1; ``size`` is a power of two."""
    base = min(points)
    # Amounts are relative to the smallest one; the offset of the totals is an exact phase.
    steps = np.array([k - base for k in points], dtype=np.int64) % size
    shift = (low - rounds * base) % size
    spectrum = np.empty(size // 2 + 1, dtype=complex)
    for start in range(0, len(spectrum), _CHUNK):
        index = np.arange(start, min(start + _CHUNK, len(spectrum)), dtype=np.int64)
        real, imaginary = np.zeros(len(index)), np.zeros(len(index))
        for step, chance in zip(steps, chances, strict=True):
            if not step:
                continue  # the smallest amount adds nothing to φ − 1
            # index · step < 2^44; reduced to (−1/2, 1/2] turns before conversion to an angle.
            turns = (index * step) & (size - 1)
            half = np.pi * np.where(turns > size // 2, turns - size, turns) / size
            sine = np.sin(half)
            real -= chance * 2 * sine * sine
            imaginary -= chance * 2 * sine * np.cos(half)
        above = 2 * real + real * real + imaginary * imaginary  # |φ|² − 1
        # The powers of φ = 0 are 0.
        modulus = np.exp(rounds * 0.5 * np.log1p(above, where=above > -1, out=np.full(len(above), -np.inf)))
        angle = rounds * np.arctan2(imaginary, 1 + real) + 2 * np.pi * ((index * shift) & (size - 1)) / size
        spectrum[start : start + len(index)] = modulus * np.exp(1j * angle)
    return np.fft.irfft(spectrum, size)
