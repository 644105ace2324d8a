"""Public cards up to suits, hands by index, and permutations of both, as input of the passes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ..._kernels import load
from ...base.caches import cached
from ...deals.cards import ALL_PERMUTATIONS, CARD_TYPES, Shoe, permute
from ...deals.first_cards import Deal, burnside_classes
from .tree import Level

Array = np.ndarray[Any, Any]
#: Hands of more cards are permuted card by card: a table of all permutations would not fit into the caches.
MOST_MOVED = 3


def set_of(cards: Iterable[int]) -> int:
    """Return a set of card types as 52 bits."""
    return sum(1 << card for card in cards)


def index_of(cards: Iterable[int]) -> int:
    """Return the index of a hand among those of its size."""
    return sum(comb(card, i) for i, card in enumerate(sorted(cards), 1))


@dataclass(frozen=True, eq=False)
class Publics:
    """Canonical public cards of a level, [class][board, then upcards], and the sizes of their orbits."""

    cards: Array
    orbits: Array

    @property
    def masks(self) -> Array:
        """Return each class's cards as 52 bits."""
        return np.bitwise_or.reduce(np.uint64(1) << self.cards.astype(np.uint64), axis=1, dtype=np.uint64,
                                    initial=np.uint64(0))


@cached("canonical public cards by numbers of cards and removed cards", most=16)
def publics(board: int, upcards: int, removed: int) -> Publics:
    """Return the canonical pairs of a board and upcards in a deck without the cards of ``removed``, a set."""
    kernel = load("showdown_publics")
    count = kernel.canonical(board, upcards, removed, np.empty((0, board + upcards), np.uint8), np.empty(0, np.int32))
    cards, orbits = np.zeros((count, board + upcards), np.uint8), np.zeros(count, np.int32)
    kernel.canonical(board, upcards, removed, cards, orbits)
    return Publics(cards, orbits)


@cached("classes of all public cards by numbers of cards and removed cards", most=8)
def located(board: int, upcards: int, removed: int) -> tuple[Array, Array]:
    """Return the class of every pair of board and upcards, and the index of the permutation of suits to it."""
    size = comb(CARD_TYPES, board) * comb(CARD_TYPES, upcards)
    classes, permutations = np.zeros(size, np.int32), np.zeros(size, np.uint8)
    load("showdown_publics").locate(board, upcards, removed, publics(board, upcards, removed).cards, classes,
                                    permutations)
    return classes, permutations


@cached("permutations of the suits of a deck", most=1)
def permutations() -> Array:
    """Return the image of each card type under each of the 24 permutations, int8 [24][52]."""
    return np.array([[permute(p, card) for card in range(CARD_TYPES)] for p in ALL_PERMUTATIONS], dtype=np.int8)


@cached("hands of one deck by index", most=6)
def hand_cards(size: int) -> Array:
    """Return the cards of every hand of ``size`` cards, ascending, by index: uint8 [C(52, size)][size, at least 1]."""
    if size == 0:
        return np.zeros((1, 1), np.uint8)
    # The index orders hands by their highest card, then by the next one: reversed tuples, ascending.
    hands = np.array(list(combinations(range(CARD_TYPES - 1, -1, -1), size)), dtype=np.uint8)[::-1, ::-1]
    return np.ascontiguousarray(hands)


def hand_masks(size: int) -> Array:
    """Return every hand of ``size`` cards by index as 52 bits."""
    if size == 0:
        return np.zeros(1, np.uint64)
    return np.bitwise_or.reduce(np.uint64(1) << hand_cards(size).astype(np.uint64), axis=1)


@cached("hands after permutations of suits", most=4)
def moved(size: int) -> Array:
    """Return the index of each hand after each of the 24 permutations, int32; without rows for large hands."""
    if not 0 < size <= MOST_MOVED:
        return np.zeros((0, 1), np.int32)
    choose = np.array([[comb(card, i + 1) for i in range(size)] for card in range(CARD_TYPES)])
    images = np.sort(permutations()[:, hand_cards(size)], axis=2)
    return np.ascontiguousarray(sum(choose[images[:, :, i], i] for i in range(size)), dtype=np.int32)


def group(removed: int) -> Array:
    """Return the indices of the permutations that keep a set of removed cards."""
    cards = [card for card in range(CARD_TYPES) if removed >> card & 1]
    kept = (i for i, p in enumerate(ALL_PERMUTATIONS) if {permute(p, c) for c in cards} == set(cards))
    return np.fromiter(kept, np.int64)


def position_classes(level: Level, removed: int) -> int:
    """Return the number of classes of positions of a level, up to permutations of suits that keep removed cards."""
    if not level.seen:
        return 1
    deal = Deal(", ".join(f"{role} {cards}" for role, cards in level.roles.items()))
    return burnside_classes(deal, Shoe(1, tuple(card for card in range(CARD_TYPES) if removed >> card & 1)))


def of_level(level: Level, removed: int) -> Publics:
    return publics(level.board, level.upcards, removed)
