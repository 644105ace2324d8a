"""Hands by composition: the player's hands up to 21, and the dealer's final hands as a tree.

Cards are classes: 0 an ace, 1 to 8 the cards two to nine, 9 ten, jack, queen and king.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import perm, prod
from typing import Any

import numpy as np

from ...base.caches import cached
from ...base.errors import CountError, fault
from ...deals.dealer_draws import Dealer
from ...deals.draw import Composition, finished_hands

CLASSES = 10
LETTERS = "A23456789T"
ACE, TEN = 0, 9
#: The hole card's class that makes a blackjack, by the upcard's.
HOLE = {ACE: TEN, TEN: ACE}
#: Outcomes of a dealer's hand: 17 to 21, 22, 23 and more, blackjack, and four into which 21 may be divided.
OUTCOMES = 12
TWENTY_ONE = 4
PUSH_22, BUST, BLACKJACK = 5, 6, 7
#: Rows of rewards: totals, a hand that wins by its number of cards, and one for each bonus.
ROWS = 30
CHARLIE_ROW, BONUS_ROW = 22, 23

Ints = np.ndarray[Any, Any]


@dataclass(frozen=True)
class PlayerHands:
    """Every composition of two or more cards whose hard total is at most 21, in descending order of that total."""

    cards: Ints  # (hands, 10) int8
    size: Ints
    hard: Ints
    total: Ints  # an ace counts 11 if the total does not exceed 21
    soft: Ints
    child: Ints  # (hands, 10) int32, -1 if the next card busts
    place: dict[Composition, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.size)

    def two(self, first: int, second: int) -> int:
        """Return the hand of two cards of these classes."""
        cards = [0] * CLASSES
        cards[first] += 1
        cards[second] += 1
        return self.place[tuple(cards)]

    def name(self, hand: int) -> str:
        """Return the hand's cards, such as ``A 6`` or ``2 2 T``: ascending, the ace first."""
        return " ".join(LETTERS[c] for c in range(CLASSES) for _ in range(int(self.cards[hand, c])))


@cached("the hands of two cards and more", most=1)
def player_hands() -> PlayerHands:
    """Return the table of player's hands, which is the same for every shoe."""
    compositions: list[Composition] = []

    def grow(card_class: int, cards: list[int], hard: int) -> None:
        if card_class < 0:
            if sum(cards) >= 2:
                compositions.append(tuple(cards))
            return
        number = 0
        while hard + number * (card_class + 1) <= 21:
            cards[card_class] = number
            grow(card_class - 1, cards, hard + number * (card_class + 1))
            number += 1
        cards[card_class] = 0

    grow(CLASSES - 1, [0] * CLASSES, 0)
    values = range(1, CLASSES + 1)

    def hard_total(cards: Composition) -> int:
        return sum(v * n for v, n in zip(values, cards, strict=True))

    compositions.sort(key=lambda cards: (-hard_total(cards), sum(cards), cards))
    place = {cards: i for i, cards in enumerate(compositions)}
    child = np.full((len(compositions), CLASSES), -1, np.int32)
    for i, cards in enumerate(compositions):
        for c in range(CLASSES):
            child[i, c] = place.get((*cards[:c], cards[c] + 1, *cards[c + 1 :]), -1)
    table = np.array(compositions, np.int8)
    hard = table.astype(int) @ np.arange(1, CLASSES + 1)
    soft = (table[:, ACE] > 0) & (hard <= 11)
    return PlayerHands(table, table.sum(1), hard, hard + 10 * soft, soft, child, place)


@dataclass(frozen=True)
class DealerTree:
    """A dealer's final hands behind one upcard, as the kernel reads them; compositions do not include the upcard.

    The kernel multiplies falling factorials class by class. Table 0 holds the numbers of orders of
    every final hand; step i adds up entries that differ only in the number of cards of class ``order[i]``.
    Table 10 holds the cells: an outcome and a number of cards.
    """

    order: Ints  # (10,) the class of each step
    width: Ints  # (11,) entries of each table
    most: Ints  # (10,) greatest number of cards of the step's class
    number: Ints  # the cards of the step's class of each entry, table after table
    start: Ints  # the first entry of each sum, table after table, and one past the last
    orders: Ints  # (leaves,)
    cell_outcome: Ints
    cell_length: Ints
    longest: int
    leaves: Ints = field(repr=False)  # (leaves, 10) their cards
    cell_start: Ints = field(repr=False)  # the leaves of each cell

    def check(self, counts: Sequence[int]) -> None:
        """Raise `InputError` for a shoe whose products could exceed 64 bits."""
        greatest = max(prod(map(perm, counts, cards)) for cards in self.leaves.tolist())
        if greatest >= 1 << 63:
            raise fault(f"a shoe of {sum(counts)} cards is too large for exact blackjack", "use at most eight decks")


def _outcome(total: int, blackjack: bool) -> int:
    if blackjack:
        return BLACKJACK
    return total - 17 if total <= 22 else BUST


def _ends(shown: tuple[int, ...], hits_soft_17: bool) -> dict[Composition, tuple[int, int]]:
    """Return the outcome and the number of draw orders of every final composition."""
    ends: dict[Composition, tuple[int, int]] = {}
    for hand in finished_hands(Dealer(hits_soft_17), CLASSES, shown):
        outcome = _outcome(hand.state.total, hand.state.blackjack)
        known, orders = ends.get(hand.composition, (outcome, 0))
        if known != outcome:
            raise CountError("a composition has two outcomes")
        ends[hand.composition] = outcome, orders + hand.orders
    return ends


@cached("dealers' final hands", most=240)
def _leaves(upcard: int, hits_soft_17: bool, hole: int | None) -> tuple[Ints, Ints, Ints]:
    """Return cards (leaves, 10), outcomes and draw orders of the final hands behind the dealer's first card or two."""
    ends = _ends((upcard,) if hole is None else (upcard, hole), hits_soft_17)
    outcomes, orders = np.array(list(ends.values()), np.int64).T
    return np.array(list(ends), np.int64), outcomes, orders


@cached("dealers' trees", most=400)
def dealer_tree(upcard: int, hits_soft_17: bool, hole: int | None = None, last: int = ACE) -> DealerTree:
    """Return the dealer's final hands behind an upcard of this class, or behind both first cards of the dealer.

    Cards of the class ``last`` are multiplied in the last step.
    """
    leaves, outcomes, orders = _leaves(upcard, hits_soft_17, hole)
    order = steps(last)
    lengths = leaves.sum(1)
    # Four bits per class, those of the last step first: entries of a table with the same sum are contiguous.
    key = outcomes << 5 | lengths
    for c in reversed(order):
        key = key << 4 | leaves[:, c]
    by_key = np.argsort(key)
    key = key[by_key]
    before = np.arange(len(key))  # the first leaf of each entry of the table
    numbers, starts, widths = [], [], [len(key)]
    for i in range(CLASSES):
        above = key[before] >> 4 * (i + 1)
        begins = np.flatnonzero(np.append(True, above[1:] != above[:-1]))
        numbers.append(key[before] >> 4 * i & 15)
        starts.append(np.append(begins, len(before)))
        before = before[begins]
        widths.append(len(before))
    return DealerTree(
        np.array(order, np.int32),
        np.array(widths, np.int32),
        leaves[:, order].max(0).astype(np.int32),
        np.concatenate(numbers).astype(np.uint8),
        np.concatenate(starts).astype(np.int32),
        orders[by_key].astype(np.int32),
        outcomes[by_key][before].astype(np.int32),
        lengths[by_key][before].astype(np.int32),
        int(lengths.max()),
        leaves[by_key],
        np.append(before, len(key)),
    )


def steps(last: int) -> list[int]:
    """Return the classes in the order in which the dealer's distribution multiplies them: tens are the rarest."""
    return [*(c for c in range(CLASSES - 1, -1, -1) if c != last), last]
