"""Blackjack Switch under zero-memory play: the values of all hands, the switch of cards, the exact round.

Each hand is played best given its cards, the upcard and the other hand's first two
cards; the play does not depend on the other hand's later cards, and hands of a split are played as
the same cards unsplit. The shoe is in random order. The moment at which the first hand stops drawing
depends only on the cards that it has drawn, and the position that is drawn next never depends
on later cards. So the cards that the second hand and the dealer get are
distributed as cards from a fresh shoe without the upcard and the four first cards
(exchangeability), whatever the first hand drew. The expected result of a round is
therefore the sum of the two hands' values, each valued by itself in the shoe without the
other hand's first two cards; only the variance depends on both together.

Values are joint with "no dealer blackjack", as in blackjack. In addition a dealer's blackjack
wins the wager of every hand except a blackjack: doubles and splits are
returned (ch. 10 B, 11 E), so the play does not depend on the time of the peek. If a dealer
without a hole card takes doubles and splits as well, values include a blackjack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import perm

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...deals.draw import Composition
from ..blackjack.hands import CLASSES, HOLE, Ints
from ..blackjack.solve import SPLIT, SURRENDER
from ..blackjack.strategies import PlayChart
from ..blackjack.values import DOUBLE, PRIMES, scale
from .hands import INDEX, MARGIN, NATURAL, PAIRS, SwitchHands, hands_of
from .rules import SwitchRules

FIRST, SECOND = 0, 1  # a hand as it was dealt, or after a switch


@dataclass(frozen=True)
class SwitchRound:
    """The value of a way to switch cards: (kept, switched) parts of the expected result, and of the probability."""

    net: tuple[Fraction, Fraction]
    share: tuple[Fraction, Fraction]
    extra: Fraction
    doubled: Fraction  # hands per round whose first choice is a double, and a split
    split: Fraction
    surrendered: Fraction  # hands a round

    @property
    def expected_value(self) -> Fraction:
        """Return the expected net result in wagers, two of which are staked."""
        return self.net[FIRST] + self.net[SECOND]


@dataclass(frozen=True)
class SwitchSolution:
    """Best play of one shoe. ``switch[upcard, a1, a2, b1, b2]``: whether the second cards are switched."""

    rules: SwitchRules
    counts: Composition
    hands: SwitchHands = field(repr=False)
    natural: Ints = field(repr=False)  # a blackjack's value: [upcard][other]
    natural_residue: Ints = field(repr=False)
    length: int = field(repr=False)
    moduli: int = field(repr=False)
    switch: Ints = field(repr=False)
    exact_switches: int
    ties: int
    chart: PlayChart | None = None  # the chart that plays the hands; None for best play

    @property
    def size(self) -> int:
        return sum(self.counts)

    @cached_property
    def round(self) -> SwitchRound:
        return valued(self, self.switch)

    @cached_property
    def never(self) -> SwitchRound:
        """Return the round with the same play of the hands if cards are never switched."""
        return valued(self, np.zeros_like(self.switch))

    @property
    def expected_value(self) -> Fraction:
        """Return the expected net result of a round, in wagers."""
        return self.round.expected_value

    def ways(self, upcard: int) -> Ints:
        """Return the ordered deals of the upcard and four cards, int64 ``[a1][a2][b1][b2]``: below 416^5 < 2^44."""
        return _ways(self.counts, upcard)

    def holes(self, upcard: int) -> Ints:
        """Return the number of cards left that end the round before the play, by the four cards."""
        return self.blackjacks(upcard) if self.rules.hands.looks else np.zeros((CLASSES,) * 4, np.int64)

    def blackjacks(self, upcard: int) -> Ints:
        """Return the number of cards left that give the dealer a blackjack, by the four cards."""
        return _blackjacks(self.counts, upcard)

    def lost(self, switched: bool) -> Ints:
        """Return the number of wagers that a dealer's blackjack wins."""
        first, second = dealt(switched)
        wagers: Ints = 2 - ((first == NATURAL).astype(np.int64) + (second == NATURAL)) * int(self.is_dealt(switched))
        return wagers

    def is_dealt(self, switched: bool) -> bool:
        """Return whether an ace and a ten-valued card count as a dealt blackjack."""
        return not switched or self.rules.switched_blackjack == "blackjack"

    def worth(self, upcard: int, switched: bool) -> Ints:
        """Return the sum of the two hands' values, joint with "no dealer blackjack"; −inf if it cannot be dealt."""
        first, second = dealt(switched)
        value = self.hands.value[upcard].copy()
        if self.is_dealt(switched):
            value[:, NATURAL] = self.natural[upcard]
        total: Ints = value[second, first] + value[first, second]
        return total

    def residue(self, upcard: int, switched: bool) -> Ints:
        """Return the residues of the hands' values: [other][hand][prime]."""
        residue: Ints = self.hands.residue[upcard]
        if self.is_dealt(switched):
            residue = residue.copy()
            residue[:, NATURAL] = self.natural_residue[upcard]
        return residue

    def exact_worth(self, upcard: int, cards: Sequence[int], switched: bool) -> Fraction:
        """Return the same sum for four cards, exactly."""
        first, second = (int(index[tuple(cards)]) for index in dealt(switched))
        return self.hand_value(upcard, second, first, switched) + self.hand_value(upcard, first, second, switched)

    def hand_value(self, upcard: int, other: int, hand: int, switched: bool) -> Fraction:
        """Return the exact value of one hand given another one."""
        natural = hand == NATURAL and self.is_dealt(switched)
        residue = self.natural_residue[upcard, other] if natural else self.hands.residue[upcard, other, hand]
        exact = scale(self.size - 5, self.length, self.moduli)
        return Fraction(exact.integer(residue), exact.denominator)


@cached("ordered deals of an upcard and four cards", most=2 * CLASSES)
def _ways(counts: Composition, upcard: int) -> Ints:
    deals = np.full((CLASSES,) * 4, counts[upcard], np.int64)
    left = np.array([n - (c == upcard) for c, n in enumerate(counts)], np.int64)
    cards = np.indices((CLASSES,) * 4, sparse=True)
    for place in range(4):
        taken = sum((cards[i] == cards[place]).astype(np.int64) for i in range(place)) if place else 0
        deals *= np.maximum(left[cards[place]] - taken, 0)
    return deals


@cached("cards that give the dealer a blackjack, by four cards", most=2 * CLASSES)
def _blackjacks(counts: Composition, upcard: int) -> Ints:
    hole = HOLE.get(upcard)
    if hole is None:
        return np.zeros((CLASSES,) * 4, np.int64)
    holes: Ints = np.maximum(counts[hole] - (np.indices((CLASSES,) * 4) == hole).sum(0), 0)
    return holes


@cached("two hands of four cards", most=2)
def dealt(switched: bool) -> tuple[Ints, Ints]:
    """Return the two hands of (a1, a2, b1, b2) as indices in `PAIRS`."""
    a1, a2, b1, b2 = np.indices((CLASSES,) * 4)
    return (INDEX[a1, b2], INDEX[b1, a2]) if switched else (INDEX[a1, a2], INDEX[b1, b2])


# ---- the round


def _exchanges(solution: SwitchSolution) -> tuple[Ints, int, int]:
    """Return where a switch is worth more: the table, the number of exact decisions, the number of ties."""
    switches = np.zeros((CLASSES,) * 5, bool)
    a1, a2, b1, b2 = np.indices((CLASSES,) * 4)
    other_hands = (a1 != b1) & (a2 != b2)
    exact, ties = 0, 0
    size = solution.size - 5
    early = solution.rules.exchange == "before-the-look"
    primes = np.array(PRIMES[: solution.moduli], np.uint64)
    for u in range(CLASSES):
        possible = (solution.ways(u) > 0) & other_hands
        if not possible.any():
            continue
        kept, switched = solution.worth(u, False), solution.worth(u, True)
        taken = (solution.lost(True) - solution.lost(False)) * solution.holes(u)
        with np.errstate(invalid="ignore"):
            gain = switched - kept - (taken / size if early else 0)
        switches[u] = possible & (gain > MARGIN)
        close = possible & (np.abs(gain) <= MARGIN)
        exact += int(close.sum())
        # Equal residues are equal values, which is so for most close ones; sums of two residues are below 2^63.
        equal = close & (taken == 0 if early else True)
        worth = []
        for way in (True, False):
            residue, (first, second) = solution.residue(u, way), (index[equal] for index in dealt(way))
            worth.append((residue[second, first] + residue[first, second]) % primes)
        equal[equal] = (worth[0] == worth[1]).all(1)
        ties += int(equal.sum())
        for cards in np.argwhere(close & ~equal):
            place = tuple(int(c) for c in cards)
            more = solution.exact_worth(u, place, True) - solution.exact_worth(u, place, False)
            if early:
                more -= Fraction(int(taken[place]), size)
            ties += more == 0
            switches[(u, *place)] = more > 0
    return switches, exact, ties


def valued(solution: SwitchSolution, switch: Ints) -> SwitchRound:
    """Return the exact round if ``switch[upcard, a1, a2, b1, b2]`` states which cards are switched."""
    size, hands = solution.size, solution.hands
    early = solution.rules.exchange == "before-the-look"
    extra = [0] * solution.moduli
    share, first, surrendered = [0, 0], {DOUBLE: 0, SPLIT: 0}, 0
    weights: list[Ints] = []
    for u in range(CLASSES):
        ways = solution.ways(u)
        weights.append(ways)
        holes = solution.holes(u)
        for way in (FIRST, SECOND):
            taken = ways * (switch[u] == bool(way))
            if not taken.any():
                continue
            share[way] += int((taken * (size - 5 - (0 if early else holes))).sum())
            uses = uses_of(taken, bool(way))
            alive = uses_of(taken * (size - 5 - holes), bool(way)) if holes.any() else (size - 5) * uses
            for choice in first:
                first[choice] += int(alive[hands.best[u] == choice].sum())
            given_up = hands.best[u] == SURRENDER
            before = solution.rules.hands.surrender_against(u) == "early"
            surrendered += int(((size - 5) * uses if before else alive)[given_up].sum())
            extra = [a + b for a, b in zip(extra, dot(uses, hands.extra_residue[u]), strict=True)]
    six = perm(size, 6)
    switched = Fraction(share[SECOND], six)
    return SwitchRound(
        moments(solution, switch, weights), (1 - switched, switched), mean_of(solution, extra),
        Fraction(first[DOUBLE], six), Fraction(first[SPLIT], six), Fraction(surrendered, six),
    )


def moments(solution: SwitchSolution, switch: Ints, weights: Sequence[Ints]) -> tuple[Fraction, Fraction]:
    """Return the expected result times a weight, with cards kept and switched: two parts of the expected product.

    ``weights[upcard][a1, a2, b1, b2]`` are ordered deals × an integer, in total below 2^52: int64. They
    are `SwitchSolution.ways` for the expected result itself.
    """
    rules, size = solution.rules, solution.size
    early = rules.exchange == "before-the-look"
    sums = [[0] * solution.moduli, [0] * solution.moduli]
    bare = [0, 0]  # the losses to dealer's blackjacks, over perm(size, 6)
    for u, weight in enumerate(weights):
        holes = solution.holes(u)
        for way in (FIRST, SECOND):
            taken = weight * (switch[u] == bool(way))
            if not taken.any():
                continue
            uses = uses_of(taken, bool(way))
            of_hands = dot(uses, solution.residue(u, bool(way)))
            sums[way] = [a + b for a, b in zip(sums[way], of_hands, strict=True)]
            # Below 2^52 × 2^9 × 2, which fits 64 bits.
            bare[way if early else FIRST] -= int((taken * holes * solution.lost(bool(way) and early)).sum())
    six = perm(size, 6)
    return (
        mean_of(solution, sums[FIRST]) + Fraction(bare[FIRST], six),
        mean_of(solution, sums[SECOND]) + Fraction(bare[SECOND], six),
    )


def uses_of(taken: Ints, switched: bool, sides: Sequence[int] = (0, 1)) -> Ints:
    """Return deals by the index of the other hand and of the hand, for both hands or one: int64 ``[55][55]``.

    In all they are below 2^53.
    """
    # Sums of integers below 2^53 are exact in double precision.
    uses = sum(np.bincount(_places(switched, side), taken.ravel(), len(PAIRS) ** 2) for side in sides)
    return np.asarray(uses).astype(np.int64).reshape(len(PAIRS), len(PAIRS))


@cached("indices of a hand and the other one, by four cards", most=4)
def _places(switched: bool, side: int) -> Ints:
    two = dealt(switched)
    places: Ints = (two[1 - side] * len(PAIRS) + two[side]).ravel()
    return places


def dot(numbers: Ints, residues: Ints) -> list[int]:
    """Return Σ number × residue for each prime, by the other hand and the hand."""
    sums: list[int] = load("blackjack").dot(numbers, residues)
    return sums


def mean_of(solution: SwitchSolution, total: Sequence[int]) -> Fraction:
    """Return a mean over perm(size, 5) deals of values over perm(size - 5, length), from its residues."""
    whole = scale(solution.size, solution.length + 5, solution.moduli)
    deals = perm(solution.size, 5)
    mean = [n * pow(deals, -1, p) % p for n, p in zip(total, PRIMES[: solution.moduli], strict=True)]
    return Fraction(whole.integer(mean), whole.denominator)


def _naturals(rules: SwitchRules, hands: SwitchHands, whole: int, primes: Sequence[int]) -> tuple[Ints, Ints]:
    """Return the value of a dealt blackjack, joint with "no dealer blackjack", and its residues."""
    value = np.full((CLASSES, len(PAIRS)), -np.inf)
    residue = np.zeros((CLASSES, len(PAIRS), len(primes)), np.uint64)
    won, staked = rules.blackjack_pays.as_integer_ratio()
    whole *= staked
    inverse = [pow(whole, -1, p) for p in primes]
    for key, (alive, twenty_one, twenty_two) in hands.dealer.items():
        other = alive - twenty_one - (twenty_two if rules.blackjack_against_22 == "pushes" else 0)
        n = other * won + twenty_one * staked
        value[key] = n / whole
        residue[key] = [n * one % p for one, p in zip(inverse, primes, strict=True)]
    return value, residue


@cached("best play of Blackjack Switch by rules and shoe", most=16)
def solved(rules: SwitchRules, counts: Composition, chart: PlayChart | None = None) -> SwitchSolution:
    """Return best play of a shoe (cards by class), or that of a chart with the best switches for it.

    Raise `InputError` for a shoe that can run out within a round.
    """
    hands, length, moduli = hands_of(rules.hands, counts, chart)
    size = sum(counts)
    whole = scale(size - 5, length, moduli)
    natural, residue = _naturals(rules, hands, whole.denominator, PRIMES[:moduli])
    open_ = SwitchSolution(
        rules, counts, hands, natural, residue, length, moduli, np.zeros((CLASSES,) * 5, bool), 0, 0, chart,
    )
    switch, exact, ties = _exchanges(open_)
    return replace(open_, switch=switch, exact_switches=exact, ties=ties)
