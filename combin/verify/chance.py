"""How unlikely a count may be before a simulation fails."""

from __future__ import annotations

from math import exp, lgamma, log

#: Standard errors that a count may be off.
LIMIT = 4.0
#: Where fewer are expected a Poisson law says how unlikely their number is; the chance of four standard errors.
FEW, CHANCE = 10, 6.3e-5


def poisson_tail(count: int, expected: float) -> float:
    """Twice the probability of a count as far out as this one."""

    def at(k: int) -> float:
        return exp(k * log(expected) - expected - lgamma(k + 1))

    below = sum(at(k) for k in range(count + 1))
    above = 1 - below + at(count)
    return min(1.0, 2 * min(below, above))


__all__ = ["CHANCE", "FEW", "LIMIT", "poisson_tail"]
