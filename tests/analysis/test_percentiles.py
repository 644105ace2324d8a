"""The distribution after many rounds, checked against exact convolution, binomials and the normal limit."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from combin.analysis.engine import analyze
from combin.analysis.percentiles import GREATEST, LEAST, spread

Law = list[tuple[Fraction, Fraction]]


def exact_points(law: Law, rounds: int) -> tuple[Fraction, Fraction]:
    """The two percentiles of the mean by exact convolution with Python fractions."""
    totals = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        after: dict[Fraction, Fraction] = {}
        for total, chance in totals.items():
            for amount, p in law:
                after[total + amount] = after.get(total + amount, Fraction(0)) + chance * p
        totals = after
    found = []
    for level in (LEAST, GREATEST):
        reached = Fraction(0)
        for total in sorted(totals):
            reached += totals[total]
            if reached >= level:
                found.append(total / rounds)
                break
    return found[0], found[1]


FLUSH: Law = [
    (Fraction(301), Fraction(1, 20000)),
    (Fraction(76), Fraction(1, 900)),
    (Fraction(11), Fraction(1, 30)),
    (Fraction(2), Fraction(1, 5)),
    (Fraction(0), Fraction(137_791, 180_000)),
]
HALVES: Law = [
    (Fraction(5, 2), Fraction(3, 10)),
    (Fraction(1), Fraction(1, 7)),
    (Fraction(0), Fraction(39, 70)),
]
JACKPOT: Law = [
    (Fraction(40000), Fraction(1, 3_000_000)),
    (Fraction(7), Fraction(1, 12)),
    (Fraction(0), 1 - Fraction(1, 3_000_000) - Fraction(1, 12)),
]


#: Half of the values of its characteristic function are zero.
COIN: Law = [(Fraction(0), Fraction(1, 2)), (Fraction(2), Fraction(1, 2))]


#: A base game: a lost raise costs more than the ante.
RAISED: Law = [
    (Fraction(-3), Fraction(1, 5)),
    (Fraction(0), Fraction(3, 10)),
    (Fraction(1), Fraction(1, 20)),
    (Fraction(5), Fraction(9, 20)),
]


@pytest.mark.parametrize("law", [FLUSH, HALVES, JACKPOT, COIN, RAISED])
@pytest.mark.parametrize("rounds", [1, 2, 7, 12])
def test_percentiles_are_those_of_the_exact_convolution(law: Law, rounds: int) -> None:
    found = spread(law, rounds)
    assert found is not None
    assert (found.least, found.greatest) == exact_points(law, rounds)


@pytest.mark.parametrize("rounds", [1000, 9000])
def test_a_two_point_law_is_a_binomial(rounds: int) -> None:
    chance = Fraction(1, 37)
    found = spread([(Fraction(36), chance), (Fraction(0), 1 - chance)], rounds)
    assert found is not None
    # weight: C(n, k) 36^(n − k), the ways to hit k times. The recurrence is exact.
    expected, weight = [], 36**rounds
    total = 37**rounds
    reached, hits = weight, 0
    for level in (LEAST, GREATEST):
        while reached < level * total:
            hits += 1
            weight = weight * (rounds - hits + 1) // (hits * 36)
            reached += weight
        expected.append(Fraction(36 * hits, rounds))
    assert (found.least, found.greatest) == tuple(expected)


def test_ten_million_rounds_without_rare_prizes_are_nearly_normal() -> None:
    mean = sum(a * p for a, p in HALVES)
    deviation = sqrt(sum(a * a * p for a, p in HALVES) - mean * mean)
    found = spread(HALVES, 10**7)
    assert found is not None
    reach = 1.959964 * deviation / sqrt(10**7)
    # The bound adds half a lattice step, the skewness term of Edgeworth's expansion and the rounding of z.
    assert abs(float(found.least - mean) + reach) < 3e-7
    assert abs(float(found.greatest - mean) - reach) < 3e-7


def test_a_sure_thing_does_not_spread() -> None:
    found = spread([(Fraction(3, 4), Fraction(1))], 50)
    assert found is not None
    assert (found.least, found.greatest) == (Fraction(3, 4), Fraction(3, 4))


def test_what_needs_too_wide_a_window_is_not_guessed() -> None:
    meter = Fraction(123_456_789, 1000)
    assert spread([(meter, Fraction(1, 100_000)), (Fraction(0), Fraction(99_999, 100_000))], 10**7) is None


def test_the_volatility_index_is_that_of_two_pays() -> None:
    # Pair, six decks: 25 to 1 in 5 and 7 to 1 in 18 of 311 deals; P(|Z| < 1.959964) = 95 % for a normal Z.
    mean = Fraction(26 * 5 + 8 * 18, 311)
    variance = Fraction(26**2 * 5 + 8**2 * 18, 311) - mean**2
    index = analyze("maryland/blackjack/pair/A", decks=6).volatility_index
    deviation = Fraction(index) / Fraction("1.959964")
    assert deviation**2 <= variance < (deviation + Fraction(1, 10**12)) ** 2  # truncated at twelve decimals
