"""A printable rule for switching: a number for each two cards, to be added and compared."""

from __future__ import annotations

import numpy as np

from ..blackjack.hands import CLASSES, Ints, player_hands
from .hands import INDEX, NATURAL, PAIRS
from .solve import SwitchRound, SwitchSolution, valued


def table(solution: SwitchSolution) -> Ints:
    """Return the mean of each hand over other hands without a dealer blackjack, in thousandths: int64 ``[upcard][56]``.

    An ace and a ten-valued card are listed as after a switch, and last as dealt.
    """
    thousandths = np.zeros((CLASSES, len(PAIRS) + 1), np.int64)
    for u in range(CLASSES):
        ways = solution.ways(u)
        if not ways.any():
            continue
        a1, a2, b1, b2 = np.indices((CLASSES,) * 4)
        hand, other = INDEX[a1, a2], INDEX[b1, b2]
        deals = np.zeros((len(PAIRS), len(PAIRS)))
        alive = np.zeros_like(deals)
        np.add.at(deals, (other, hand), ways.astype(float))
        np.add.at(alive, (other, hand), ways * (1 - solution.holes(u) / (solution.size - 5)))
        value = np.where(deals > 0, solution.hands.value[u], 0)
        natural = np.where(deals[:, NATURAL] > 0, solution.natural[u], 0)
        still = np.maximum(alive.sum(0), 1)
        thousandths[u, :-1] = np.rint(1000 * (deals * value).sum(0) / still)
        thousandths[u, -1] = np.rint(1000 * (deals[:, NATURAL] * natural).sum() / still[NATURAL])
        if solution.rules.switched_blackjack == "blackjack":
            thousandths[u, NATURAL] = thousandths[u, -1]
    return thousandths


def by_table(solution: SwitchSolution, values: Ints) -> Ints:
    """Return where the rule switches cards: the sum of the two hands' numbers increases."""
    a1, a2, b1, b2 = np.indices((CLASSES,) * 4)
    switches = np.zeros((CLASSES,) * 5, bool)
    for u in range(CLASSES):
        numbers = values[u].copy()
        dealt = values[u, :-1].copy()
        dealt[NATURAL] = values[u, -1]
        kept = dealt[INDEX[a1, a2]] + dealt[INDEX[b1, b2]]
        switches[u] = (a1 != b1) & (a2 != b2) & (numbers[INDEX[a1, b2]] + numbers[INDEX[b1, a2]] > kept)
    return switches


def rule(solution: SwitchSolution) -> tuple[Ints, SwitchRound]:
    """Return the table and the exact value of switching by it, with best play of each hand."""
    values = table(solution)
    return values, valued(solution, by_table(solution, values))


def names() -> tuple[str, ...]:
    """Return the names of the rows of `table`."""
    hands = player_hands()
    return (*(hands.name(hands.two(a, b)) for a, b in PAIRS), "A T, dealt")
