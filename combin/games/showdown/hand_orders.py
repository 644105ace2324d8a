"""Orders of hands: the ranking, and the named hands of a file as intervals of ranks.

A hand's *rank* is its index in its order, from 1 up; hands that tie have the same rank. Ranks are those of a full
deck: a short deck has fewer hands in the same order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from ...base.errors import fault, nearest
from ...deals.cards import RANK_WORDS, RANKS

ACE = 12
SUITS = 4
#: The sort key of a hand: the category, then the ranks that decide within it, most significant first.
Key = tuple[int, tuple[int, ...]]
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
           "thirteen")
PLURALS = tuple("sixes" if word == "six" else f"{word}s" for word in RANK_WORDS)
#: The categories whose ranks are only the highest of a sequence.
STRAIGHTS = ("straight", "straight flush", "royal flush")
_OF_COUNTS = {(2,): "pair", (2, 2): "two pair", (3,): "three of a kind", (3, 2): "full house", (4,): "four of a kind"}


class RankInterval(NamedTuple):
    """The ranks of a named hand: those in [low, high)."""

    low: int
    high: int


@dataclass(frozen=True)
class Order:
    """An order of hands of ``size`` cards by ``categories``, ascending.

    ``size`` is None for the longest flush, for which all cards of a hand count.
    """

    name: str
    size: int | None
    categories: tuple[str, ...]

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Return the distinct keys, ascending: the hand of rank r is ``keys[r - 1]``."""
        return tuple(sorted({key for key, _ in self._hands()}))

    @cached_property
    def ranks(self) -> Mapping[Key, int]:
        """Return the rank of each key."""
        return {key: place for place, key in enumerate(self.keys, 1)}

    def _hands(self) -> Iterator[tuple[Key, tuple[int, ...]]]:
        """Yield every hand, up to suits: its key and the ranks of its cards."""
        if self.size is None:
            for cards in range(1, len(RANKS) + 1):
                for held in combinations(range(len(RANKS)), cards):
                    yield self.suited(held), held
            return
        for held in combinations_with_replacement(range(len(RANKS)), self.size):
            if all(held.count(rank) <= SUITS for rank in set(held)):
                yield self.unsuited(held), held
            if len(set(held)) == self.size:
                yield self.suited(held), held

    def unsuited(self, held: tuple[int, ...]) -> Key:
        """Return the key of ``size`` cards of several suits, by their ranks; it is the lowest in a longest flush."""
        counts = sorted(((held.count(rank), rank) for rank in set(held)), reverse=True)
        repeated = tuple(count for count, _ in counts if count > 1)
        if not repeated and (top := self._straight(held)) is not None:
            return self.categories.index("straight"), (top,)
        name = _OF_COUNTS[repeated] if repeated else "high card"
        return self.categories.index(name), tuple(rank for _, rank in counts)

    def suited(self, held: tuple[int, ...]) -> Key:
        """Return the key of cards of one suit, by their ranks: ``size`` cards, or all cards of a longest flush."""
        falling = tuple(sorted(held, reverse=True))
        if self.size is None:
            return len(held) - 1, falling
        top = self._straight(held)
        if top is None:
            return self.categories.index("flush"), falling
        name = "royal flush" if top == ACE and "royal flush" in self.categories else "straight flush"
        return self.categories.index(name), (top,)

    @staticmethod
    def _straight(held: tuple[int, ...]) -> int | None:
        """Return the highest rank of a straight; None if the ranks form none. The ace is also below the two."""
        ranks = sorted(held)
        if len(set(ranks)) < len(ranks):
            return None
        if ranks[-1] - ranks[0] == len(ranks) - 1:
            return ranks[-1]
        low = len(ranks) - 2
        return low if ranks[-1] == ACE and ranks[:-1] == list(range(low + 1)) else None

    def interval(self, category: int, first: tuple[int, ...] = ()) -> RankInterval:
        """Return the ranks of a category, or of its hands that begin with these ranks."""
        # A key that begins with these ranks is at least the prefix, and below the prefix with its last rank raised by
        # one.
        low: Key = category, first
        high: Key = (category, (*first[:-1], first[-1] + 1)) if first else (category + 1, ())
        return RankInterval(bisect_left(self.keys, low) + 1, bisect_left(self.keys, high) + 1)

    def category(self, rank: int) -> str:
        """Return the category of a rank."""
        return self.categories[self.keys[rank - 1][0]]


_FIVE = ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind",
         "straight flush", "royal flush")
_FOUR = ("high card", "pair", "two pair", "straight", "flush", "three of a kind", "straight flush", "four of a kind")
_THREE = ("high card", "pair", "flush", "straight", "three of a kind", "straight flush")
ORDERS: Mapping[str, Order] = {order.name: order for order in (
    Order("five-card poker", 5, _FIVE),
    Order("four-card poker", 4, _FOUR),
    Order("three-card poker", 3, _THREE),
    Order("longest flush", None, tuple(f"{number}-card flush" for number in NUMBERS)),
)}
_GRAMMAR = ('write a category of the order, "pair of fours", "three sixes", "four aces", "queen high", '
            '"ace-king high", "straight flush ace high" or "three-card flush nine high"')


def order_named(name: str) -> Order:
    """Return the order of this name; raise `InputError` for an unknown one."""
    if name not in ORDERS:
        known = f"orders: {', '.join(ORDERS)}"
        raise fault(f'"{name}" is not an order of hands', nearest(name, ORDERS, otherwise=known))
    return ORDERS[name]


def named(order: str, text: str, ranks: str = RANKS) -> RankInterval:
    """Return the ranks of a named hand in a deck of ``ranks``.

    >>> named("three-card poker", "queen high")
    RankInterval(low=113, high=157)

    Raises `InputError`, without file and line, for a text that names no hand of the order, and for a hand that the
    deck cannot make.
    """
    chosen = order_named(order)
    category, first = parsed(chosen, text)
    interval = chosen.interval(category, first)
    deck = {RANKS.index(rank) for rank in ranks}
    if not any(_possible(chosen, key, deck) for key in chosen.keys[interval.low - 1:interval.high - 1]):
        raise fault(f'the order {order} has no hand "{text}" in a deck of {ranks}', _GRAMMAR)
    return interval


def parsed(order: Order, text: str) -> tuple[int, tuple[int, ...]]:
    """Return the category and the first ranks of a named hand; raise `InputError` if the order does not have it."""
    words = text.split()
    if text in order.categories:
        return order.categories.index(text), ()
    match words:
        case ["pair", "of", plural] if plural in PLURALS and "pair" in order.categories:
            return order.categories.index("pair"), (PLURALS.index(plural),)
        case [("three" | "four") as count, plural] if plural in PLURALS and f"{count} of a kind" in order.categories:
            return order.categories.index(f"{count} of a kind"), (PLURALS.index(plural),)
        case ["straight", "flush", top, "high"] if top in RANK_WORDS and "straight flush" in order.categories:
            royal = top == "ace" and "royal flush" in order.categories
            return order.categories.index("royal flush" if royal else "straight flush"), (RANK_WORDS.index(top),)
        case [number, "flush", tops, "high"] if f"{number} flush" in order.categories and _falling(tops):
            return order.categories.index(f"{number} flush"), _falling(tops)
        case [tops, "high"] if "high card" in order.categories and 0 < len(_falling(tops)) <= (order.size or 0):
            return order.categories.index("high card"), _falling(tops)
    what = f'"{text}" is not a hand of the order {order.name}'
    raise fault(what, nearest(text, order.categories, otherwise=_GRAMMAR))


def _falling(text: str) -> tuple[int, ...]:
    """Return ranks joined by hyphens, the highest first; empty if the text is not such a list."""
    words = text.split("-")
    if not all(word in RANK_WORDS for word in words):
        return ()
    ranks = tuple(RANK_WORDS.index(word) for word in words)
    return ranks if list(ranks) == sorted(set(ranks), reverse=True) else ()


def _possible(order: Order, key: Key, deck: set[int]) -> bool:
    """Return whether cards of these ranks can make a hand of this key."""
    category, ranks = key
    if order.categories[category] in STRAIGHTS:
        assert order.size is not None
        # In a straight to the lowest ranks the ace is below the two, at rank -1 of a sequence.
        ranks = tuple(rank if rank >= 0 else ACE for rank in range(ranks[0] - order.size + 1, ranks[0] + 1))
    return deck.issuperset(ranks)
