"""Count of the hands of one role rank by rank, for words that depend on sums over the ranks.

Sums over the ranks are: the cards of each suit, the numbers of ranks that occur once, twice, …, the cards of a set, and
blackjack points. A state packs them into one integer. Each rank adds one of a few integers, with its number of ways, so
the states of all hands are a product of thirteen short sums. No class of hands is listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb, prod

import numpy as np

from ..deals.cards import RED, Shoe
from ..deals.table import Column
from .condition_tree import Call, Node, calls_of

RANKS, SUITS = 13, 4
BY_SUIT = ("suits", "suited", "same_colour", "most_of_a_suit", "longest_flush")
BY_RANK = ("ranks", "same_rank", "most_of_a_rank", "pair", "two_pair", "three_of_a_kind", "four_of_a_kind")
POINTS = ("total", "hard_total", "soft", "blackjack", "baccarat")
#: Words that follow from the numbers of a state.
WORDS = ("size", "count", *BY_SUIT, *BY_RANK, *POINTS)
#: The most bits of a state in a signed 64-bit integer.
MOST_BITS = 62


class _Fields:
    """The numbers of a state and their bits: ``size`` cards in all, and numbers of at most ``most``."""

    def __init__(self, size: int, calls: Sequence[Call]) -> None:
        self.size, self.places, self.bits = size, dict[object, tuple[int, int]](), 0
        self._add("cards", size)
        words = {call.word for call in calls}
        if words & set(BY_SUIT):
            for suit in range(SUITS):
                self._add(("suit", suit), size)
        if words & set(BY_RANK):
            for number in range(1, size + 1):
                self._add(("of a rank", number), size // number)
        if words & set(POINTS):
            self._add("points", 10 * size)
            self._add("aces", size)
        for call in calls:
            if call.word == "count":
                self._add(call.cards, size)

    def _add(self, name: object, most: int) -> None:
        if name not in self.places:
            self.places[name] = self.bits, most.bit_length()
            self.bits += most.bit_length()

    def code(self, rank: int, dealt: Sequence[int]) -> int:
        """Return what these numbers of cards of one rank, by suit, add to a state."""
        cards = sum(dealt)
        values: dict[object, int] = {"cards": cards, ("of a rank", cards): 1, "points": cards * min(rank + 2, 10),
                                     **{("suit", suit): n for suit, n in enumerate(dealt)}}
        if rank == RANKS - 1:
            values |= {"points": cards, "aces": cards}
        for name in self.places:
            if isinstance(name, tuple) and all(isinstance(card, int) for card in name):
                values[name] = sum(n for suit, n in enumerate(dealt) if 13 * suit + rank in name)
        return sum(value << self.places[name][0] for name, value in values.items() if name in self.places)

    def get(self, states: Column, name: object) -> Column:
        """Return a number of every state."""
        first, bits = self.places[name]
        return states >> first & (1 << bits) - 1


def states_of(conditions: Sequence[Node], size: int, shoe: Shoe) -> tuple[Mapping[Node, Column], Column] | None:
    """Return the words of the conditions by state of a hand of ``size`` cards, and the deals of each state.

    Returns None if a word depends on more than sums over the ranks, or is about only some of the cards.
    """
    calls = list(dict.fromkeys(call for node in conditions for call in calls_of(node)))
    if any(call.word not in WORDS or [hand.size for hand in call.hands] != [size] for call in calls):
        return None
    fields = _Fields(size, calls)
    if fields.bits > MOST_BITS:
        return None
    states, ways = np.zeros(1, np.int64), np.ones(1, np.int64)  # the ways sum to the number of deals, which fits
    for rank in range(RANKS):
        copies = [shoe.copies[13 * suit + rank] for suit in range(SUITS)]
        steps: dict[int, int] = {}
        for dealt in product(*(range(min(n, size) + 1) for n in copies)):
            if sum(dealt) <= size:
                code = fields.code(rank, dealt)
                steps[code] = steps.get(code, 0) + prod(map(comb, copies, dealt))
        codes, numbers = (np.array(list(part), np.int64) for part in (steps.keys(), steps.values()))
        # No sum overflows its field unless there are too many cards; their field is the lowest.
        cards = fields.get(states, "cards")[:, None] + fields.get(codes, "cards")
        row, step = np.nonzero(cards <= size)
        states, index = np.unique(states[row] + codes[step], return_inverse=True)
        after = np.zeros(len(states), np.int64)
        np.add.at(after, index, ways[row] * numbers[step])
        ways = after
    whole = fields.get(states, "cards") == size
    states, ways = states[whole], ways[whole]
    return {call: _value(call, states, fields) for call in calls}, ways


def _value(call: Call, states: Column, fields: _Fields) -> Column:
    """Return the values of a word by state: bool for true or false, otherwise integers."""
    size = fields.size
    if call.word == "size":
        return np.full(len(states), size)
    if call.word == "count":
        return fields.get(states, call.cards)
    if call.word in BY_SUIT:
        suits = np.stack([fields.get(states, ("suit", suit)) for suit in range(SUITS)])
        red = sum(suits[suit] for suit in RED)
        return {
            "suits": lambda: (suits > 0).sum(axis=0), "suited": lambda: suits.max(axis=0) == size,
            "same_colour": lambda: (red == 0) | (red == size),
        }.get(call.word, lambda: suits.max(axis=0))()
    if call.word in BY_RANK:
        each = np.stack([fields.get(states, ("of a rank", number)) for number in range(1, size + 1)])
        many = {least: each[least - 1 :].sum(axis=0) for least in range(1, max(size, 4) + 1)}
        return {
            "ranks": lambda: many[1], "same_rank": lambda: many[1] == 1, "pair": lambda: many[2] > 0,
            "two_pair": lambda: many[2] > 1, "three_of_a_kind": lambda: many[3] > 0,
            "four_of_a_kind": lambda: many[4] > 0,
            "most_of_a_rank": lambda: sum((many[least] > 0).astype(np.int64) for least in range(1, size + 1)),
        }[call.word]()
    hard = fields.get(states, "points")
    soft = (fields.get(states, "aces") > 0) & (hard + 10 <= 21)
    total = hard + 10 * soft
    return {"hard_total": hard, "soft": soft, "total": total, "baccarat": hard % 10,
            "blackjack": (total == 21) & (size == 2)}[call.word]
