"""Seven cards from one deck less a known hand: straight flushes, fours of a kind and nine to ace.

The number of subsets of a suit with longest run at most L, convolved over the four suits by size, gives the number of
hands with runs of at most L: the table follows by differences. Seven cards have at most one four of a kind, so hands
with one are summed over its rank. Counts stay below C(52, 7) < 2^27, inside an int64.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from ..base.caches import cached
from ..base.errors import closed
from . import seven_cards
from .table import Table

CARDS, RANKS = 7, 13
IntArray = np.ndarray[Any, np.dtype[np.int64]]


@cached("the subsets of a suit of at most seven cards", most=1)
def _subsets() -> tuple[IntArray, IntArray, IntArray]:
    """Return masks of at most seven ranks, their sizes, and their features (straight flushes, nine to ace)."""
    masks = np.arange(1 << RANKS)
    sizes = np.array([mask.bit_count() for mask in range(1 << RANKS)])
    masks, sizes = masks[sizes <= CARDS], sizes[sizes <= CARDS]
    return masks, sizes, seven_cards.mask_features(masks)


def longest(mask: int, column: str) -> int:
    """Return the longest straight flush of one suit's ranks under the ace rule of the column."""
    length = seven_cards.mask_features(np.array([mask]))[0, seven_cards.STRAIGHT_FLUSHES.index(column)]
    return int(length)


@cached("the subsets of a suit without a known hand", most=4096)
def _suit(left: int, column: str) -> IntArray:
    """Return numbers of subsets of a suit's remaining ranks, shape (14, 8, 2, 8).

    The axes are a rank that is included (13: any), the longest run allowed, whether nine to ace is allowed, the size.
    """
    masks, sizes, features = _subsets()
    straight, nine = features[:, seven_cards.STRAIGHT_FLUSHES.index(column)], features[:, -1]
    inside = masks & ~left == 0
    numbers = np.zeros((RANKS + 1, CARDS + 1, 2, CARDS + 1), np.int64)
    for rank in range(RANKS + 1):
        here = inside if rank == RANKS else inside & (masks >> rank & 1 == 1)
        np.add.at(numbers[rank], (straight[here], nine[here], sizes[here]), 1)
    return numbers.cumsum(axis=1).cumsum(axis=2)


def _times(a: IntArray, b: IntArray) -> IntArray:
    """Return the product of two families of polynomials in the number of cards, truncated after seven."""
    product = np.zeros_like(a)
    for n in range(CARDS + 1):
        product[..., n:] += a[..., : CARDS + 1 - n] * b[..., n : n + 1]
    return product


@cached("the subsets of two suits without a known hand", most=4096)
def _pair(left: tuple[int, int], column: str) -> IntArray:
    return _times(_suit(left[0], column), _suit(left[1], column))


def beside(known: tuple[int, int, int, int], column: str) -> Table:
    """Return the table of seven cards of one deck without the ``known`` ranks of each suit (13-bit masks).

    Its columns are the straight flush ``column``, "quads" and "nine_to_ace".
    """
    left = tuple(((1 << RANKS) - 1) & ~mask for mask in known)
    one, two = _pair((left[0], left[1]), column), _pair((left[2], left[3]), column)
    most = _times(one, two)[..., CARDS]
    exact = np.diff(np.diff(most, axis=1, prepend=0), axis=2, prepend=0)
    quads = exact[:RANKS].sum(axis=0)
    counts = np.stack([exact[RANKS] - quads, quads])  # by four of a kind, length, nine to ace
    at = np.argwhere(counts)
    weights = counts[tuple(at.T)]
    deals = comb(52 - sum(mask.bit_count() for mask in known), CARDS)
    closed("seven cards and a hand", int(weights.sum()), deals)
    return Table({"quads": at[:, 0], column: at[:, 1], "nine_to_ace": at[:, 2]}, weights, deals, len(at))
