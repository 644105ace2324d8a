"""The base games dealt and played by a fixed strategy, with the exact table of that strategy beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ..analysis import Analysis
from ..games import chase_the_flush as ctf
from ..games import high_card_flush as hcf
from .cards_dealt import Cards, deal_cards

Prepared = tuple[Mapping[str, Fraction], Callable[[np.random.Generator, int], Sequence[int]]]

RESULTS = ("lose", "tie", "win")
QUALIFIES = ("not qualified", "qualified")
#: Three cards, ten, eight, two.
THRESHOLD = (3 << 13) + (1 << 8) + (1 << 6) + 1
NINE_HIGH = (3 << 13) + (1 << 7) + (1 << 1) + 1


def flush_values(hands: Cards) -> Cards:
    """The best flush of each hand as a number that orders flushes: its cards, then the ranks from the top."""
    hands = hands.astype(np.int64)
    best = np.zeros(len(hands), dtype=np.int64)
    for suit in range(4):
        own = hands // 13 == suit
        value = (own.sum(axis=1) << 13) + np.where(own, 1 << hands % 13, 0).sum(axis=1)
        best = np.maximum(best, value)
    return best


def _counts(index: Cards, cells: int) -> Sequence[int]:
    return [int(n) for n in np.bincount(index, minlength=cells)]


def high_card_flush(a: Analysis) -> Prepared:
    """Every hand from T-8-2 up is raised; cells are fold, or dealer qualifies × result × flush length."""
    game = a.game.solution.game
    utility = np.zeros_like(game.utility)
    utility[0] = -1
    # Nobody folds: the table by flush from which that of any threshold follows.
    cells = hcf.solve(replace(game, utility=utility)).cells.astype(object).sum(axis=(1, 2))
    exact: dict[str, Fraction] = {"fold": Fraction(0)}
    for q in QUALIFIES:
        for r in RESULTS:
            exact |= {f"{q}, {r}, {n} cards": Fraction(0) for n in range(3, 8)}
    for row, mask in enumerate(int(m) for m in hcf.flushes()):
        deals = cells[row]
        if (mask.bit_count() << 13) + mask < THRESHOLD:
            exact["fold"] += Fraction(int(deals.sum()), hcf.DEALS)
            continue
        for (q, r), number in np.ndenumerate(deals):
            cell = f"{QUALIFIES[q]}, {RESULTS[r]}, {mask.bit_count()} cards"
            exact[cell] += Fraction(int(number), hcf.DEALS)
    long_flush = game.long_flush

    def parcel(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 14, 1)
        mine, theirs = flush_values(cards[:, :7]), flush_values(cards[:, 7:])
        qualifies = theirs >= NINE_HIGH
        if long_flush == "does-not":
            qualifies &= (theirs & 8191) >> 7 != 0
        cell = 1 + (qualifies * 3 + np.sign(mine - theirs) + 1) * 5 + (mine >> 13) - 3
        return _counts(np.where(mine < THRESHOLD, 0, cell), len(exact))

    return exact, parcel


def chase_the_flush(a: Analysis) -> Prepared:
    """All in 3x on every hand; cells are dealer qualifies × result × flush length."""
    utility: Any = np.zeros(ctf.SHAPE, dtype=np.int64)
    utility[0] = 1
    joint = ctf.solve([utility])[0].joint[0]
    exact = {
        f"{QUALIFIES[q]}, {RESULTS[r]}, {n} cards": Fraction(int(joint[q, r, i]), ctf.DEALS)
        for q in range(2)
        for r in range(3)
        for i, n in enumerate(ctf.LENGTHS)
    }

    def parcel(random: np.random.Generator, rounds: int) -> Sequence[int]:
        cards = deal_cards(random, rounds, 10, 1)
        board = cards[:, 6:]
        mine = flush_values(np.concatenate([cards[:, :3], board], axis=1))
        theirs = flush_values(np.concatenate([cards[:, 3:6], board], axis=1))
        cell = ((theirs >= NINE_HIGH) * 3 + np.sign(mine - theirs) + 1) * 6 + (mine >> 13) - 2
        return _counts(cell, len(exact))

    return exact, parcel
