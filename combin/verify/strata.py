"""Deals sampled in strata, so that rare lines occur in the sample.

Deals are divided by the numbers of cards of each suit, and separately by those of each rank. The share of a stratum is
an exact product of binomial coefficients. A stratum of few deals is enumerated; deals of the others are sampled. Rare
hands are usually rare because of their suits or their ranks, so that one of the two divisions has them in small strata.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod, sqrt
from typing import Any

import numpy as np

from ..base.parallel import Progress
from .cards_dealt import Cards
from .chance import LIMIT
from .model import Check, not_checked
from .shoe import NAMES

#: The largest stratum, in deals of card types, that is enumerated.
MOST_COUNTED = 60_000
#: The same for the rarest stratum, all of whose cards have one suit or rank.
MOST_RAREST = 250_000
#: Deals sampled by each division: in proportion to the shares of the strata, and equally from each stratum.
DRAWN, ALIKE = 10_000, 16_000
#: The card types of each block: of each suit, and of each rank.
DIVISIONS = {
    "suits": tuple(tuple(i for i, card in enumerate(NAMES) if card[1] == suit) for suit in "shdc"),
    "ranks": tuple(tuple(i for i, card in enumerate(NAMES) if card[0] == rank) for rank in "23456789TJQKA"),
}
#: Settles weighted deals of card types, and returns the weight of each line.
Settle = Callable[[list[list[int]], Sequence[int]], Counter[str]]


@dataclass(frozen=True)
class Stratum:
    """A stratum with the lines of its deals: all of its deals, or ``drawn`` sampled ones."""

    share: Fraction
    lines: Mapping[str, int]
    drawn: int
    whole: bool

    def part(self, line: str) -> Fraction:
        """Return the part of the stratum to which a line applies, or its estimate."""
        return Fraction(self.lines.get(line, 0), self.drawn)

    def variance(self, line: str, more: int) -> float:
        """Return the variance of the estimate; ``more`` deals are added to both sides, so that it is never 0."""
        if self.whole:
            return 0.0
        q = (self.lines.get(line, 0) + more) / (self.drawn + 2 * more)
        return float(self.share) ** 2 * q * (1 - q) / self.drawn


def partitions(number: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of a number into ``parts`` numbers between ``most`` and 0, in descending order."""
    if parts == 0:
        if number == 0:
            yield ()
        return
    for first in range(min(number, most), -1, -1):
        if first * parts < number:
            return
        for rest in partitions(number - first, parts - 1, first):
            yield (first, *rest)


def divided(
    blocks: Sequence[Sequence[int]], roles: Sequence[int], decks: int, settle: Settle, random: np.random.Generator,
    times: int = 1,
) -> list[Stratum]:
    """Return the strata of deals to roles of these numbers of cards; ``times`` as many deals are drawn as usual."""
    size, cards = len(blocks[0]), sum(roles)
    total = comb(52 * decks, cards)
    strata = []
    kinds = list(partitions(cards, len(blocks), min(cards, size * decks)))
    with Progress("strata of deals", len(kinds)) as progress:
        for sizes in kinds:
            share = Fraction(_ways(blocks, sizes) * prod(comb(size * decks, k) for k in sizes), total)
            most = MOST_RAREST if sizes == kinds[0] else MOST_COUNTED
            if deals_of(blocks, sizes, decks, roles) <= most:
                deals, weights = every(blocks, sizes, decks, roles)
                strata.append(Stratum(share, settle(deals, weights), sum(weights), True))
            else:
                number = times * (ALIKE // len(kinds) + int(DRAWN * share))
                deals = drawn(blocks, sizes, decks, number, random).tolist()
                strata.append(Stratum(share, settle(deals, [1] * number), number, False))
            progress.advance()
    assert sum(s.share for s in strata) == 1
    return strata


def _ways(blocks: Sequence[Sequence[int]], sizes: Sequence[int]) -> int:
    """Return the number of ways to assign these numbers of cards to the blocks."""
    return factorial(len(blocks)) // prod(factorial(n) for n in Counter(sizes).values())


def deals_of(blocks: Sequence[Sequence[int]], sizes: Sequence[int], decks: int, roles: Sequence[int]) -> int:
    """Return an upper bound of the number of deals of card types of a stratum to roles of these numbers of cards."""
    size = len(blocks[0])
    hands = prod(min(comb(size + k - 1, k), comb(size * decks, k)) for k in sizes)
    return _ways(blocks, sizes) * hands * factorial(sum(roles)) // prod(map(factorial, roles))


def _orders(left: Counter[int], places: int) -> Iterator[tuple[int, ...]]:
    """Yield the distinct orders of a multiset of numbers."""
    if not places:
        yield ()
    for number in sorted(left):
        if left[number]:
            for rest in _orders(left - Counter((number,)), places - 1):
                yield (number, *rest)


def every(
    blocks: Sequence[Sequence[int]], sizes: Sequence[int], decks: int, roles: Sequence[int]
) -> tuple[list[list[int]], list[int]]:
    """Return every deal of card types of a stratum, role by role, with the number of deals that it represents."""
    deals, weights = [], []
    for order in _orders(Counter(sizes), len(sizes)):
        hands = [(combinations if decks == 1 else combinations_with_replacement)(block, k)
                 for block, k in zip(blocks, order, strict=True)]
        for deal in product(*hands):
            cards = Counter(card for hand in deal for card in hand)
            for dealt, weight in _dealt(cards, Counter(dict.fromkeys(cards, decks)), roles):
                if weight:
                    deals.append(dealt)
                    weights.append(weight)
    return deals, weights


def _dealt(cards: Counter[int], copies: Counter[int], roles: Sequence[int]) -> Iterator[tuple[list[int], int]]:
    """Yield the deals of these card types to the roles, each with its number of ways to take copies of the shoe."""
    if not roles:
        yield [], 1
        return
    first, *others = roles
    for hand in sorted(set(combinations(sorted(cards.elements()), first))):
        taken = Counter(hand)
        ways = prod(comb(copies[card], n) for card, n in taken.items())
        for dealt, more in _dealt(cards - taken, copies - taken, others) if ways else ():
            yield [*hand, *dealt], ways * more


def drawn(
    blocks: Sequence[Sequence[int]], sizes: Sequence[int], decks: int, number: int, random: np.random.Generator
) -> Cards:
    """Return random deals of a stratum, in random order: shape (number, cards)."""
    table: Any = np.array(blocks)
    order = random.random((number, len(blocks))).argsort(axis=1)
    columns = []
    for place, k in enumerate(sizes):
        if k:
            picked = random.random((number, table.shape[1] * decks)).argsort(axis=1)[:, :k] % table.shape[1]
            columns.append(table[order[:, place, None], picked])
    cards = np.concatenate(columns, axis=1)
    mixed = random.random(cards.shape).argsort(axis=1)
    return np.take_along_axis(cards, mixed, axis=1)


def judged(
    line: str, probability: Fraction, ways: Mapping[str, Sequence[Stratum]], seed: int, given: Fraction = Fraction(1)
) -> Check:
    """Return the check of one line by the division that estimates it best.

    ``probability`` is conditional on an event of probability ``given``; the strata count line and event together.
    A count that differs by four standard errors fails, unless deals that were not sampled may explain it: it is then
    unchecked. A line that is too rare for the sample, for which twice the count would agree, is also unchecked.
    """
    probability *= given
    seen = [_seen(line, probability, name, strata) for name, strata in ways.items()]
    name, strata, estimate, error, detects = min(seen, key=lambda one: one[4])
    drawn = sum(s.drawn for s in strata if not s.whole)
    if not error and estimate == probability:
        words = f"the same count; none of {drawn:,} deals in other strata" if estimate else f"none of {drawn:,} deals"
        return Check(f"counted {line}", f"strata by numbers of {name}; small ones enumerated", words)
    words = f"{float(estimate / given):.6g}, {float(probability / given):.6g} expected"
    away = abs(float(estimate - probability))
    if away <= LIMIT * sqrt(sum(s.variance(line, 1) for s in strata)) and (detects > 1 or away > LIMIT * error):
        return not_checked(f"sampled {line}", f"too rare for {drawn:,} deals ({words})")
    z = float(estimate - probability) / error if error else 0.0
    power = f", z = {z:+.2f}; smallest detectable error {_percent(detects)}" if error else ""
    return Check(f"sampled {line}", f"{drawn:,} deals in strata by numbers of {name}, seed {seed}", words + power,
                 0 < away <= LIMIT * error or estimate == probability, detects=detects)


def _seen(
    line: str, probability: Fraction, name: str, strata: Sequence[Stratum]
) -> tuple[str, Sequence[Stratum], Fraction, float, float]:
    """Return the estimate of a division, its standard error, and the smallest relative error that it would reveal."""
    estimate = sum((s.share * s.part(line) for s in strata), Fraction(0))
    error = sqrt(sum(s.variance(line, 0) for s in strata))
    if not error:
        return name, strata, estimate, 0.0, 0.0 if estimate == probability else float("inf")
    return name, strata, estimate, error, LIMIT * error / float(probability) if probability else float("inf")


def _percent(part: float) -> str:
    return f"{100 * part:.2g} %"
