"""Judgement of a simulated count against its exact probability."""

from __future__ import annotations

from fractions import Fraction
from math import exp, lgamma, log, sqrt

from .model import Check

#: Maximum deviation of a count, in standard errors.
LIMIT = 4.0
#: A smaller expected count is judged by a Poisson distribution, with the probability of four standard errors.
FEW, CHANCE = 10, 6.3e-5


def poisson_tail(count: int, expected: float) -> float:
    """Return twice the probability of a count at least as extreme as this one."""

    def at(k: int) -> float:
        return exp(k * log(expected) - expected - lgamma(k + 1))

    below = sum(at(k) for k in range(count + 1))
    above = 1 - below + at(count)
    return min(1.0, 2 * min(below, above))


def detectable(probability: Fraction, rounds: int) -> float:
    """Return the smallest relative error of a probability that `judged` sees in an average sample of ``rounds``."""
    p = float(probability)
    expected = rounds * p
    if not 0 < expected < rounds:
        return 0.0
    if min(expected, rounds - expected) >= FEW:
        return LIMIT * sqrt((1 - p) / expected)
    rare = min(expected, rounds - expected)
    count = next(k for k in range(int(rare) + 1, 100 * FEW) if poisson_tail(k, rare) <= CHANCE)
    return (count - rare) / expected


def mean_judged(
    what: str, method: str, mean: float, expected: float, error: float, form: str = "+.6f", of: str = " per round"
) -> Check:
    """Return the check of a mean by its standard error: |z| < 4."""
    z = (mean - expected) / error
    return Check(what, method, f"{mean:{form}}{of}, {expected:{form}} expected, z = {z:+.2f}", abs(z) < LIMIT)


def judged(what: str, count: int, rounds: int, probability: Fraction, seed: int) -> Check:
    """Return the check of a count: |z| < 4, or a Poisson tail of the same probability.

    The Poisson tail is used if fewer than ten occurrences, or fewer than ten non-occurrences, are expected.
    """
    p = float(probability)
    expected = rounds * p
    method = f"{rounds:,} rounds, seed {seed}"
    if expected in (0, rounds):
        return Check(what, method, f"{count:,} times, {expected:,.0f} expected", count == expected)
    rare = min(expected, rounds - expected)
    if rare < FEW:
        events = count if expected == rare else rounds - count
        return Check(what, method, f"{count:,} times, {expected:,.2f} expected", poisson_tail(events, rare) > CHANCE)
    z = (count - expected) / sqrt(expected * (1 - p))
    return Check(what, method, f"{count:,} times, {expected:,.0f} expected, z = {z:+.2f}", abs(z) < LIMIT)
