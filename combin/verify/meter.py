"""Independent checks of Must Hit: the meter's long-run distribution, and a meter simulated wager by wager.

The distribution of the hidden point is combin's assumption (`games.must_hit.ASSUMPTION`). The first method uses the
mean distance to a hit; this one computes probability and amount of a hit without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..base.errors import CountError
from ..base.exact import Exact, is_number, simplify, to_sympy, value_of
from ..games import must_hit
from ..games.outcome import Outcome
from ..rulebook import parameters
from ..rulebook.pays import LOSS
from .chance import CHANCE, LIMIT, mean_judged, poisson_tail
from .model import RETURN, Check, equal

METERS = 1_000
#: With fewer hits the dollars paid cannot be judged.
ENOUGH = 100
#: With this many expected hits, a Poisson distribution is close to normal.
MANY = 1_000
#: If the contribution is not set, a wager adds so much that the meter runs through its range in this many wagers.
WAGERS = 50


def _rise(a: Analysis) -> tuple[Fraction, Fraction, Exact]:
    """Return reset, maximum and the amount that a wager adds, in dollars."""
    known = parameters.values(a.resolved, a.request.set)
    reset, maximum = must_hit.check(a.resolved, known)
    return reset, maximum, simplify(value_of(known, "contribution_rate") * value_of(known, "stake"))


def _hit(a: Analysis) -> Outcome:
    return next(o for o in a.outcomes if o.outcome != LOSS)


def checks(a: Analysis) -> Iterator[Check]:
    """Yield checks of the long run of one meter: the density of its amount, times the probability of a win there.

    The density at x falls linearly from reset to maximum: it is proportional to the probability that the hidden point
    is beyond x. A wager at x wins with the probability rise / (maximum - x). The product is constant or linear in x, so
    the midpoint rule is exact.
    """
    reset, maximum, rise = _rise(a)
    way = maximum - reset
    middle = reset + way / 2
    density = 2 * (maximum - middle) / way**2
    wins = rise / (maximum - middle)
    hit, method = _hit(a), "long-run density of the meter, times the probability of a hit there"
    chance = simplify(way * density * wins)
    yield equal("frequency of a hit", method, hit.probability, chance)
    dollars = simplify(way * density * wins * middle)
    yield equal("dollars of a wager", method, simplify(hit.probability * hit.returned), dollars,
                covers=RETURN)


def simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    """Yield checks of a thousand meters, each started at a random moment of its cycle, wager by wager."""
    reset, maximum, rise = _rise(a)
    known = is_number(rise)
    step = Fraction(rise) if known else (maximum - reset) / WAGERS
    hit = _hit(a)
    chance, prize = _at(hit.probability, rise, step), _at(hit.returned, rise, step)
    hits, paid = meters(float(reset), float(maximum), float(step), -(-rounds // METERS), seed)
    assumed = "" if known else f", ${float(step):,.2f} of a wager to the meter"
    method = f"{METERS * -(-rounds // METERS):,} wagers on {METERS:,} meters, seed {seed}{assumed}"
    wagers = -(-rounds // METERS)
    expected = float(chance) * wagers
    yield _hits_judged(method, int(hits.sum()), expected * METERS)
    if hits.sum() < ENOUGH:
        yield Check("simulated dollars paid", method, f"{paid.sum():,.2f}; too few hits to judge them", None)
    else:
        error = float(paid.std(ddof=1)) / sqrt(METERS)  # from the spread between the meters
        yield mean_judged("simulated dollars paid", method, float(paid.mean()), float(chance * prize) * wagers, error,
                          ",.6g", " per meter")


def _at(value: Exact, rise: Exact, step: Fraction) -> Fraction:
    """Return the value of a figure that is linear in the meter's rise, if the rise is ``step``."""
    if is_number(value):
        return Fraction(value)
    figure = simplify(value / rise * to_sympy(step))
    if not is_number(figure):
        raise CountError(f"{value} is not proportional to the contribution to the meter")
    return Fraction(figure)


def meters(reset: float, maximum: float, step: float, wagers: int, seed: int) -> tuple[Any, Any]:
    """Return hits and dollars paid of each meter over ``wagers`` wagers."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    way = maximum - reset
    # A random moment is in a cycle with probability proportional to its length.
    point = reset + way * np.sqrt(random.random(METERS))
    meter = reset + (point - reset) * random.random(METERS)
    hits, paid = np.zeros(METERS, dtype=np.int64), np.zeros(METERS)
    for _ in range(wagers):
        meter += step
        while (won := np.flatnonzero(meter >= point)).size:
            hits[won] += 1
            paid[won] += point[won]
            meter[won] += reset - point[won]  # the amount beyond the point goes to the next meter
            point[won] = reset + way * random.random(won.size)
    return hits, paid


def _hits_judged(method: str, hits: int, expected: float) -> Check:
    """Return the check of hits, judged by a Poisson distribution, whose spread is an upper bound."""
    result = f"{hits:,} hits, {expected:,.4g} expected"
    if expected < MANY:
        return Check("simulated hits", method, result, poisson_tail(hits, expected) > CHANCE)
    z = (hits - expected) / sqrt(expected)
    return Check("simulated hits", method, f"{result}, z = {z:+.2f}", abs(z) < LIMIT)
