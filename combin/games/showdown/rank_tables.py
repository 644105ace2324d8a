"""Rank tables: the rank of any hand as the maximum of a number by its ranks and a number by each suit.

No order of `hand_orders` ranks suited cards below the same ranks of several suits. The best hand among n cards is then
the greater of the best by ranks only and the best within one suit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from ...base.caches import cached
from .hand_orders import SUITS, Order, order_named

#: The ranks of a hand are two numbers in base five, one digit per rank: the six lowest ranks, and the seven others.
BASE, LOW, HIGH = 5, 6, 7
RANK_COUNT = LOW + HIGH
#: A card's rank adds this to the two numbers of its hand.
LOW_KEYS = np.array([BASE**rank if rank < LOW else 0 for rank in range(RANK_COUNT)], dtype=np.int32)
HIGH_KEYS = np.array([BASE ** (rank - LOW) if rank >= LOW else 0 for rank in range(RANK_COUNT)], dtype=np.int32)


@dataclass(frozen=True)
class RankTable:
    """Ranks of hands of ``cards`` cards in an order.

    A hand has the rank max(by_ranks[first[high] + place[low]], by_suit[mask of each suit]), 0 for an unranked hand.
    ``least_suited`` is the least number of cards of a suit for which ``by_suit`` is not 0.
    """

    cards: int
    by_ranks: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    place: np.ndarray[Any, Any]
    by_suit: np.ndarray[Any, Any]
    least_suited: int

    def rank(self, cards: tuple[int, ...]) -> int:
        """Return the rank of one hand of card types."""
        ranks = [card % RANK_COUNT for card in cards]
        low, high = int(LOW_KEYS[ranks].sum()), int(HIGH_KEYS[ranks].sum())
        masks = [sum(1 << card % RANK_COUNT for card in cards if card // RANK_COUNT == suit) for suit in range(SUITS)]
        return max(int(self.by_ranks[self.first[high] + self.place[low]]), *(int(self.by_suit[m]) for m in masks))

    def ranks(self, cards: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Return the ranks of hands of card types along the last axis; those of hands with a card twice are invalid."""
        of, suits = cards % RANK_COUNT, cards // RANK_COUNT
        # Such hands may hold a rank more than four times, which no table has an index for.
        first = self.first.take(HIGH_KEYS[of].sum(axis=-1), mode="clip")
        ranks = self.by_ranks.take(first + self.place.take(LOW_KEYS[of].sum(axis=-1), mode="clip"), mode="clip")
        for suit in range(SUITS):
            masks = np.where(suits == suit, np.int32(1) << of.astype(np.int32), 0).sum(axis=-1) & 0x1FFF
            ranks = np.maximum(ranks, self.by_suit[masks])
        return ranks


@cached("rank tables by order and number of cards", most=16)
def rank_table(order_name: str, cards: int) -> RankTable:
    """Return the table of hands of ``cards`` cards, of which the best of the order's size count."""
    order = order_named(order_name)
    first, place, sizes = _places(cards)
    by_ranks = np.zeros(sizes, dtype=np.uint16)
    if order.size is not None:
        for held, rank in _by_ranks(order, cards).items():
            low = sum(int(LOW_KEYS[r]) for r in held)
            high = sum(int(HIGH_KEYS[r]) for r in held)
            by_ranks[first[high] + place[low]] = rank
    return RankTable(cards, by_ranks, first, place, _by_suit(order, cards), order.size or 1)


def _by_ranks(order: Order, cards: int) -> dict[tuple[int, ...], int]:
    """Return the best rank by ranks only of every multiset of ranks, ascending tuples."""
    assert order.size is not None
    ranks = range(RANK_COUNT)
    best: dict[tuple[int, ...], int] = {
        held: order.ranks[order.unsuited(held)] for held in _multisets(ranks, order.size)}
    for size in range(order.size + 1, cards + 1):
        best = {held: max(best[held[:i] + held[i + 1:]] for i in range(size)) for held in _multisets(ranks, size)}
    return best


def _multisets(ranks: range, size: int) -> list[tuple[int, ...]]:
    # An ascending tuple holds a rank more than four times if two entries at a distance of four are equal.
    return [held for held in combinations_with_replacement(ranks, size)
            if all(held[i] != held[i + SUITS] for i in range(size - SUITS))]


def _by_suit(order: Order, cards: int) -> np.ndarray[Any, Any]:
    """Return the best rank of cards of one suit by their mask, 0 for too few."""
    best = np.zeros(1 << RANK_COUNT, dtype=np.uint16)
    for size in range(order.size or 1, min(cards, RANK_COUNT) + 1):
        for held in combinations(range(RANK_COUNT), size):
            mask = sum(1 << rank for rank in held)
            if size == order.size or order.size is None:
                best[mask] = order.ranks[order.suited(held)]
            else:
                best[mask] = max(int(best[mask ^ 1 << rank]) for rank in held)
    return best


def _places(cards: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], int]:
    """Return the index of a multiset: ``first`` by its higher ranks, ``place`` by its lower ones, and the size."""
    def digits(count: int) -> np.ndarray[Any, Any]:
        numbers = np.arange(BASE**count)
        return sum((numbers // BASE**i % BASE for i in range(count)), start=np.zeros_like(numbers))

    low, high = digits(LOW), digits(HIGH)
    place = np.zeros(len(low), dtype=np.int32)
    for size in range(cards + 1):
        place[low == size] = np.arange((low == size).sum())
    width = np.bincount(low, minlength=cards + 1)
    widths = np.where(high <= cards, width[np.clip(cards - high, 0, None)], 0)
    first = np.zeros(len(high), dtype=np.int32)
    first[1:] = np.cumsum(widths)[:-1]
    return first, place, int(widths.sum())
