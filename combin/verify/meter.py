"""Must Hit a second time: where the meter stands in the long run, and the meter itself, wager by wager.

The law of the hidden point is combin's assumption (`games.must_hit.LAW`); what it makes of
the chance and the size of a hit is found here by another way than by the mean way to a hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np

from ..analysis.model import Analysis
from ..analysis.outcome import Outcome
from ..base.errors import CountError
from ..base.exact import Exact, is_number, simplify, to_sympy, value_of
from ..games import must_hit
from ..rulebook import parameters
from ..rulebook.pays import LOSS
from .chance import CHANCE, LIMIT, poisson_tail
from .model import Check, equal

METERS = 1_000
#: Fewer hits than these say nothing of the dollars paid.
ENOUGH = 100
#: From so many expected hits on a Poisson law is as good as normal.
MANY = 1_000
#: Dollars of a wager where the contribution is left open: the way of the meter in so many wagers.
WAGERS = 50


def _rise(a: Analysis) -> tuple[Fraction, Fraction, Exact]:
    """Reset, maximum and what a wager adds, in dollars."""
    known = parameters.values(a.resolved, a.request.set)
    reset, maximum = must_hit.check(a.resolved, known)
    return reset, maximum, simplify(value_of(known, "contribution_rate") * value_of(known, "stake"))


def _hit(a: Analysis) -> Outcome:
    return next(o for o in a.outcomes if o.outcome != LOSS)


def checks(a: Analysis) -> Iterator[Check]:
    """The long run of one meter: how often it stands where, times the chance that a wager wins it there.

    A meter stands at x with a density that falls evenly from reset to maximum, as its point
    lies beyond x so often; a wager there wins with its rise over what is left to the maximum.
    Products of the two are even or linear in x, so that their value in the middle is exact.
    """
    reset, maximum, rise = _rise(a)
    way = maximum - reset
    middle = reset + way / 2
    density = 2 * (maximum - middle) / way**2
    wins = rise / (maximum - middle)
    hit, method = _hit(a), "where the meter stands in the long run, times the chance of a wager there"
    chance = simplify(way * density * wins)
    yield equal("frequency of a hit", method, hit.probability, chance)
    dollars = simplify(way * density * wins * middle)
    yield equal("dollars of a wager", method, simplify(hit.probability * hit.returned), dollars)


def simulation(a: Analysis, rounds: int, seed: int) -> Iterator[Check]:
    """A thousand meters side by side, met at a random moment of their life, one wager after the other."""
    reset, maximum, rise = _rise(a)
    known = is_number(rise)
    step = Fraction(rise) if known else (maximum - reset) / WAGERS
    hit = _hit(a)
    chance, prize = _at(hit.probability, rise, step), _at(hit.returned, rise, step)
    hits, paid = meters(float(reset), float(maximum), float(step), -(-rounds // METERS), seed)
    beside = "" if known else f", ${float(step):,.2f} of a wager to the meter"
    method = f"{METERS * -(-rounds // METERS):,} wagers on {METERS:,} meters, seed {seed}{beside}"
    wagers = -(-rounds // METERS)
    expected = float(chance) * wagers
    yield _hits_judged(method, int(hits.sum()), expected * METERS)
    if hits.sum() < ENOUGH:
        yield Check("simulated dollars paid", method, f"{paid.sum():,.2f}; too few hits to judge it by", None)
    else:
        yield _dollars_judged(method, paid, float(chance * prize) * wagers)


def _at(value: Exact, rise: Exact, step: Fraction) -> Fraction:
    """A figure in the rise of the meter where that is ``step``."""
    if is_number(value):
        return Fraction(value)
    found = simplify(value / rise * to_sympy(step))
    if not is_number(found):
        raise CountError(f"{value} is not in proportion to what goes to the meter")
    return Fraction(found)


def meters(reset: float, maximum: float, step: float, wagers: int, seed: int) -> tuple[Any, Any]:
    """Hits and dollars paid of each of the meters over so many wagers on each."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    way = maximum - reset
    # At a random moment a long way to the point is met more often: in proportion to the way.
    point = reset + way * np.sqrt(random.random(METERS))
    meter = reset + (point - reset) * random.random(METERS)
    hits, paid = np.zeros(METERS, dtype=np.int64), np.zeros(METERS)
    for _ in range(wagers):
        meter += step
        while (won := np.flatnonzero(meter >= point)).size:
            hits[won] += 1
            paid[won] += point[won]
            meter[won] += reset - point[won]  # what is beyond the point goes to the next meter
            point[won] = reset + way * random.random(won.size)
    return hits, paid


def _hits_judged(method: str, came: int, expected: float) -> Check:
    """Hits follow one another no less evenly than a Poisson law would have it."""
    told = f"{came:,} hits, {expected:,.4g} expected"
    if expected < MANY:
        return Check("simulated hits", method, told, poisson_tail(came, expected) > CHANCE)
    z = (came - expected) / sqrt(expected)
    return Check("simulated hits", method, f"{told}, z = {z:+.2f}", abs(z) < LIMIT)


def _dollars_judged(method: str, paid: Any, expected: float) -> Check:
    """By the standard error of the meters among themselves."""
    mean = float(paid.mean())
    z = (mean - expected) / (float(paid.std(ddof=1)) / sqrt(METERS))
    told = f"{mean:,.6g} a meter, {expected:,.6g} expected, z = {z:+.2f}"
    return Check("simulated dollars paid", method, told, abs(z) < LIMIT)
