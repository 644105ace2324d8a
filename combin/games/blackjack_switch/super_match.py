"""Super Match with Blackjack Switch (ch. 6 G(7)): both are settled on or begin with the same four cards.

The side bet depends only on the four cards and the play does not depend on it, so given the
four cards and the upcard the two results are independent: the expected product is that of
the side bet's result and of the round's value given these cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import perm

import numpy as np

from ...base.errors import CountError
from ...deals.cards import Shoe
from ...deals.dealer_draws import value
from ..blackjack.hands import CLASSES, Ints
from .solve import SwitchSolution, moments

RANKS = 13
#: The lines by the numbers of equal ranks among the four cards, in descending order; cards of four ranks lose.
LINES = {"four of a kind": (4,), "three of a kind": (3, 1), "two pair": (2, 2), "pair": (2, 1, 1), "loss": (1, 1, 1, 1)}


@dataclass(frozen=True)
class SuperMatchLine:
    """One result of the side bet: its net result per unit, its frequency, the round's mean net result given it."""

    name: str
    net: Fraction
    share: Fraction
    round: Fraction | None  # in wagers; None if it never occurs


@dataclass(frozen=True)
class SuperMatchPlay:
    """A round with the side bet: expected net results in wagers and per unit, their covariance, and the lines."""

    base: Fraction
    side: Fraction
    side_variance: Fraction
    covariance: Fraction
    lines: tuple[SuperMatchLine, ...]


def both(solution: SwitchSolution, shoe: Shoe, net: Mapping[str, Fraction]) -> SuperMatchPlay:
    """Return the round with the side bet; ``net`` is its net result for each of `LINES`, −1 for a loss."""
    deals = perm(solution.size, 5)
    lines, products = [], {}
    for name, weights in _weights(shoe):
        share = Fraction(sum(int(w.sum()) for w in weights), deals)
        products[name] = sum(moments(solution, solution.switch, weights), Fraction(0))
        lines.append(SuperMatchLine(name, net[name], share, products[name] / share if share else None))
    base = sum(products.values(), Fraction(0))
    if base != solution.expected_value or sum(line.share for line in lines) != 1:
        raise CountError("the rounds with each result of Super Match do not add up to all rounds")
    side = sum((line.share * line.net for line in lines), Fraction(0))
    square = sum((line.share * line.net**2 for line in lines), Fraction(0))
    product = sum((products[line.name] * line.net for line in lines), Fraction(0))
    return SuperMatchPlay(base, side, square - side**2, product - base * side, tuple(lines))


def _weights(shoe: Shoe) -> Iterator[tuple[str, list[Ints]]]:
    """Yield for each line its ordered deals ``[upcard][a1, a2, b1, b2]`` by class: below 416^5 < 2^44."""
    counts = np.zeros(RANKS, np.int64)
    classes = np.zeros(RANKS, np.intp)
    for card, copies in enumerate(shoe.copies):
        counts[card % RANKS] += copies
        classes[card % RANKS] = value(card) - 1
    cards = np.indices((RANKS,) * 4).reshape(4, -1)
    # Ordered pairs of equal rank, including a card with itself: 16, 10, 8, 6 or 4, one number for each line.
    alike = (cards[:, None] == cards).sum((0, 1))
    place = np.ravel_multi_index(tuple(classes[cards]), (CLASSES,) * 4)
    weights_of = {name: [np.zeros(CLASSES**4, np.int64) for _ in range(CLASSES)] for name in LINES}
    for upcard in range(RANKS):
        left = counts - (np.arange(RANKS) == upcard)
        ways = np.full(cards.shape[1], counts[upcard], np.int64)
        for i, player_card in enumerate(cards):
            taken = (cards[:i] == player_card).sum(0)
            ways *= np.maximum(left[player_card] - taken, 0)
        for name, groups in LINES.items():
            here = (alike == sum(n * n for n in groups)) & (ways > 0)
            np.add.at(weights_of[name][classes[upcard]], place[here], ways[here])
    for name, weights in weights_of.items():
        yield name, [w.reshape((CLASSES,) * 4) for w in weights]
