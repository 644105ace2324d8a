"""Flushes in arrays, without a kernel: the best one of a hand, whether it qualifies, all dealer hands against it.

A hand is four sets of ranks, one for each suit, as 13-bit numbers (bit 0 is the two), shape (hands, 4). A flush is a
number in order of value: its cards times 8,192 plus its ranks. Dealer hands of seven of the 45 unseen cards are counted
by suit: for each suit the subsets below a flush are counted by size; the counts of the suits are then convolved.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

CARDS = 7
DEALERS = comb(45, CARDS)
SETS = np.arange(8192, dtype=np.int32)
SIZE = np.array([m.bit_count() for m in range(8192)], dtype=np.int32)
WORTH = SIZE << 13 | SETS
TOP = np.array([max(m.bit_length() - 1, 0) for m in range(8192)], dtype=np.int32)
NINE = 7  # the index of the rank, from the two
#: Three cards, nine high: at least 9-3-2.
QUALIFYING = 3 << 13 | 1 << NINE | 0b11
BELOW_NINE = (1 << NINE) - 1
LOSE, TIE, WIN = range(3)
#: Binomial coefficients: ways to choose the first number from the second.
CHOOSE = np.array([[comb(n, k) for n in range(46)] for k in range(CARDS + 1)], dtype=np.int32)


def held(cards: Array) -> Array:
    """Return the sets of ranks of card types, shape (hands, cards), by suit."""
    # One row per card of the hands: numpy adds long rows fast, short ones slowly.
    suit = np.ascontiguousarray(cards.T) // 13
    bit = 1 << np.ascontiguousarray(cards.T, dtype=np.int64) % 13
    return np.stack([np.where(suit == s, bit, 0).sum(axis=0) for s in range(4)], axis=1)


def best(hands: Array) -> Array:
    """Return the value of the best flush."""
    values: Array = np.maximum.reduce([WORTH[suit] for suit in hands.T])
    return values


def length(flush: Array) -> Array:
    cards: Array = flush >> 13
    return cards


def qualifies(flush: Array, long_flush: bool = True) -> Array:
    """Return whether a dealer qualifies; without ``long_flush`` a nine is required whatever the length."""
    enough: Array = flush >= QUALIFYING
    return enough if long_flush else enough & (flush & 8191 > BELOW_NINE)


def _lower(left: Array, flush: Array, cards: int) -> tuple[Array, Array]:
    """Return how many subsets of ``cards`` ranks are below the flush, and (0 or 1) equal to it."""
    ranks = flush & 8191
    count, possible = np.zeros(len(left), dtype=np.int32), np.ones(len(left), dtype=np.int32)
    for wanted in range(cards, 0, -1):
        top = TOP[ranks]
        # The subset is lower here if its remaining ranks are all below this one.
        count += possible * CHOOSE[wanted][SIZE[left & (1 << top) - 1]]
        possible &= left >> top
        ranks = ranks & ~(1 << top)
    return count, possible


def _ways(left: Array, flush: Array, cards: int) -> tuple[Array, Array]:
    """Return numbers of subsets of ``left`` by size, 0 to ``cards``, below a flush of that length, and including it."""
    below = EVERY[: cards + 1, left]
    lower, equal = _lower(left, flush, cards)
    upto = below.copy()
    below[cards], upto[cards] = lower, lower + equal
    return below, upto


def _hands(suits: Sequence[Array]) -> Array:
    """Return the number of hands of seven from subsets of the four suits by size; at most 133,784,560, below 2^31."""
    most = len(suits[0]) - 1

    def two(a: Array, b: Array) -> Array:
        both = np.zeros((CARDS + 1, a.shape[1]), dtype=np.int32)
        for k in range(most + 1):
            size = min(most, CARDS - k) + 1
            both[k : k + size] += a[k] * b[:size]
        return both

    total: Array = (two(suits[0], suits[1]) * two(suits[2], suits[3])[::-1]).sum(axis=0)
    return total


def _low_and_long(left: Array, flush: Array, cards: int) -> tuple[Array, Array]:
    """Return numbers of hands with four or more cards of a suit, all below a nine: below a flush, and equal to it."""
    total = np.zeros((2, len(flush)), dtype=np.int64)
    for suit in left:
        for i, ways in enumerate(_ways(suit & BELOW_NINE, flush, cards)):
            for k in range(4, cards + 1):
                total[i] += ways[k] * CHOOSE[CARDS - k][45 - SIZE[suit]]
    return total[0], total[1]


def dealers(hands: Array, long_flush: bool = True) -> Array:
    """Return the number of the 45,379,620 dealer hands [qualifies][the player loses, ties, wins], int64 (hands, 2, 3).

    ``hands`` are the player's hands of seven cards.
    """
    counts = np.zeros((len(hands), 2, 3), dtype=np.int64)
    mine = best(hands)
    for cards in range(2, CARDS + 1):
        rows = np.flatnonzero(length(mine) == cards)
        if len(rows):
            counts[rows] = _against(hands[rows], mine[rows], cards, long_flush)
    return counts


def _left(hands: Array) -> Array:
    """Return the ranks left in each suit without a hand's cards, shape (4, hands)."""
    return np.ascontiguousarray(~hands.T & 8191, dtype=np.int32)


def unqualified(hands: Array) -> Array:
    """Return the number of hands of seven of the remaining cards without a flush of 9-3-2 or better."""
    return _hands([UNQUALIFIED[:, suit] for suit in _left(hands)])


def _against(hands: Array, mine: Array, cards: int, long_flush: bool) -> Array:
    left = _left(hands)
    ways = [_ways(suit, mine, cards) for suit in left]
    below, upto = (_hands([suit[i] for suit in ways]) for i in (0, 1))
    none = unqualified(hands)
    short = mine < QUALIFYING
    low_below, low_upto = np.where(short, below, none), np.where(short, upto, none)
    if not long_flush:
        more_below, more_upto = _low_and_long(left, mine, cards)
        low_below, low_upto = low_below + more_below, low_upto + more_upto
        none = none + _low_and_long(left, np.full_like(mine, BELOW_NINE), CARDS)[1]
    low = np.stack([none - low_upto, low_upto - low_below, low_below], axis=1)
    every = np.stack([DEALERS - upto, upto - below, below], axis=1)
    return np.stack([low, every - low], axis=1)


#: Subsets of each set of ranks by size, shape (8, 8192); and those below the lowest qualifying flush, (4, 8192).
EVERY = CHOOSE[:, SIZE]
UNQUALIFIED = _ways(SETS, np.full_like(SETS, QUALIFYING), 3)[0]
